"""A rule of thumb for bots: robots in one's goal, and how near the others are to it."""

from __future__ import annotations

from referee.engine.event import Seat
from referee.games.manoover.state import State

IN_GOAL = 0.22
"""What a robot more in one's goal than in the best of the others' is worth."""
NEAR = 0.1
"""What a robot one step from a goal is worth; one farther off as much less."""


def worth(view: State, seat: Seat) -> float:
    """What a view is worth to a seat: 1 won, -1 lost."""
    others = [other for other in view.board.seats if other != seat]
    ahead = len(view.captured[seat]) - max(len(view.captured[other]) for other in others)
    nearer = _pull(view, seat) - max(_pull(view, other) for other in others)
    return max(-1.0, min(1.0, IN_GOAL * ahead + NEAR * nearer))


def _pull(view: State, seat: Seat) -> float:
    """How near robots are to a seat's goal, whosever they are: those on the next cell count 1."""
    goal = next(cell for cell, owner in view.goals.items() if owner == seat)
    return sum(1 / max(1, _steps(view, cell, goal)) for cell in view.cells.values() if cell in view.board.axial)


def _steps(view: State, one: str, other: str) -> int:
    """Steps from cell to cell."""
    (q, r), (s, t) = view.board.axial[one], view.board.axial[other]
    return max(abs(q - s), abs(r - t), abs(q + r - s - t))
