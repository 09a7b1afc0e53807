"""Dice: typed in by players, or derived byte for byte from a seed (`refdice/1`); always recorded.

A *draw* is one throw asked for by the rules, of any number of dice. Draws are numbered through a log from 0 and
a number is never used twice, so taking back a throw never lets anybody throw the same dice again.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Annotated, Literal, Protocol

from msgspec import Meta, Struct

from referee.engine.text import count_of

MAX_SIDES = 2**20
"""Largest die the recorder takes; far above any deck or table of the games."""
MAX_DICE = 256
"""Most dice in one draw."""

Sides = Annotated[int, Meta(ge=1, le=MAX_SIDES)]
Face = Annotated[int, Meta(ge=1, le=MAX_SIDES)]
SeedHex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="32 bytes as lower-case hex")]


class TableDice(Struct, frozen=True, forbid_unknown_fields=True, tag_field="mode", tag="table"):
    """Dice thrown on a real table and typed in as they fall."""


class OpenDice(Struct, frozen=True, forbid_unknown_fields=True, tag_field="mode", tag="open"):
    """Dice derived from a seed that stands in the log: anyone can check them, and anyone can look ahead."""

    seed: SeedHex


DiceMode = TableDice | OpenDice


Origin = Literal["table", "open", "sealed"]


class Roll(Struct, frozen=True, forbid_unknown_fields=True):
    """One draw as it stands in the log."""

    draw: Annotated[int, Meta(ge=0, le=2**32 - 1)]
    """Number of this draw in its log, from 0."""
    purpose: Annotated[str, Meta(min_length=1, max_length=120)]
    """What the dice decide, in the rules' words."""
    sides: Sides
    faces: Annotated[tuple[Face, ...], Meta(max_length=MAX_DICE)]
    origin: Origin
    """Where the faces come from: typed in, derived from the log's seed, or from a seed that is kept secret."""


Typed = int | str
"""What is typed for a die: the number that it shows, or the name of what was drawn."""


class Need(Struct, frozen=True, omit_defaults=True):
    """Dice that somebody has to throw now, or something that has to be drawn blindly, which is a die with a name for
    each face.
    """

    purpose: str
    count: int
    sides: int
    names: tuple[str, ...] = ()
    """What each face stands for; none for dice."""

    def __str__(self) -> str:
        return self.purpose if self.names else f"{self.count}d{self.sides} ({self.purpose})"

    def face_of(self, typed: Typed) -> int:
        """The face that was typed, by its number or name; DiceError when there is none such."""
        if isinstance(typed, str) and typed not in self.names:
            among = (
                f"cannot be drawn ({self.purpose})" if self.names else "is no face of a die; dice are typed like 3,6"
            )
            raise DiceError(f"{typed!r} {among}")
        face = typed if isinstance(typed, int) else self.names.index(typed) + 1
        if not 1 <= face <= self.sides:
            raise DiceError(f"a die with {self.sides} sides cannot show {face} ({self.purpose})")
        return face


class DiceError(ValueError):
    """Faces that cannot be what was thrown. The message is one sentence for the player."""


class DiceNeededError(DiceError):
    """The rules ask for dice that nobody has typed in yet; `need` says which."""

    def __init__(self, need: Need, typed: int = 0) -> None:
        dice = f"{count_of(need.count, 'die', 'dice')} with {need.sides} sides wanted"
        wanted = f"a name wanted, such as {need.names[-1]}" if need.names else dice
        got = f", {count_of(typed, 'face')} typed" if typed else ""
        super().__init__(f"{wanted}{got}: {need.purpose}")
        self.need = need


class Source(Protocol):
    """Where faces come from."""

    def draw(self, need: Need) -> Roll:
        """Return the next draw; raises DiceError when it cannot."""


class Dice:
    """What rule code throws: hands over faces wherever they come from, and remembers them for the record."""

    __slots__ = ("_source", "rolls")

    def __init__(self, source: Source) -> None:
        self._source = source
        self.rolls: list[Roll] = []

    def roll(self, count: int, sides: int, purpose: str, names: tuple[str, ...] = ()) -> tuple[int, ...]:
        """Throw `count` dice with `sides` faces; `purpose` says in the rules' words what they decide, `names` what
        each face stands for where something is drawn.
        """
        roll = self._source.draw(Need(purpose, count, sides, names))
        self.rolls.append(roll)
        return roll.faces


