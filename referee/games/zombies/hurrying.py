"""Zombies whose steps are left to the referee, all in one word (ruling.zombie-auto)."""

from collections.abc import Iterator
from typing import Any

from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.legal import Action, Choice
from referee.engine.order import settle
from referee.engine.verb import Verb
from referee.games.zombies import hordes
from referee.games.zombies.marching import March, Stepped, along, next_groups, rouse, steps_for
from referee.games.zombies.order import verb
from referee.games.zombies.player import Player
from referee.games.zombies.state import State


class Hurry(Action, frozen=True, tag="auto"):
    """Leave it to the referee how the zombies step that have still to act in this turn."""

    says = "auto"


def _offers(_state: State, _player: Player) -> Iterator[Choice]:
    yield Choice(Hurry, minor=True)


def _hurry(state: State, _player: Player, _action: Hurry, _dice: Dice) -> Script[State]:
    """Whatever needs no word, and what the player on turn would have to choose, until they have all moved."""
    return settle(state, _next)


def _next(state: State) -> Event | Script[State] | None:
    task = state.task
    if not isinstance(task, March):
        return None
    return hordes.loose_end(state) or task.forced(state) or _chosen(state, task)


def _chosen(state: State, task: March) -> Event:
    """Of groups the first in reading order, of equally good squares the one along the larger difference."""
    if not task.movers:
        return rouse(state, task, next_groups(state, task)[0])
    return Stepped(task.movers[0], along(state, task, steps_for(state, task)))


VERBS: tuple[Verb[State, Any], ...] = (verb(Hurry, ("march",), _offers, _hurry, rule="zombie.move.5"),)
