"""Dice: the rolls that rules ask for, and their form in the log.

`dice_source` and `dice_mode` decide where faces come from.

A *draw* is one roll of any number of dice that the rules ask for. Draws are numbered from 0 through the whole log;
each seat's secret draws are numbered apart. No number is used twice, so nobody can roll the same dice again by taking
back a roll.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Literal, Protocol

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.target_number import MAX_SIDES, ONLY_READ, Chance, Target
from referee.engine.text import count_of, format_runs, listing, match_word

MAX_DICE = 256
"""The most dice in one draw."""

MAX_LISTED_NAMES = 6
"""The greatest number of names that are listed one by one."""

Sides = Annotated[int, Meta(ge=1, le=MAX_SIDES)]
"""The number of sides of a die."""
Face = Annotated[int, Meta(ge=1, le=MAX_SIDES)]
"""A face of a die."""
SeedHex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="32 bytes as lower-case hex")]
"""A seed for dice."""


Origin = Literal["table", "open", "sealed", "lots", "pact"]
"""The words for where faces come from; `Roll.origin` explains each."""
DrawableName = Annotated[str, Meta(min_length=1, max_length=40)]
"""The name of a card or counter, or the purpose of one die."""
_SEAT_NAME = "^[a-z][a-z0-9-]{0,23}$"
SeatName = Annotated[str, Meta(pattern=_SEAT_NAME)]
"""The name of a seat."""


class Roll(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One draw as it stands in the log."""

    draw: Annotated[int, Meta(ge=0, le=2**32 - 1)]
    """The number of this draw in its log, from 0. A secret draw is numbered among those of the seat that made it."""
    purpose: Annotated[str, Meta(min_length=1, max_length=120)]
    """The thing that the dice decide, in the rules' words."""
    sides: Sides
    """The number of faces of each die."""
    faces: Annotated[tuple[Face, ...], Meta(max_length=MAX_DICE)]
    """The face that each die shows, from 1."""
    origin: Origin
    """The source of the faces.

    "table": people typed them. "open": the seed in the log. "sealed": a seed that a seat keeps secret. "pact": a roll
    of all seats together. "lots": lots in a game with typed dice, from the seed in the first draw of their action.
    """
    each: Annotated[tuple[DrawableName, ...], Meta(max_length=MAX_DICE)]
    """The purpose of each die, if they differ: "r1", "A03"; else empty."""
    names: Annotated[tuple[DrawableName, ...], Meta(max_length=MAX_DICE)]
    """The thing drawn with each die, if its faces stand for cards or counters; else empty."""
    to: SeatName | None
    """The seat that alone sees the draw; none if everybody does."""

    @property
    def is_typed(self) -> bool:
        """True if people rolled real dice and typed the faces."""
        return self.origin == "table"


TypedDie = int | str
"""An answer that a person types for one die: a number, or the name of the thing that was drawn."""


class _Asked(Struct, frozen=True, omit_defaults=True):
    """The fields of a `Need` that may be given by position."""

    purpose: str
    """The purpose of the roll, in the rules' words: "attack"."""
    count: int
    """The number of dice."""
    sides: int
    """The number of sides of each die."""
    names: tuple[str, ...] = ()
    """The name of the card or counter that each face stands for, from face 1; empty for ordinary dice."""
    each: tuple[str, ...] = ()
    """The purpose of each die, if they differ."""
    throwers: tuple[str, ...] = ()
    """The seat that rolls each die, in the order of the dice; empty if one seat rolls them all."""
    to: str | None = None
    """The only seat that sees the dice; None if everybody does."""
    lots: bool = False
    """True for lots, which nobody rolls at a table, such as a random place for each of eighty units.

    They are drawn from a seed even in games where dice are typed.
    """
    rule: str = ""
    """The rule that sets the number and kind of dice. It is cited when a player types other dice."""


