// Sections 7 and 10 of the chapter `format`: throws of all seats, signatures, the pen, offers.
import { before, chain, digest, isSigned, openingHash, texts } from "./formulas.mjs";
import { hash, need, spell } from "./spelling.mjs";

const REMARKS = ["note", "seal", "offer", "agree", "refuse", "ruling"];
const DONE = ["takeback", "amend", "amend-pieces", "resign", "settled", "upgrade", "switch", "pause"];
const BY_ANYBODY = ["amend", "amend-pieces", "settled", "reveal", "upgrade", "switch", "pause"];
export const MAILED = ["declare", "answer", "seal", "offer", "agree", "refuse", "ruling"];

const isAlike = (one, other) => spell(one) === spell(other);

export class Mail {
  constructor(log) {
    this.record = log.gameId;
    this.count = 0;
    this.signed = 0;
    this.asked = new Set();
    this.#begin();
    this.owners = new Map();
    this.fixed = this.moved = -1;
  }

  #begin() {
    Object.assign(this, { hands: new Map(), throw: null, pen: null, sealed: new Map(), offers: new Map() });
  }

  isFixed(to) {
    return this.fixed > to || (this.throw !== null && this.throw.values.size < this.hands.size);
  }

  #owing(log) {
    return this.throw ? log.seats.filter((seat) => !this.throw.values.has(seat)) : [];
  }

  // What may stand here

  check(log, entry) {
    const owing = this.#owing(log);
    need(owing.length === 0 || !["play", "declare"].includes(entry.type), 7, "others owe their values");
    if (this.throw?.waits && owing.length === 0) this.#checkDeclared(log, entry);
    const mayWrite = entry.type === "play" || this.#mayWrite(log, entry);
    need(mayWrite, 10, `${entry.by} writes, but ${this.pen} has the pen`);
    if (entry.type === "reveal" && entry.agreed.length > 0) this.checkAgreed(log, entry);
    this[`check_${entry.type}`]?.(log, entry, owing);
  }

  #checkDeclared(log, entry) {
    const { by, actions, secret } = this.throw.declared;
    const isSaid = () => entry.action !== null && isAlike(bare(entry.action), bare(actions[0]));
    need(entry.type !== "play" || (entry.by === by && (secret || isSaid())), 7, "something else was declared");
    need(!["declare", "answer"].includes(entry.type), 7, "something else was declared");
    const isAsked = entry.type === "offer" && entry.offer.what !== "join";
    const isAlone = entry.type === "resign" && !this.#isAgreed(log, entry);
    need(entry.by !== by || !(isAsked || isAlone), 7, "what was declared comes first");
  }

  #mayWrite(log, entry) {
    if ([null, "referee", entry.by].includes(this.pen) || entry.by === "referee") return true;
    if (entry.type === "ruling" || (["offer", "answer"].includes(entry.type) && entry.signature)) return true;
    return this.#isAgreed(log, entry);
  }

  #isAgreed(log, entry) {
    return log.seats.every((seat) => this.#consents(entry).has(seat));
  }

  #consents(entry) {
    const fitting = [...this.offers.values()].filter((standing) => isFitting(standing, entry));
    return new Set(fitting.flatMap((standing) => [standing.by, ...standing.agreed]));
  }

  checkAgreed(_log, entry) {
    for (const seat of entry.agreed) need(this.#consents(entry).has(seat), 9, `${seat} has not said so`);
  }

  // Throws

  check_declare(log, entry) {
    need(entry.actions.length > 0 || entry.secret, 7, "nothing is declared");
    need(entry.count === undefined || entry.secret, 7, "a number of secret actions where none is secret");
    this.#open(log, entry);
  }

  check_answer(log, entry, owing) {
    const opener = this.throw?.opener ?? "";
    if (entry.signature) this.#checkSigned(entry.by, texts.part(this.record, entry, opener), entry.signature);
    if (owing.length === 0) return this.#open(log, entry);
    const isOwed = entry.cast === this.throw.number && owing.includes(entry.by);
    need(isOwed, 7, `${entry.by} owes nothing to throw ${entry.cast}`);
    return this.#give(log, entry);
  }

  #open(log, entry) {
    need(log.seats.every((seat) => this.hands.has(seat)), 7, "a throw before all have joined");
    need(entry.cast === this.count, 7, `throw ${this.count} is due, not ${entry.cast}`);
    need(!entry.signature, 7, "a part of no throw");
    this.count++;
    this.offers.clear();
    const declared = entry.type === "declare" ? entry : null;
    const empty = { values: new Map(), taken: new Map() };
    const opener = openingHash(log.header.dice.derivation, this.record, log.hash, entry);
    this.throw = { number: entry.cast, opener, declared, waits: declared !== null, ...empty };
    this.#give(log, entry);
  }

  #give(log, entry) {
    const hand = this.hands.get(entry.by);
    need(hand && entry.cast - hand.first < hand.chair.length, 7, "a chain at its end");
    need(before(log.gameId, entry.by, entry.value) === hand.last, 7, "a value that was not fixed before");
    hand.last = entry.value;
    this.throw.values.set(entry.by, entry.value);
    this.fixed = entry.n;
  }

  /** What a seat gives to the key of its secret dice; null: it is not known. */
  unseen(log, seat, number) {
    const [hand, seed] = [this.hands.get(seat), log.seeds.get(seat) ?? null];
    if (seed === null) return null;
    hand.values ??= chain(log.gameId, seat, seed, hand.chair.length);
    need(hand.values[0] === hand.chair.unseen, 7, "a chain of secret dice with another tip");
    return hand.values[number - hand.first + 1];
  }

  // Joining, signing, offering

  check_join(log, entry) {
    const { by, chair, warrant } = entry;
    need(chair, 8, `${by} joins without a chair`);
    need(chair.key !== log.header.director?.key, 10, `${by} joins with the key of the director`);
    need((chair.unseen === null) === (entry.seed === null), 7, "a chain of secret dice without its seed");
    const isAnother = this.#isAnother(by, chair);
    const owing = this.#owing(log);
    const mayJoin = isAnother ? owing.every((seat) => seat === by) : !owing.includes(by);
    need(mayJoin && (owing.length === 0 || warrant?.how !== "recovery"), 10, `${by} joins while a throw is open`);
    if (isAnother) this.#checkWarrant(log, entry);
    else need(chair.after === entry.prev && !warrant, 7, "chains made for another place");
    need(!entry.name || warrant?.how === "word", 10, `${entry.name} comes without the word of the others`);
    if (!this.owners.has(by) || warrant?.how === "recovery" || entry.name) this.owners.set(by, chair);
    this.pen ??= by;
    this.hands.set(by, { chair, first: this.count, last: chair.tip });
  }

  #isAnother(seat, chair) {
    return this.hands.has(seat) && this.hands.get(seat).chair.key !== chair.key;
  }

  #checkWarrant(log, { by, chair, name, warrant, prev, agreed = [] }) {
    const others = log.seats.filter((seat) => seat !== by);
    if (warrant?.how === "recovery") {
      const isThis = hash(warrant.key).toString("hex") === this.owners.get(by).recovery;
      need(chair.after === prev && isThis, 10, "not the recovery key");
      const text = texts.recovery(this.record, by, chair);
      need(isSigned(warrant.key, text, warrant.signature), 10, "not signed by the recovery key");
      this.signed++;
      return;
    }
    const willing = warrant ? warrant.consents.map((consent) => consent.by) : agreed;
    need(others.every((seat) => willing.includes(seat)), 9, "another key without the others");
    need(!warrant || (this.sealed.get(by) ?? -1) <= warrant.on, 10, "the old key has sealed since");
    for (const consent of warrant?.consents ?? []) {
      this.#checkSigned(consent.by, texts.consent(this.record, by, warrant.on, chair, name), consent.signature);
    }
    this.throw = null;
    this.offers.clear();
  }

  check_seal(log, entry, owing) {
    const mayKeep = log.seats.length > 2 && owing.some((seat) => seat !== entry.by);
    need(log.seats.includes(entry.to) && (entry.to !== entry.by || mayKeep), 10, `the pen goes to ${entry.to}`);
    const isAsking = [...this.offers.values()].some(({ by, offer }) => by === entry.by && offer.what === "join");
    const isAlone = this.offers.has(entry.n - 1) && Math.max(...this.sealed.values()) === entry.n - 2;
    need(!isAsking || isAlone, 10, "a key that nobody has agreed to signs more than that it is asked for");
    this.#checkSigned(entry.by, texts.seal(this.record, entry), entry.signature);
    this.pen = entry.to;
    this.sealed.set(entry.by, entry.n);
    this.fixed = entry.n;
  }

  #checkSigned(seat, text, signature) {
    const asked = [...this.offers.values()].find((standing) => standing.by === seat && standing.offer.what === "join");
    const key = asked?.offer.chair.key ?? this.hands.get(seat)?.chair.key;
    need(key && isSigned(key, text, signature), 10, `not signed by ${seat}`);
    this.signed++;
  }

  check_offer(log, entry, owing) {
    const { by, offer, on, signature, n } = entry;
    need(log.seats.includes(by), 5, `${by} has no seat`);
    need(on < n && (!signature || on >= this.moved), 10, "an offer that came too late, or too early");
    const isBarred = offer.what !== "join" && owing.length > 0 && (log.seats.length > 2 || owing.join() === by);
    need(!isBarred, 10, "an offer while a throw is open");
    need(!this.asked.has(signature), 10, "an offer once more");
    if (signature) this.asked.add(signature);
    if (offer.what === "join") need(offer.chair.after === entry.prev, 7, "chains made for another place");
    const own = [...this.offers].filter(([, standing]) => standing.by === by);
    const isTaken = offer.what !== "withdraw" || own.some(([, standing]) => digest(standing.offer) === offer.of);
    need(isTaken, 10, `${by} takes back an offer that is no longer open`);
    for (const [at] of own) this.offers.delete(at);
    if (signature && offer.what !== "join") this.#checkSigned(by, texts.offer(this.record, entry), signature);
    if (offer.what !== "withdraw") this.offers.set(n, { by, offer, agreed: [] });
    if (signature && offer.what === "join") this.#checkSigned(by, texts.offer(this.record, entry), signature);
  }

  check_agree(log, entry) {
    this.#reply(log, entry).agreed.push(entry.by);
  }

  check_refuse(log, entry) {
    this.#reply(log, entry);
    this.offers.delete(entry.to);
  }

  check_ruling(log, entry, owing) {
    const { by, seat, offer, signature, consents = [], n } = entry;
    const director = log.header.director;
    need(director?.settles && log.header.pace && offer.what === "settled", 10, "nobody may settle this");
    const sit = [by, seat].every((one) => this.hands.has(one)) && log.seats.every((one) => this.hands.has(one));
    need(sit && by !== seat, 10, "a ruling between others than the players");
    need(this.pen === seat || owing.includes(seat), 10, `nobody waits for ${seat}`);
    need(Math.max(...this.sealed.values()) === n - 1, 10, "entries that nobody signed");
    const same = [...this.offers.values()].filter((one) => one.by === by && isAlike(one.offer, offer));
    const done = [by, seat, ...same.flatMap((one) => one.agreed)];
    const needed = log.seats.filter((one) => !done.includes(one)).sort();
    need(spell(consents.map((one) => one.by).sort()) === spell(needed), 9, "a ruling without the others");
    const text = texts.ruling(this.record, entry);
    need(isSigned(director.key, text, signature), 10, "not signed by the director");
    for (const one of consents) this.#checkSigned(one.by, text, one.signature);
    this.offers = new Map([[n, { by, offer, agreed: log.seats.filter((one) => one !== by) }]]);
    this.pen = by;
  }

  #reply(log, { by, to }) {
    const standing = this.offers.get(to);
    const isFree = standing && standing.by !== by && log.seats.includes(by) && !standing.agreed.includes(by);
    need(isFree, 10, `entry ${to} offers nothing that ${by} can reply to`);
    return standing;
  }

  // What follows

  add(log, entry) {
    if (!REMARKS.includes(entry.type)) this.moved = entry.n;
    if (entry.type === "play") {
      this.offers.clear();
      if (this.throw) this.throw.waits = false;
    } else if (DONE.includes(entry.type)) {
      this.offers.clear();
      this.throw = null;
    } else if (entry.type === "branch") {
      this.#begin();
      this.owners.clear();
      this.record = log.hash;
    }
  }
}

/** An action without what is secret in it. */
function bare(value) {
  if (Array.isArray(value)) return value.map(bare);
  if (value === null || typeof value !== "object") return value;
  if (Object.keys(value).sort().join() === "leaf,of") return value.of;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, bare(member)]));
}

function isFitting({ by, offer }, entry) {
  if (entry.by !== by && !(entry.by === "referee" && BY_ANYBODY.includes(entry.type))) return false;
  if (offer.what !== entry.type || (entry.type === "amend-pieces" && entry.secret)) return false;
  if (offer.what === "reveal") return offer.of.includes(entry.of);
  return Object.keys(offer).every((name) => name === "what" || isAlike(offer[name], entry[name] ?? null));
}
