"""What an action may come to, and how likely each of it is: exact where dice can be enumerated, else sampled."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import islice
from math import sqrt
from random import Random
from typing import Any

from msgspec import Struct

from referee.chances.ways import TooManyError, Way, sampled, ways
from referee.engine.adjudicate import Played
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.legal import Action, Choice, Legal
from referee.engine.secret import UnknownError

ENOUGH = 100_000
"""Ways that are enumerated at the table: some seconds of work. What has more is sampled."""
FEW = 6
"""Actions of a choice that are all looked at where several choices stand side by side."""
SOME = 2_000
"""Actions among which the last is looked for."""
BRIEFLY = 2_000
"""Ways that are enumerated of each action where many stand side by side."""
SAMPLES = 2_000
"""Throws of a sample."""
SELDOM = 3
"""How often the likeliest outcome of a sample has to come up before a chance is told."""
ALL_APART = 200
"""Where so many throws have all come out differently, others would, too."""
GUESSES = 50
"""Truths that are guessed where an action hangs on secrets of others."""


class Odd(Struct, frozen=True):
    """One thing that may happen, told alike in all ways that lead to it."""

    told: tuple[str, ...]
    """What is told at the table; nothing where nothing happens."""
    chance: float
    """How likely it is, 0 to 1."""
    exact: Fraction | None = None
    """The same as a fraction, where all ways were enumerated."""
    error: float = 0.0
    """The standard error of the chance, where it was sampled; 0 where it is exact."""


class Odds(Struct, frozen=True):
    """All that an action may come to, the likeliest first."""

    action: Action
    rows: tuple[Odd, ...]
    ways: int
    """Ways that were enumerated or sampled."""
    guesses: int = 0
    """Truths that were guessed, where the chances hang on secrets of others; 0: they do not."""

    @property
    def is_exact(self) -> bool:
        """Whether every way was enumerated."""
        return all(row.exact is not None for row in self.rows)

    @property
    def is_scattered(self) -> bool:
        """Whether hardly two ways of a sample came out alike, so that no chance can be told."""
        return not self.is_exact and self.rows[0].chance * self.ways <= SELDOM


def odds_of(
    game: AnyGame,
    view: Any,
    seat: Seat,
    action: Action,
    *,
    most: int = ENOUGH,
    random: Random | None = None,
    tell: Callable[[int], None] = lambda _: None,
) -> Odds | None:
    """What an action may come to for all that its seat knows; None where it is not legal. `tell` hears how many ways
    were enumerated.

    Where that hangs on secrets of others, truths that fit the view are guessed: a chance over somebody's secret is
    never told from the truth.
    """
    random = random or Random()
    try:
        return _known_odds(game, view, seat, action, most, random, tell)
    except UnknownError:
        return _guessed_odds(game, view, seat, action, random)


def _known_odds(
    game: AnyGame, view: Any, seat: Seat, action: Action, most: int, random: Random, tell: Callable[[int], None]
) -> Odds | None:
    found: list[Way] = []
    try:
        for way in ways(game, view, seat, action, most):
            found.append(way)
            tell(len(found))
    except TooManyError:
        return _sampled_odds(game, action, sampled(game, view, seat, action, random, SAMPLES))
    return Odds(action, tuple(_exact_rows(game, found)), len(found)) if found else None


def _guessed_odds(game: AnyGame, view: Any, seat: Seat, action: Action, random: Random) -> Odds | None:
    each = SAMPLES // GUESSES
    played = (
        one for _ in range(GUESSES) for one in sampled(game, game.guess(view, seat, random), seat, action, random, each)
    )
    found = _sampled_odds(game, action, played)
    return found and Odds(action, found.rows, found.ways, GUESSES)


def _exact_rows(game: AnyGame, found: Iterable[Way]) -> list[Odd]:
    together: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    for way in found:
        together[_told(game, way.played)] += way.chance
    rows = [Odd(told, float(chance), chance) for told, chance in together.items()]
    return sorted(rows, key=lambda row: -row.chance)


def _sampled_odds(game: AnyGame, action: Action, played: Iterable[Played]) -> Odds | None:
    counts: dict[tuple[str, ...], int] = defaultdict(int)
    for one in played:
        counts[_told(game, one)] += 1
        if len(counts) == ALL_APART == sum(counts.values()):
            break
    total = sum(counts.values())
    if not total:
        return None
    chances = {told: count / total for told, count in counts.items()}
    rows = [Odd(told, chance, error=sqrt(chance * (1 - chance) / total)) for told, chance in chances.items()]
    return Odds(action, tuple(sorted(rows, key=lambda row: -row.chance)), total)


def _told(game: AnyGame, played: Played) -> tuple[str, ...]:
    return tuple(map(game.tell, played.events))


class Throw(Struct, frozen=True):
    """A choice that throws dice, and what that may come to."""

    choice: Choice
    odds: tuple[Odds, ...]
    """Of each of its actions where they are few; else of the first and the last, which names all that it can."""


def throws_now(game: AnyGame, view: Any, seat: Seat, legal: Legal) -> Iterator[Throw]:
    """For each choice that a seat has, what its actions may come to if they throw dice."""
    random = Random(0)
    for choice in legal.choices:
        found = [odds_of(game, view, seat, action, most=BRIEFLY, random=random) for action in _examples(choice)]
        throwing = tuple(odds for odds in found if odds and odds.ways > 1)
        if throwing:
            yield Throw(choice, throwing)


def _examples(choice: Choice) -> list[Action]:
    """All actions of a choice where they are few, else the first and the last; the first of very many."""
    actions = iter(choice)
    first = list(islice(actions, FEW if choice.count <= FEW else 1))
    return [*first, *(deque(actions, 1) if FEW < choice.count <= SOME else ())]
