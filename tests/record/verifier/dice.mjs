// Section 6 of the chapter `format`: the draws of a play, from seeds, from lots, and of throws that all make.
import { drawKey, faces, throwKey } from "./formulas.mjs";
import { need } from "./spelling.mjs";

const ORIGINS = { table: ["table", "lots"], open: ["open"], pact: ["pact"] };
const SECRET_ORIGINS = { ...ORIGINS, open: ["sealed"] };
const LOTS = "the seed of the lots";

export class Dice {
  constructor() {
    this.draws = new Map();
    this.unsure = new Set();
    this.checked = this.typed = this.unknown = 0;
  }

  /** Check the rolls of a play. */
  play(log, play) {
    for (const roll of play.rolls) this.#number(log, roll, null, ORIGINS);
    for (const roll of play.secretRolls ?? []) this.#number(log, roll, play.by, SECRET_ORIGINS);
    if (!play.isOpen) this.unsure.add(play.by);
    const [seed, ...lots] = [...play.rolls, ...(play.secretRolls ?? [])].filter((roll) => roll.origin === "lots");
    if (seed) this.#lots(seed, lots);
    for (const roll of [...play.rolls, ...(play.secretRolls ?? [])]) this.#faces(log, roll);
  }

  #number(log, roll, to, origins) {
    const due = this.draws.get(to) ?? 0;
    need(roll.to === to, 6, "dice that others see than should");
    need(roll.draw === due || this.unsure.has(to), 6, `draw ${roll.draw} where ${due} is due`);
    need(origins[log.mode].includes(roll.origin), 6, `dice of the origin ${roll.origin}`);
    need(roll.faces.every((shown) => shown <= roll.sides), 6, "a face that the die has not got");
    const isLabelled = (labels) => [0, roll.faces.length].includes(labels.length);
    need(isLabelled(roll.each) && isLabelled(roll.names), 6, "labels of other dice");
    this.draws.set(to, roll.draw + 1);
  }

  #lots(seed, lots) {
    need(seed.purpose === LOTS && seed.sides === 256 && seed.faces.length === 32, 6, "lots without their seed");
    const bytes = Buffer.from(seed.faces.map((shown) => shown - 1)).toString("hex");
    for (const roll of lots) this.#compare(roll, drawKey(bytes, roll.draw), 0);
  }

  #faces(log, roll) {
    if (log.mode === "table") this.typed += roll.origin === "table" ? roll.faces.length : 0;
    else if (log.mode === "open") this.#seeded(log, roll);
    else this.#thrown(log, roll);
  }

  #seeded(log, roll) {
    const seed = roll.to === null ? log.header.dice.seed : log.seeds.get(roll.to);
    need(seed !== undefined, 8, `${roll.to} has sealed no seed`);
    if (seed === null) this.unknown += roll.faces.length;
    else this.#compare(roll, drawKey(seed, roll.draw), 0);
  }

  #thrown(log, roll) {
    const made = log.mail.throw;
    need(made && made.values.size === log.seats.length, 7, "dice that not all have thrown");
    const first = made.taken.get(roll.to) ?? 0;
    made.taken.set(roll.to, first + roll.faces.length);
    const own = roll.to === null ? null : log.mail.unseen(log, roll.to, made.number);
    const values = log.seats.map((seat) => (seat === roll.to ? own : made.values.get(seat)));
    if (values.includes(null)) this.unknown += roll.faces.length;
    else this.#compare(roll, throwKey(values, made.opener), first);
  }

  #compare(roll, key, first) {
    const due = faces(key, roll.faces.length, roll.sides, first);
    need(due.join() === roll.faces.join(), 6, `draw ${roll.draw} shows ${due}, not ${roll.faces}`);
    this.checked += due.length;
  }
}
