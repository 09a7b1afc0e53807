"""What stays as it is on a board, written short: shapes that look alike as one path, and words without what all of them
have in common.

Shapes may come out in another order than they went in, as long as none lies on another that it lay below before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from referee.engine.scene import Frame as Box
from referee.show.element import Element, number, shown

STYLES = (
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "paint-order",
    "font-size",
    "font-weight",
    "text-anchor",
)
"""Attributes that what lies in a group has from it."""
NUMBERS = frozenset({"d", "points", "x", "y", "r", "cx", "cy", *STYLES} - {"fill", "stroke"})
"""Attributes in which a nought before a point tells nothing."""
NOUGHT = re.compile(r"(?<![\d.])0(?=\.\d)")
BARE = re.compile(r"[A-Za-z0-9.#%-]+")
"""What an attribute may be without quotes."""
SPOTS = re.compile(r"-?\d+(?:\.\d+)?")
OUTLINE = re.compile(r"M[-\d., ]+Z")
"""A path that is the outline of an area."""
NOWHERE, EVERYWHERE = (0.0, 0.0, 0.0, 0.0), (-1e9, -1e9, 1e9, 1e9)
LETTER = 0.4
"""Half the width of a letter, in its height; more than any has."""
FAR = 16
"""Groups of shapes that one is looked for in."""

Style = tuple[tuple[str, str], ...]


class Leaf(NamedTuple):
    """A shape or words, with what it looks like; or parts that keep to themselves."""

    style: Style | None
    """None: it is written as it is."""
    xml: str
    """Of a shape the outline."""
    box: Box
    is_shape: bool = False


def short(part: Element, key: str = "") -> str:
    """An element as HTML may spell it; `key`: the one by which a script finds it."""
    attributes = {**({"data-key": key} if key else {}), **part.attributes}
    told = "".join(f" {name}={_value(name, value)}" for name, value in attributes.items())
    inside = shown(part.inside) if isinstance(part.inside, str) else "".join(map(short, _elements(part)))
    return f"<{part.tag}{told}>{inside}</{part.tag}>" if inside else f"<{part.tag}{told} />"


def _value(name: str, value: str) -> str:
    shorter = NOUGHT.sub("", value) if name in NUMBERS else value
    if BARE.fullmatch(shorter):
        return shorter
    return f'"{shown(shorter).replace(chr(34), "&quot;")}"'


def written(parts: Iterable[tuple[str, Element]]) -> Iterator[str]:
    """The parts of a layer, each with the key by which a script finds it; empty: it stays."""
    groups: list[list[Leaf]] = []
    for key, part in parts:
        for leaf in [Leaf(None, short(part, key), _box(part))] if key else _leaves(part):
            group = _group_for(leaf, groups)
            if group is None:
                groups.append([leaf])
            else:
                group.append(leaf)
    yield from (_spelt(group) for group in groups)


def _elements(part: Element) -> Iterator[Element]:
    return (one for one in part.inside if isinstance(one, Element))


def _leaves(part: Element) -> Iterator[Leaf]:
    """A part that stays, in pieces that can be written apart."""
    if part.tag == "g" and not part.attributes and not isinstance(part.inside, str):
        for one in _elements(part):
            yield from _leaves(one)
        return
    style = tuple((name, value) for name, value in part.attributes.items() if name in STYLES)
    others = {name: value for name, value in part.attributes.items() if name not in STYLES}
    outline = _outline(others)
    if outline:
        yield Leaf(style, _path(outline), _box(part), is_shape=True)
    elif part.tag == "text":
        yield Leaf(style, short(part._replace(attributes=others)), _box(part))
    else:
        yield Leaf(None, short(part), _box(part))


def _group_for(leaf: Leaf, groups: list[list[Leaf]]) -> list[Leaf] | None:
    """The group of those that look alike, past others that lie elsewhere."""
    if leaf.style is None:
        return None
    for group in groups[: -FAR - 1 : -1]:
        alike = group[0].style == leaf.style and group[0].is_shape == leaf.is_shape
        if alike and not leaf.is_shape:
            return group
        if any(_overlap(leaf.box, other.box) for other in group):
            return None
        if alike:
            return group
    return None


def _spelt(group: list[Leaf]) -> str:
    first, inside = group[0], "".join(leaf.xml for leaf in group)
    told = "".join(f" {name}={_value(name, value)}" for name, value in first.style or ())
    if first.is_shape:
        return f'<path{told} d="{inside}"/>'
    return f"<g{told}>{inside}</g>" if told else inside


def _overlap(one: Box, other: Box) -> bool:
    """Whether two lie on one another; edges may touch."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _box(part: Element) -> Box:
    """Where a part lies, or what is more than that."""
    spelt = part.attributes
    if "transform" in spelt:
        return EVERYWHERE
    if part.tag == "g":
        boxes = list(map(_box, _elements(part))) or [NOWHERE]
        left, top, right, bottom = zip(*boxes, strict=True)
        return min(left), min(top), max(right), max(bottom)
    if part.tag == "text":
        x, y, size = (float(spelt.get(name, 1)) for name in ("x", "y", "font-size"))
        half = LETTER * size * len(str(part.inside))
        return x - half, y - size, x + half, y + size / 3
    outline = _outline(spelt)
    if not outline:
        return EVERYWHERE
    xs, ys = zip(*outline, strict=True)
    return min(xs) / 100, min(ys) / 100, max(xs) / 100, max(ys) / 100


def _outline(attributes: Mapping[str, str]) -> list[tuple[int, int]]:
    """The corners of an area, in hundredths; nothing where it is none."""
    d = attributes.get("d", "")
    told = attributes.get("points") or (d if OUTLINE.fullmatch(d) else "")
    if not told or "transform" in attributes:
        return []
    numbers = [round(100 * float(one)) for one in SPOTS.findall(told)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _path(outline: list[tuple[int, int]]) -> str:
    """From corner to corner by how far the next one is."""
    ways = [_way(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairwise(outline)]
    return f"M{_pair(*outline[0])}{''.join(ways)}z"


def _way(across: int, down: int) -> str:
    if not down:
        return f"h{_number(across)}"
    return f"v{_number(down)}" if not across else f"l{_pair(across, down)}"


def _pair(x: int, y: int) -> str:
    return f"{_number(x)}{'' if y < 0 else ' '}{_number(y)}"


def _number(hundredths: int) -> str:
    return NOUGHT.sub("", number(hundredths / 100))
