// Proving a log in the browser: hashes and chain, dice of a seed in the log and of throws that all made, signatures.
// `proof(log, files)` gives {fault: {n, why} or null, hashes, dice: {open, together, lots, typed, secret}, signed, unsigned}.
const text = new TextEncoder();
const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytes = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const u32 = (number) => Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
const joined = (...parts) => {
  const all = parts.map((part) => (typeof part === "string" ? text.encode(part) : part));
  const whole = new Uint8Array(all.reduce((size, part) => size + part.length, 0));
  all.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
};
const sha = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));
const LINE = /^\{"hash":"([0-9a-f]{64})","entry":(\{.*\})\}$/;
const LOTS = "the seed of the lots";

async function keyed(secret) {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (...parts) => new Uint8Array(await crypto.subtle.sign("HMAC", key, joined(...parts)));
}

// Faces of dice with so many sides from the key of a draw; `first` is the number of the first of them (refdice/1).
async function faces(key, count, sides, first = 0) {
  const mac = await keyed(key), shown = [];
  let width = 1;
  while (256 ** width < sides) width++;
  const limit = Math.floor(256 ** width / sides) * sides;
  for (let die = first; die < first + count; die++) {
    for (let block = 0, face = 0; !face; block++) {
      const data = await mac("refdice/1/die\n", u32(die), u32(block));
      for (let at = 0; at + width <= data.length && !face; at += width) {
        const word = data.slice(at, at + width).reduce((sum, byte) => sum * 256 + byte, 0);
        if (word < limit) face = 1 + (word % sides);
      }
      if (face) shown.push(face);
    }
  }
  return shown;
}

async function drawKey(seed, draw) {
  return (await keyed(seed))("refdice/1/key\n", await sha("refdice/1/draw\n", u32(draw)));
}

const NO_CAST = { number: -1, given: new Map(), opener: "", thrown: 0 };

class Proof {
  constructor(files) {
    this.files = files; // the players' own beside the log, as text
    this.dice = { open: 0, together: 0, lots: 0, typed: 0, secret: 0 };
    this.hashes = this.signed = this.unsigned = this.n = 0;
    this.fault = null;
    this.keys = new Map(); // of seats, by mail
    this.values = new Map(); // what each seat gave last
    this.cast = NO_CAST;
  }

  fail(why) {
    throw Object.assign(new Error(why), { n: this.n });
  }

  async line(line, before) {
    const found = LINE.exec(line);
    if (!found) this.fail("this is no entry of a log");
    const [, hash, body] = found;
    this.body = body;
    if (hex(await sha("referee/1\n", body)) !== hash) this.fail("its hash does not fit: one of them was changed");
    const entry = JSON.parse(body);
    if (entry.n !== this.n || entry.prev !== before) this.fail("it does not follow the entry before it");
    await this.entry(entry, hash);
    this.hashes++;
    return hash;
  }

  async entry(entry, hash) {
    if (entry.type === "game") {
      [this.game, this.record, this.header] = [hash, hash, entry];
      await this.beside(entry.files);
    }
    if (entry.type === "branch") this.branch(entry, hash);
    if (entry.type === "join" && entry.chair) this.join(entry.by, entry.chair);
    if (entry.type === "declare" || entry.type === "answer") await this.give(entry, hash);
    if (entry.type === "seal") await this.seal(entry);
    for (const roll of entry.rolls ?? []) await this.roll(roll);
    this.seed = null;
  }

  // On a branch all sit down anew, and no throw of its parent's goes on.
  branch({ parent }, hash) {
    this.game ??= parent;
    [this.record, this.cast] = [hash, NO_CAST];
  }

  // The players' own files are those that the header names.
  async beside(named) {
    const here = new Set();
    for (const file of this.files) here.add(hex(await sha(file)));
    for (const { from, sha256 } of Object.values(named)) {
      if (from === "beside" && !here.delete(sha256)) this.fail("a file of the players that it names was changed, or is not here");
    }
  }

  join(seat, chair) {
    this.keys.set(seat, chair.key);
    if (chair.tip !== this.tips?.get(seat)) this.values.set(seat, chair.tip);
    (this.tips ??= new Map()).set(seat, chair.tip);
  }

  // What a seat gives to a throw was fixed beforehand: hashed once, it is what it gave before.
  async give(entry, hash) {
    const { by: seat, cast: number, value } = entry;
    if (number !== this.cast.number) {
      const opener = this.header.dice.derivation ? await this.begin() : hash;
      this.cast = { number, given: new Map(), opener, thrown: 0 };
    }
    if (entry.signature) await this.signedBy(seat, `part\n${this.record}\n${number}\n${this.cast.opener}\n${value}\n`, entry.signature);
    const step = await sha("refdice/1/chain\n", bytes(this.game), u32(seat.length).slice(3), seat, bytes(value));
    if (hex(step) !== this.values.get(seat)) this.fail(`what ${seat} gives to the throw is not what its chain had fixed`);
    this.values.set(seat, value);
    this.cast.given.set(seat, value);
  }

