"""Every way in which an action may come out, with its chance: dice are enumerated, and the rules asked.

A throw of dice that nothing tells apart is enumerated by what falls, not by which die shows it: 21 ways for two dice,
not 36. Dice that are thrown for different things (`Need.each`) are told apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, groupby, product
from math import comb, factorial, prod
from random import Random
from typing import Any, NamedTuple

from referee.chances.table import Table, answered
from referee.engine.adjudicate import Played, adjudicate
from referee.engine.dice import Need, Roll
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.legal import Action

MOST = 1_000_000
"""Ways above which they are too many to be enumerated."""
BROAD = 50_000
"""Ways of one throw that are still listed."""

Faces = tuple[int, ...]


class TooManyError(ValueError):
    """An action has more ways to come out than can be enumerated."""


class Way(NamedTuple):
    """One way in which an action comes out."""

    chance: Fraction
    """How likely it is; the chances of all ways of an action add up to 1."""
    played: Played
    """What was thrown, what happened, and the state after it."""


class Successor(NamedTuple):
    """A game as it may go on after an action."""

    chance: Fraction
    after: Table


def outcomes(table: Table, action: Action | str, by: Seat | None = None) -> Iterator[Successor]:
    """Every way an action of a seat can come out: its chance, and the game after it. Nothing, where it is not legal.

    TooManyError when there are more than a million.
    """
    seat = table.speaker(by)
    for chance, played in ways(table.game, table.state, seat, table.read(action, seat)):
        yield Successor(chance, table.at(answered(table.game, played.state)))


def ways(game: AnyGame, state: Any, seat: Seat, action: Action, most: int = MOST) -> Iterator[Way]:
    """Every way in which an action comes out on what is known of the state; none where it is not legal.

    TooManyError as soon as more than `most` are in sight, the first way being taken for an example of the others;
    UnknownError when it hangs on a secret of somebody else.
    """
    waiting: list[tuple[int, tuple[Faces, ...]]] = [(1, ())]
    found = 0
    while waiting:
        count, chosen = waiting.pop()
        source = Choosing(chosen, count)
        verdict = adjudicate(game, state, seat, action, source)
        waiting += reversed(source.others)  # so that the lowest faces come first
        found += 1
        in_sight = found + len(waiting) if found > 1 else source.breadth
        if in_sight > most or source.is_too_broad:
            raise TooManyError(f"{game.format(action)} can come out in more than {most:,} ways")
        if isinstance(verdict, Played):
            yield Way(Fraction(source.count, source.of), verdict)


class Choosing:
    """A source of dice that shows what was chosen, and from there on the first of all that can fall; what else could
    have fallen instead it notes.
    """

    def __init__(self, chosen: tuple[Faces, ...], count: int) -> None:
        """`count`: in how many equally likely ways the chosen faces fall."""
        self._chosen, self._at = chosen, 0
        self.count, self.of = count, 1
        self.others: list[tuple[int, tuple[Faces, ...]]] = []
        """What else could have fallen: in how many ways, and the faces of each throw up to there."""
        self.breadth = 1
        """How many ways there would be if in all of them the same was thrown for."""
        self.is_too_broad = False
        """Whether lots are drawn, or more dice thrown than can be listed."""

    def seed_lots(self, to: str | None) -> Roll | None:  # noqa: ARG002
        """None: lots are dice like others here."""
        return None

    def draw(self, need: Need) -> Roll:
        """The next throw."""
        if self._at == len(self._chosen):
            self._choose(need)
        faces = self._chosen[self._at]
        self._at += 1
        self.of *= need.sides**need.count
        return _rolled(self._at - 1, need, faces)

    def _choose(self, need: Need) -> None:
        if need.lots or breadth(need) > BROAD:
            self.is_too_broad = True
            falls: Sequence[Fall] = (Fall(1, (1,) * need.count),)
        else:
            falls = falls_of(need.sides, _alike(need))
        self.breadth *= len(falls)
        others = [(self.count * fall.ways, (*self._chosen, fall.faces)) for fall in falls[1:]]
        self.others += others
        self.count *= falls[0].ways
        self._chosen = (*self._chosen, falls[0].faces)


class Fall(NamedTuple):
    """What a throw shows, and in how many equally likely ways it does."""

    ways: int
    faces: Faces


@lru_cache(maxsize=256)
def falls_of(sides: int, sizes: tuple[int, ...]) -> tuple[Fall, ...]:
    """All that a throw can show, where so many dice in a row are thrown for the same."""
    parts = [[Fall(_orders(faces), faces) for faces in _sorted_faces(sides, size)] for size in sizes]
    return tuple(
        Fall(prod(fall.ways for fall in falls), tuple(face for fall in falls for face in fall.faces))
        for falls in product(*parts)
    )


def breadth(need: Need) -> int:
    """How many different throws `falls_of` tells apart."""
    return prod(comb(need.sides + size - 1, size) for size in _alike(need))


def _alike(need: Need) -> tuple[int, ...]:
    """How many dice in a row are thrown for the same."""
    if need.throwers:
        return (1,) * need.count
    return tuple(len(list(dice)) for _, dice in groupby(need.each)) if need.each else (need.count,)


def _sorted_faces(sides: int, count: int) -> Iterator[Faces]:
    return combinations_with_replacement(range(1, sides + 1), count)


def _orders(faces: Faces) -> int:
    """In how many orders these faces can fall."""
    return factorial(len(faces)) // prod(map(factorial, Counter(faces).values()))


def sampled(game: AnyGame, state: Any, seat: Seat, action: Action, random: Random, count: int) -> Iterator[Played]:
    """The action played so many times with dice that fall at random; nothing where it is not legal."""
    for _ in range(count):
        verdict = adjudicate(game, state, seat, action, Falling(random))
        if isinstance(verdict, Played):
            yield verdict


class Falling:
    """A source of dice that fall at random."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._made = 0

    def seed_lots(self, to: str | None) -> Roll | None:  # noqa: ARG002
        """None: lots fall like dice."""
        return None

    def draw(self, need: Need) -> Roll:
        """The next throw."""
        sizes = _alike(need)  # in the order in which `falls_of` has them
        falls = (sorted(self._random.randint(1, need.sides) for _ in range(size)) for size in sizes)
        faces = tuple(face for fall in falls for face in fall)
        self._made += 1
        return _rolled(self._made - 1, need, faces)


def _rolled(number: int, need: Need, faces: Faces) -> Roll:
    names = tuple(need.names[face - 1] for face in faces) if need.names else ()
    return Roll(number, need.purpose, need.sides, faces, "open", need.each, names, need.to)
