"""What a browser measures on the live page: the boxes of the board, of its labels and of what can be tapped."""

from __future__ import annotations

from typing import Any, NamedTuple

BOXES = """() => {
  const box = (node) => ["left", "top", "right", "bottom"].map((side) => node.getBoundingClientRect()[side]);
  const seen = (node) => node && node.getClientRects().length > 0;
  const part = (id) => (seen(document.getElementById(id)) ? box(document.getElementById(id)) : null);
  const boards = [...document.querySelectorAll("svg.page")].filter(seen);
  const labels = boards.flatMap((one) => [...one.querySelectorAll("text:not(.tiny)")]);
  return {
    bar: part("bar"), window: part("window"), said: part("said"), phone: part("phone"), boards: boards.map(box),
    across: document.documentElement.scrollWidth,
    labels: labels.map((one) => one.closest("[font-size]").getAttribute("font-size") * one.getScreenCTM().a),
    hidden: boards.reduce((sum, one) => sum + one.querySelectorAll("text.tiny").length, 0),
    targets: [...document.querySelectorAll("#board .tap")].filter(seen).map(box),
  };
}"""

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels of the screen."""


class Boxes(NamedTuple):
    """The measures of a live page as a browser shows it."""

    bar: Box
    window: Box
    said: Box
    phone: Box | None
    boards: tuple[Box, ...]
    """The boards that are shown."""
    across: float
    """The width of the page: more than the screen's if it must be scrolled sideways."""
    labels: tuple[float, ...]
    """The heights of the labels that are drawn."""
    hidden: int
    """The number of labels that are too small to be drawn."""
    targets: tuple[Box, ...]
    """The places and pieces that can be tapped."""


def measure(tab: Any) -> Boxes:
    """Returns the measures of a page."""
    found = tab.evaluate(BOXES)
    lists = {name: tuple(map(tuple, found[name])) for name in ("boards", "targets")}
    return Boxes(**{**found, **lists, "labels": tuple(found["labels"])})


def height(box: Box) -> float:
    """Returns the height of a box."""
    return box[3] - box[1]


def least_side(box: Box) -> float:
    """Returns the shorter side of a box."""
    return min(box[2] - box[0], height(box))


def is_inside(box: Box, other: Box) -> bool:
    """True if a box lies in another, but for a pixel."""
    return box[0] > other[0] - 1 and box[1] > other[1] - 1 and box[2] < other[2] + 1 and box[3] < other[3] + 1
