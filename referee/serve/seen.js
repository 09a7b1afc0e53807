// This browser remembers what it saw: the checkpoint of each entry. It keeps them to itself until somebody saves them.
const memory = (() => {
  const SAW = "What this phone saw of a game. To check a log with it: referee audit LOG --witness FILE\n";
  const given = document.querySelector("meta[name=referee-checkpoints]").content.split("\n\n").map((text) => `${text}\n`);
  const origin = given[0].split("\n")[0];
  const countOf = (checkpoint) => Number(checkpoint.split("\n")[1]);
  let held = {}; // where a browser stores nothing, it remembers as long as the page is open

  // For each number of entries the checkpoints seen: one, unless the log was written anew.
  function recall() {
    try {
      held = JSON.parse(localStorage.getItem(origin)) ?? held;
    } catch {
      // private windows refuse
    }
    return held;
  }

  function remember(checkpoints) {
    const all = recall();
    for (const one of checkpoints) {
      const count = countOf(one), before = (all[count] ??= []);
      if (!before.includes(one)) before.push(one);
      if (before.length > 1) doubt(`This is not the game that this phone saw: entry ${count - 1} was another one.`);
    }
    try {
      localStorage.setItem(origin, JSON.stringify(all));
    } catch {
      // the page remembers it meanwhile
    }
  }

  function doubt(words) {
    at("other").textContent ||= `${words} Save what it saw.`;
    at("other").hidden = false;
    at("keep").open = true;
  }

  function showCode(over) {
    if (over) at("keep").open = true;
    if (!at("keep").open) return;
    at("code").src = `${location.pathname}/code?after=${at("witness").textContent.split(" ")[0]}`;
    at("code").hidden = false;
  }

  function save() {
    const all = recall(), counts = Object.keys(all).sort((one, other) => one - other);
    const text = [SAW, ...counts.flatMap((count) => all[count])].join("\n");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = `seen-${origin.split("/")[1]}.txt`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  const most = Math.max(0, ...Object.keys(recall()).map(Number)), now = countOf(given.at(-1));
  if (most > now) doubt(`This phone saw entry ${most - 1}, but the log ends with entry ${now - 1}.`);
  remember(given);
  at("saved").hidden = false;
  at("save").addEventListener("click", save);
  at("keep").addEventListener("toggle", () => showCode(false));
  showCode(false);
  return { remember, showCode };
})();
