"""The palette: eight colours that are told apart without colour vision, for seats, counters and areas.

In drawings they differ in lightness and in the dashes of their outlines, in a terminal in weight, underlining and
whether they are set in reverse; whatever is coloured bears a label besides.
"""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

Colour = Literal["red", "blue", "green", "orange", "purple", "sky", "yellow", "grey"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
"""All of them, in the order in which they are dealt out."""


class Ink(Struct, frozen=True):
    """How a colour is painted."""

    paint: str
    """In drawings, as `#rrggbb`."""
    writing: str
    """What is written on it, as `#rrggbb`."""
    terminal: str
    """In a terminal, as SGR parameters: 1 is bold, 4 underlined, 7 in reverse."""
    dashes: str
    """The outline of its areas in drawings, as an SVG `stroke-dasharray`."""


INKS: dict[Colour, Ink] = {
    "red": Ink("#b3261e", "#fff", "31", "none"),
    "blue": Ink("#1f4e9c", "#fff", "34;1", "0.3 0.1"),
    "green": Ink("#1b7a4b", "#fff", "32;4", "0.1 0.1"),
    "orange": Ink("#e69f00", "#000", "33;1;4", "0.4 0.1 0.1 0.1"),
    "purple": Ink("#8e4a8e", "#fff", "35;7", "0.2 0.2"),
    "sky": Ink("#56b4e9", "#000", "36;1;7", "0.05 0.1"),
    "yellow": Ink("#f0e442", "#000", "93;4;7", "0.5 0.2"),
    "grey": Ink("#5d5d5d", "#fff", "37;1;4;7", "0.1 0.3"),
}
