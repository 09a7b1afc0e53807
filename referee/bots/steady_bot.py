"""`steady`: one action ahead, dice taken as they can fall, and the game's own rule of thumb for what that is worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice
from random import Random
from typing import Any, NamedTuple

from referee.bots.bot import Seen
from referee.chances.ways import TooManyError, sampled, ways
from referee.engine.adjudicate import Played, adjudicate, first_need
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.legal import Action, Choice, Legal
from referee.engine.secret import UnknownError
from referee.engine.source import TypedSource

FEW = 64
"""Actions that are all looked at; of more so many are drawn, from each choice some."""
WAYS, THROWN = 40, 8
"""Ways an action may come out in that are all looked at; of more so many are thrown."""
ALIKE = 1e-9
"""Worths that differ by no more are alike."""


class Rated(NamedTuple):
    """An action and what it is worth."""

    worth: float
    """-1, lost, to 1, won."""
    action: Action


class SteadyBot:
    """Takes what is worth most after the action, as the game's `worth` has it."""

    def choose(self, seen: Seen) -> Action:
        """The action worth most."""
        return steadily(seen)


def steadily(seen: Seen) -> Action:
    """What `steady` does: the action worth most."""
    return best_of(rated(seen), seen.random)


def _draws_lots(seen: Seen, choice: Choice) -> bool:
    """Whether it sets up all that is left by lots: as good as any way to a bot that plans nothing, and far quicker."""
    if len(choice) != 1:
        return False
    need = first_need(seen.game, seen.view, seen.seat, next(iter(choice)))
    return need is not None and need.lots


def best_of(found: list[Rated], random: Random) -> Action:
    """The action worth most. Where several are, first a kind of action is drawn, then one of the kind: what ends a turn
    is not outweighed by the number of things that change nothing.
    """
    most = max(one.worth for one in found)
    best = [one.action for one in found if one.worth >= most - ALIKE]
    kind = random.choice(sorted({type(action).__name__ for action in best}))
    return random.choice([action for action in best if type(action).__name__ == kind])


def rated(seen: Seen) -> list[Rated]:
    """The actions that are looked at, each with what it is worth; of a set-up that lots can do that alone."""
    lots = next(filter(partial(_draws_lots, seen), seen.legal.choices), None)
    actions = list(lots) if lots else candidates(seen.legal, seen.random)
    if len(actions) == 1:
        return [Rated(0.0, actions[0])]
    return [Rated(worth_of(seen.game, seen.view, seen.seat, action, seen.random), action) for action in actions]


def candidates(legal: Legal, random: Random) -> list[Action]:
    """All legal actions where they are few; else some of each choice, or of some choices of each kind. What does not go
    on with the game, such as putting something back, is not among them where anything else can be done.
    """
    choices = _that_go_on(legal)
    if sum(map(len, choices)) <= FEW:
        return [action for choice in choices for action in choice]
    drawn = _some_choices(choices, FEW // 2, random)
    return [action for choice in drawn for action in _some(choice, max(2, FEW // len(drawn)), random)]


def _that_go_on(legal: Legal) -> Sequence[Choice]:
    return [choice for choice in legal.choices if not choice.minor] or legal.choices


def _some_choices(choices: Sequence[Choice], most: int, random: Random) -> Sequence[Choice]:
    """Choices drawn at random where there are more than that, one of each kind among them."""
    if len(choices) <= most:
        return choices
    drawn = random.sample(choices, len(choices))
    kinds = {choice.kind: choice for choice in reversed(drawn)}
    others = [choice for choice in drawn if kinds[choice.kind] is not choice]
    return [*kinds.values(), *others[: max(0, most - len(kinds))]]


def _some(choice: Choice, most: int, random: Random) -> Iterable[Action]:
    if len(choice) <= most:
        return choice
    drawn = dict.fromkeys(choice.pick(random) for _ in range(2 * most))  # no set: that is ordered anew in each process
    return islice(drawn, most)


def worth_of(game: AnyGame, view: Any, seat: Seat, action: Action, random: Random) -> float:
    """What an action is worth on average over its dice, for all that its seat knows."""
    try:
        return _expected(game, view, seat, action, random)
    except UnknownError:  # it hangs on a secret of somebody else
        return _expected(game, game.guess(view, seat, random), seat, action, random)


def _expected(game: AnyGame, state: Any, seat: Seat, action: Action, random: Random) -> float:
    try:
        found = [(float(way.chance), way.played) for way in ways(game, state, seat, action, WAYS)]
    except TooManyError:
        found = [(1 / THROWN, played) for played in sampled(game, state, seat, action, random, THROWN)]
    return sum(chance * _with_its_rest(game, played, seat, random) for chance, played in found)


def _with_its_rest(game: AnyGame, played: Played, seat: Seat, random: Random) -> float:
    """What a state is worth; where its seat now has to say what it does with what was thrown, such as where to go, with
    the best of that.
    """
    state = played.state
    if not played.rolls or game.to_act(state) != seat or game.outcome(state):
        return worth(game, state, seat)
    view = game.view(state, seat)
    legal = game.legal(view, seat)
    if len({choice.kind for choice in _that_go_on(legal)}) != 1:
        return worth(game, state, seat)
    actions = candidates(legal, random)
    if first_need(game, view, seat, actions[0]):
        return worth(game, state, seat)
    return max(_after(game, view, seat, action) for action in actions)


def _after(game: AnyGame, view: Any, seat: Seat, action: Action) -> float:
    """What an action that throws nothing is worth; -1 where it throws after all."""
    verdict = adjudicate(game, view, seat, action, TypedSource(()))
    return worth(game, verdict.state, seat) if isinstance(verdict, Played) else -1.0


def worth(game: AnyGame, state: Any, seat: Seat) -> float:
    """What a position is worth to a seat: 1 won, -1 lost, 0 tied or not known."""
    outcome = game.outcome(state)
    if outcome is None:
        return game.worth(game.view(state, seat), seat)
    if seat not in outcome.winners:
        return -1.0
    return 0.0 if len(outcome.ranks) == 1 and len(outcome.winners) > 1 else 1.0
