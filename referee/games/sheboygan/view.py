"""What each player may know: the monster's record and its entry edge are its own player's secrets (12.0f, 12.0g)."""

from __future__ import annotations

from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.games.sheboygan.options import CREATURE
from referee.games.sheboygan.state import State

SECRET = ("abilities", "record", "edge", "hurt", "grow")
"""What the monster's player does in secret: all but what it comes to for defense (C35)."""


def view(state: State, seat: Seat | None) -> State:
    """What a seat may know; None: a spectator."""
    told = (state.sheet and state.sheet.known) or (state.edge and state.edge.known)
    return state.public if told and seat != CREATURE else state


def is_secret(action: Action) -> bool:
    """Whether this is done in secret."""
    return action.__struct_config__.tag in SECRET