class Need(_Asked, frozen=True, omit_defaults=True, kw_only=True):
    """Dice that somebody has to roll now. A blind draw of a card or counter is a die with a name for each face.

    `aims` is required, so that no author of rules forgets to state which numbers succeed.

        >>> need = Need("attack", 1, 6, aims=(Target(most=2, does="hits"),))
        >>> need.parse_face(2), str(need.compute_chance(need.aims[0]))
        (2, '2 in 6 (33.3 %)')
        >>> need.parse_face(7)
        Traceback (most recent call last):
        referee.engine.dice.DiceError: a die with 6 sides cannot show 7 (attack)
    """

    aims: tuple[Target, ...]
    """The numbers that succeed, and their effects; `ONLY_READ` if no number is better than another.

    Targets only inform people. The rules decide what happens.
    """

    def __str__(self) -> str:
        if self.names or self.lots:
            return self.purpose
        each = f": {', '.join(self.each)}" if self.each else ""
        return f"{self.count}d{self.sides} ({self.purpose}{each})"

    def parse_face(self, typed: TypedDie) -> int:
        """Returns the face that was typed: a number, a name, or the unique beginning of a name, in any case of letters.

        Raises DiceError if it is not one of these.
        """
        face = typed if isinstance(typed, int) else self._find_face(typed)
        if not 1 <= face <= self.sides:
            raise DiceError(f"a die with {self.sides} sides cannot show {face} ({self._cited})")
        return face

    def _find_face(self, typed: str) -> int:
        names = [name.lower() for name in self.names]
        name = match_word(typed.lower(), tuple(dict.fromkeys(names)))
        if name is None:
            if self.names:
                there = f"you can draw {listing(self.drawable_ranges, 'or')}"
                raise NameNotThereError(f"{typed!r} cannot be drawn ({self._cited}); {there}")
            raise DiceError(f"{typed!r} is not a number on a die; type dice like 3,6")
        return names.index(name) + 1

    @property
    def die_labels(self) -> tuple[str, ...]:
        """The names that distinguish the dice: the purpose of each die, or the seat that rolls it.

        Empty if all dice are alike.
        """
        return self.each or self.throwers

    @property
    def drawable_text(self) -> str:
        """The names that can be drawn, in words: all if there are at most `MAX_LISTED_NAMES`, else an example."""
        names = list(dict.fromkeys(self.names))
        return listing(names, "or") if len(names) <= MAX_LISTED_NAMES else f"such as {names[-1]}"

    @property
    def drawable_ranges(self) -> list[str]:
        """The names that can be drawn, with runs as ranges: "n1..n9"."""
        return format_runs(dict.fromkeys(self.names))

    @property
    def _cited(self) -> str:
        return f"{self.purpose}; {self.rule}" if self.rule else self.purpose

    def list_targets(self, die: int) -> Iterator[Target]:
        """Yields the targets that this die, counted from 0, can hit by itself."""
        thrown_for = self.each[die] if self.each else ""
        return (aim for aim in self.aims if aim.of == "each" and aim.whose in ("", thrown_for))

    def compute_chance(self, aim: Target) -> Chance:
        """Returns the chance to hit a target of this roll: with one die, or with all dice if `aim.of` is not "each"."""
        if aim.of == "each":
            return Chance(sum(map(aim.is_hit, range(1, self.sides + 1))), self.sides)
        if aim.of == "alike":
            return Chance(self.sides, self.sides**self.count)
        ways, faces = {0: 1}, range(1, self.sides + 1)
        for _ in range(self.count):
            totals = range(max(ways) + self.sides + 1)
            ways = {total: sum(ways.get(total - face, 0) for face in faces) for total in totals}
        return Chance(sum(many for total, many in ways.items() if aim.is_hit(total)), self.sides**self.count)


class DiceError(ValueError):
    """Raised when faces cannot be the result of the roll. The message is one sentence for the player."""


