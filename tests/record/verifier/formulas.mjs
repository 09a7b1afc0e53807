// The formulas of the sections 6 to 8 and 10 of the chapter `format`.
import { createHmac, createHash, createPublicKey, verify } from "node:crypto";
import { hash, spell } from "./spelling.mjs";

const hex = (digits) => Buffer.from(digits, "hex");
const label = (what) => Buffer.from(`refdice/1/${what}\n`);
const u8 = (value) => Buffer.from([value]);
const named = (text) => Buffer.concat([u8(text.length), Buffer.from(text)]);
const hmac = (key, ...parts) => createHmac("sha256", key).update(Buffer.concat(parts)).digest();

function u32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** K of a draw with this number from a seed. */
export const drawKey = (seed, draw) => hmac(hex(seed), label("key"), hash(label("draw"), u32(draw)));

/** K of a throw: the values in the order of the seats, and D, the hash of what opened it. */
export const throwKey = (values, opener) =>
  hmac(hash(label("contrib"), u8(values.length), ...values.map(hex)), label("key"), hex(opener));

/** D of a throw: the hash of the line that opened it or, by the second derivation, of what that entry says. */
export function openingHash(derivation, record, line, { at, n, prev, ...said }) {
  return derivation === 2 ? hash("refdice/2/opening\n", hex(record), spell(said)).toString("hex") : line;
}

/** The value before this one in the chain of a seat. */
export const before = (game, seat, value) => hash(label("chain"), hex(game), named(seat), hex(value)).toString("hex");

/** A chain from its last value, its tip first. */
export function chain(game, seat, last, length) {
  const values = [last];
  for (let step = 0; step < length; step++) values.push(before(game, seat, values.at(-1)));
  return values.reverse();
}

/** The face of a die: its number among those of K, and its sides. */
export function face(key, die, sides) {
  let width = 1;
  while (256 ** width < sides) width++;
  const limit = 256 ** width - ((256 ** width) % sides);
  for (let block = 0; ; block++) {
    const words = hmac(key, label("die"), u32(die), u32(block));
    for (let at = 0; at + width <= words.length; at += width) {
      const word = words.readUIntBE(at, width);
      if (word < limit) return 1 + (word % sides);
    }
  }
}

/** The faces of so many dice of K, from this number on. */
export const faces = (key, count, sides, first = 0) =>
  Array.from({ length: count }, (_, at) => face(key, first + at, sides));

/** The leaf of a secret: the game, its seat, its item, salt and bytes. */
export const leafOf = (game, seat, item, salt, value) =>
  hash(label("leaf"), hex(game), named(seat), named(item), hex(salt), value).toString("hex");

/** The salt of a secret from the master of its seat. */
export const saltOf = (master, game, item, value) =>
  hmac(hex(master), label("salt"), hex(game), Buffer.from(`${item}.${hash(value).toString("hex")}`)).toString("hex");

export const digest = (value) => hash(spell(value)).toString("hex");
const lines = (...words) => words.map((word) => `${word}\n`).join("");

/** What each signature is made under. */
export const texts = {
  seal: (record, entry) => lines("referee/1 seal", record, entry.n - 1, entry.prev, entry.to, entry.at),
  offer: (record, entry) => lines("referee/1 offer", record, entry.on, digest(entry.offer)),
  part: (record, entry, opener) => lines("referee/1 part", record, entry.cast, opener, entry.value),
  consent: (record, seat, on, chair, name) =>
    lines("referee/1 consent", record, seat, on, digest({ chair, ...(name && { name }), what: "join" })),
  ruling: (record, { n, prev, by, seat, offer }) => lines("referee/1 ruling", record, n - 1, prev, by, seat, digest(offer)),
  recovery: (record, seat, chair) => lines("referee/1 recovery", record, seat, digest(chair)),
};

// Section 10: SSHSIG in the one spelling

const field = (bytes) => Buffer.concat([u32(bytes.length), Buffer.from(bytes)]);
const KIND = Buffer.from("ssh-ed25519");
const PURPOSE = Buffer.concat([field(Buffer.from("referee")), field(Buffer.alloc(0)), field(Buffer.from("sha512"))]);
const P = 2n ** 255n - 19n;
const Y8 = 0x5fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
const SMALL_ORDER = [0n, 1n, P - 1n, Y8, P - Y8];

/** Whether a signature of a log is one of this text by this key. */
export function isSigned(key, text, signature) {
  const blob = Buffer.from(key.slice(KIND.length + 1), "base64");
  const signed = Buffer.from(signature, "base64");
  if (signed.toString("base64") !== signature || !isKey(blob)) return false;
  const magic = Buffer.from("SSHSIG");
  const kind = Buffer.concat([field(KIND), u32(64)]);
  const head = Buffer.concat([magic, u32(1), field(blob), PURPOSE, u32(kind.length + 64), kind]);
  if (signed.length !== head.length + 64 || !signed.subarray(0, -64).equals(head)) return false;
  const message = Buffer.concat([magic, PURPOSE, field(createHash("sha512").update(text).digest())]);
  const jwk = { kty: "OKP", crv: "Ed25519", x: blob.subarray(-32).toString("base64url") };
  return verify(null, message, createPublicKey({ key: jwk, format: "jwk" }), signed.subarray(-64));
}

function isKey(blob) {
  const height = BigInt(`0x${Buffer.from(blob.subarray(-32)).reverse().toString("hex")}`) & (2n ** 255n - 1n);
  const start = Buffer.concat([field(KIND), u32(32)]);
  const isOne = blob.length === start.length + 32 && blob.subarray(0, -32).equals(start);
  return isOne && height < P && !SMALL_ORDER.includes(height);
}
