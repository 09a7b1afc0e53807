"""Dice: what rules ask for, what was thrown, and how it stands in the log. Where faces come from: `source`, `mode`.

A *draw* is one throw asked for by the rules, of any number of dice. Draws are numbered through a log from 0 and
a number is never used twice, so taking back a throw never lets anybody throw the same dice again.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Literal, Protocol

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.aim import MAX_SIDES, ONLY_READ, Aim, Chance
from referee.engine.text import count_of, in_runs, listing, match_word

MAX_DICE = 256
"""Most dice in one draw."""

FEW = 6
"""So many names of what can be drawn are listed."""

Sides = Annotated[int, Meta(ge=1, le=MAX_SIDES)]
Face = Annotated[int, Meta(ge=1, le=MAX_SIDES)]
SeedHex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="32 bytes as lower-case hex")]


Origin = Literal["table", "open", "sealed", "lots", "pact"]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
_SEAT_NAME = "^[a-z][a-z0-9-]{0,23}$"
SeatName = Annotated[str, Meta(pattern=_SEAT_NAME)]


class Roll(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One draw as it stands in the log."""

    draw: Annotated[int, Meta(ge=0, le=2**32 - 1)]
    """Number of this draw, from 0: in its log, or, if it was made in secret, among those of the seat that made it."""
    purpose: Annotated[str, Meta(min_length=1, max_length=120)]
    """What the dice decide, in the rules' words."""
    sides: Sides
    """How many faces each die has."""
    faces: Annotated[tuple[Face, ...], Meta(max_length=MAX_DICE)]
    """What each die shows, from 1."""
    origin: Origin
    """Where the faces come from: typed in, derived from the log's seed, from a seed that a seat keeps secret, from what
    all seats gave together, or, for lots where dice are typed in, from the seed that is the first draw of their play.
    """
    each: Annotated[tuple[Name, ...], Meta(max_length=MAX_DICE)]
    """What each die was thrown for, where that differs: "r1", "A03"; else none."""
    names: Annotated[tuple[Name, ...], Meta(max_length=MAX_DICE)]
    """What was drawn with each die, where its faces stand for something: a card, a counter; else none."""
    to: SeatName | None
    """Who alone sees it; None: everybody."""

    @property
    def is_typed(self) -> bool:
        """Whether somebody has typed its faces, which have fallen on a real table."""
        return self.origin == "table"


Typed = int | str
"""What is typed for a die: the number that it shows, or the name of what was drawn."""


class _Asked(Struct, frozen=True, omit_defaults=True):
    """What is thrown."""

    purpose: str
    count: int
    sides: int
    names: tuple[str, ...] = ()
    """What each face stands for; none for dice."""
    each: tuple[str, ...] = ()
    """What each die is thrown for, where that differs."""
    throwers: tuple[str, ...] = ()
    """Who throws each die, where `each` does not say what it is for: the first is red's, the second blue's."""
    to: str | None = None
    """The seat that alone sees the dice; None: everybody."""
    lots: bool = False
    """Whether this is no throw of people at a table: lots, such as a place at random for each of eighty units. They are
    drawn from a seed also where dice are typed in.
    """
    rule: str = ""
    """The rule that says how many dice are thrown, and which: cited to who types others."""


