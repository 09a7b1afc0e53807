// Checks logs without the rules of any game: written from the chapter `format` of the manual alone.
//
//     node verify.mjs LOG...
//
// It prints a line of JSON for each log, and ends with 1 where one is not as it should be.
import { existsSync, readFileSync } from "node:fs";
import { Line } from "./agreement.mjs";
import { Dice } from "./dice.mjs";
import { checkMembers } from "./fields.mjs";
import { MAILED, Mail } from "./mail.mjs";
import { Secrets, whole } from "./secrets.mjs";
import { Fault, hash as hashOf, linesOf, need, openingIn, parse, unframed } from "./spelling.mjs";

const MOST_BESIDE = 4 * 1024 * 1024;
const BY_SEATS = ["play", "join", "declare", "resign", "leaves"];

class Log {
  constructor(lines, path) {
    this.path = path;
    const reveals = lines.map(openingIn).filter((opening) => opening !== null);
    this.n = 0;
    this.hash = "0".repeat(64);
    this.secrets = new Secrets(new Map(reveals.reverse().map((opening) => [opening.leaf, opening])));
    this.line = new Line();
    this.dice = new Dice();
    this.seeds = new Map();
    this.joined = new Set();
    this.mail = null;
    this.seats = [];
  }

  /** Take in the next line; Fault says why it may not stand there. */
  add(line) {
    const { body, hash } = unframed(line);
    const entry = parse(body);
    need(!(this.n === 0 && entry?.type === "game" && entry.format > 2), 11, "a newer format");
    checkMembers(entry);
    need(entry.n === this.n && entry.prev === this.hash, 2, "not the entry that follows");
    need((entry.type === "game") === (this.n === 0), 2, "a game begins a log, and nothing else");
    this.hash = hash;
    if (entry.type === "game") this.#begin(entry);
    const isReferee = entry.by === "referee" && !BY_SEATS.includes(entry.type);
    need(isReferee || this.seats.includes(entry.by), 5, `${entry.by} has no seat`);
    need(this.mail || !MAILED.includes(entry.type), 10, "this game is not played by mail");
    this.line.check(this, entry);
    this.mail?.check(this, entry);
    this.#take(entry, this.secrets.add(this, entry));
    this.line.add(entry);
    this.mail?.add(this, entry);
    this.n++;
  }

  #begin(entry) {
    this.header = entry;
    this.format = entry.format;
    this.gameId = this.hash;
    this.mode = entry.dice.mode;
    this.seats = entry.seats.map(({ seat }) => seat);
    need(new Set(this.seats).size === this.seats.length, 5, "a seat twice");
    for (const file of Object.values(entry.files)) if (file.from === "beside") this.#checkBeside(file.sha256);
    if (this.mode === "pact") this.mail = new Mail(this);
  }

  #checkBeside(sha256) {
    const beside = `${this.path}.files/${sha256}.json`;
    need(existsSync(beside), 5, `${beside} is not there`);
    const data = readFileSync(beside);
    need(data.length <= MOST_BESIDE && hashOf(data).toString("hex") === sha256, 5, `${beside} is another file`);
  }

  #take(entry, sealed) {
    if (entry.type === "play") this.dice.play(this, whole(entry, sealed));
    else if (entry.type === "reveal") this.secrets.reveal(this, entry);
    else if (entry.type === "branch") this.joined.clear();
    else if (entry.type === "upgrade") this.format = entry.format;
    else if (entry.type === "join") {
      if (!this.mail) this.#join(entry);
      this.seeds.set(entry.by, sealed ?? null);
    }
  }

  #join({ by, chair, warrant, seed }) {
    need(!chair && !warrant && !this.joined.has(by), 8, `${by} joins again, or as by mail`);
    need((seed !== null) === (this.mode === "open"), 8, "a seed where none belongs, or none where one does");
    this.joined.add(by);
  }

  get counts() {
    const { checked: dice, typed, unknown } = this.dice;
    const { opened, shut } = this.secrets;
    return { entries: this.n, dice, typed, unknown, opened, shut: shut.size, signed: this.mail?.signed ?? 0 };
  }
}

/** What is found in a log. */
function verify(path) {
  const data = readFileSync(path);
  const { lines, rest } = linesOf(data);
  const log = new Log([...lines, rest], path);
  try {
    need(data.length > 0, 2, "an empty file");
    for (const line of lines) log.add(line);
    if (rest.length > 0) log.add(rest);
    return { ...log.counts, fault: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ...log.counts, fault: { section: error.section, why: error.message } };
  }
}

const found = process.argv.slice(2).map((path) => ({ path, ...verify(path) }));
for (const one of found) console.log(JSON.stringify(one));
process.exitCode = found.some((one) => one.fault) ? 1 : 0;
