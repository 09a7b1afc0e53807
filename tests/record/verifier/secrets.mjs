// Section 8 of the chapter `format`: secrets, and what opens them.
import { DEED, SEALED } from "./fields.mjs";
import { leafOf } from "./formulas.mjs";
import { need, parse, spell } from "./spelling.mjs";

const WITHIN = { play: ["action", "events"], declare: ["actions"], join: [], "amend-pieces": [] };
const ITSELF = { play: "secret", declare: "secret", join: "seed", "amend-pieces": "secret" };

const isSecret = (value) =>
  value !== null && typeof value === "object" && Object.keys(value).sort().join() === "leaf,of";

function* secretsIn(value) {
  if (isSecret(value)) yield value;
  else if (value !== null && typeof value === "object") {
    const members = Array.isArray(value) ? value : Object.keys(value).sort().map((name) => value[name]);
    for (const member of members) yield* secretsIn(member);
  }
}

export class Secrets {
  /** `openings`: the reveals of the log, by leaf. */
  constructor(openings) {
    this.openings = openings;
    this.shut = new Map();
    this.lastReveal = -1;
    this.opened = 0;
  }

  /** Take in the secrets of an entry; what its own one holds, where the log reveals it. */
  add(log, entry) {
    const places = WITHIN[entry.type];
    if (!places) return undefined;
    const itself = entry[ITSELF[entry.type]];
    const inside = places.flatMap((name) => [...secretsIn(entry[name])]);
    if (itself && ["play", "join"].includes(entry.type)) need(itself.of === entry.by, 8, "a secret of another seat");
    inside.forEach((secret, count) => this.#add(log, entry, secret, `${entry.prev}.${count}`));
    if (!itself) return undefined;
    const value = this.#add(log, entry, itself, `${entry.prev}.${inside.length}`, SEALED[entry.type]);
    const isCounted = entry.type !== "declare" || value === undefined || value.length === (entry.count ?? 1);
    need(isCounted, 7, "another number of secret actions was sealed");
    return value;
  }

  #add(log, entry, { leaf, of }, item, kind = () => true) {
    need(/^[0-9a-f]{64}$/.test(leaf), 8, "a leaf that is none");
    need(log.seats.includes(of), 8, `a secret of ${of}, who has no seat`);
    this.shut.set(leaf, { n: entry.n, of, item });
    const shown = this.openings.get(leaf);
    if (!shown || leafOf(log.gameId, of, item, shown.salt, shown.bytes) !== leaf) return undefined;
    const value = parse(shown.bytes);
    need([...secretsIn(value)].length === 0, 8, "a secret in a secret");
    need(kind(value), 8, "what is sealed does not belong there");
    return value;
  }

  reveal(log, entry) {
    const found = this.shut.get(entry.leaf);
    need(found?.n === entry.of, 8, "no such secret, or it is revealed already");
    const value = Buffer.from(spell(entry.value));
    need(leafOf(log.gameId, found.of, found.item, entry.salt, value) === entry.leaf, 8, "this does not open the secret");
    need(this.openings.get(entry.leaf).bytes.equals(value), 8, "another reveal came before");
    this.shut.delete(entry.leaf);
    this.lastReveal = entry.n;
    this.opened++;
  }
}

/** The whole play, where what is sealed of it is known. */
export function whole(entry, deed) {
  need(entry.action !== null || entry.secret, 5, "a play without an action");
  if (!deed) return { ...entry, isOpen: entry.secret === null };
  need(DEED(deed) && (entry.action ?? deed.action) !== null, 5, "a play without an action");
  let count = entry.events.length;
  let last = -1;
  for (const [place] of deed.events) {
    need(place > last && place <= count++, 5, "the place of a secret event");
    last = place;
  }
  return { ...entry, secretRolls: deed.rolls, isOpen: true };
}
