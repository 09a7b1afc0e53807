// The board on its stage: all of it is seen, it grows under two fingers, and only labels that can be read are drawn.
const READABLE = 11, ON_THE_WALL = 7; // the least height of a label, in pixels; on a big screen eyes may come nearer
const TARGET = 24; // the least side of what is tapped, in pixels
const MOST = 12; // times as big as the whole
const TWICE = 300; // milliseconds between the two taps of a double tap

const stage = (() => {
  const room = at("window"), figure = at("board"), boards = [...figure.querySelectorAll(".board")];
  const side = matchMedia("(min-width: 62rem), (orientation: landscape) and (max-height: 30rem)");
  const svgOf = (one) => one.querySelector("svg");
  let zoom = 1, chosen = null, wanted = null;

  // Which boards are seen, and in how many columns: on a small screen one, which can be chosen.
  const tabs = Object.assign(document.createElement("p"), { id: "boards" });
  for (const one of boards) {
    const tab = paragraph(svgOf(one).getAttribute("aria-label"), "button");
    tab.type = "button";
    tab.addEventListener("click", () => (choose(one), frame()));
    tabs.append(tab);
  }
  if (boards.length > 1) room.before(tabs);

  function choose(one) {
    if (chosen !== one) zoomTo(1);
    chosen = one;
  }
  // What is played moves the choice on; whoever has chosen a board keeps it until then.
  function follow(one) {
    if (one && wanted !== one) choose(one);
    wanted = one ?? wanted;
  }
  const focused = () => boards.find((one) => !one.classList.contains("aside"));

  function frame() {
    if (!boards.length) return;
    if (!chosen) choose(focused() ?? boards[0]);
    const seen = side.matches ? boards : [chosen];
    boards.forEach((one, number) => {
      one.hidden = !seen.includes(one);
      tabs.children[number]?.setAttribute("aria-pressed", String(one === chosen));
    });
    tabs.hidden = side.matches;
    lay(seen);
    resize();
    label();
  }
  // In as many columns as let all boards be biggest, in one measure.
  function lay(seen) {
    const { clientWidth: width, clientHeight: height } = room, sizes = seen.map((one) => svgOf(one).viewBox.baseVal);
    const plans = sizes.map((_, number) => {
      const across = number + 1, columns = Array(across).fill(0), rows = Array(Math.ceil(sizes.length / across)).fill(0);
      sizes.forEach((box, at) => {
        columns[at % across] = Math.max(columns[at % across], box.width);
        rows[Math.floor(at / across)] = Math.max(rows[Math.floor(at / across)], box.height);
      });
      const sum = (all) => all.reduce((one, other) => one + other);
      return { columns, rows, scale: Math.min(width / sum(columns), height / sum(rows)) };
    });
    const best = plans.reduce((one, other) => (other.scale > one.scale ? other : one));
    const tracks = (all) => all.map((share) => `minmax(0, ${share}fr)`).join(" ");
    figure.style.gridTemplateColumns = tracks(best.columns);
    figure.style.gridTemplateRows = tracks(best.rows);
  }
  function label() {
    const least = side.matches ? ON_THE_WALL : READABLE;
    for (const words of figure.querySelectorAll("svg.page text")) {
      const high = words.closest("[font-size]").getAttribute("font-size") * (words.getScreenCTM()?.a ?? 0);
      words.classList.toggle("tiny", high < least);
    }
  }

  // As big as wanted; what lies at this point of the screen stays there.
  function zoomTo(size, point = middle()) {
    const before = zoom, box = room.getBoundingClientRect();
    const [x, y] = [point.x - box.left, point.y - box.top];
    zoom = Math.max(1, Math.min(MOST, size));
    if (zoom < 1.05) zoom = 1;
    const [left, top] = [room.scrollLeft + x, room.scrollTop + y].map((way) => (way * zoom) / before);
    resize();
    room.scrollTo(left - x, top - y);
  }
  function resize() {
    figure.style.setProperty("--zoom", zoom);
    figure.classList.toggle("big", zoom > 1 || Boolean(at("phone"))); // a finger that moves over it turns no page
    bigger.textContent = zoom > 1 ? "Whole board" : "Bigger";
  }
  // The same at once, with its labels; two fingers wait with those until they are up.
  function jump(size, point) {
    zoomTo(size, point);
    label();
  }
  function middle() {
    const box = room.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  }
  const centre = (node) => {
    const box = node.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2, least: Math.min(box.width, box.height) };
  };

  // True if the board grew instead: what was touched was too small to be meant for sure.
  function grew(node, point) {
    const touched = document.elementsFromPoint(point.x, point.y).map((part) => part.closest("#board .tap"));
    const least = Math.min(...[node, ...touched].filter(Boolean).map((part) => centre(part).least)); // of all that lie there
    if (least >= TARGET || zoom >= MOST) return false;
    jump(zoom * Math.max(2, (1.5 * TARGET) / least), point);
    return true;
  }
  // So much of the board that what can be tapped is seen.
  function reveal(nodes) {
    if (!nodes.length) return;
    if (!nodes.some((node) => chosen?.contains(node))) {
      follow(nodes[0].closest(".board"));
      frame();
    }
    const box = room.getBoundingClientRect();
    const inside = ({ x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom;
    if (zoom === 1 || nodes.some((node) => inside(centre(node)))) return;
    const { x, y } = centre(nodes[0]);
    room.scrollBy(x - middle().x, y - middle().y);
  }

  // Two fingers, two taps, and a button.
  let apart = null, tapped = null;
  const spread = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  room.addEventListener("touchstart", ({ touches }) => (apart = touches.length === 2 ? { from: spread(touches), zoom } : null), { passive: true });
  room.addEventListener("touchmove", (event) => {
    if (!apart || event.touches.length !== 2) return;
    event.preventDefault();
    const [one, other] = event.touches;
    zoomTo((apart.zoom * spread(event.touches)) / apart.from, { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 });
  }, { passive: false });
  room.addEventListener("touchend", () => apart && ((apart = null), label()));
  room.addEventListener("click", (event) => {
    if (event.defaultPrevented) return (tapped = null);
    const again = tapped && event.timeStamp - tapped.timeStamp < TWICE && Math.hypot(event.clientX - tapped.clientX, event.clientY - tapped.clientY) < TARGET;
    tapped = again ? null : event;
    if (again) jump(zoom > 1 ? 1 : 3, { x: event.clientX, y: event.clientY });
  });

  at("bigger").remove(); // that of a page that is kept knows no fingers
  const bigger = Object.assign(document.createElement("button"), { id: "bigger", type: "button", textContent: "Bigger" });
  bigger.addEventListener("click", () => jump(zoom > 1 ? 1 : 2));
  room.after(bigger);
  // At the keyboard the window is scrolled like any other.
  room.tabIndex = 0;
  room.setAttribute("role", "group");
  room.setAttribute("aria-label", "The board; arrow keys move it when it is bigger");

  document.addEventListener("shown", () => {
    if (!figure.querySelector(".tap")) follow(focused());
    frame();
  });
  side.addEventListener("change", frame);
  new ResizeObserver(frame).observe(room);
  frame();
  return { grew, reveal };
})();
