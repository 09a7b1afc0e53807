"""A rule of thumb for bots: Victory Points against the monster's defense, and who stands near whom."""

from __future__ import annotations

from referee.engine.event import Seat
from referee.games.sheboygan.counters import MONSTER
from referee.games.sheboygan.options import CREATURE, HUMAN
from referee.games.sheboygan.state import State

ARMED = 0.004
"""What a point of strength near the monster is worth to its enemies."""
TOUGH = 20
"""A monster's defense that is hardly ever broken."""


def worth(view: State, seat: Seat) -> float:
    """What a view is worth to a seat: 1 won, -1 lost."""
    scored = view.points / max(1, view.scenario.level)
    tough = min(1.0, view.defense / TOUGH)
    monster = scored + 0.8 * (tough - 1) - ARMED * _pressing(view) if view.turn else 0.0
    monster = max(-1.0, min(1.0, monster))
    return monster if seat == CREATURE else -monster


def _pressing(view: State) -> float:
    """The strength of the human player's units, each as much as it is near the monster."""
    at = view.at.get(MONSTER)
    if at is None:
        return 0.0
    units = [(unit, box) for unit, box in view.at.items() if view.owner(unit) == HUMAN]
    return sum(view.kind(unit).strength / (1 + view.board.range(box, at)) for unit, box in units)
