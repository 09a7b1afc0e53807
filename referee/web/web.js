// The tab: what is dropped is judged by the program itself, and its words are shown as it says them.
import { chosen, dropped } from "./drop.js";
import { ask, begin, run } from "./judge.js";

const MOST_FILES = 200;
const MOST_BYTES = 16_000_000;
const BESIDE = /\.(vault|head|torn|lock)$|\.files\//; // belongs to a log, and is none
const MAIL = /\.(txt|eml)$/;
const PAGES = `referee pages ${location.pathname}`;
const at = (id) => document.getElementById(id);
const mega = (bytes) => `${Math.max(1, Math.round(bytes / 1e6))} MB`;
const games = new Set();
let round = 0;

function made(kind, text = "", ...children) {
  const element = document.createElement(kind);
  element.textContent = text;
  element.append(...children);
  return element;
}

function tell(words, bad = false) {
  at("status").textContent = words;
  at("status").classList.toggle("bad", bad);
}

// Lines as the program says them: what is indented there is indented here, and hangs where the browser breaks it.
function lines(words) {
  return words.split("\n").map((line) => {
    const text = line.trimStart(), found = made("p", text);
    found.style.paddingInlineStart = `${line.length - text.length + 1}ch`;
    return found;
  });
}

// `state`: "good", "so-far" where plays are left that nobody can judge yet, "bad", or none.
function shown(title, words, state = "") {
  const article = made("article", "", made("h2", title), made("div", "", ...lines(words)));
  if (state) article.classList.add(state);
  at("verdicts").append(article);
  return article;
}

const several = (count, one) => `${count} ${count === 1 ? one : `${one}s`}`;
const words = ({ out, err }) => [out, err].join("\n").trim();
const named = (name) => (name.startsWith("-") ? `./${name}` : name);
const wide = ["--width", "1000"]; // the browser breaks the lines

// Judging

// Whether these are the bytes of one game, which can be told again; a match is several, and a page tells itself.
function isGame(data) {
  const start = new TextDecoder().decode(data.slice(0, 8192)).split("\n")[0];
  return start.startsWith('{"hash":') && !start.endsWith('"type":"match"}}');
}

async function judge(files) {
  const mine = ++round;
  at("verdicts").replaceChildren();
  if (!files.length) return;
  if (files.length > MOST_FILES) {
    tell(`${files.length} files are more than the ${MOST_FILES} that are judged in a tab at once.`, true);
    return;
  }
  const [big, fit] = [true, false].map((is) => files.filter(({ file }) => file.size > MOST_BYTES === is));
  for (const { name, file } of big) shown(name, `This has ${mega(file.size)}, and is not read: a tab takes logs of up to ${mega(MOST_BYTES)}.`, "bad");
  tell("Reading...");
  const read = await Promise.all(fit.map(async ({ name, file }) => ({ name, data: await file.arrayBuffer() })));
  games.clear();
  for (const { name, data } of read) if (isGame(data)) games.add(name);
  await ask({ files: read });
  await verdicts(read.map(({ name }) => name).filter((name) => !BESIDE.test(name)).sort(), mine, big.length);
}

async function verdicts(names, mine, unread) {
  const mails = names.filter((name) => MAIL.test(name));
  const logs = names.filter((name) => !MAIL.test(name));
  if (names.length === 2 && logs.length) await compare(names, mine);
  else for (const name of mails) shown(name, "This is a mail. Drop it together with the log that it goes on with, and the two are compared.", "bad");
  const found = [];
  for (const [number, name] of logs.entries()) {
    if (mine !== round) return;
    tell(`Judging ${number + 1} of ${logs.length}: ${name}`);
    found.push(await verdict(name, mine));
  }
  if (mine === round) tell(summary(found, logs.length + unread));
}

// What all logs come to: each is as it should be, so far, or not.
function summary(found, all) {
  if (!all) return "Judged: nothing.";
  const good = found.filter(({ state }) => state === "good").length, open = found.filter(({ state }) => state === "so-far");
  const plays = open.reduce((sum, { unjudged }) => sum + unjudged, 0);
  const so = open.length ? ` ${open.length} ${open.length === 1 ? "is" : "are"} clean so far: ${several(plays, "play")} cannot be judged yet.` : "";
  return `Judged: ${good} of ${all} ${good === 1 && all === 1 ? "is" : "are"} as it should be.${so}`;
}

async function compare(names, mine) {
  tell("Comparing...");
  const said = await run(...wide, "diff", "--", ...names.map(named));
  if (mine === round) shown("The two beside one another", words(said), said.code === 0 ? "good" : "");
}

