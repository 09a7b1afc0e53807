// What a phone shows of its seat's move, and what it says. A tap is a word; it is sent with all those before it, and
// what comes back is what can be tapped next. Nothing here knows a game.
function phone() {
  const home = at("phone"), MANY = 24; // chips that are shown at once; more are parted by how they begin
  let now = null, taps = [], faces = [], here = null, doubted = null, seen = "";
  let last = Promise.resolve(), looking = false;

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
  // Something that is not done by one tap that slipped.
  function twice(words, does) {
    const first = button(words, () => first.replaceWith(button(`Yes: ${words.toLowerCase()}`, does, "sure")));
    return first;
  }
  function field(words, input) {
    return make("label", {}, `${words} `, input);
  }

  // Asking

  // One request after another, each as what was seen when it was tapped. Who only looks does so once.
  function ask(request) {
    const quiet = request.do === "look" && !request.at && !request.taps;
    if (quiet && looking) return last;
    looking ||= quiet;
    const asked = { taps, on: now?.on ?? null, ...request };
    last = last.then(() => send(quiet ? { do: "look", taps, on: now?.on ?? null } : asked, quiet));
    return last;
  }
  async function send(request, quiet) {
    if (quiet) looking = false;
    try {
      const { status, ...answer } = await say(request);
      if (status === 200 && "on" in answer) heard(answer, request, quiet);
      else if (status === 200) tell(answer.lines);
      else if (!quiet) tell([status === 429 ? "Too fast; wait a moment." : "This phone may not speak any more; load the page again."]);
    } catch {
      if (!quiet) tell(["Not connected: nothing was said."]);
    }
  }
  function heard(answer, request, quiet) {
    if (now?.on !== answer.on || JSON.stringify(now?.need) !== JSON.stringify(answer.need)) faces = [];
    now = answer;
    taps = answer.said.map(([word, of]) => [word, of]);
    here = answer.here ?? null;
    doubted = answer.doubt ? request : null;
    if (!quiet || answer.lines.length) tell(answer.lines);
    const spelt = JSON.stringify([answer, faces]);
    if (spelt !== seen) draw();
    seen = spelt;
    home.dataset.on = now.on;
  }
  const tap = (...more) => ask({ do: "look", taps: [...taps, ...more] });

  // What is shown

  const told = make("div", { id: "told" }), live = make("div", { id: "live" }), more = make("div");
  told.setAttribute("role", "status");
  const tell = (lines) => told.replaceChildren(...lines.map((words) => make("p", {}, words)));

  function draw() {
    const had = home.contains(document.activeElement) && document.activeElement.dataset.key;
    live.replaceChildren(...asks(), ...bot(), ...dice(), ...line(), ...which(), ...phrases(), ...groups());
    more.replaceChildren(...deeds());
    home.classList.toggle("yours", now.yours || Boolean(now.need) || Boolean(now.bot) || now.asks.some((one) => one.waits));
    at("typing").hidden = !now.yours;
    title.textContent = now.asks.some((one) => one.waits) ? "You are asked" : now.yours || now.need ? "Your move" : now.bot ? "A bot has stopped" : "Your phone";
    if (had) ([...home.querySelectorAll("button")].find((one) => one.dataset.key === had) ?? title).focus({ preventScroll: true });
    marks();
  }

  function asks() {
    return now.asks.map((one) => {
      const card = make("section", { className: "asked" }, make("p", {}, make("b", {}, one.words)), ...one.does.map((words) => make("p", {}, words)));
      card.setAttribute("aria-label", "Asked");
      const answer = (does) => () => ask({ do: does, number: one.number });
      if (one.waits) card.append(button("I agree", answer("agree"), "say"), button("No", answer("refuse")));
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

  function dice() {
    const need = now.need;
    if (!need) return [];
    const left = need.count - need.held.length - faces.length;
    const panel = make("section", { className: "dice" }, make("p", {}, make("b", {}, `${need.words ? `${need.words}: ` : ""}${need.told}`)));
    panel.setAttribute("aria-label", "Dice");
    panel.append(...need.aims.map((words) => make("p", {}, words)));
    const whose = need.each[need.held.length + faces.length];
    const all = [...need.held, ...faces];
    panel.append(make("p", { className: "fell" }, all.length ? `Fallen: ${all.map((face, die) => (need.each[die] ? `${need.each[die]} ${face}` : face)).join(", ")}. ` : "", left ? `Still ${left}${whose ? `; next: ${whose}` : ""}.` : "All there."));
    const put = (face) => () => (faces.push(String(face)), draw());
    const names = need.names.length ? need.names : Array.from({ length: need.sides }, (_, side) => side + 1);
    const some = names.map((face) => Object.assign(button(String(face), put(face), "die"), { disabled: !left }));
    panel.append(make("div", { className: need.names.length ? "chips" : "faces" }, ...some));
    panel.append(Object.assign(button(`Send ${faces.join(" ")}`, () => ask({ do: "roll", faces }), "say"), { disabled: left > 0 || !faces.length }));
    if (faces.length) panel.append(button("Clear", () => ((faces = []), draw())));
    if (need.words) panel.append(button("Forget the throw", () => ask({ do: "clear" })));
    return [panel];
  }

  // What was tapped so far: each word takes itself back, and those after it.
  function line() {
    const said = now.said.map(([, , words], count) => {
      const made = button(`${words} ×`, () => ask({ do: "look", taps: taps.slice(0, count) }), "said");
      made.setAttribute("aria-label", `Take back: ${words}`);
      return made;
    });
    const words = now.line || now.said.map(([, , words]) => words).join(" ");
    const shown = said.length || words.includes("...") ? [make("p", { className: "line" }, words)] : [];
    if (said.length) shown.push(make("div", { className: "chips" }, ...said));
    if (now.says) shown.push(button(`Say: ${now.says}`, () => ask({ do: "say" }), "say"));
    if (doubted) shown.push(button("I mean it", () => ask({ ...doubted, on: now.on, sure: true }), "sure"));
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
    const chips = others.map(([words, sure]) => {
      const phrase = [[words, "says"]];
      return button(words, () => ask(sure ? { do: "say", taps: phrase } : { do: "look", taps: phrase }), sure ? "say" : "");
    });
    return [chosen("Say", chips)];
  }

  function groups() {
    if (now.phrases.length) return [];
    return now.groups.map(({ asks: wanted, chips }) => {
      const made = chips.map(([word, of, words]) => button(words, () => tap([word, of])));
      return made.length > MANY ? parted(wanted, made) : chosen(wanted, made);
    });
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
    if (can("amend")) {
      const words = make("input", { autocapitalize: "off" });
      rows.push(row("The board stood otherwise", [field("A piece and how it stands", words)], () => ask({ do: "amend", words: words.value })));
    }
    if (can("finish")) {
      const won = make("select", {}, ...now.winners.map((one) => make("option", { value: one }, one)));
      rows.push(row("End the game by agreement", [field("Who has won", won)], () => ask({ do: "finish", words: won.value })));
    }
    if (can("resign")) rows.push(twice("Resign", () => ask({ do: "resign" })));
    if (can("reveal")) rows.push(twice("Reveal all secrets", () => ask({ do: "reveal" })));
    return rows;
  }
  function row(words, fields, does) {
    return make("fieldset", {}, make("legend", {}, words), ...fields, button(`Ask: ${words.toLowerCase()}`, does));
  }

  // The board: what is touched is a word, too.

  const marked = new Set();
  function marks() {
    marked.clear();
    if (now && shown === frames.length - 1) now.marks.forEach(([number, key]) => marked.add(`${number} ${key}`));
    for (const [part, node] of board.nodes) node.classList.toggle("tap", marked.has(part));
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

  const title = make("h2", { tabIndex: -1 }, "Your phone");
  const folded = (id, summary, inside) => make("details", { id }, make("summary", {}, summary), inside);
  home.append(title, told, live, make("div", { id: "ways" }, folded("typing", "Type it", form), folded("deeds", "Take back, correct, end", more)));
  home.hidden = false;
  document.addEventListener("entry", () => ask({ do: "look" }));
  document.addEventListener("beat", () => ask({ do: "look" }));
  document.addEventListener("shown", () => now && marks());
  ask({ do: "look" });
}
phone();