class NameNotThereError(DiceError):
    """Raised when the name that was typed is not among those that can be drawn."""


class DiceNeededError(DiceError):
    """Raised when the rules need dice that nobody has typed yet.

    `need` is the roll, `typed` the number of faces typed so far.
    """

    def __init__(self, need: Need, typed: int = 0) -> None:
        super().__init__(need, typed)
        self.need, self.typed = need, typed

    def __str__(self) -> str:
        need = self.need
        dice = f"{count_of(need.count, 'die', 'dice')} with {need.sides} sides needed"
        wanted = f"a name needed, {need.drawable_text}" if need.names else dice
        got = f", {count_of(self.typed, 'face')} typed" if self.typed else ""
        return f"{wanted}{got}: {need.purpose}{f' ({need.rule})' if need.rule else ''}"


class Source(Protocol):
    """An object that provides the faces of dice."""

    def draw_lot_seed(self, to: str | None) -> Roll | None:
        """Returns the roll that records the seed of the next lots; None if lots need no seed, or have one already.

        Only the seat `to` sees that roll; None means everybody. Raises DiceError if a recorded seed is faulty.
        """

    def draw(self, need: Need) -> Roll:
        """Returns the roll with the faces of the next draw. Raises DiceError if the source cannot give them."""


class Dice:
    """The dice that rule code rolls. The faces come from a source, and all rolls are kept for the log.

    >>> from referee.engine.dice_source import TypedSource
    >>> dice = Dice(TypedSource((3, 6)))
    >>> dice.roll(2, 6, "movement")
    (3, 6)
    """

    __slots__ = ("_hidden", "_seat", "_source", "rolls", "unseen")

    def __init__(self, source: Source, seat: str = "", *, hidden: bool = False) -> None:
        """Makes dice for a seat. If `hidden`, the seat rolls all of them in secret."""
        self._source = source
        self._seat = seat
        self._hidden = hidden
        self.rolls: list[Roll] = []
        self.unseen = False
        """True if some rolls were seen by their seat only."""

    def roll(
        self,
        count: int,
        sides: int,
        purpose: str,
        names: tuple[str, ...] = (),
        each: tuple[str, ...] = (),
        *,
        unseen: bool = False,
    ) -> tuple[int, ...]:
        """Rolls dice without targets, and returns their faces. `purpose` says in the rules' words what the dice decide.

        `names` are the cards or counters that the faces stand for, `each` is the purpose of each die. If `unseen`, only
        the seat that rolls sees the dice.
        """
        return self.throw(Need(purpose, count, sides, names, each, aims=ONLY_READ), unseen=unseen)

    def throw(self, need: Need, *, unseen: bool = False) -> tuple[int, ...]:
        """Rolls the dice of a need, and returns their faces.

        Pass the same `Need` that the list of legal actions shows. If `unseen`, only the seat that rolls sees the dice.
        """
        if unseen or self._hidden:
            need, self.unseen = replace(need, to=self._seat), True
        seed = self._source.draw_lot_seed(need.to) if need.lots else None
        roll = self._source.draw(need)
        self.rolls += [seed, roll] if seed else [roll]
        return roll.faces

    def draw(self, among: tuple[str, ...], purpose: str, *, unseen: bool = False, lots: bool = False) -> str:
        """Draws one of these names blindly, with a die that has a face for each name.

        A single name is returned without a die. If `lots`, the draw is a draw of lots, which nobody rolls at a table.
        If `unseen`, only the seat that draws sees the result.
        """
        if len(among) == 1:
            return among[0]
        return among[self.throw(Need(purpose, 1, len(among), among, lots=lots, aims=ONLY_READ), unseen=unseen)[0] - 1]


@lru_cache(maxsize=64)
def is_seat_name(name: str) -> bool:
    """True if the text can be the name of a seat. Results are cached: a game has few seats, and asks often."""
    return re.search(_SEAT_NAME, name) is not None
