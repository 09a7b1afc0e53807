"""What a page is told: a game entry by entry, as certain eyes see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from referee.engine.scene import Scene


class Step(Struct, frozen=True):
    """An entry, and the game after it."""

    n: int
    part: str
    """The part of the game that it belongs to, such as a turn of somebody: a headline."""
    said: str
    """The entry in one line."""
    scene: Scene
    """The board after it, with its heading and what the entry has changed."""
    told: tuple[str, ...] = ()
    """What happened, as things to do with the pieces."""
    rules: tuple[str, ...] = ()
    """The numbers of the rules that it rests on."""
    chances: tuple[str, ...] = ()
    """What its dice could do, and how likely each of it was."""
    luck: tuple[tuple[str, float], ...] = ()
    """Hits of its dice above those that had to be expected, by whose luck it is."""
    in_force: bool = True
    """Whether it counts; what was taken back is folded away."""
    since: Scene | None = None
    """The board before it; None: it is the one of the step before."""


class Judgement(NamedTuple):
    """A play, looked back on by who made the page; nobody can prove it from the log."""

    n: int
    """Its entry."""
    seat: str
    chance: int
    """How likely its seat was to win, in per cent."""
    cost: int
    """By how much less likely the play made that, in per cent; 0: not surely by anything."""


class Story(Struct, frozen=True):
    """A game as a page tells it."""

    title: str
    players: tuple[str, ...]
    """The seats with the names of who sits there."""
    facts: tuple[str, ...]
    """What holds for the whole game: how dice were thrown, what is a reconstruction."""
    steps: tuple[Step, ...]
    """One at least."""
    log: str
    """The log, up to the last step."""
    rules: Mapping[str, str]
    """What the rules say that some step names, by their numbers."""
    version: str
    """The program that made it."""
    eyes: str | None = None
    """Whose page it is; None: it shows what everybody may know."""
    whole: bool = True
    """Whether it tells the game from its beginning."""
    judged: Sequence[Judgement] = ()
    """Plays in order, where somebody has looked back on them."""
    files: Sequence[str] = ()
    """The players' own files that lie beside the log, in the order of their SHA-256."""
