"""What the player on turn chooses in a march of zombies: which group moves next, and of two equally good squares one
(ruling.zombie-order, ruling.zombie-step-choice).
"""

from collections.abc import Iterator

from referee.engine.dice import Dice
from referee.engine.event import Script
from referee.engine.legal import Action, Choice, OneOf
from referee.engine.ruling import Refusal
from referee.games.zombies import sequence
from referee.games.zombies.board import Square, kings_moves
from referee.games.zombies.marching import next_groups, rouse, steps_for, steps_from
from referee.games.zombies.state import Player, State
from referee.games.zombies.tasks import March
from referee.games.zombies.timing import verb
from referee.games.zombies.zombie_events import Stepped


class StepTo(Action, frozen=True, tag="step"):
    """Say which of two equally good squares the next zombie steps on (ruling.zombie-step-choice)."""

    says = "step {to}"
    to: Square


class RouseGroup(Action, frozen=True, tag="group"):
    """Say which group of zombies moves next, by the square of a member (ruling.zombie-order)."""

    says = "group {square}"
    square: Square


def _step_offers(state: State, _player: Player) -> Iterator[Choice]:
    task = state.task
    if isinstance(task, March) and task.movers:
        yield Choice(StepTo, to=OneOf(steps_for(state, task)))


def _step_reasons(state: State, _player: Player, action: StepTo) -> Iterator[Refusal]:
    task = state.task
    assert isinstance(task, March)
    if not task.movers:
        yield Refusal("zombie.group.2", "say first which group moves")
        return
    zombie = task.movers[0]
    if action.to not in state.board.index or not state.board.bit[action.to] & state.free:
        yield Refusal("zombie.move.9", f"{action.to} is occupied or closed")
    if action.to[0] != zombie[0] or kings_moves(zombie, action.to) != 1:
        yield Refusal("zombie.move.3", f"{action.to} is not one square from {zombie}")
    elif not steps_from(state, state.board.bit[zombie]) & state.board.bit.get(action.to, 0):
        yield Refusal("zombie.move.4", f"no step sideways or up or down leads from {zombie} to {action.to}")
    else:
        yield Refusal("zombie.move.5", f"{action.to} is not the way from {zombie} to {task.target}")


def _step(state: State, _player: Player, action: StepTo, _dice: Dice) -> Script[State]:
    task = state.task
    assert isinstance(task, March)
    state = yield Stepped(task.movers[0], action.to)
    yield from sequence.go_on(state)


def _group_offers(state: State, _player: Player) -> Iterator[Choice]:
    task = state.task
    if isinstance(task, March) and not task.movers:
        yield Choice(RouseGroup, square=OneOf(tuple(group[0] for group in next_groups(state, task))))


def _group_reasons(_state: State, _player: Player, action: RouseGroup) -> Iterator[Refusal]:
    yield Refusal("zombie.group.2", f"no group that may move now is named by {action.square}")


def _group(state: State, _player: Player, action: RouseGroup, _dice: Dice) -> Script[State]:
    task = state.task
    assert isinstance(task, March)
    group = next(group for group in next_groups(state, task) if group[0] == action.square)
    state = yield from rouse(state, task, group)
    yield from sequence.go_on(state)


VERBS = (
    verb(StepTo, ("march",), _step_offers, _step, rule="zombie.move.5", reasons=_step_reasons),
    verb(RouseGroup, ("march",), _group_offers, _group, rule="zombie.group.2", reasons=_group_reasons),
)
