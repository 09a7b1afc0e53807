"""All outcomes of an action, with their chances. The dice are enumerated, and the rules judge each roll.

Dice that cannot be told apart are enumerated by their faces alone: 21 rolls of two dice, not 36. Dice for different
purposes (`Need.each`) are told apart.
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

from referee.chances.in_memory_game import Table, give_all_answers
from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.choice import Action
from referee.engine.dice import Need, Roll
from referee.engine.event import Seat
from referee.engine.game import AnyGame

MAX_OUTCOMES = 1_000_000
"""The most outcomes that are enumerated."""
MAX_DISTINCT_ROLLS = 50_000
"""The most distinct results of one roll that are listed."""

Faces = tuple[int, ...]


class TooManyError(ValueError):
    """Raised if an action has too many outcomes to enumerate."""


class PossibleOutcome(NamedTuple):
    """An outcome of an action."""

    chance: Fraction
    """The chance of this outcome. The chances of all outcomes add up to 1."""
    played: LegalVerdict
    """The rolls, the events, and the state afterwards."""


class Successor(NamedTuple):
    """The game after one outcome of an action, with the chance of that outcome."""

    chance: Fraction
    after: Table


def outcomes(table: Table, action: Action | str, by: Seat | None = None) -> Iterator[Successor]:
    """Yields the game after each outcome of an action, with the chance of that outcome; nothing if it is illegal.

    Raises TooManyError if there are more than a million outcomes, or if lots are drawn.
    """
    seat = table.find_speaker(by)
    for chance, played in enumerate_outcomes(table.game, table.state, seat, table.read(action, seat)):
        yield Successor(chance, table.with_state(give_all_answers(table.game, played.state)))


def enumerate_outcomes(
    game: AnyGame, state: Any, seat: Seat, action: Action, most: int = MAX_OUTCOMES
) -> Iterator[PossibleOutcome]:
    """Yields every outcome of an action, given what the state knows; nothing if the action is illegal.

    Raises TooManyError as soon as more than `most` outcomes are expected; the first outcome gives an estimate. Raises
    it, too, if lots are drawn, or if one roll has too many dice to list. Raises UnknownError if the outcome depends on
    a secret that the state does not have.
    """
    waiting: list[tuple[int, tuple[Faces, ...]]] = [(1, ())]
    found = 0
    while waiting:
        count, chosen = waiting.pop()
        source = EnumeratingDice(chosen, count)
        verdict = adjudicate(game, state, seat, action, source)
        waiting += reversed(source.others)  # so that the lowest faces come first
        found += 1
        in_sight = found + len(waiting) if found > 1 else source.breadth
        if in_sight > most or source.is_too_broad:
            raise TooManyError(f"{game.format(action)} can come out in more than {most:,} ways")
        if isinstance(verdict, LegalVerdict):
            yield PossibleOutcome(Fraction(source.count, source.of), verdict)


class EnumeratingDice:
    """Dice for depth-first enumeration.

    They replay the chosen faces. Then they return the first possible faces of each roll, and note all others to be
    tried later.
    """

    def __init__(self, chosen: tuple[Faces, ...], count: int) -> None:
        """Stores the faces to replay. `count` is the number of equally likely rolls that show these faces."""
        self._chosen, self._at = chosen, 0
        self.count, self.of = count, 1
        self.others: list[tuple[int, tuple[Faces, ...]]] = []
        """The untried alternatives, each as its number of equally likely rolls, and the faces of each roll."""
        self.breadth = 1
        """The number of outcomes to expect, if every outcome makes the same rolls."""
        self.is_too_broad = False
        """True if lots are drawn, or if there are more dice than can be listed."""

    def draw_lot_seed(self, to: str | None) -> Roll | None:  # noqa: ARG002
        """Returns None: lots need no seed here, because an action that draws lots is not enumerated at all."""
        return None

    def draw(self, need: Need) -> Roll:
        """Returns the next roll."""
        if self._at == len(self._chosen):
            self._choose(need)
        faces = self._chosen[self._at]
        self._at += 1
        self.of *= need.sides**need.count
        return _make_roll(self._at - 1, need, faces)

    def _choose(self, need: Need) -> None:
        if need.lots or count_distinct_rolls(need) > MAX_DISTINCT_ROLLS:
            self.is_too_broad = True
            falls: Sequence[DistinctRoll] = (DistinctRoll(1, (1,) * need.count),)
        else:
            falls = list_distinct_rolls(need.sides, _list_group_sizes(need))
        self.breadth *= len(falls)
        others = [(self.count * fall.ways, (*self._chosen, fall.faces)) for fall in falls[1:]]
        self.others += others
        self.count *= falls[0].ways
        self._chosen = (*self._chosen, falls[0].faces)


class DistinctRoll(NamedTuple):
    """The faces of a roll, with the number of equally likely rolls that show them."""

    ways: int
    faces: Faces


@lru_cache(maxsize=256)
def list_distinct_rolls(sides: int, sizes: tuple[int, ...]) -> tuple[DistinctRoll, ...]:
    """Returns all rolls that can be told apart. `sizes` are the sizes of groups; dice of a group are alike."""
    parts = [[DistinctRoll(_count_orders(faces), faces) for faces in _list_sorted_faces(sides, size)] for size in sizes]
    return tuple(
        DistinctRoll(prod(fall.ways for fall in falls), tuple(face for fall in falls for face in fall.faces))
        for falls in product(*parts)
    )


def count_distinct_rolls(need: Need) -> int:
    """Returns how many distinct rolls `list_distinct_rolls` lists."""
    return prod(comb(need.sides + size - 1, size) for size in _list_group_sizes(need))


def _list_group_sizes(need: Need) -> tuple[int, ...]:
    """Returns the sizes of groups of neighbouring dice that cannot be told apart."""
    if need.throwers:
        return (1,) * need.count
    return tuple(len(list(dice)) for _, dice in groupby(need.each)) if need.each else (need.count,)


def _list_sorted_faces(sides: int, count: int) -> Iterator[Faces]:
    return combinations_with_replacement(range(1, sides + 1), count)


def _count_orders(faces: Faces) -> int:
    """Returns the number of orders in which dice can show these faces."""
    return factorial(len(faces)) // prod(map(factorial, Counter(faces).values()))


def sample_outcomes(
    game: AnyGame, state: Any, seat: Seat, action: Action, random: Random, count: int
) -> Iterator[LegalVerdict]:
    """Plays an action `count` times with random dice, and yields the results; nothing if it is illegal."""
    for _ in range(count):
        verdict = adjudicate(game, state, seat, action, RandomDice(random))
        if isinstance(verdict, LegalVerdict):
            yield verdict


class RandomDice:
    """A source of random dice."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._made = 0

    def draw_lot_seed(self, to: str | None) -> Roll | None:  # noqa: ARG002
        """Returns None: lots need no seed here, because they are as random as the dice."""
        return None

    def draw(self, need: Need) -> Roll:
        """Returns the next roll."""
        sizes = _list_group_sizes(need)  # in the order in which `list_distinct_rolls` has them
        falls = (sorted(self._random.randint(1, need.sides) for _ in range(size)) for size in sizes)
        faces = tuple(face for fall in falls for face in fall)
        self._made += 1
        return _make_roll(self._made - 1, need, faces)


def _make_roll(number: int, need: Need, faces: Faces) -> Roll:
    names = tuple(need.names[face - 1] for face in faces) if need.names else ()
    return Roll(number, need.purpose, need.sides, faces, "open", need.each, names, need.to)
