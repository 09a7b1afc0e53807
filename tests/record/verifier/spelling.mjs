// Sections 2 to 4 of the chapter `format`: lines, the one spelling of JSON, and what mail may do to a log.
import { createHash } from "node:crypto";

export const MOST_BYTES = 65_536;
const MOST_LETTERS = 4_096;
const MOST_DEEP = 16;
const FRAME = /^\{"hash":"[0-9a-f]{64}","entry":/;
const BODY_AT = 83;
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/u;
const SIGNS = ['"hash"', '"entry"', '"prev"', '"type"', "\0"];

/** What is wrong with a log: the entry, the section of the chapter, and why. */
export class Fault extends Error {
  constructor(section, why) {
    super(why);
    this.section = section;
  }
}

export function need(holds, section, why) {
  if (!holds) throw new Fault(section, why);
}

/** H of bytes or texts, joined. */
export const hash = (...parts) =>
  createHash("sha256")
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest();

/** The bytes of a value in the one spelling. */
export function spell(value) {
  if (Array.isArray(value)) return `[${value.map(spell).join(",")}]`;
  if (typeof value === "string") return `"${value.replace(/["\\]/g, "\\$&")}"`;
  if (value === null || typeof value !== "object") return String(value);
  const names = Object.keys(value).sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return `{${names.map((name) => `${spell(name)}:${spell(value[name])}`).join(",")}}`;
}

/** What bytes in the one spelling stand for. */
export function parse(bytes) {
  need(bytes.length <= MOST_BYTES, 2, "more than 65,536 bytes");
  need(depth(bytes) <= MOST_DEEP, 3, "brackets more than 16 deep");
  let value;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    throw new Fault(3, `no JSON in UTF-8: ${error.message}`);
  }
  check(value);
  need(Buffer.from(spell(value)).equals(bytes), 3, "not in the one spelling");
  return value;
}

function depth(bytes) {
  let [deep, deepest, quoted] = [0, 0, false];
  for (let at = 0; at < bytes.length; at++) {
    const sign = String.fromCharCode(bytes[at]);
    if (quoted && sign === "\\") at++;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && "[{".includes(sign)) deepest = Math.max(deepest, ++deep);
    else if (!quoted && "]}".includes(sign)) deep--;
  }
  return deepest;
}

function check(value) {
  if (typeof value === "string") {
    need([...value].length <= MOST_LETTERS, 3, "a string of more than 4,096 characters");
    need(!FORBIDDEN.test(value), 3, "a character that no string may have");
  } else if (typeof value === "number") {
    need(Number.isSafeInteger(value), 3, "a number that is not whole, or too large");
  } else if (value !== null && typeof value === "object") {
    for (const [name, member] of Object.entries(value)) {
      check(name);
      check(member);
    }
  }
}

/** The lines of a file, without line feeds, what mail has done to them undone; and what follows the last line feed. */
export function linesOf(data) {
  const text = undone(data.toString("latin1"));
  const lines = text.split("\n");
  const rest = lines.pop();
  return { lines: lines.map((line) => Buffer.from(line, "latin1")), rest: Buffer.from(rest, "latin1") };
}

function undone(text) {
  if (text.split("\n").slice(0, -1).every(isFramed)) return text;
  const lines = text.replace(/^\xef\xbb\xbf/, "").split("\n");
  const bare = lines.map((line) => line.replace(/^[> \t]+/, "").replace(/[ \t\r]+$/, ""));
  const whole = bare.flatMap((line, at) => (isFramed(line) ? [at] : []));
  if (whole.length === 0) return text;
  const [first, last] = [whole[0], whole.at(-1)];
  const within = bare.slice(first, last + 1).filter((line) => line !== "");
  const around = [...bare.slice(0, first), ...bare.slice(last + 1)];
  const damaged = around.some((line) => SIGNS.some((sign) => line.includes(sign)));
  return within.length > whole.length || damaged ? text : `${within.join("\n")}\n`;
}

const isFramed = (line) => FRAME.test(line) && line.endsWith("}");

/** The bytes of the entry in a line, once frame and hash are found to fit; and the hash. */
export function unframed(line) {
  need(isFramed(line.toString("latin1")), 2, "a line without the frame of an entry");
  const body = line.subarray(BODY_AT, -1);
  const found = hash("referee/1\n", body).toString("hex");
  need(found === line.toString("latin1", 9, 73), 2, "the hash does not fit the entry");
  return { body, hash: found };
}

/** What a reveal in a line opens, though perhaps it is not spelt as it should be; null: it is no reveal. */
export function openingIn(line) {
  const text = line.toString("latin1");
  const found = /"type":"reveal","value":(.*)\}\}$/s.exec(text);
  if (!found || text.length > MOST_BYTES + BODY_AT + 1) return null;
  try {
    const { entry } = JSON.parse(text);
    return isWellFormed(entry.value) ? { ...entry, bytes: Buffer.from(found[1], "latin1") } : null;
  } catch {
    return null;
  }
}

function isWellFormed(value) {
  if (typeof value === "string") return value.isWellFormed();
  return value === null || typeof value !== "object" || Object.values(value).every(isWellFormed);
}