  // What opens a throw, without when and where it stands.
  async begin() {
    const said = this.body.replace(/"at":"\d+-.*?",(.*)"n":\d+,"prev":"\w*",/, "$1");
    return hex(await sha("refdice/2/opening\n", bytes(this.record), said));
  }

  async castKey() {
    const given = this.header.seats.map(({ seat }) => this.cast.given.get(seat)).filter(Boolean);
    const seed = await sha("refdice/1/contrib\n", Uint8Array.of(given.length), ...given.map(bytes));
    return (await keyed(seed))("refdice/1/key\n", bytes(this.cast.opener));
  }

  async roll(roll) {
    if (roll.to !== null) return void this.dice.secret++;
    if (roll.purpose === LOTS) return void (this.seed = Uint8Array.from(roll.faces, (face) => face - 1));
    const due = await this.due(roll);
    if (!due) return void this.dice.typed++;
    const [kind, shown] = due;
    if (shown.join() !== roll.faces.join()) this.fail(`its dice show ${shown.join(" ")}, but it says ${roll.faces.join(" ")}`);
    this.dice[kind]++;
  }

  // The faces that are due; nothing where people threw them.
  async due({ origin, draw, sides, faces: { length: count } }) {
    if (origin === "open") return ["open", await faces(await drawKey(bytes(this.header.dice.seed), draw), count, sides)];
    if (origin === "lots" && this.seed) return ["lots", await faces(await drawKey(this.seed, draw), count, sides)];
    if (origin !== "pact") return null;
    const first = this.cast.thrown;
    this.cast.thrown += count;
    return ["together", await faces(await this.castKey(), count, sides, first)];
  }

  // Who hands the pen over has signed all that stands before.
  seal({ by, n, prev, to, at, signature }) {
    return this.signedBy(by, `seal\n${this.record}\n${n - 1}\n${prev}\n${to}\n${at}\n`, signature);
  }

  // SSHSIG by an Ed25519 key, as ssh-keygen -Y verify -n referee checks it.
  async signedBy(seat, message, signature) {
    const raw = (base64) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const field = (part) => joined(u32(part.length), part);
    const hashed = new Uint8Array(await crypto.subtle.digest("SHA-512", text.encode(`referee/1 ${message}`)));
    let key;
    try {
      const point = raw(this.keys.get(seat).split(" ")[1]).slice(-32);
      key = await crypto.subtle.importKey("raw", point, "Ed25519", false, ["verify"]);
    } catch {
      return void this.unsigned++; // a browser that knows no Ed25519
    }
    const told = joined("SSHSIG", ...["referee", "", "sha512", hashed].map(field));
    if (!(await crypto.subtle.verify("Ed25519", key, raw(signature).slice(-64), told))) {
      this.fail(`this is not signed with the key of ${seat}`);
    }
    this.signed++;
  }
}

async function proof(log, files = []) {
  const found = new Proof(files), lines = log.split("\n"), rest = lines.pop();
  let before = "0".repeat(64);
  try {
    for (const line of lines) {
      before = await found.line(line, before);
      found.n++;
    }
    if (rest !== "") found.fail("the log breaks off");
  } catch (error) {
    found.fault = { n: found.n, why: error.n === undefined ? "it cannot be read" : error.message };
  }
  return found;
}

const several = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

// What a proof comes to, in sentences. `told` is the number of entries that the page tells.
function verdict({ fault, hashes, dice, signed, unsigned }, told = hashes) {
  const judge = "To judge everything, plays and boards too: referee audit and this file.";
  if (fault) return [`Entry ${fault.n} was changed or is no entry: ${fault.why}. Believe nothing from there on.`, judge];
  if (told !== hashes) return [`The page tells ${several(told, "entry", "entries")}, and its log has ${hashes}.`, judge];
  const thrown = dice.open + dice.together + dice.lots;
  const checked = [several(hashes, "hash", "hashes"), thrown && several(thrown, "roll"), signed && several(signed, "signature")];
  const real = dice.typed ? ` ${several(dice.typed, "roll")} of real dice cannot be.` : "";
  const said = [`Checked in this browser: ${checked.filter(Boolean).join(", ")}.${real}`];
  said.push("Each hash fits its entry and the one before: nothing of the log was changed since it was written.");
  const add = (count, one, how) => count && said.push(`${several(count, one)} ${how}.`);
  add(dice.open, "roll", "from the seed in the log: all as recorded");
  add(dice.together, "roll", "that all seats made together: all as recorded");
  add(dice.lots, "drawing", "of lots: all as recorded");
  add(dice.typed, "roll", "of real dice, as somebody typed them: no page can check these");
  add(dice.secret, "roll", "in secret: not checked here");
  add(signed, "signature", "by the keys of the seats: all good");
  add(unsigned, "signature", "not checked: this browser knows no Ed25519");
  said.push("Not checked here: whether the plays keep the rules, whether the boards are right, and whether somebody wrote "
    + "the whole log anew.", judge);
  return said;
}
