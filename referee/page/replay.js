// Stepping through a page: by button, key, finger and link.
const { shared, frames } = JSON.parse(await unpacked(at("frames").textContent));
const board = new Board(at("board"), shared);
const name = ([number, key]) => `${number} ${key}`;
const PAUSE = 1400; // milliseconds between two entries that play by themselves

// The parts of the board after each frame: those that stand in the page are of the last one.
const first = new Map(board.parts);
frames[0].gone?.forEach((part) => first.delete(name(part)));
frames[0].drawn?.forEach(([number, key, part]) => first.set(name([number, key]), part));
let shown = frames.length - 1, reached = { index: 0, parts: first };

function partsAt(index) {
  if (index < reached.index) reached = { index: 0, parts: first };
  const parts = new Map(reached.parts);
  for (let i = reached.index + 1; i <= index; i++) {
    frames[i].gone?.forEach((part) => parts.delete(name(part)));
    frames[i].drawn?.forEach(([number, key, part]) => parts.set(name([number, key]), part));
  }
  reached = { index, parts };
  return parts;
}

// What a frame leaves out is as in the one before.
function fill(index) {
  const frame = frames[index], before = frames[index - 1] ?? {};
  for (const field of ["heading", "title", "focus", "beside"]) frame[field] ??= before[field];
  frame.beside = frame.beside?.map((line) => (typeof line === "number" ? before.beside[line] : line));
}
frames.forEach((_, index) => fill(index));

const entryOf = (index) => at(`n${frames[index].n}`);
const partOf = (index) => entryOf(index).closest(".part");
const starts = frames.map((_, index) => index).filter((index) => index === 0 || partOf(index) !== partOf(index - 1));

function go(wanted, quiet = false) {
  const index = Math.max(0, Math.min(frames.length - 1, wanted)), frame = frames[index];
  const glides = index === shown + 1 ? frame.glides ?? [] : [];
  board.show(partsAt(index), new Map(glides.map(([number, to, from]) => [`${number} ${to}`, `${number} ${from}`])));
  shown = index;
  tell(index, frame);
  look();
  if (!quiet) mark(`#n=${frame.n}`);
  document.dispatchEvent(new Event("shown"));
}

function tell(index, frame) {
  board.focus(frame.focus);
  at("heading").textContent = frame.heading ?? "";
  at("status").textContent = frame.title ?? "";
  const entry = entryOf(index), lines = [...entry.querySelectorAll("a, p")].map((line) => line.textContent.trim());
  at("said").replaceChildren(...lines.map((line) => paragraph(line)));
  for (const number of (entry.querySelector("div")?.textContent ?? "").trim().split(", ")) {
    const rule = document.querySelector(`dt[data-rule="${CSS.escape(number)}"]`);
    if (rule) at("said").append(paragraph(`${number}: ${rule.nextElementSibling.textContent}`, "div"));
  }
  at("beside").replaceChildren(...(frame.beside ?? []).map((line) => paragraph(line, "li")));
  if (at("plain")) at("plain").textContent = (frame.plain ?? []).join("\n");
  document.querySelector("li.shown")?.classList.remove("shown");
  entry.classList.add("shown");
  entry.closest("details")?.setAttribute("open", "");
  at("record").scrollTop += entry.getBoundingClientRect().top - at("record").getBoundingClientRect().top - 80;
  at("slider").value = index;
  for (const now of document.querySelectorAll(".now")) now.setAttribute("d", `M${index}-999V999`);
  at("slider").setAttribute("aria-valuetext", `entry ${frame.n}`);
  at("first").disabled = at("entry-back").disabled = index === 0;
  at("last").disabled = at("entry-on").disabled = index === frames.length - 1;
}

function mark(link) {
  try {
    history.replaceState(null, "", link);
  } catch {
    // a page in a frame of somebody else keeps its address
  }
}

// On a board that is wider than its room: to where something has just happened.
function look() {
  const room = at("board"), marks = room.querySelectorAll('g[data-layer="trail"] > *');
  if (!room.classList.contains("big") || !marks.length) return;
  const { left, width } = [...marks].at(-1).getBoundingClientRect();
  room.scrollLeft += left + width / 2 - room.getBoundingClientRect().left - room.clientWidth / 2;
}

function turn(way) {
  const here = starts.findLastIndex((index) => index <= shown);
  go(way > 0 ? starts[here + 1] ?? frames.length - 1 : starts[shown > starts[here] ? here : here - 1] ?? 0);
}

