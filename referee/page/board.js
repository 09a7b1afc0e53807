// Boards that exchange parts. A part is called by the number of its board and its key, "0 piece B7"; what it looks like
// is a list of its SVG tag, its attributes, and its elements or text. What keeps its key glides from where it was.
const SVG = "http://www.w3.org/2000/svg";
const TAGS = new Set(["g", "path", "polygon", "circle", "rect", "text", "title"]);
const GLIDE = 350; // milliseconds
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// An element of its list, or of its number among those that occur again and again.
function element(part, shared) {
  const [tag, attributes, inside] = typeof part === "number" ? shared[part] : part;
  if (!TAGS.has(tag)) throw new Error(`no part of a drawing: ${tag}`);
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (!/^(on|href|xlink|style)/i.test(name)) made.setAttribute(name, value);
  }
  if (typeof inside === "string") made.textContent = inside;
  else made.append(...inside.map((one) => element(one, shared)));
  return made;
}

class Board {
  // The SVGs in a figure, as they stand.
  constructor(figure, shared = []) {
    this.shared = shared;
    this.layers = new Map();
    this.figure = figure;
    this.nodes = new Map(); // what is drawn, by name
    this.parts = new Map(); // what it looks like: a list, or a node that stood in the page
    for (const svg of figure.querySelectorAll("svg[data-board]")) {
      for (const layer of svg.querySelectorAll("g[data-layer]")) {
        this.layers.set(`${svg.dataset.board} ${layer.dataset.layer}`, layer);
        for (const node of layer.querySelectorAll(":scope > [data-key]")) {
          const name = `${svg.dataset.board} ${node.dataset.key}`;
          this.nodes.set(name, node);
          this.parts.set(name, node);
        }
      }
    }
  }

  // Draw these parts, a map from names to what they look like; `glides`: where new ones come from, by name.
  show(parts, glides = new Map()) {
    const spots = new Map([...this.nodes].map(([name, node]) => [name, node.getAttribute("transform")]));
    for (const [name, node] of this.nodes) {
      if (!parts.has(name)) {
        node.remove();
        this.nodes.delete(name);
      }
    }
    for (const [name, part] of parts) {
      if (this.nodes.has(name) && this.parts.get(name) === part) continue;
      const node = part instanceof Node ? part : element(part, this.shared);
      if (this.nodes.has(name)) this.nodes.get(name).replaceWith(node);
      else this.layers.get(name.split(" ", 2).join(" "))?.append(node);
      this.nodes.set(name, node);
      this.glide(node, spots.get(glides.get(name) ?? name));
    }
    this.parts = new Map(parts);
  }

  // Let the board of this name come first, where something happens; empty: all alike.
  focus(wanted) {
    for (const one of this.figure.querySelectorAll(".board")) {
      one.classList.toggle("aside", Boolean(wanted) && one.querySelector("svg").getAttribute("aria-label") !== wanted);
    }
  }

  glide(node, from) {
    const to = node.getAttribute("transform");
    if (!from || !to || from === to || isStill() || !node.animate) return;
    const spelt = (place) => place.replace(/translate\(([-\d.]+) ([-\d.]+)\)/, "translate($1px, $2px)");
    node.animate([{ transform: spelt(from) }, { transform: spelt(to) }], { duration: GLIDE, easing: "ease-in-out" });
  }
}
