"""What a page draws, as lists that are alike where two drawings look alike."""

from __future__ import annotations

import json
import re

LISTED = """() => [...document.querySelectorAll("svg.page g[data-layer]")].map((layer) => {
  const named = (node) => [...node.attributes].filter(({name}) => name !== "data-key");
  const styled = (node) => Object.fromEntries(named(node).map(({name, value}) => [name, value]));
  const listed = (node, style = {}) => [node.tagName, {...style, ...styled(node)},
    node.children.length ? [...node.children].map((one) => listed(one)) : node.textContent];
  const parts = (node) => node.matches("g:not([transform], [data-key])")
    ? [...node.children].map((one) => listed(one, styled(node))) : [listed(node)];
  return [...layer.children].flatMap(parts);
})"""


def as_listed(part):
    inside = part.inside if isinstance(part.inside, str) else [as_listed(one) for one in part.inside]
    return [part.tag, dict(part.attributes), inside or ""]


def leaves(listed):
    """What a board shows: groups that tell nothing are only what is in them, one path is one for each outline, and an
    outline is its corners, however it is spelt.
    """
    tag, attributes, inside = listed
    if tag == "g" and not attributes:
        return [leaf for one in inside for leaf in leaves(one)]
    told = {name: NOUGHT.sub("0", value) for name, value in attributes.items()}
    inside = inside if isinstance(inside, str) else [leaf for one in inside for leaf in leaves(one)]
    if tag not in ("path", "polygon"):
        return [[tag, told, inside]]
    shapes = [f"M{told.pop('points')}z"] if "points" in told else re.findall("[Mm][^Mm]*", told.pop("d"))
    return [["shape", told, corners(shape)] for shape in shapes]


NOUGHT = re.compile(r"(?<![0-9.])(?=\.)")


STEP = re.compile(r"([a-zA-Z]?)((?:[\s,]*-?(?:\d*\.)?\d+)*)")


def corners(shape):
    """The corners of an outline, in hundredths; where something is curved, the path itself."""
    if re.search("[AHV]", shape):
        return NOUGHT.sub("0", shape)
    at, found = [0, 0], []
    for way, told in STEP.findall(shape):
        numbers = [round(100 * float(one)) for one in re.findall(r"-?(?:\d*\.)?\d+", told)]
        across = numbers[::2] if way != "v" else [0] * len(numbers)
        down = numbers[1::2] if way not in ("h", "v") else numbers if way == "v" else [0] * len(numbers)
        across = numbers if way == "h" else across
        for x, y in zip(across, down, strict=True):
            at = [at[0] + x, at[1] + y] if way in ("l", "h", "v") else [x, y]
            found.append(at)
    return [found, shape.lower().endswith("z")]


def spelt(layer):
    return sorted(json.dumps(part, sort_keys=True) for part in layer)
