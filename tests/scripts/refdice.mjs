// The same as refdice.sh, in JavaScript: node refdice.mjs GAME RED_SEED BLUE_SEED LENGTH DECLARED DICE
import { createHash, createHmac } from "node:crypto";

const [game, redSeed, blueSeed, length, declared, dice] = process.argv.slice(2);
const hex = (text) => Buffer.from(text, "hex");
const hash = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const mac = (key, ...parts) => createHmac("sha256", key).update(Buffer.concat(parts)).digest();
const label = (what) => Buffer.from(`refdice/1/${what}\n`);
const number = (value) => Buffer.from(value.toString(16).padStart(8, "0"), "hex");

function chain(seat, seed) {
  const values = [hex(seed)];
  for (let i = 0; i < Number(length); i++) {
    values.unshift(hash(label("chain"), hex(game), Buffer.from([seat.length]), Buffer.from(seat), values[0]));
  }
  return values;
}

function d6(key, die) {
  for (let block = 0; ; block++) {
    const word = mac(key, label("die"), number(die), number(block)).find((byte) => byte < 252);
    if (word !== undefined) return 1 + (word % 6);
  }
}

const red = chain("red", redSeed);
const blue = chain("blue", blueSeed);
const seed = hash(label("contrib"), Buffer.from([2]), red[1], blue[1]);
const key = mac(seed, label("key"), hex(declared));
const faces = Array.from({ length: Number(dice) }, (_, die) => d6(key, die));
console.log(`red ${red[0].toString("hex")}\nblue ${blue[0].toString("hex")}`);
console.log(`key ${key.toString("hex")}\nd6 ${faces.join(" ")}`);
