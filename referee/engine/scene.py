"""Scenes: the shapes a game draws with. A renderer turns one into text, words or SVG without knowing the game.

Lengths are in units of one cell's side; x grows to the right, y downward. Text positions are columns and rows of
characters.
"""

from __future__ import annotations

from msgspec import Struct


class Polygon(Struct, frozen=True):
    """A closed shape: a cell, a room."""

    points: tuple[tuple[float, float], ...]
    owner: str | None = None
    """The seat in whose colour it is filled, or a colour: red, blue, green, grey; None: plain."""
    label: str = ""
    """Small text in it, such as a cell's name."""
    solid: bool = False
    """Whether it lies on the board, such as a marker: its colour hides what is below, its label is in the middle."""


class Piece(Struct, frozen=True):
    """A counter on the board."""

    x: float
    y: float
    owner: str
    """The seat in whose colour it is painted, or a colour."""
    label: str
    """What is written on it."""
    heading: float | None = None
    """Where its arrow points, in degrees clockwise from up; None: it has no arrow."""
    name: str = ""
    """What a person calls it, for those who cannot see it."""


class Glyph(Struct, frozen=True):
    """Characters at a place of the text picture."""

    column: int
    row: int
    text: str
    owner: str | None = None
    """The seat in whose colour it is shown, or a colour; None: plain."""
    faint: bool = False
    """Whether it is background that may be shown dim."""
    ascii: str | None = None
    """The same in ASCII, where it differs."""


class Layout(Struct, frozen=True):
    """One way to show a game in characters."""

    width: int
    """Columns that it needs."""
    glyphs: tuple[Glyph, ...]
    beside: tuple[str, ...]
    """Lines that stand beside it: what the characters mean, and what they do not tell."""


class Scene(Struct, frozen=True):
    """A picture of a game: for the eye as shapes or characters, for the ear as sentences."""

    title: str
    polygons: tuple[Polygon, ...]
    pieces: tuple[Piece, ...]
    glyphs: tuple[Glyph, ...]
    """For 40 columns."""
    beside: tuple[str, ...]
    """Lines that stand beside the board: scores, captured and lost counters."""
    words: tuple[str, ...]
    """The whole picture as sentences, for a screen reader."""
    notes: tuple[str, ...] = ()
    """What a reader must know about the picture, such as which part is a reconstruction."""
    wide: Layout | None = None
    """Another layout instead of `glyphs` and `beside`, where its width is at hand; drawings take its lines, too."""