// How many plays nobody could judge, of a log that the program calls clean so far; it is judged once more for the number.
async function left(name, said) {
  if (!said.out.startsWith("CLEAN SO FAR")) return 0;
  const facts = JSON.parse((await run("--json", "audit", "--", named(name))).out);
  const reports = facts.report ? facts.report.games : [facts];
  return reports.flatMap(({ unjudged }) => Object.values(unjudged)).reduce((sum, plays) => sum + plays, 0);
}

async function verdict(name, mine) {
  const said = await run(...wide, "audit", "--", named(name));
  const unjudged = said.code === 0 ? await left(name, said) : 0;
  const state = said.code ? "bad" : unjudged ? "so-far" : "good";
  if (mine !== round) return { state, unjudged };
  const article = shown(name, words(said), state);
  const buttons = made("div");
  buttons.className = "buttons";
  if (said.code === 0 && games.has(name)) buttons.append(button("Replay", (pressed) => replay(name, pressed)));
  buttons.append(button("As data", (pressed) => data(name, pressed)));
  article.append(buttons);
  return { state, unjudged };
}

function button(text, press) {
  const found = made("button", text);
  found.type = "button";
  found.onclick = () => press(found).catch(failed);
  return found;
}

// Replaying: the page that the program writes, kept where the service worker finds it, and to be saved.

async function replay(name, pressed) {
  pressed.disabled = true;
  tell(`Drawing ${name}; a long game can take a minute...`);
  const file = `${named(name)}.replay.html`;
  const said = await run("-g", named(name), "replay", "--force", "-o", file);
  tell(said.code ? words(said) : `${name} is drawn.`, said.code !== 0);
  if (said.code) return;
  const page = new Blob([await ask({ read: file })], { type: "text/html" });
  const links = [saved("Save the page", name.replace(/.*\/|\.\w+$/g, "") + ".html", page)];
  if (navigator.serviceWorker?.controller) links.unshift(await opened(name, page));
  pressed.replaceWith(...links);
  links[0].focus();
}

async function opened(name, page) {
  const address = new URL(`replay/${encodeURIComponent(name)}.html`, location.href);
  await (await caches.open(PAGES)).put(address, new Response(page));
  const link = made("a", "Look at the game");
  Object.assign(link, { href: address, target: "_blank", rel: "noopener" });
  return link;
}

function saved(text, name, blob) {
  const link = made("a", text);
  Object.assign(link, { href: URL.createObjectURL(blob), download: name });
  return link;
}

async function data(name, pressed) {
  const { out } = await run("--json", "audit", "--", named(name));
  const link = saved("Save the data", `${name.replace(/.*\//, "")}.json`, new Blob([out], { type: "application/json" }));
  pressed.replaceWith(link);
  link.focus();
}

// Rules

async function listed() {
  if (at("game").options.length) return;
  const { out } = await run("--json", "games");
  at("game").append(...JSON.parse(out).map(({ name, title }) => Object.assign(made("option", title), { value: name })));
}

async function lookUp(event) {
  event.preventDefault();
  const asked = at("words").value.split(/\s+/).filter(Boolean);
  const said = await run(...wide, "rules", "--of", at("game").value, "--", ...asked);
  at("told").replaceChildren(...lines(words(said)));
}

// The tab itself

function failed(error) {
  console.error(error);
  tell("Something went wrong in this tab; load it again, and judge with the program itself if it stays so.", true);
}

function listen() {
  const over = (is) => (event) => {
    event.preventDefault();
    document.body.classList.toggle("over", is);
  };
  addEventListener("dragover", over(true));
  addEventListener("dragleave", over(false));
  addEventListener("drop", async (event) => {
    over(false)(event);
    await dropped(event.dataTransfer).then(judge).catch(failed);
  });
  at("files").onchange = () => judge(chosen(at("files").files)).catch(failed);
  at("rules").ontoggle = () => listed().catch(failed);
  at("asked").onsubmit = (event) => lookUp(event).catch(failed);
}

async function main() {
  const size = Object.values(self.FILES).reduce((sum, file) => sum + file.size, 0);
  tell(`Fetching the judge: ${mega(size)}, once.`);
  await globalThis.caches?.delete(PAGES);
  try {
    await begin(({ done, total }) => Object.assign(at("progress"), { hidden: done === total, value: done, max: total }));
  } catch (error) {
    console.error(error);
    tell(`The judge could not be fetched. It takes a network once, for ${mega(size)}; then load this again.`, true);
    return;
  }
  const offline = navigator.serviceWorker?.controller ? " After this visit it needs no network." : "";
  at("version").textContent = `${(await run("--version")).out.trim()}, the whole program, in this tab.${offline}`;
  listen();
  tell("Ready.");
  document.body.dataset.ready = "";
}

main();
