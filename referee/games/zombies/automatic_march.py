"""The action `auto`, which leaves the steps of zombies to the referee (ruling.zombie-auto)."""

from collections.abc import Iterator
from typing import Any

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.turn_order import settle_tasks
from referee.games.zombies import hordes
from referee.games.zombies.marching import (
    MarchTask,
    ZombieStepped,
    begin_group_move,
    find_long_axis_square,
    list_best_steps,
    list_next_groups,
)
from referee.games.zombies.order_of_play import make_verb
from referee.games.zombies.player import Player
from referee.games.zombies.state import State


class LetRefereeStep(Action, frozen=True, tag="auto"):
    """Let the referee choose the steps of all zombies that have still to act in this turn."""

    says = "auto"


def _offer_automatic_steps(_state: State, _player: Player) -> Iterator[Choice]:
    yield Choice(LetRefereeStep, minor=True)


def _take_automatic_steps(state: State, _player: Player, _action: LetRefereeStep, _dice: Dice) -> Script[State]:
    """Yields all steps until every zombie has moved.

    The referee takes the forced steps, and chooses in place of the player where there is a choice.
    """
    return settle_tasks(state, _find_next_event)


def _find_next_event(state: State) -> Event | Script[State] | None:
    """Returns the next event of the march; None when all groups have moved."""
    task = state.task
    if not isinstance(task, MarchTask):
        return None
    return hordes.find_next_horde_change(state) or task.make_forced_events(state) or _make_choice(state, task)


def _make_choice(state: State, task: MarchTask) -> Event:
    """Returns the referee's choice: the first group in reading order, or the step to the square of
    `find_long_axis_square`.
    """
    if not task.movers:
        return begin_group_move(state, task, list_next_groups(state, task)[0])
    return ZombieStepped(task.movers[0], find_long_axis_square(state, task, list_best_steps(state, task)))


VERBS: tuple[Verb[State, Any], ...] = (
    make_verb(LetRefereeStep, ("march",), _offer_automatic_steps, _take_automatic_steps, rule="zombie.move.5"),
)
