"""How turns begin: what other verbs than the end of a phase need of the sequence of play (4.0a)."""

from __future__ import annotations

from referee.engine.event import Script
from referee.games.sheboygan.events import PhaseBegun, TurnBegun
from referee.games.sheboygan.state import State


def next_turn(state: State) -> Script[State]:
    """The next Game-Turn begins (3.2f, 4.0a)."""
    return (yield TurnBegun(state.turn + 1))


def begin_human_turn(state: State) -> Script[State]:
    """The human player moves; firemen come first, when they are due (11.31a)."""
    return (yield PhaseBegun("arrival" if state.fire == "due" else "human-move"))
