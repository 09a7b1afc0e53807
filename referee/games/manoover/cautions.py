"""What who says something legal may have overlooked: it is asked about before it is recorded."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.engine.text import listing
from referee.games.manoover.board import OFF
from referee.games.manoover.control import Done, Go
from referee.games.manoover.pushing import chain_of
from referee.games.manoover.state import State


def overlooked(view: State, seat: Seat, action: Action) -> str | None:
    """A robot of one's own that is driven out, one of another's that an unused die would capture, and a turn in which
    no die was used; None: nothing.
    """
    if isinstance(action, Go):
        return _driven_out(view, seat, view.own(action.robot))
    return _not_captured(view, seat) or _not_used(view) if isinstance(action, Done) else None


def _driven_out(state: State, seat: Seat, robot: str) -> str | None:
    """One's own robot that would leave the game by this step, which is allowed (r.own-loss)."""
    front, onto = chain_of(state, robot)[-1]
    if state.board.owner_of(front) != seat or not (onto == OFF or onto in state.goals):
        return None
    where = "over the edge" if onto == OFF else f"in {state.goals[onto]}'s goal"
    return f"{front}, a robot of your own, would be out of the game {where}"


def _not_captured(state: State, seat: Seat) -> str | None:
    """Robots of others that dice on the table would bring into one's own goal."""
    prey = list(dict.fromkeys(_prey(state, seat)))
    return f"{listing(prey, 'or')} could still be captured" if prey else None


def _not_used(state: State) -> str | None:
    """The dice of a turn in which nothing was done with any."""
    return None if state.spent else f"no die was used: {' '.join(map(str, state.dice))}"


def _prey(state: State, seat: Seat) -> Iterator[str]:
    for die in dict.fromkeys(state.dice):
        front, onto = chain_of(state, state.own(die))[-1]
        if state.goals.get(onto) == seat and state.board.owner_of(front) != seat:
            yield f"{front} with {die} go"
