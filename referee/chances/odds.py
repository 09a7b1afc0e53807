"""The outcomes of an action and how likely each is: exact if the dice can be enumerated, otherwise sampled."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import islice
from math import sqrt
from random import Random
from typing import Any

from msgspec import Struct

from referee.chances.outcome_enumeration import PossibleOutcome, TooManyError, enumerate_outcomes, sample_outcomes
from referee.engine.adjudication import LegalVerdict
from referee.engine.choice import Action, Choice
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.legal import LegalActions
from referee.engine.secret import UnknownError

MAX_ENUMERATED_OUTCOMES = 100_000
"""The most outcomes of an action that are enumerated, which takes some seconds. For more, rolls are sampled."""
MAX_ACTIONS_LISTED_ALL = 6
"""If a choice has at most this many actions, `list_choice_odds` gives the odds of each of them."""
MAX_FOR_LAST_ACTION = 2_000
"""The most actions of a choice for which `list_choice_odds` gives the odds of the last action. The last action of a
longer choice would take too long to reach.
"""
MAX_OUTCOMES_IN_LIST = 2_000
"""The most outcomes of an action that `list_choice_odds` enumerates."""
SAMPLE_SIZE = 2_000
"""The number of rolls in a sample."""
RARE_COUNT = 3
"""If the likeliest outcome of a sample came up no more often than this, no chances are given."""
DISTINCT_ROLLS_TO_STOP = 200
"""The number of rolls after which a sample ends if all their outcomes differ."""
GUESS_COUNT = 50
"""The number of guesses at the truth if an action depends on secrets of others."""


class OutcomeChance(Struct, frozen=True):
    """An outcome of an action, with its chance. Outcomes that players are told in the same words count as one."""

    told: tuple[str, ...]
    """The lines that players are told; empty if nothing happens."""
    chance: float
    """The chance, 0 to 1."""
    exact: Fraction | None = None
    """The chance as a fraction, if all outcomes were enumerated; None for a sampled chance."""
    error: float = 0.0
    """The standard error of a sampled chance; 0 for an exact one."""


class Odds(Struct, frozen=True):
    """The outcomes of an action, the likeliest first."""

    action: Action
    rows: tuple[OutcomeChance, ...]
    ways: int
    """The number of outcomes that were enumerated, or of rolls that were sampled."""
    guesses: int = 0
    """The number of guesses at secrets of others; 0 if the chances do not depend on them."""

    @property
    def is_exact(self) -> bool:
        """True if all outcomes were enumerated."""
        return all(row.exact is not None for row in self.rows)

    @property
    def has_mostly_distinct_outcomes(self) -> bool:
        """True if hardly any two rolls of a sample had the same outcome, so that no chance can be given."""
        return not self.is_exact and self.rows[0].chance * self.ways <= RARE_COUNT


def compute_odds(
    game: AnyGame,
    view: Any,
    seat: Seat,
    action: Action,
    *,
    most: int = MAX_ENUMERATED_OUTCOMES,
    random: Random | None = None,
    tell: Callable[[int], None] = lambda _: None,
) -> Odds | None:
    """Returns the odds of an action, given what its seat knows; None if it is illegal.

    If there are more than `most` outcomes, rolls are sampled. If the outcome depends on secrets of others, states that
    fit the view are guessed; a chance never uses the real secret. `tell` is called with the number of outcomes so far.
    """
    random = random or Random()
    try:
        return _compute_known_odds(game, view, seat, action, most, random, tell)
    except UnknownError:
        return _compute_guessed_odds(game, view, seat, action, random)


def _compute_known_odds(
    game: AnyGame, view: Any, seat: Seat, action: Action, most: int, random: Random, tell: Callable[[int], None]
) -> Odds | None:
    found: list[PossibleOutcome] = []
    try:
        for way in enumerate_outcomes(game, view, seat, action, most):
            found.append(way)
            tell(len(found))
    except TooManyError:
        return _make_sampled_odds(game, action, sample_outcomes(game, view, seat, action, random, SAMPLE_SIZE))
    return Odds(action, tuple(_list_exact_rows(game, found)), len(found)) if found else None


def _compute_guessed_odds(game: AnyGame, view: Any, seat: Seat, action: Action, random: Random) -> Odds | None:
    each = SAMPLE_SIZE // GUESS_COUNT
    played = (
        one
        for _ in range(GUESS_COUNT)
        for one in sample_outcomes(game, game.guess(view, seat, random), seat, action, random, each)
    )
    found = _make_sampled_odds(game, action, played)
    return found and Odds(action, found.rows, found.ways, GUESS_COUNT)


def _list_exact_rows(game: AnyGame, found: Iterable[PossibleOutcome]) -> list[OutcomeChance]:
    together: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    for way in found:
        together[_describe_outcome(game, way.played)] += way.chance
    rows = [OutcomeChance(told, float(chance), chance) for told, chance in together.items()]
    return sorted(rows, key=lambda row: -row.chance)


def _make_sampled_odds(game: AnyGame, action: Action, played: Iterable[LegalVerdict]) -> Odds | None:
    counts: dict[tuple[str, ...], int] = defaultdict(int)
    for one in played:
        counts[_describe_outcome(game, one)] += 1
        if len(counts) == DISTINCT_ROLLS_TO_STOP == sum(counts.values()):
            break
    total = sum(counts.values())
    if not total:
        return None
    chances = {told: count / total for told, count in counts.items()}
    rows = [OutcomeChance(told, chance, error=sqrt(chance * (1 - chance) / total)) for told, chance in chances.items()]
    return Odds(action, tuple(sorted(rows, key=lambda row: -row.chance)), total)


def _describe_outcome(game: AnyGame, played: LegalVerdict) -> tuple[str, ...]:
    return tuple(map(game.tell, played.events))


class ChoiceOdds(Struct, frozen=True):
    """A choice that rolls dice, with its odds."""

    choice: Choice
    odds: tuple[Odds, ...]
    """The odds of each of its actions if they are few; otherwise of the first and the last, which shows the range."""


def list_choice_odds(game: AnyGame, view: Any, seat: Seat, legal: LegalActions) -> Iterator[ChoiceOdds]:
    """Yields the odds of each legal choice whose outcome depends on dice."""
    random = Random(0)
    for choice in legal.choices:
        found = [
            compute_odds(game, view, seat, action, most=MAX_OUTCOMES_IN_LIST, random=random)
            for action in _list_actions_for_odds(choice)
        ]
        throwing = tuple(odds for odds in found if odds and odds.ways > 1)
        if throwing:
            yield ChoiceOdds(choice, throwing)


def _list_actions_for_odds(choice: Choice) -> list[Action]:
    """Returns all actions of a choice if they are few, otherwise the first and the last.

    A choice with more than `MAX_FOR_LAST_ACTION` actions gives only its first.
    """
    actions = iter(choice)
    first = list(islice(actions, MAX_ACTIONS_LISTED_ALL if choice.count <= MAX_ACTIONS_LISTED_ALL else 1))
    return [*first, *(deque(actions, 1) if MAX_ACTIONS_LISTED_ALL < choice.count <= MAX_FOR_LAST_ACTION else ())]
