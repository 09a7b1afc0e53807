"""Warnings about legal actions that look like a slip. The referee asks before it records such an action."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.text import listing
from referee.games.manoover.board import OFF_BOARD
from referee.games.manoover.control_phase import EndControlPhase, MoveRobot
from referee.games.manoover.pushing import find_push_chain
from referee.games.manoover.state import State


def find_slip_warning(view: State, seat: Seat, action: Action) -> str | None:
    """Returns a warning about a likely slip; None if there is none.

    The referee warns if your own robot would leave the game, or if an unused die would capture a robot. It also warns
    if you end a phase without using any die.
    """
    if isinstance(action, MoveRobot):
        return _find_own_loss(view, seat, view.name_own_robot(action.robot))
    return _find_missed_capture(view, seat) or _find_unused_dice(view) if isinstance(action, EndControlPhase) else None


def _find_own_loss(state: State, seat: Seat, robot: str) -> str | None:
    """Returns a warning if a step would drive one of your own robots out of the game, which is allowed (r.own-loss)."""
    front, onto = find_push_chain(state, robot)[-1]
    if state.board.find_owner(front) != seat or not (onto == OFF_BOARD or onto in state.goals):
        return None
    where = "over the edge" if onto == OFF_BOARD else f"in {state.goals[onto]}'s goal"
    return f"your own robot {front} would leave the game {where}"


def _find_missed_capture(state: State, seat: Seat) -> str | None:
    """Returns a warning about robots of others that dice on the table could bring into your goal."""
    prey = list(dict.fromkeys(_list_captures(state, seat)))
    return f"you could still capture {listing(prey, 'or')}" if prey else None


def _find_unused_dice(state: State) -> str | None:
    """Returns a warning if no die of this turn was used."""
    return None if state.spent else f"you have not used any die: {' '.join(map(str, state.dice))}"


def _list_captures(state: State, seat: Seat) -> Iterator[str]:
    for die in dict.fromkeys(state.dice):
        front, onto = find_push_chain(state, state.name_own_robot(die))[-1]
        if state.goals.get(onto) == seat and state.board.find_owner(front) != seat:
            yield f"{front} with {die} go"
