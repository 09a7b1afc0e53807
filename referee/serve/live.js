// The board in the room: what is recorded comes by itself, and who has slept is told what he has missed.
const PATIENT = 25_000; // milliseconds without a beat after which the line is taken for dead
const AGAIN = 3_000; // and after which it is asked for again
let place = document.querySelector("meta[name=referee-place]").content;
let line = null, heard = Date.now();

function say(request) {
  const asked = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request) };
  return fetch(`${location.pathname}/say`, asked).then(async (answer) => ({
    status: answer.status,
    ...(answer.ok ? await answer.json() : { lines: [await answer.text()] }),
  }));
}

function told(words, on) {
  if (at("line").textContent !== words) at("line").textContent = words;
  at("line").className = on ? "on" : "off";
}

function loadAgain() {
  mark(location.pathname);
  location.reload();
}

// A line of the record, under the headline of its part of the game.
function written({ n, part, said, told: happened, chances, rules }) {
  let section = [...document.querySelectorAll("#record .part")].at(-1);
  if (section?.querySelector("h2").textContent !== part) {
    section = Object.assign(document.createElement("section"), { className: "part" });
    section.append(paragraph(part, "h2"));
    at("record").append(section);
  }
  if (section.lastElementChild.tagName !== "UL") section.append(document.createElement("ul"));
  const item = Object.assign(document.createElement("li"), { id: `n${n}` });
  const link = Object.assign(document.createElement("a"), { href: `#n${n}` });
  link.append(paragraph(n, "b"), ` ${said}`);
  item.append(link, ...happened.map((words) => paragraph(words)));
  item.append(...chances.map((words) => Object.assign(paragraph(words), { className: "chance" })));
  const numbers = Object.keys(rules);
  if (numbers.length) item.append(paragraph(numbers.join(", "), "div"));
  for (const number of numbers) {
    if (document.querySelector(`dt[data-rule="${CSS.escape(number)}"]`)) continue;
    const term = paragraph(number, "dt");
    term.dataset.rule = number;
    document.querySelector("#rules dl").append(term, paragraph(rules[number], "dd"));
  }
  section.lastElementChild.append(item);
}

function legend(samples) {
  for (const [part, means] of samples) {
    const picture = document.createElementNS(SVG, "svg");
    Object.entries({ viewBox: "0 -0.5 1.2 1", "aria-hidden": "true" }).forEach(([key, value]) => picture.setAttribute(key, value));
    picture.append(element(part, shared));
    const item = document.createElement("li");
    item.append(picture, means);
    document.querySelector("#legend ul").append(item);
  }
}

function arrive(sent) {
  const { frame, step, taken, witness, checkpoint, is_over: over, boxes, legend: samples } = sent, followed = shown === frames.length - 1;
  frames.push(frame);
  fill(frames.length - 1);
  written(step);
  for (const item of document.querySelectorAll("#record li")) item.classList.toggle("taken", taken.includes(Number(item.id.slice(1))));
  boxes?.forEach((box, number) => document.querySelector(`svg[data-board="${number}"]`)?.setAttribute("viewBox", box));
  if (samples) legend(samples);
  at("witness").textContent = witness;
  memory.remember([checkpoint]);
  memory.showCode(over);
  const last = frames.length - 1;
  if (last === 0 || partOf(last) !== partOf(last - 1)) starts.push(last);
  at("slider").max = last;
  if (followed) {
    mark(location.pathname);
    go(last, true);
  } else {
    at("last").disabled = at("entry-on").disabled = false;
    behind();
  }
  document.dispatchEvent(new CustomEvent("entry", { detail: sent }));
}

// Who looks at something earlier is not torn away from it.
const news = paragraph("", "button");
function behind() {
  const count = frames.length - 1 - shown;
  news.hidden = !count;
  news.textContent = `To the board as it stands now: ${count} on`;
}

function connect() {
  line?.close();
  line = new EventSource(`${location.pathname}/events?after=${place}`);
  const hears = (name, does) =>
    line.addEventListener(name, (event) => {
      heard = Date.now();
      told("Live", true);
      does(event.data ? JSON.parse(event.data) : {}, event);
    });
  hears("entry", (sent, { lastEventId }) => {
    place = lastEventId;
    arrive(sent);
  });
  hears("notice", ({ words }) => {
    at("notice").textContent = words;
    at("notice").hidden = !words;
  });
  hears("anew", loadAgain);
  hears("beat", () => document.dispatchEvent(new Event("beat")));
  hears("gone", () => leave("This link was withdrawn; ask whoever serves the game for the new link."));
  line.addEventListener("error", () => {
    told("Not connected; it is tried again. What is shown may be old.", false);
    if (line?.readyState === EventSource.CLOSED) refused();
  });
}

// The server has answered, and tells nothing: where it knows this link no more, nothing is asked again.
async function refused() {
  try {
    const answer = await fetch(`${location.pathname}/events`);
    if (answer.status === 404) return leave(await answer.text());
    await answer.body?.cancel();
  } catch {
    // it has gone meanwhile, and may come back
  }
  setTimeout(connect, AGAIN);
}

function leave(words) {
  line?.close();
  line = null;
  told(words, false);
}

// A phone that has slept may hold a line that is long dead.
function wake() {
  if (line && !document.hidden && Date.now() - heard > PATIENT) {
    heard = Date.now();
    connect();
  }
}
setInterval(wake, 5_000);
document.addEventListener("visibilitychange", wake);
for (const event of ["pageshow", "online", "focus"]) addEventListener(event, wake);

news.type = "button";
news.id = "news";
news.hidden = true;
news.addEventListener("click", () => (play(false), go(frames.length - 1)));
at("controls").prepend(news);
document.addEventListener("shown", behind);
behind();
connect();
