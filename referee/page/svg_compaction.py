"""Compact SVG for the unchanging parts of a board. Shapes that look alike become one path, and words that look alike
share one group with their attributes.

Shapes may change their order, but no shape gets above another that covered it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from referee.engine.scene import Frame as Box
from referee.show.element import Element, escape_xml, format_length

STYLE_ATTRIBUTES = (
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
"""The attributes that a group gives to its elements."""
NUMBER_ATTRIBUTES = frozenset({"d", "points", "x", "y", "r", "cx", "cy", *STYLE_ATTRIBUTES} - {"fill", "stroke"})
"""The attributes in which a zero before the point can be left out."""
NEEDLESS_ZERO = re.compile(r"(?<![\d.])0(?=\.\d)")
VALUE_WITHOUT_QUOTES = re.compile(r"[A-Za-z0-9.#%-]+")
"""An attribute value that needs no quotes."""
NUMBERS_IN_PATH = re.compile(r"-?\d+(?:\.\d+)?")
OUTLINE = re.compile(r"M[-\d., ]+Z")
"""A path that is the outline of an area."""
NOWHERE, EVERYWHERE = (0.0, 0.0, 0.0, 0.0), (-1e9, -1e9, 1e9, 1e9)
HALF_LETTER_WIDTH = 0.4
"""Half the width of a letter divided by its height. No letter is wider."""
MAX_SEARCHED_GROUPS = 16
"""The most groups of shapes that are searched, from the last one back."""

Style = tuple[tuple[str, str], ...]


class SvgLeaf(NamedTuple):
    """A shape or words with their style, or a part that joins no group."""

    style: Style | None
    """The style; None for a part that is written as it is."""
    xml: str
    """The element; for a shape, only its outline as path data."""
    box: Box
    is_shape: bool = False


def compact_svg(part: Element, key: str = "") -> str:
    """Returns an element as compact HTML. A script can find it by `key`; "" for no key."""
    attributes = {**({"data-key": key} if key else {}), **part.attributes}
    written = compact_attributes(attributes)
    inside = (
        escape_xml(part.inside) if isinstance(part.inside, str) else "".join(map(compact_svg, _list_elements(part)))
    )
    return f"<{part.tag}{written}>{inside}</{part.tag}>" if inside else f"<{part.tag}{written} />"


def compact_attributes(attributes: Mapping[str, str]) -> str:
    """Returns attributes as compact HTML, each with a blank before it."""
    return "".join(f" {name}={_compact_value(name, value)}" for name, value in attributes.items())


def _compact_value(name: str, value: str) -> str:
    shorter = NEEDLESS_ZERO.sub("", value) if name in NUMBER_ATTRIBUTES else value
    if VALUE_WITHOUT_QUOTES.fullmatch(shorter):
        return shorter
    return f'"{escape_xml(shorter).replace(chr(34), "&quot;")}"'


def compact_layer(parts: Iterable[tuple[str, Element]]) -> Iterator[str]:
    """Yields the parts of a layer as compact HTML. A part that never changes has the key "" and may join a group."""
    groups: list[list[SvgLeaf]] = []
    for key, part in parts:
        for leaf in [SvgLeaf(None, compact_svg(part, key), _measure_box(part))] if key else _split_leaves(part):
            group = _find_group(leaf, groups)
            if group is None:
                groups.append([leaf])
            else:
                group.append(leaf)
    yield from (_render_group(group) for group in groups)


def _list_elements(part: Element) -> Iterator[Element]:
    return (one for one in part.inside if isinstance(one, Element))


def _split_leaves(part: Element) -> Iterator[SvgLeaf]:
    """Yields the shapes and words of a part that can be written separately."""
    if part.tag == "g" and not part.attributes and not isinstance(part.inside, str):
        for one in _list_elements(part):
            yield from _split_leaves(one)
        return
    style = tuple((name, value) for name, value in part.attributes.items() if name in STYLE_ATTRIBUTES)
    others = {name: value for name, value in part.attributes.items() if name not in STYLE_ATTRIBUTES}
    outline = _read_outline(others)
    if outline:
        yield SvgLeaf(style, _format_path(outline), _measure_box(part), is_shape=True)
    elif part.tag == "text":
        yield SvgLeaf(style, compact_svg(part._replace(attributes=others)), _measure_box(part))
    else:
        yield SvgLeaf(None, compact_svg(part), _measure_box(part))


def _find_group(leaf: SvgLeaf, groups: list[list[SvgLeaf]]) -> list[SvgLeaf] | None:
    """Returns the group of shapes or words that look like this leaf; None if the leaf joins no group.

    Only the last `MAX_SEARCHED_GROUPS` groups are searched. A leaf joins no group if it would then be drawn below a
    shape or words that it overlaps.
    """
    if leaf.style is None:
        return None
    for group in groups[: -MAX_SEARCHED_GROUPS - 1 : -1]:
        alike = group[0].style == leaf.style and group[0].is_shape == leaf.is_shape
        if alike and not leaf.is_shape:
            return group
        if any(_overlap(leaf.box, other.box) for other in group):
            return None
        if alike:
            return group
    return None


def _render_group(group: list[SvgLeaf]) -> str:
    first, inside = group[0], "".join(leaf.xml for leaf in group)
    style = "".join(f" {name}={_compact_value(name, value)}" for name, value in first.style or ())
    if first.is_shape:
        return f'<path{style} d="{inside}"/>'
    return f"<g{style}>{inside}</g>" if style else inside


def _overlap(one: Box, other: Box) -> bool:
    """True if two boxes overlap. Boxes that only touch do not."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _measure_box(part: Element) -> Box:
    """Returns a box that contains the part, and may be larger than needed."""
    spelt = part.attributes
    if "transform" in spelt:
        return EVERYWHERE
    if part.tag == "g":
        boxes = list(map(_measure_box, _list_elements(part))) or [NOWHERE]
        left, top, right, bottom = zip(*boxes, strict=True)
        return min(left), min(top), max(right), max(bottom)
    if part.tag == "text":
        x, y, size = (float(spelt.get(name, 1)) for name in ("x", "y", "font-size"))
        half = HALF_LETTER_WIDTH * size * len(str(part.inside))
        return x - half, y - size, x + half, y + size / 3
    outline = _read_outline(spelt)
    if not outline:
        return EVERYWHERE
    xs, ys = zip(*outline, strict=True)
    return min(xs) / 100, min(ys) / 100, max(xs) / 100, max(ys) / 100


def _read_outline(attributes: Mapping[str, str]) -> list[tuple[int, int]]:
    """Returns the corners of an area in hundredths of a cell side; an empty list if the element is not an area."""
    d = attributes.get("d", "")
    points = attributes.get("points") or (d if OUTLINE.fullmatch(d) else "")
    if not points or "transform" in attributes:
        return []
    numbers = [round(100 * float(one)) for one in NUMBERS_IN_PATH.findall(points)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _format_path(outline: list[tuple[int, int]]) -> str:
    """Returns a path from corner to corner in relative steps."""
    ways = [_format_step(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairwise(outline)]
    return f"M{_format_pair(*outline[0])}{''.join(ways)}z"


def _format_step(across: int, down: int) -> str:
    if not down:
        return f"h{_format_number(across)}"
    return f"v{_format_number(down)}" if not across else f"l{_format_pair(across, down)}"


def _format_pair(x: int, y: int) -> str:
    return f"{_format_number(x)}{'' if y < 0 else ' '}{_format_number(y)}"


def _format_number(hundredths: int) -> str:
    return NEEDLESS_ZERO.sub("", format_length(hundredths / 100))
