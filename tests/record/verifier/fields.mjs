// Section 5 of the chapter `format`: which members each type of entry has, and what they may hold.
import { need } from "./spelling.mjs";

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const TIME = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const isTime = (value) => {
  const [, year, month, day] = (typeof value === "string" && TIME.exec(value)) || [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return Number(year) > 0 && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
};
const like = (pattern) => (value) => typeof value === "string" && pattern.test(value);
const oneOf = (...values) => (value) => values.includes(value);
const number = (least, most) => (value) => Number.isSafeInteger(value) && value >= least && value <= most;
const text = (least, most) => (value) =>
  typeof value === "string" && [...value].length >= least && [...value].length <= most;
const list = (of, most = Infinity, least = 0) => (value) =>
  Array.isArray(value) && value.length >= least && value.length <= most && value.every(of);
const orNull = (of) => (value) => value === null || of(value);
const either = (...kinds) => (value) => kinds.some((kind) => kind(value));
const table = (name, of) => (value) =>
  isObject(value) && Object.entries(value).every(([key, member]) => name(key) && of(member));

/** An object with just these members; one with a default stands only where it is something else. */
const members = (due) => (value) =>
  isObject(value) &&
  Object.keys(value).every((name) => Object.hasOwn(due, name)) &&
  Object.entries(due).every(([name, of]) => {
    if (!of.default) return Object.hasOwn(value, name) && of(value[name]);
    return !Object.hasOwn(value, name) || (of(value[name]) && JSON.stringify(value[name]) !== of.default);
  });
const optional = (of, value) => Object.assign((found) => of(found), { default: JSON.stringify(value) });

const MOST = Number.MAX_SAFE_INTEGER;
const HASH = like(/^[0-9a-f]{64}$/);
const SEAT = like(/^[a-z][a-z0-9-]{0,23}$/);
const NAME = like(/^[a-z][a-z0-9_-]{0,31}$/);
const NUMBER = number(0, MOST);
const TEXT = text(1, 4_096);
const AGREED = list(SEAT, 16);
const SECRET = members({ leaf: HASH, of: SEAT });
const KEY = like(/^ssh-ed25519 [A-Za-z0-9+/]{68}$/);
const SIGNED = like(/^[A-Za-z0-9+/]{1,600}={0,2}$/);
const UNREADABLE = /[\p{C}\u115f\u1160\u2800\u3164\uffa0]|(?! )\p{Z}/u;
const PLAYER = (value) => text(1, 60)(value) && /[^ ]/.test(value) && !UNREADABLE.test(value);
const CHANGES = list(text(1, 200), 64);
const THROW = number(0, 65_536);
const LABELS = list(text(1, 40), 256);

const DICE = either(
  members({ mode: oneOf("table") }),
  members({ mode: oneOf("open"), seed: HASH }),
  members({ derivation: optional(number(1, 2), 1), mode: oneOf("pact") }),
);
const FILE = either(
  members({ from: oneOf("shipped"), name: like(/^[a-z][a-z0-9-]{0,31}$/), sha256: HASH }),
  members({ document: isObject, from: oneOf("own") }),
  members({ from: oneOf("beside"), sha256: HASH }),
);
const DIE = number(1, 2 ** 20);
export const ROLL = members({
  draw: number(0, 2 ** 32 - 1),
  each: LABELS,
  faces: list(DIE, 256),
  names: LABELS,
  origin: oneOf("table", "open", "sealed", "lots", "pact"),
  purpose: text(1, 120),
  sides: DIE,
  to: orNull(SEAT),
});
const PLACED = (value) => Array.isArray(value) && value.length === 2 && NUMBER(value[0]) && isObject(value[1]);
export const DEED = members({ action: orNull(isObject), events: list(PLACED), rolls: list(ROLL) });
export const SEALED = { play: DEED, join: HASH, declare: list(isObject, 64), "amend-pieces": CHANGES };
const CHAIR = members({
  after: HASH,
  key: KEY,
  length: number(1, 65_536),
  recovery: optional(orNull(HASH), null),
  tip: HASH,
  unseen: orNull(HASH),
});
const CONSENT = members({ by: SEAT, signature: SIGNED });
const DIRECTOR = members({ key: KEY, name: PLAYER, settles: optional(oneOf(true, false), false) });
const PLACE = members({
  after: optional(orNull(HASH), null),
  first: optional(orNull(HASH), null),
  keys: optional(table(SEAT, KEY), {}),
  number: number(1, 10_000),
  terms: table(like(/^/), text(0, 60)),
});
const WARRANT = either(
  members({ consents: list(CONSENT, 8), how: oneOf("word"), on: NUMBER }),
  members({ how: oneOf("recovery"), key: KEY, signature: SIGNED }),
);
const isDay = (value) => typeof value === "string" && /^[0-9-]{10}$/.test(value) && isTime(`${value}T00:00:00Z`);
const CHOSEN = (value) => table(like(/^/), like(/^/))(value) && Object.keys(value).length > 0;
const OFFER = either(
  members({ to: NUMBER, what: oneOf("takeback") }),
  members({ position: isObject, what: oneOf("amend"), why: TEXT }),
  members({ changes: CHANGES, what: oneOf("amend-pieces"), why: TEXT }),
  members({ what: oneOf("resign") }),
  members({ what: oneOf("settled"), winners: list(SEAT, 8) }),
  members({ format: NUMBER, rules: NUMBER, what: oneOf("upgrade") }),
  members({ options: CHOSEN, what: oneOf("switch") }),
  members({ until: isDay, what: oneOf("pause") }),
  members({ of: list(NUMBER, 4_096), what: oneOf("reveal") }),
  members({ chair: CHAIR, name: optional(PLAYER, ""), what: oneOf("join") }),
  members({ of: HASH, what: oneOf("withdraw") }),
);

const COMMON = {
  at: isTime,
  by: SEAT,
  n: NUMBER,
  prev: HASH,
  type: like(/^/),
};
const ENTRIES = {
  game: {
    bots: optional(table(SEAT, NAME), {}),
    dice: DICE,
    director: optional(orNull(DIRECTOR), null),
    files: table(NAME, FILE),
    format: number(1, 2),
    game: NAME,
    match: optional(orNull(PLACE), null),
    hints: optional(oneOf(true, false), false),
    nonce: like(/^[0-9a-f]{32}$/),
    options: table(like(/^/), like(/^/)),
    pace: optional(number(0, 365), 0),
    position: orNull(isObject),
    program: optional(text(0, 60), ""),
    rules: number(1, MOST),
    rulings: list(like(/^/)),
    seats: list(members({ name: PLAYER, seat: SEAT }), 8, 1),
  },
  play: { action: orNull(isObject), events: list(isObject), rolls: list(ROLL), secret: orNull(SECRET) },
  takeback: { agreed: AGREED, to: NUMBER },
  amend: { agreed: AGREED, position: isObject, why: TEXT },
  "amend-pieces": { agreed: AGREED, changes: CHANGES, secret: orNull(SECRET), why: TEXT },
  resign: { agreed: AGREED },
  leaves: { agreed: AGREED, bot: optional(orNull(NAME), null) },
  sits: { agreed: AGREED, name: PLAYER, seat: SEAT },
  settled: { agreed: AGREED, winners: list(SEAT, 8) },
  pause: { agreed: AGREED, until: isDay },
  switch: { agreed: AGREED, options: CHOSEN },
  upgrade: { agreed: AGREED, format: number(1, 2), rules: number(1, MOST) },
  note: { text: TEXT },
  branch: { name: like(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/), parent: text(0, 120) },
  reveal: { agreed: AGREED, leaf: HASH, of: NUMBER, salt: HASH, value: () => true },
  join: {
    agreed: optional(AGREED, []),
    chair: optional(orNull(CHAIR), null),
    name: optional(PLAYER, ""),
    seed: orNull(SECRET),
    warrant: optional(orNull(WARRANT), null),
  },
  declare: { actions: list(isObject, 64), cast: THROW, count: optional(number(1, 64), 1), secret: orNull(SECRET), value: HASH },
  answer: { cast: THROW, signature: optional(orNull(SIGNED), null), value: HASH },
  seal: { signature: SIGNED, to: SEAT },
  offer: { offer: OFFER, on: NUMBER, signature: orNull(SIGNED) },
  agree: { to: NUMBER },
  refuse: { to: NUMBER },
  ruling: { consents: optional(list(CONSENT, 8), []), offer: OFFER, seat: SEAT, signature: SIGNED },
};
const CHECKS = new Map(Object.entries(ENTRIES).map(([type, due]) => [type, members({ ...COMMON, ...due })]));

/** An entry must have the members that its type has. */
export function checkMembers(entry) {
  need(isObject(entry), 5, "an entry that is no object");
  const check = CHECKS.get(entry.type);
  need(check, 5, `no type of entry: ${entry.type}`);
  need(check(entry), 5, `not the members of the type ${entry.type}`);
}