class Need(_Asked, frozen=True, omit_defaults=True, kw_only=True):
    """Dice that somebody has to throw now, or something that has to be drawn blindly, which is a die with a name for
    each face. What it takes to succeed is in `aims`, which nobody who writes rules can forget to say.
    """

    aims: tuple[Aim, ...]
    """The numbers needed, and what they do; `ONLY_READ` where no number is better than another. They are for people:
    what happens, the rules decide.
    """

    def __str__(self) -> str:
        if self.names or self.lots:
            return self.purpose
        each = f": {', '.join(self.each)}" if self.each else ""
        return f"{self.count}d{self.sides} ({self.purpose}{each})"

    def face_of(self, typed: Typed) -> int:
        """The face that was typed: its number, its name, or the beginning of one name only, in any case; DiceError for
        others.
        """
        face = typed if isinstance(typed, int) else self._named(typed)
        if not 1 <= face <= self.sides:
            raise DiceError(f"a die with {self.sides} sides cannot show {face} ({self._cited})")
        return face

    def _named(self, typed: str) -> int:
        names = [name.lower() for name in self.names]
        name = match_word(typed.lower(), tuple(dict.fromkeys(names)))
        if name is None:
            if self.names:
                there = f"there is {listing(self.left_to_draw)}"
                raise NotThereError(f"{typed!r} cannot be drawn ({self._cited}); {there}")
            raise DiceError(f"{typed!r} is no face of a die; dice are typed like 3,6")
        return names.index(name) + 1

    @property
    def told_apart(self) -> tuple[str, ...]:
        """By what people tell its dice apart: what each is for, or who throws it; none, if they are all alike."""
        return self.each or self.throwers

    @property
    def drawn_from(self) -> str:
        """What can be drawn, as a person asks for it: each name where there are few, else the last for example."""
        names = list(dict.fromkeys(self.names))
        return listing(names, "or") if len(names) <= FEW else f"such as {names[-1]}"

    @property
    def left_to_draw(self) -> list[str]:
        """Each name that can be drawn, rows of numbered ones as such: "n1..n9"."""
        return in_runs(dict.fromkeys(self.names))

    @property
    def _cited(self) -> str:
        return f"{self.purpose}; {self.rule}" if self.rule else self.purpose

    def aims_of(self, die: int) -> Iterator[Aim]:
        """What this die of the throw, counted from 0, can do by itself."""
        thrown_for = self.each[die] if self.each else ""
        return (aim for aim in self.aims if aim.of == "each" and aim.whose in ("", thrown_for))

    def chance(self, aim: Aim) -> Chance:
        """How likely an aim of this throw is: of each of its dice, or of all together."""
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
    """Faces that cannot be what was thrown. The message is one sentence for the player."""


class NotThereError(DiceError):
    """What was typed is not among what can be drawn."""


class DiceNeededError(DiceError):
    """The rules ask for dice that nobody has typed in yet: `need` says which, `typed` how many of them were typed."""

    def __init__(self, need: Need, typed: int = 0) -> None:
        super().__init__(need, typed)
        self.need, self.typed = need, typed

    def __str__(self) -> str:
        need = self.need
        dice = f"{count_of(need.count, 'die', 'dice')} with {need.sides} sides wanted"
        wanted = f"a name wanted, {need.drawn_from}" if need.names else dice
        got = f", {count_of(self.typed, 'face')} typed" if self.typed else ""
        return f"{wanted}{got}: {need.purpose}{f' ({need.rule})' if need.rule else ''}"


class Source(Protocol):
    """Where faces come from."""

    def seed_lots(self, to: str | None) -> Roll | None:
        """Return the seed of the lots that are drawn next, which only this seat sees; None where they need none, or
        have it. DiceError as below.
        """

    def draw(self, need: Need) -> Roll:
        """Return the next draw; raises DiceError when it cannot."""


class Dice:
    """What rule code throws: hands over faces wherever they come from, and remembers them for the record."""

    __slots__ = ("_hidden", "_seat", "_source", "rolls", "unseen")

    def __init__(self, source: Source, seat: str = "", *, hidden: bool = False) -> None:
        """Dice for `seat`; hidden: it throws all of them in secret."""
        self._source = source
        self._seat = seat
        self._hidden = hidden
        self.rolls: list[Roll] = []
        self.unseen = False
        """Whether some were thrown that only the seat sees."""

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
        """Throw `count` dice with `sides` faces, only to be read; `purpose` says in the rules' words what they decide.

        `names` are what the faces stand for where something is drawn, `each` what each die is thrown for; `unseen`:
        only who throws sees them.
        """
        return self.throw(Need(purpose, count, sides, names, each, aims=ONLY_READ), unseen=unseen)

    def throw(self, need: Need, *, unseen: bool = False) -> tuple[int, ...]:
        """Throw what is needed: the same `Need` that a legal list tells; who sees it is settled here."""
        if unseen or self._hidden:
            need, self.unseen = replace(need, to=self._seat), True
        seed = self._source.seed_lots(need.to) if need.lots else None
        roll = self._source.draw(need)
        self.rolls += [seed, roll] if seed else [roll]
        return roll.faces

    def draw(self, among: tuple[str, ...], purpose: str, *, unseen: bool = False, lots: bool = False) -> str:
        """Draw one of these names blindly: a die with a face for each. Where there is only one, no die is thrown.

        `lots`: as in `Need`.
        """
        if len(among) == 1:
            return among[0]
        return among[self.throw(Need(purpose, 1, len(among), among, lots=lots, aims=ONLY_READ), unseen=unseen)[0] - 1]


@lru_cache(maxsize=64)
def is_seat_name(name: str) -> bool:
    """Whether text may be a `SeatName`; of few seats it is asked often."""
    return re.search(_SEAT_NAME, name) is not None
