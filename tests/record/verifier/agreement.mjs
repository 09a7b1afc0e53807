// Section 9 of the chapter `format`: who must agree, as far as it can be said without the rules of the game.
import { need } from "./spelling.mjs";

const STATES = ["game", "play", "amend", "amend-pieces", "resign", "leaves", "sits", "switch", "settled"];
const BY_ALL = ["amend", "amend-pieces", "settled", "upgrade", "leaves", "sits", "switch", "pause"];

const [NOBODY, SOMEBODY] = ["", " "];

export class Line {
  constructor() {
    this.moments = [];
    this.last = null;
    this.ended = false;
    this.sitting = new Map();
    this.options = null;
  }

  /** Seats at which somebody sits. */
  present(log) {
    return log.seats.filter((seat) => this.sitting.get(seat) !== NOBODY);
  }

  /** Check who has agreed to an entry, and that the game is not over. */
  check(log, entry) {
    this.#checkSeats(log, entry);
    this.#checkOptions(log, entry);
    need(entry.type !== "pause" || (log.header.pace && !this.ended), 5, "no pace can rest");
    need(!this.ended || !STATES.includes(entry.type), 5, "the game is over");
    for (const seat of entry.agreed ?? []) need([...log.seats, "referee"].includes(seat), 5, `${seat} has no seat`);
    for (const seat of entry.winners ?? []) need(log.seats.includes(seat), 5, `${seat} has no seat`);
    need(new Set(entry.winners).size === (entry.winners ?? []).length, 5, "a winner twice");
    const isForAll = BY_ALL.includes(entry.type) || (entry.type === "resign" && this.present(log).length > 2);
    if (isForAll || (entry.type === "takeback" && this.#needsAll(log, entry))) {
      for (const seat of this.present(log)) need([entry.by, ...entry.agreed].includes(seat), 9, `${seat} has not agreed`);
      log.mail?.checkAgreed(log, entry);
    }
  }

  #checkSeats(log, entry) {
    if (!["leaves", "sits"].includes(entry.type)) return;
    need(!log.mail && log.format > 1, 5, "nobody comes or goes in this log");
    const seat = entry.type === "leaves" ? entry.by : entry.seat;
    need(log.seats.includes(seat), 5, `${seat} has no seat`);
    const who = this.sitting.get(seat) ?? log.header.bots?.[seat] ?? SOMEBODY;
    if (entry.type === "leaves") need((entry.bot ?? NOBODY) !== who, 5, `${who} plays ${seat} already`);
    else need(who !== SOMEBODY, 5, `somebody sits at ${seat}`);
  }

  #checkOptions(log, entry) {
    this.options ??= log.header?.options ?? null;
    if (entry.type !== "switch") return;
    need(log.format > 1, 5, "no option is switched in this log");
    for (const [name, value] of Object.entries(entry.options)) {
      need(name in this.options && this.options[name] !== value, 5, `${name} is no option, or is ${value} already`);
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
    if (entry.type === "takeback") ({ last: this.last, ended: this.ended, sitting: this.sitting, options: this.options } = this.moments[entry.to]);
    if (STATES.includes(entry.type)) this.last = { ...entry, before: this.last };
    if (["resign", "settled"].includes(entry.type)) this.ended = true;
    if (entry.type === "leaves") this.sitting = new Map(this.sitting).set(entry.by, entry.bot ?? NOBODY);
    if (entry.type === "sits") this.sitting = new Map(this.sitting).set(entry.seat, SOMEBODY);
    if (entry.type === "switch") this.options = { ...this.options, ...entry.options };
    this.moments.push({ last: this.last, ended: this.ended, sitting: this.sitting, options: this.options });
  }
}
