"""The palette: eight colours that can be told apart without colour vision, for seats, counters and areas.

In drawings they differ in lightness, and in the dashes of their outlines. In a terminal they differ in weight,
underlining and reverse video. Everything that is coloured also has a label.
"""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

Colour = Literal["red", "blue", "green", "orange", "purple", "sky", "yellow", "grey"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
"""All colours, in the order in which seats get them."""


class Ink(Struct, frozen=True):
    """The appearance of a colour."""

    paint: str
    """The colour in drawings, as `#rrggbb`."""
    writing: str
    """The colour of text on it, as `#rrggbb`."""
    terminal: str
    """The style in a terminal, as SGR parameters: 1 is bold, 4 underlined, 7 reverse."""
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
"""The appearance of each colour."""
