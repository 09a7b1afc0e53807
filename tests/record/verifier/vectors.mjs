// Tries the verifier on fixtures/format-vectors.json: node vectors.mjs FILE
//
// It prints every vector that comes out otherwise, and ends with 1 where there is one.
import { readFileSync } from "node:fs";
import { checkMembers } from "./fields.mjs";
import { before, chain, drawKey, face, faces, isSigned, leafOf, saltOf, texts, throwKey } from "./formulas.mjs";
import { Fault, hash, parse, unframed } from "./spelling.mjs";

const vectors = JSON.parse(readFileSync(process.argv[2], "utf8"));
const wrong = [];
let tried = 0;

function same(what, found, due) {
  tried++;
  if (JSON.stringify(found) !== JSON.stringify(due)) wrong.push({ what, found, due });
}

function isGood(check, value) {
  try {
    check(value);
    return true;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return false;
  }
}

const isSpelt = (text) => isGood(parse, Buffer.from(text));
const hex = (bytes) => bytes.toString("hex");

for (const { entry, hash: due, line } of vectors.lines) {
  const found = unframed(Buffer.from(line));
  same("line", [found.hash, found.body.toString()], [due, entry]);
  same("members", isGood(checkMembers, parse(found.body)), true);
}
for (const text of vectors.spelt) same(text, isSpelt(text), true);
for (const [what, text] of Object.entries(vectors.not_spelt)) same(what, isSpelt(text), false);
for (const { sign, times, good } of vectors.lengths) {
  same(`${times} times ${sign}`, isSpelt(`"${sign.repeat(times)}"`), good);
  same(`a name of ${times} times ${sign}`, isSpelt(`{"${sign.repeat(times)}":1}`), good);
}
for (const [good, times] of [[true, vectors.times.good], [false, vectors.times.bad]]) {
  const note = JSON.parse(vectors.lines[1].entry);
  for (const at of times) same(at, isGood(checkMembers, { ...note, at }), good);
}
for (const { seed, d, K, sides, faces: due } of vectors.draws) {
  const key = drawKey(seed, d);
  same(`draw ${d}`, [hex(key), sides.map((most, die) => face(key, die, most))], [K, due]);
}
const { K, i, sides, face: due } = vectors.second_block;
same("a second block", face(Buffer.from(K, "hex"), i, sides), due);
const { S, d, sides: most, faces: lots } = vectors.lots;
same("seed of lots", hex(Buffer.from(vectors.lots.faces_of_the_seed.map((shown) => shown - 1))), S);
same("lots", faces(drawKey(S, d), lots.length, most), lots);
for (const { game, seat, last, length, values } of vectors.chains) {
  same(`chain of ${seat}`, chain(game, seat, last, length), values);
  same(`step of ${seat}`, before(game, seat, values[1]), values[0]);
}
for (const { what, values, opener, K: key, rolls } of vectors.throws) {
  const found = throwKey(values, opener);
  same(what, hex(found), key);
  for (const roll of rolls) same(what, faces(found, roll.faces.length, roll.sides, roll.first), roll.faces);
}
for (const { game, seat, prev, count, item, value, master, salt, leaf } of vectors.secrets) {
  same("item", `${prev}.${count}`, item);
  same("salt", saltOf(master, game, item, Buffer.from(value)), salt);
  same("leaf", leafOf(game, seat, item, salt, Buffer.from(value)), leaf);
}
for (const { what, record, of, text, key, signature } of vectors.signatures) {
  const made = {
    seal: () => texts.seal(record, of),
    offer: () => texts.offer(record, of),
    part: () => texts.part(record, of, of.opener),
    consent: () => texts.consent(record, of.seat, of.on, of.chair),
    recovery: () => texts.recovery(record, of.seat, of.chair),
  };
  same(what, made[what](), text);
  same(`signature of a ${what}`, isSigned(key, text, signature), true);
}
for (const [what, { text, key, signature }] of Object.entries(vectors.not_signed)) {
  same(what, isSigned(key, text, signature), false);
}
same("game id", hex(hash("referee/1\n", vectors.lines[0].entry)), vectors.chains[0].game);

for (const one of wrong) console.log(JSON.stringify(one));
console.log(JSON.stringify({ tried, wrong: wrong.length }));
process.exitCode = wrong.length > 0 ? 1 : 0;
