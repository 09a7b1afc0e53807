"""A rule of thumb for bots: Victory Points against the monster's defense, and who stands near whom."""

from __future__ import annotations

from math import sqrt

from referee.engine.event import Seat
from referee.games.sheboygan.counters import MONSTER
from referee.games.sheboygan.options import CREATURE, HUMAN
from referee.games.sheboygan.state import State

ARMED = 0.004
"""What a point of strength near the monster is worth to its enemies."""
TOUGH = 20
"""A monster's defense that is hardly ever broken."""
LIFE = 0.6
"""What that defense is worth."""
PREY = 0.15
"""What a building beside the monster is worth to it, and one farther off as much less."""
STRONG = 0.05
"""What the first point of a strength of the monster is worth to it."""
SMELLS = 4
"""Boxes as far as it looks for one."""


def worth(view: State, seat: Seat) -> float:
    """What a view is worth to a seat: 1 won, -1 lost."""
    monster = STRONG * _strengths(view)
    if view.turn:
        scored = view.points / max(1, view.scenario.level)
        tough = min(1.0, view.defense / TOUGH)
        monster += scored + LIFE * (tough - 1) - ARMED * _pressing(view) + PREY * _prey(view)
    monster = max(-1.0, min(1.0, monster))
    return monster if seat == CREATURE else -monster


def _strengths(view: State) -> float:
    """What the monster has, as far as it may be known; some of each is better than much of one, and what destroys
    makes its points.
    """
    if view.sheet is None or not view.sheet.known:
        return 0.0
    sheet = view.sheet.value
    return sqrt(view.defense) + sqrt(sheet.attack) + 2 * sqrt(sheet.destruction) + sqrt(sheet.movement)


def _prey(view: State) -> float:
    """How near the monster is to something that it can destroy: 1 beside it or on it, 0 far away."""
    at = view.at.get(MONSTER)
    if at is None:
        return 0.0
    standing = (view.board.range(box, at) for box in view.board.within(at, SMELLS) if view.stands(box))
    return 1 / max(1, min(standing, default=2 * SMELLS))


def _pressing(view: State) -> float:
    """The strength of the human player's units, each as much as it is near the monster."""
    at = view.at.get(MONSTER)
    if at is None:
        return 0.0
    units = [(unit, box) for unit, box in view.at.items() if view.owner(unit) == HUMAN]
    return sum(view.kind(unit).strength / (1 + view.board.range(box, at)) for unit, box in units)
