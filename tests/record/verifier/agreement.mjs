// Section 9 of the chapter `format`: who must agree, as far as it can be said without the rules of the game.
import { need } from "./spelling.mjs";

const STATES = ["game", "play", "amend", "amend-pieces", "resign", "settled"];
const BY_ALL = ["amend", "amend-pieces", "settled", "upgrade"];

export class Line {
  constructor() {
    this.moments = [];
    this.last = null;
    this.ended = false;
  }

  /** Check who has agreed to an entry, and that the game is not over. */
  check(log, entry) {
    need(!this.ended || !STATES.includes(entry.type), 5, "the game is over");
    for (const seat of entry.agreed ?? []) need([...log.seats, "referee"].includes(seat), 5, `${seat} has no seat`);
    for (const seat of entry.winners ?? []) need(log.seats.includes(seat), 5, `${seat} has no seat`);
    need(new Set(entry.winners).size === (entry.winners ?? []).length, 5, "a winner twice");
    const isForAll = BY_ALL.includes(entry.type) || (entry.type === "resign" && log.seats.length > 2);
    if (isForAll || (entry.type === "takeback" && this.#needsAll(log, entry))) {
      for (const seat of log.seats) need([entry.by, ...entry.agreed].includes(seat), 9, `${seat} has not agreed`);
      log.mail?.checkAgreed(log, entry);
    }
  }

  #needsAll(log, { by, to, n }) {
    need(to < n, 5, "a takeback to no earlier entry");
    const [was, will] = [this.last, this.moments[to].last];
    const [longer, shorter] = was.n > will.n ? [was, will] : [will, was];
    const crossed = [];
    let step = longer;
    for (; step && step.n > shorter.n; step = step.before) crossed.push(step);
    const isStraight = step?.n === shorter.n;
    const isFree = (one) => one.type === "play" && one.by === by && one.rolls.length === 0 && one.secret === null;
    return !isStraight || !crossed.every(isFree) || log.secrets.lastReveal > to || (log.mail?.isFixed(to) ?? false);
  }

  add(entry) {
    if (entry.type === "takeback") ({ last: this.last, ended: this.ended } = this.moments[entry.to]);
    if (STATES.includes(entry.type)) this.last = { ...entry, before: this.last };
    if (["resign", "settled"].includes(entry.type)) this.ended = true;
    this.moments.push({ last: this.last, ended: this.ended });
  }
}