// What plays by itself stops at the end, or when somebody takes over.
let playing = 0;
function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => (shown < frames.length - 1 ? go(shown + 1) : play(false)), PAUSE) : 0;
  at("play").textContent = on ? "Stop" : "Play";
  at("play").setAttribute("aria-label", at("play").textContent);
}
const MOVES = {
  first: ["|‹", "First entry", () => go(0)],
  "turn-back": ["‹‹", "A turn back", () => turn(-1)],
  "entry-back": ["‹", "An entry back", () => go(shown - 1)],
  play: ["Play", "Play", () => play(!playing)],
  "entry-on": ["›", "An entry on", () => go(shown + 1)],
  "turn-on": ["››", "A turn on", () => turn(1)],
  last: ["›|", "Last entry", () => go(frames.length - 1)],
};
const KEYS = {
  ArrowLeft: "entry-back", ArrowRight: "entry-on", PageUp: "turn-back", PageDown: "turn-on", Home: "first", End: "last", " ": "play",
};

function move(id) {
  if (id !== "play") play(false);
  MOVES[id][2]();
}

function furnish() {
  for (const [id, [words, told]] of Object.entries(MOVES)) {
    const button = paragraph(words, "button");
    button.id = id;
    button.type = "button";
    button.title = told;
    button.setAttribute("aria-label", told);
    button.addEventListener("click", () => move(id));
    at("controls").append(button);
  }
  const slider = Object.assign(document.createElement("input"), { id: "slider", type: "range", min: 0, max: frames.length - 1 });
  slider.setAttribute("aria-label", "Entry");
  slider.addEventListener("input", () => (play(false), go(Number(slider.value))));
  const big = Object.assign(paragraph("Bigger", "button"), { id: "bigger", type: "button" });
  big.setAttribute("aria-pressed", "false");
  big.addEventListener("click", () => {
    const isBig = at("board").classList.toggle("big");
    big.setAttribute("aria-pressed", isBig);
    at("board").tabIndex = isBig ? 0 : -1; // keys scroll it, too
    look();
  });
  at("table").prepend(big);
  const print = paragraph("Print", "button");
  print.type = "button";
  print.addEventListener("click", () => window.print());
  at("controls").append(slider);
  at("extras").append(print, paragraph("Keys: arrows an entry, Page Up and Down a turn, Home, End, space plays."));
  at("controls").hidden = at("extras").hidden = false;
}

document.addEventListener("keydown", (event) => {
  const taken = event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, pre");
  const presses = event.key === " " && event.target.closest?.("button, summary, a");
  if (taken || presses || !KEYS[event.key]) return;
  event.preventDefault();
  move(KEYS[event.key]);
});

let finger = null;
at("board").addEventListener("touchstart", ({ touches }) => (finger = touches.length === 1 ? touches[0] : null), { passive: true });
at("board").addEventListener("touchend", ({ changedTouches: [up] }) => {
  const across = finger && !at("board").classList.contains("big") ? up.clientX - finger.clientX : 0;
  if (Math.abs(across) > 40 && Math.abs(up.clientY - finger.clientY) < 40) move(across < 0 ? "entry-on" : "entry-back");
});

function follow() {
  const [, wanted] = /^#n=?(\d+)$/.exec(location.hash) ?? [];
  const index = frames.findIndex(({ n }) => n === Number(wanted));
  if (wanted !== undefined && index >= 0) go(index, true);
  return wanted !== undefined && index >= 0;
}
addEventListener("hashchange", follow);
at("record").addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#n']");
  if (!link) return;
  event.preventDefault();
  play(false);
  go(frames.findIndex(({ n }) => `#n${n}` === link.getAttribute("href")));
});

// On paper each turn has its board, in a long game every second or third; a small one needs half the width.
const BOARDS = 16; // at most
const SMALL = 16; // cell sides
addEventListener("beforeprint", () => {
  const boards = [...at("board").querySelectorAll("svg.page")], every = Math.ceil(starts.length / BOARDS);
  at("record").classList.toggle("small", every > 1 || (boards.length === 1 && boards[0].viewBox.baseVal.width <= SMALL));
  const here = shown, ends = starts.map((_, number) => (starts[number + 1] ?? frames.length) - 1).reverse();
  for (const index of ends.filter((_, number) => number % every === 0)) {
    board.show(partsAt(index));
    const copy = at("board").cloneNode(true);
    copy.removeAttribute("id");
    copy.className = "printed";
    copy.querySelectorAll("[id]").forEach((node) => node.remove());
    partOf(index).append(copy);
  }
  board.show(partsAt(here));
});
addEventListener("afterprint", () => document.querySelectorAll("figure.printed").forEach((figure) => figure.remove()));

furnish();
if (!follow()) go(frames.length - 1, true);
