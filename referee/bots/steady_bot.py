"""`steady`: a bot that looks one action ahead, averages over the dice, and uses the game's own `worth`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from referee.bots.bot import Observation
from referee.chances.outcome_enumeration import TooManyError, enumerate_outcomes, sample_outcomes
from referee.engine.adjudication import LegalVerdict, adjudicate, find_first_need
from referee.engine.choice import Action, Choice, find_action_tag
from referee.engine.dice_source import TypedSource
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.legal import LegalActions
from referee.engine.secret import UnknownError

MAX_RATED_ACTIONS = 64
"""The most actions that are all rated. If there are more, about this many are drawn, some from each choice."""
MAX_OUTCOMES, SAMPLED_ROLLS = 40, 8
"""The most outcomes of an action that are all rated, and the number of random rolls for an action with more."""
WORTH_TOLERANCE = 1e-9
"""Worths that differ by no more than this are equal."""


class RatedAction(NamedTuple):
    """An action and its worth."""

    worth: float
    """The worth, from -1 for lost to 1 for won."""
    action: Action


class SteadyBot:
    """A bot that takes the action with the most worth afterwards, by the game's `worth`."""

    def choose(self, seen: Observation) -> Action:
        """Returns the action with the most worth."""
        return choose_steady_action(seen)


def choose_steady_action(seen: Observation) -> Action:
    """Returns the action that `steady` chooses: one with the most worth."""
    return pick_best_action(rate_actions(seen), seen.random)


def _draws_lots(seen: Observation, choice: Choice) -> bool:
    """True if a choice leaves the rest of the set-up to lots.

    For a bot without a plan, a set-up by lots is as good as any other, and much faster.
    """
    if len(choice) != 1:
        return False
    need = find_first_need(seen.game, seen.view, seen.seat, next(iter(choice)))
    return need is not None and need.lots


def pick_best_action(rated: list[RatedAction], random: Random) -> Action:
    """Returns the action with the most worth.

    Among equally good actions, first draws a kind of action, then an action of that kind. So an action that ends a turn
    is not outnumbered by actions that change nothing.
    """
    most = max(one.worth for one in rated)
    best = [one.action for one in rated if one.worth >= most - WORTH_TOLERANCE]
    kind = random.choice(sorted({find_action_tag(type(action)) for action in best}))
    return random.choice([action for action in best if find_action_tag(type(action)) == kind])


def rate_actions(seen: Observation) -> list[RatedAction]:
    """Returns the candidate actions with their worth.

    If lots can do the set-up, that action is the only candidate. A single candidate is not rated; its worth is 0.
    """
    lots = next(filter(partial(_draws_lots, seen), seen.legal.choices), None)
    actions = list(lots) if lots else list_candidate_actions(seen.legal, seen.random)
    if len(actions) == 1:
        return [RatedAction(0.0, actions[0])]
    return [
        RatedAction(rate_action(seen.game, seen.view, seen.seat, action, seen.random), action) for action in actions
    ]


def list_candidate_actions(legal: LegalActions, random: Random) -> list[Action]:
    """Returns the legal actions that a bot rates: all if they are few, otherwise a random part of them.

    The random part has some actions of each choice. If there are too many choices, it has actions of only some choices,
    but at least one choice of each kind. Minor actions, such as putting something back, are left out if there are
    others.
    """
    choices = _list_major_choices(legal)
    if sum(map(len, choices)) <= MAX_RATED_ACTIONS:
        return [action for choice in choices for action in choice]
    drawn = _draw_choices(choices, MAX_RATED_ACTIONS // 2, random)
    return [
        action for choice in drawn for action in _draw_actions(choice, max(2, MAX_RATED_ACTIONS // len(drawn)), random)
    ]


def _list_major_choices(legal: LegalActions) -> Sequence[Choice]:
    return [choice for choice in legal.choices if not choice.minor] or legal.choices


def _draw_choices(choices: Sequence[Choice], most: int, random: Random) -> Sequence[Choice]:
    """Returns the choices. If there are too many, returns a random part of them, with at least one of each kind."""
    if len(choices) <= most:
        return choices
    drawn = random.sample(choices, len(choices))
    kinds = {choice.kind: choice for choice in reversed(drawn)}
    others = [choice for choice in drawn if kinds[choice.kind] is not choice]
    return [*kinds.values(), *others[: max(0, most - len(kinds))]]


def _draw_actions(choice: Choice, most: int, random: Random) -> Iterable[Action]:
    if len(choice) <= most:
        return choice
    drawn = dict.fromkeys(
        choice.pick(random) for _ in range(2 * most)
    )  # not a set, whose order differs between processes
    return islice(drawn, most)


def rate_action(game: AnyGame, view: Any, seat: Seat, action: Action, random: Random) -> float:
    """Returns the average worth of an action over its dice, given what its seat knows."""
    try:
        return _rate_over_dice(game, view, seat, action, random)
    except UnknownError:  # it depends on a secret of somebody else
        return _rate_over_dice(game, game.guess(view, seat, random), seat, action, random)


def _rate_over_dice(game: AnyGame, state: Any, seat: Seat, action: Action, random: Random) -> float:
    try:
        found = [(float(way.chance), way.played) for way in enumerate_outcomes(game, state, seat, action, MAX_OUTCOMES)]
    except TooManyError:
        found = [
            (1 / SAMPLED_ROLLS, played) for played in sample_outcomes(game, state, seat, action, random, SAMPLED_ROLLS)
        ]
    return sum(chance * _rate_outcome(game, played, seat, random) for chance, played in found)


def _rate_outcome(game: AnyGame, played: LegalVerdict, seat: Seat, random: Random) -> float:
    """Returns the worth of the state after a play.

    If the seat still has to decide how to use its roll, such as where to go, its best action counts.
    """
    state = played.state
    if not played.rolls or game.to_act(state) != seat or game.outcome(state):
        return rate_position(game, state, seat)
    view = game.view(state, seat)
    legal = game.legal(view, seat)
    if len({choice.kind for choice in _list_major_choices(legal)}) != 1:
        return rate_position(game, state, seat)
    actions = list_candidate_actions(legal, random)
    if find_first_need(game, view, seat, actions[0]):
        return rate_position(game, state, seat)
    return max(_rate_without_dice(game, view, seat, action) for action in actions)


def _rate_without_dice(game: AnyGame, view: Any, seat: Seat, action: Action) -> float:
    """Returns the worth of an action that rolls no dice; -1 if it needs dice or is illegal."""
    verdict = adjudicate(game, view, seat, action, TypedSource(()))
    return rate_position(game, verdict.state, seat) if isinstance(verdict, LegalVerdict) else -1.0


def rate_position(game: AnyGame, state: Any, seat: Seat) -> float:
    """Returns the worth of a state to a seat, from -1 for lost to 1 for won; 0 for a tie of all seats.

    While the game goes on, it is the game's own estimate, `Game.worth`.
    """
    outcome = game.outcome(state)
    if outcome is None:
        return game.worth(game.view(state, seat), seat)
    if seat not in outcome.winners:
        return -1.0
    return 0.0 if len(outcome.ranks) == 1 and len(outcome.winners) > 1 else 1.0