class TypedSource:
    """Faces typed in by the players, taken in the order in which the rules ask for them."""

    def __init__(self, faces: Iterable[Typed], first_draw: int) -> None:
        self._faces = list(faces)
        self._next = first_draw

    def draw(self, need: Need) -> Roll:
        """Take the next faces; DiceNeededError when too few are left, DiceError when one is not on such a die."""
        if len(self._faces) < need.count:
            raise DiceNeededError(need, len(self._faces))
        typed, self._faces = self._faces[: need.count], self._faces[need.count :]
        roll = Roll(self._next, need.purpose, need.sides, tuple(map(need.face_of, typed)), "table")
        self._next += 1
        return roll

    @property
    def left_over(self) -> Sequence[Typed]:
        """Faces typed in that no rule asked for."""
        return self._faces


class OpenSource:
    """Faces derived from a seed, from draw number `first_draw` on: the log's seed, or a sealed one."""

    __slots__ = ("_next", "_origin", "_seed")

    def __init__(self, seed: str, first_draw: int, origin: Origin = "open") -> None:
        self._seed = bytes.fromhex(seed)
        self._next = first_draw
        self._origin = origin

    def draw(self, need: Need) -> Roll:
        """Derive the next draw."""
        key = draw_key(self._seed, self._next)
        faces = tuple(derive_faces(key, (need.sides,) * need.count))
        roll = Roll(self._next, need.purpose, need.sides, faces, self._origin)
        self._next += 1
        return roll


class RecordedSource:
    """Faces read back from a log, for judging again what was typed in at a table."""

    __slots__ = ("_next", "_rolls")

    def __init__(self, rolls: Iterable[Roll], first_draw: int) -> None:
        self._rolls = iter(rolls)
        self._next = first_draw

    def draw(self, need: Need) -> Roll:
        """Hand back the next recorded draw; DiceError when it is not what the rules ask for."""
        roll = next(self._rolls, None)
        if roll is None:
            raise DiceError(f"no dice are recorded for {need}")
        if (roll.purpose, len(roll.faces), roll.sides) != (need.purpose, need.count, need.sides):
            recorded = Need(roll.purpose, len(roll.faces), roll.sides)
            raise DiceError(f"the rules ask for {need}, but the log holds {recorded}")
        if (roll.draw, roll.origin) != (self._next, "table"):
            raise DiceError(f"draw {self._next} is due from the table, not draw {roll.draw} of {roll.origin}")
        self._next += 1
        if any(face > roll.sides for face in roll.faces):
            raise DiceError(f"a die with {roll.sides} sides cannot show {max(roll.faces)}")
        return roll


def draw_key(seed: bytes, draw: int) -> bytes:
    """Key K of a draw in open mode (`refdice/1`): 32 bytes from the 32-byte seed and the number of the draw."""
    number = sha256(b"refdice/1/draw\n" + draw.to_bytes(4, "big")).digest()
    return hmac.digest(seed, b"refdice/1/key\n" + number, "sha256")


def derive_faces(key: bytes, sides: Sequence[int]) -> Iterator[int]:
    """Faces 1..n for each die in `sides` from the key of a draw. Unbiased: words past the limit are skipped."""
    for index, faces in enumerate(sides):
        yield _face(key, index, faces)


def _face(key: bytes, index: int, sides: int) -> int:
    width = 1
    while 256**width < sides:
        width += 1
    limit = 256**width // sides * sides
    for block in range(2**32):
        data = hmac.digest(key, b"refdice/1/die\n" + index.to_bytes(4, "big") + block.to_bytes(4, "big"), "sha256")
        for at in range(0, len(data) - width + 1, width):
            word = int.from_bytes(data[at : at + width], "big")
            if word < limit:
                return 1 + word % sides
    raise AssertionError("2**32 blocks without a usable word")
