"""A rule of thumb for bots: Victory Points against the monster's life, and who stands near whom."""

from __future__ import annotations

from math import sqrt, tanh

from referee.engine.event import Seat
from referee.games.sheboygan.options import CREATURE, HUMAN
from referee.games.sheboygan.setting_up import points_left
from referee.games.sheboygan.settling import Damage, Losses
from referee.games.sheboygan.state import State

LIFE, DESTRUCTION, ATTACK, MOVEMENT = 0.3, 0.25, 0.12, 0.15
"""What the first point of each strength of the monster is worth to it; each further one is worth less."""
ARMED = 0.004
"""What a point of strength is worth to the human player, and as much again where it reaches the monster."""
UNBOUGHT = 0.5
"""What a point that is not yet spent counts beside one that stands for a unit."""
PREY = 0.15
"""What it is worth to the monster to stand beside something that scores; farther off as much less."""
CROWD = 0.1
"""What it costs the human player that too many units are in a box: they cannot stay, and the phase cannot end."""
SMELLS = 6
"""Boxes as far as it looks for that."""
BURNS = 0.4
"""The part of what a burning building scores that is thought to come of it."""


def worth(view: State, seat: Seat) -> float:
    """What a view is worth to a seat: 1 won, -1 lost."""
    monster = _scored(view) + _strengths(view) + PREY * _prey(view)
    human = ARMED * _army(view) - CROWD * len(view.crowded)
    return tanh(monster - human) if seat == CREATURE else tanh(human - monster)


def _scored(view: State) -> float:
    """The part of the points that it needs that the monster has, or will have of what is lost and of what burns."""
    effects, boxes = view.board.tables.terrain, view.board.boxes
    losses = [due for due in view.due if isinstance(due, Losses)]
    lost = sum(sum(sorted(view.kind(unit).strength for unit in due.units)[: due.count]) for due in losses)
    burning = sum(effects[boxes[box].terrain].vp for box in view.flames if view.stands(box))
    return (view.points + lost + BURNS * burning) / view.scenario.level


def _strengths(view: State) -> float:
    """What the monster's strengths are worth, as far as they may be known, after what damage is due."""
    defense = max(0, view.defense - sum(due.points for due in view.due if isinstance(due, Damage)))
    if view.sheet is None or not view.sheet.known:
        return LIFE * sqrt(defense)
    if view.phase == "record":  # abilities are taken: the points that are left can be a quarter for each
        return (LIFE + DESTRUCTION + ATTACK + MOVEMENT) * sqrt(points_left(view) / 4)
    sheet = view.sheet.value
    others = DESTRUCTION * sqrt(sheet.destruction) + ATTACK * sqrt(sheet.attack) + MOVEMENT * sqrt(sheet.movement)
    return LIFE * sqrt(defense) + others


def _prey(view: State) -> float:
    """How near the monster is to something that scores: 1 beside it or on it, 0 far away."""
    if view.monster is None:
        return 0.0
    people = {box for unit, box in view.at.items() if unit[0] == "c"}
    for steps, ring in enumerate(view.board.rings(view.monster, SMELLS)):
        if any(view.stands(box) or box in people for box in ring):
            return 1 / max(1, steps)
    return 0.0


def _army(view: State) -> float:
    """The strength of the human player's units that fight, each as much more as the monster is near its range."""
    total = UNBOUGHT * view.budget + sum(view.kind(unit).strength for unit in view.hand)
    for unit, box in view.at.items():
        kind = view.kind(unit)
        if kind.combat and view.owner(unit) == HUMAN:
            total += kind.strength
            if view.monster:
                total += kind.strength / max(1, 1 + view.board.range(view.monster, box) - kind.range)
    return total
