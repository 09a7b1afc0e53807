// What a phone shows of its seat's move, and what it says. A tap is a word; it is sent with all those before it, and
// what comes back is what can be tapped next. Nothing here knows a game.
function phone() {
  const home = at("phone"), MANY = 24; // chips that are shown at once; more are parted by how they begin
  const FRESH = 500; // milliseconds in which no tap is taken on what has just appeared
  let now = null, taps = [], faces = [], here = null, meant = null, seen = "", deedsSeen = "", pressed = 0, sent = 0;
  let last = Promise.resolve(), looking = false, speaking = false;

  function make(tag, given = {}, ...inside) {
    const made = Object.assign(document.createElement(tag), given);
    made.append(...inside);
    return made;
  }
  function button(words, does, kind = "") {
    const made = make("button", { type: "button", className: kind }, words);
    made.dataset.key = `${kind} ${words}`;
    made.addEventListener("click", does);
    return made;
  }
  // What ends, opens or agrees is confirmed elsewhere: in the other half of the screen.
  function confirmed(words, yes, told, does, kind = "") {
    return button(words, () => doubt(yes, told(), does), kind);
  }
  function doubt(yes, told, does) {
    meant = { on: now.on, asks: JSON.stringify(now.asks), yes, told, does, low: pressed < innerHeight / 2 };
    drawMeant();
    settle();
    sure.querySelector("button:last-of-type").focus({ preventScroll: true });
  }
  function drawMeant() {
    if (meant && (meant.on !== now.on || meant.asks !== JSON.stringify(now.asks))) meant = null;
    sure.hidden = !meant;
    sure.className = meant?.low ? "low" : "";
    if (!meant) return sure.replaceChildren();
    const { yes, told, does } = meant;
    const end = (then) => () => ((meant = null), drawMeant(), settle(), then?.());
    sure.replaceChildren(...told.map((words) => make("p", {}, words)), button(yes, end(does), "sure"), button("No, go back", end()));
  }
  function field(words, input) {
    return make("label", {}, `${words} `, input);
  }

  // Asking

  // One request after another, each on the board that was seen when it was tapped. Who only looks does so once; and
  // while something is being said, nothing else is.
  function ask(request) {
    const quiet = request.do === "look" && !request.at && !request.taps && !request.more;
    const speaks = request.do !== "look" && request.do !== "why";
    if ((quiet && looking) || (speaks && speaking)) return last;
    looking ||= quiet;
    speaking ||= speaks;
    const { more = [], ...asked } = { on: now?.on ?? null, ...request };
    if (!quiet) home.classList.toggle("sent", ++sent);
    // the words before are those that stand when it is sent: a tap that came before the answer to another adds to it
    last = last.then(() => send({ taps: [...taps, ...more], ...asked, ...(quiet ? { on: now?.on ?? null } : {}) }, quiet));
    return last.finally(() => speaks && (speaking = false));
  }
  async function send(request, quiet) {
    if (quiet) looking = false;
    try {
      const { status, ...answer } = await say(request);
      if (status === 200 && "on" in answer) heard(answer, request, quiet);
      else if (status === 200 || !quiet) tell(answer.lines);
    } catch {
      if (!quiet) tell(["Not connected: nothing was sent."]);
    } finally {
      if (!quiet) home.classList.toggle("sent", --sent);
    }
  }
  function heard(answer, request, quiet) {
    const lines = [...answer.lines], typed = faces;
    if (JSON.stringify(now?.need) !== JSON.stringify(answer.need)) faces = [];
    if (typed.length && !faces.length && quiet) lines.push(`The game has moved on, and these dice are waited for no more: ${typed.join(" ")}.`);
    now = answer;
    taps = answer.said.map(([word, of]) => [word, of]);
    here = answer.here ?? null;
    if (!quiet || lines.length) tell(lines);
    const spelt = JSON.stringify([answer, faces]);
    if (spelt !== seen) draw();
    seen = spelt;
    home.dataset.on = now.on;
    if (answer.code === 0 && ["correct", "amend"].includes(request.do)) for (const input of more.querySelectorAll("input")) input.value = "";
    if (answer.doubt && request.do !== "why") doubt(`I mean it: ${inWords(request)}`, lines, () => ask({ ...request, on: now.on, sure: true }));
  }
  const inWords = ({ taps: chosen, words }) => words || chosen.find(([, of]) => of === "says")?.[0] || now.says || now.need?.words || "so it is";
  const tap = (...more) => ask({ do: "look", more });

  // What was not there half a second ago takes no tap: a second one that was meant for what stood here before is none.

  const stood = new Map();
  let again = 0;
  function settle(scrolled = false) {
    const time = performance.now(), counts = new Map(), found = new Map();
    for (const it of home.querySelectorAll("button")) {
      const box = it.getBoundingClientRect(), same = `${now?.on} ${it.dataset.key}`, count = counts.get(same) ?? 0;
      it.removeAttribute("data-fresh");
      if (!box.width) continue; // it is folded away
      counts.set(same, count + 1);
      const key = `${same} ${count}`, before = stood.get(key);
      const stays = before && (scrolled || Math.hypot(before.x - box.x, before.y - box.y) < box.height / 4);
      found.set(key, { x: box.x, y: box.y, since: stays ? before.since : time });
      it.toggleAttribute("data-fresh", time - found.get(key).since < FRESH);
    }
    stood.clear();
    for (const [key, place] of found) stood.set(key, place);
    clearTimeout(again);
    if (home.querySelector("[data-fresh]")) again = setTimeout(() => settle(), FRESH / 5);
  }
  home.addEventListener(
    "click",
    (event) => {
      const box = event.target.getBoundingClientRect();
      pressed = (box.top + box.bottom) / 2;
      if (!event.target.closest("[data-fresh]")) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true
  );
  addEventListener("scroll", () => settle(true), true);

  // What is shown

  const told = make("div", { id: "told" }), live = make("div", { id: "live" }), more = make("div");
  const sure = make("section", { id: "sure", hidden: true });
  sure.setAttribute("role", "alertdialog");
  sure.setAttribute("aria-label", "Is it meant?");
  sure.addEventListener("keydown", ({ key }) => key === "Escape" && sure.querySelector("button:last-of-type").click());
  told.setAttribute("role", "status");
  const tell = (lines) => told.replaceChildren(...lines.map((words) => make("p", {}, words)));

  function draw() {
    const had = home.contains(document.activeElement) && document.activeElement.dataset.key;
    live.replaceChildren(...asks(), ...bot(), ...dice(), ...line(), ...which(), ...phrases(), ...groups());
    drawDeeds();
    drawMeant();
    const asked = now.asks.some((one) => one.waits), over = !now.winners.length;
    home.classList.toggle("yours", now.yours || Boolean(now.need) || Boolean(now.bot) || asked);
    home.classList.toggle("asks", asked);
    if (asked) fold("");
    at("typing").hidden = !now.yours;
    title.textContent = asked ? "You are asked" : now.need ? wanted(now.need) : now.yours ? "Your move" : now.bot ? "A bot has stopped" : over ? "The game is over" : "Not your move";
    if (had) ([...home.querySelectorAll("button")].find((one) => one.dataset.key === had) ?? title).focus({ preventScroll: true });
    marks();
    settle();
  }
  // What is being typed there stays when the board is another one.
  function drawDeeds() {
    const spelt = JSON.stringify([now.deeds, now.throws, now.moves, now.winners]);
    if (spelt === deedsSeen) return;
    deedsSeen = spelt;
    const fields = () => new Map([...more.querySelectorAll("label")].map((label) => [label.firstChild.textContent, label.lastChild]));
    const typed = fields(), had = document.activeElement;
    more.replaceChildren(...deeds());
    for (const [words, input] of fields()) {
      const before = typed.get(words);
      if (before && (!input.options || [...input.options].some((one) => one.value === before.value))) input.value = before.value;
      if (before && before === had) input.focus({ preventScroll: true });
    }
  }

  function asks() {
    return now.asks.map((one) => {
      const card = make("section", { className: "asked" }, make("p", {}, make("b", {}, one.words)), ...one.does.map((words) => make("p", {}, words)));
      card.setAttribute("aria-label", "Asked");
      const answer = (does) => () => ask({ do: does, number: one.number });
      if (one.waits) card.append(confirmed("I agree", "Yes, I agree", () => [one.words], answer("agree"), "say"), button("No", answer("refuse")));
      else card.append(make("p", {}, `Waiting for ${one.missing}.`));
      if (one.mine) card.append(button("Ask no more", answer("refuse")));
      return card;
    });
  }

  // A bot that was stopped, or broke, goes on when somebody lets it.
  function bot() {
    if (!now.bot) return [];
    const card = make("section", { className: "asked" }, make("p", {}, make("b", {}, `${now.bot}, and has stopped.`)));
    card.setAttribute("aria-label", "Bot");
    card.append(button("Let it go on", () => (tell([`${now.bot}; wait a moment.`]), ask({ do: "bot" })), "say"));
    return [card];
  }

  const wanted = ({ words, told: dice }) => `${words ? `${words}: ` : ""}${dice}`;
  function dice() {
    const need = now.need;
    if (!need) return [];
    const left = need.count - need.held.length - faces.length;
    const panel = make("section", { className: "dice" });
    panel.setAttribute("aria-label", "Dice");
    panel.append(...need.aims.map((words) => make("p", {}, words)));
    const whose = need.each[need.held.length + faces.length];
    const all = [...need.held, ...faces];
    const row = make("div", { className: "chips" }, make("p", { className: "fell" }, all.length ? `Fallen: ${all.map((face, die) => (need.each[die] ? `${need.each[die]} ${face}` : face)).join(", ")}. ` : "", left ? `Still ${left}${whose ? `; next: ${whose}` : ""}.` : "All there."));
    const put = (face) => () => (faces.push(String(face)), draw());
    const names = need.names.length ? need.names : Array.from({ length: need.sides }, (_, side) => side + 1);
    const some = names.map((face) => Object.assign(button(String(face), put(face), "die"), { disabled: !left }));
    panel.append(make("div", { className: need.names.length ? "chips" : "faces" }, ...some));
    row.append(Object.assign(button(`Send ${faces.join(" ")}`, () => ask({ do: "roll", faces: [...faces] }), "say"), { disabled: left > 0 || !faces.length }));
    if (faces.length) row.append(button("Clear", () => ((faces = []), draw())));
    if (need.words) row.append(button("Forget the throw", () => ask({ do: "clear" })));
    panel.append(row);
    return [panel];
  }

  // What was tapped so far: each word takes itself back, and those after it.
  function line() {
    const all = taps; // what is seen is what is said, whatever was tapped meanwhile
    const said = now.said.map(([, , words], count) => {
      const made = button(`${words} ×`, () => ask({ do: "look", taps: all.slice(0, count) }), "said");
      made.setAttribute("aria-label", `Take back: ${words}`);
      return made;
    });
    const words = now.line || now.said.map(([, , words]) => words).join(" ");
    const shown = now.says ? [button(`Say: ${now.says}`, () => ask({ do: "say", taps: all }), "say")] : [];
    if (!now.says && (said.length || words.includes("..."))) shown.push(make("p", { className: "line" }, words));
    if (said.length) shown.push(make("div", { className: "chips" }, ...said));
    return shown;
  }

  function which() {
    if (!here) return [];
    const chips = here.chips.map(([word, of, words]) => button(words, () => tap([word, of])));
    if (chips.length > 1) chips.push(button("all of them", () => tap(...here.chips.map(([word, of]) => [word, of]))));
    return [chosen(`Which of ${here.name}`, chips)];
  }

  function phrases() {
    if (!now.phrases.length || (now.phrases.length === 1 && now.says)) return [];
    const others = now.phrases.filter(([words]) => words !== now.says);
    const chip = ([words, goes]) => {
      const phrase = [[words, "says"]];
      return button(words, () => ask(goes ? { do: "say", taps: phrase } : { do: "look", taps: phrase }), goes ? "say" : "");
    };
    const [main, aside] = [others.filter(([, goes]) => goes), others.filter(([, goes]) => !goes)];
    return [["Say", main], [main.length ? "Or" : "Say", aside]].filter(([, some]) => some.length).map(([wanted, some]) => apart(chosen(wanted, some.map(chip)), wanted));
  }

  function groups() {
    if (now.phrases.length) return [];
    return now.groups.map(({ asks: wanted, chips }) => {
      const made = chips.map(([word, of, words]) => button(words, () => tap([word, of])));
      return apart(made.length > MANY ? parted(wanted, made) : chosen(wanted, made), wanted);
    });
  }
  // What may end the game stands on a line of its own, below all else.
  function apart(group, wanted) {
    group.classList.toggle("aside", wanted.toLowerCase() === "or");
    return group;
  }
  function chosen(wanted, chips) {
    return make("fieldset", {}, make("legend", {}, wanted), make("div", { className: "chips" }, ...chips));
  }
  function parted(wanted, chips) {
    const by = new Map();
    for (const chip of chips) {
      const begins = chip.textContent.match(/^\D*/)[0] || chip.textContent[0];
      by.set(begins, [...(by.get(begins) ?? []), chip]);
    }
    if (by.size < 2) return chosen(wanted, chips);
    const parts = [...by].map(([begins, some]) => (some.length === 1 ? some[0] : make("details", {}, make("summary", {}, `${begins}… (${some.length})`), make("div", { className: "chips" }, ...some))));
    return chosen(wanted, parts);
  }

  // What everybody may ask for; where others must agree, their phones ask them.
  function deeds() {
    const can = (name) => now.deeds.includes(name), rows = [];
    const simple = [["undo", "Take back"], ["redo", "Bring back"]].filter(([name]) => can(name));
    rows.push(make("p", { className: "chips" }, ...simple.map(([name, words]) => button(words, () => ask({ do: name })))));
    if (now.throws.length) {
      const throws = make("select", {}, ...now.throws.map(([n, words]) => make("option", { value: n }, `${n}: ${words}`)));
      const fell = make("input", { inputMode: "numeric", placeholder: "2 2 6" });
      rows.push(row("Dice were typed wrong", [field("Throw", throws), field("As they fell", fell)], () => ask({ do: "correct", number: Number(throws.value), faces: fell.value.split(/[\s,]+/).filter(Boolean) })));
    }
    if (now.moves.length) {
      const moves = make("select", {}, ...now.moves.map(([n, words]) => make("option", { value: n }, `${n}: ${words}`)));
      const meant = make("input", { autocapitalize: "off" });
      rows.push(row("A move was typed wrong", [field("Move", moves), field("What it was", meant)], () => ask({ do: "correct", number: Number(moves.value), words: meant.value })));
    }
    if (can("amend")) {
      const words = make("input", { autocapitalize: "off" });
      rows.push(row("The real board was different", [field("A piece and how it stands", words)], () => ask({ do: "amend", words: words.value })));
    }
    if (now.switches.length) {
      const change = make("select", {}, ...now.switches.map((one) => make("option", { value: one }, one)));
      rows.push(row("Another option from here on", [field("Option", change)], () => ask({ do: "switch", words: change.value })));
    }
    if (can("finish")) {
      const won = make("select", {}, ...now.winners.map((one) => make("option", { value: one }, one)));
      rows.push(row("End the game by agreement", [field("Who has won", won)], null, (asking) => confirmed(asking, "Yes, end the game", () => [`The game is over then. Who has won: ${won.value}.`], () => ask({ do: "finish", words: won.value }))));
    }
    if (can("resign")) rows.push(confirmed("Resign", "Yes, resign", () => ["You give the game up, and it is over."], () => ask({ do: "resign" })));
    if (can("leaves")) rows.push(...seats());
    if (can("reveal")) rows.push(confirmed("Reveal all secrets", "Yes, reveal all secrets", () => ["Everybody can read all secrets from then on. Nothing closes them again."], () => ask({ do: "reveal" })));
    return rows;
  }
  // Who plays on where somebody leaves, or has left.
  function seats() {
    const choice = (some) => make("select", {}, ...some.map((one) => make("option", { value: one }, one || "nobody")));
    const heir = choice(["", ...now.bots]);
    const leaving = (asking) => confirmed(asking, "Yes, leave", () => [`You stop, and the others play on. In your place: ${heir.value || "nobody"}.`], () => ask({ do: "leaves", words: heir.value }));
    const rows = [row("Leave the game", [field("Who plays on", heir)], null, leaving)];
    if (!now.free.length) return rows;
    const seat = choice(now.free), name = make("input", { autocomplete: "off" });
    rows.push(row("Somebody sits down", [field("Free seat", seat), field("Their name", name)], () => ask({ do: "sits", place: seat.value, words: name.value })));
    if (!now.bots.length) return rows;
    const left = choice(now.free), bot = choice(now.bots);
    rows.push(row("A bot sits down", [field("Seat for the bot", left), field("Bot", bot)], () => ask({ do: "leaves", place: left.value, words: bot.value })));
    return rows;
  }
  function row(words, fields, does, asks = (asking) => button(asking, does)) {
    return make("fieldset", {}, make("legend", {}, words), ...fields, asks(`Ask: ${words.toLowerCase()}`));
  }

  // The board: what is touched is a word, too.

  const marked = new Set();
  function marks() {
    marked.clear();
    if (now && shown === frames.length - 1) now.marks.forEach(([number, key]) => marked.add(`${number} ${key}`));
    for (const [part, node] of board.nodes) node.classList.toggle("tap", marked.has(part));
    stage.reveal([...marked].map((part) => board.nodes.get(part)).filter(Boolean));
  }
  function touched({ clientX, clientY }) {
    const found = [];
    for (const element of document.elementsFromPoint(clientX, clientY)) {
      for (const [part, node] of board.nodes) if (node.contains(element)) found.push(part);
    }
    const things = found.filter((part) => / (piece|place) /.test(part));
    return things.find((part) => marked.has(part)) ?? things[0];
  }
  at("board").addEventListener("click", (event) => {
    const part = touched(event);
    if (!part || !now?.yours || shown !== frames.length - 1) return;
    event.preventDefault(); // it is no double tap
    if (stage.grew(board.nodes.get(part), { x: event.clientX, y: event.clientY })) return;
    const [number, key] = [part.slice(0, part.indexOf(" ")), part.slice(part.indexOf(" ") + 1)];
    ask({ do: "look", at: [Number(number), key] });
  });

  // What is typed instead

  const words = make("input", { autocapitalize: "off", autocomplete: "off", spellcheck: false });
  const form = make("form", { id: "typed" }, field("A move in words", words), make("button", { type: "submit" }, "Say it"), button("May I?", () => ask({ do: "why", words: words.value })));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const before = now.on;
    await ask({ do: "words", words: words.value });
    if (now.on !== before) words.value = "";
  });

  // The panel is low, tall or shut; what is asked opens it.
  const title = make("h2", { tabIndex: -1 }, "Not your move");
  const taller = button("More", () => fold(home.classList.contains("tall") ? "" : "tall"), "taller");
  const shutter = button("Hide", () => fold(home.classList.contains("shut") ? "" : "shut"), "shutter");
  function fold(how) {
    for (const one of ["tall", "shut"]) home.classList.toggle(one, one === how);
    taller.textContent = how === "tall" ? "Less" : "More";
    shutter.textContent = how === "shut" ? "Show" : "Hide";
    shutter.setAttribute("aria-expanded", String(how !== "shut"));
    settle();
  }
  const folded = (id, summary, inside) => make("details", { id }, make("summary", {}, summary), inside);
  const ways = make("div", { id: "ways" }, folded("typing", "Type it", form), folded("deeds", "Take back, correct, end", more));
  ways.addEventListener("toggle", () => fold(ways.querySelector("details[open]") ? "tall" : ""), true); // needs room
  home.append(title, told, live, ways, taller, shutter, sure); // for keys, the moves come first
  const resized = new ResizeObserver(() => settle());
  for (const part of [document.body, home, live, told, more, at("said"), at("table")]) resized.observe(part);
  addEventListener("resize", () => settle());
  home.hidden = false;
  document.addEventListener("entry", () => ask({ do: "look" }));
  document.addEventListener("beat", () => ask({ do: "look" }));
  document.addEventListener("shown", () => now && marks());
  ask({ do: "look" });
}
phone();
