"""What of a throw can hit or miss, and whose luck that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from referee.engine.aim import Aim
from referee.engine.dice import Need


class Try(Struct, frozen=True):
    """A die that is aimed at something, or all dice of a throw that are looked at together."""

    lucky: str
    """Whose luck a hit is; "": of who throws."""
    chance: Fraction
    """How likely a hit is."""
    aims: tuple[Aim, ...]
    """What is a hit: any of these."""
    die: int | None
    """Which die of the throw, from 0; None: all together."""

    def is_hit(self, faces: Sequence[int]) -> bool:
        """Whether dice that fell so have done it."""
        shown = faces if self.die is None else (faces[self.die],)
        return any(aim.is_hit(*shown) for aim in self.aims)


def tries_of(need: Need) -> tuple[Try, ...]:
    """What of a throw can hit or miss; nothing where dice are only read, or nothing can come out otherwise."""
    together = [aim for aim in need.aims if aim.of != "each"]
    found = tuple(_together(need, together) if together else _each(need))
    return found if any(0 < one.chance < 1 for one in found) else ()


def _together(need: Need, aims: list[Aim]) -> Iterator[Try]:
    """All dice as one try; of several aims the easiest."""
    for lucky in dict.fromkeys(aim.good_for for aim in aims):
        easiest = max((aim for aim in aims if aim.good_for == lucky), key=need.chance)
        yield Try(lucky, Fraction(*need.chance(easiest)), (easiest,), None)


def _each(need: Need) -> Iterator[Try]:
    faces = range(1, need.sides + 1)
    for die in range(need.count):
        aims = tuple(need.aims_of(die))
        for lucky in dict.fromkeys(aim.good_for for aim in aims):
            own = tuple(aim for aim in aims if aim.good_for == lucky)
            hits = sum(any(aim.is_hit(face) for aim in own) for face in faces)
            yield Try(lucky, Fraction(hits, need.sides), own, die)
