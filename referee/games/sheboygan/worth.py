"""A rule of thumb for bots: a race of the Victory Points that are still missing against the strength that is left to
the monster, and who stands near whom.

What is lost is counted as a part of what is left: the last points matter most. How much each thing counts was fitted to
positions of games between bots.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf, log, sqrt, tanh

from referee.engine.event import Seat
from referee.games.sheboygan.counters import MONSTER
from referee.games.sheboygan.options import HUMAN
from referee.games.sheboygan.prowling import closed_to_monster
from referee.games.sheboygan.setting_up import points_left
from referee.games.sheboygan.settling import Damage, Losses
from referee.games.sheboygan.state import State
from referee.games.sheboygan.view import points_had

LIFE, MISSING, ARMED = 2.5, 2.2, 0.25
"""What the logarithms count: of the strength left to the monster, for it; of the points that it still needs and of the
human player's strength, for him.
"""
WEIGHTS = (0.37, 0.30, 0.15, 0.18)
"""What defense, destruction, attack and movement count in that strength; each further point of one counts less."""
LEAST = 0.01
"""That part where it is dying."""
UNBOUGHT = 0.5
"""What a point that is not yet spent counts beside one that stands for a unit."""
NEAR = 0.3
"""What it is worth to the human player that all he began with reaches the monster; farther off as much less."""
PREY = 0.5
"""What it is worth to the monster to stand beside something that scores; farther off as much less."""
SMELLS = 12
"""Boxes as far as it goes for that."""
BLOCKED = 2
"""Boxes as which units count that are in its way."""
CROWD = 0.2
"""What it costs the human player that too many units are in a box: they cannot stay, and the phase cannot end."""
BURNS = 0.4
"""The part of what a burning building scores that is thought to come of it."""


def worth(view: State, seat: Seat) -> float:
    """What a view is worth to a seat: 1 won, -1 lost."""
    race = MISSING * log(_missing(view)) - LIFE * log(_strength(view))
    units = ARMED * log(_army(view)) + NEAR * _near(view) - CROWD * len(view.crowded)
    human = tanh(race + units - PREY * _prey(view))
    return human if seat == HUMAN else -human


def _missing(view: State) -> float:
    """The part of the points it needs that the monster neither has nor will have of what is lost and of what burns."""
    effects, boxes = view.board.tables.terrain, view.board.boxes
    losses = [due for due in view.due if isinstance(due, Losses)]
    lost = sum(sum(sorted(view.kind(unit).strength for unit in due.units)[: due.count]) for due in losses)
    burning = sum(effects[boxes[box].terrain].vp for box in view.flames if view.stands(box))
    needs = view.scenario.level + 1
    return max(0.5, needs - view.points - lost - BURNS * burning) / needs


def _strength(view: State) -> float:
    """What is left of the monster's strengths after what damage is due, as a part of what it could begin with."""
    strengths = _strengths(view)
    total, even = sum(strengths), _begun_with(view) / len(strengths)
    part = sum(weight * sqrt(points / even) for weight, points in zip(WEIGHTS, strengths, strict=True)) ** 2
    due = sum(due.points for due in view.due if isinstance(due, Damage))
    return max(LEAST, part * (total - due) / max(1, total))


def _strengths(view: State) -> tuple[float, float, float, float]:
    """Defense, destruction, attack and movement; who does not know them thinks that they are alike."""
    noted = view.sheet.value if view.sheet and view.sheet.known else None
    if view.phase == "record" or view.sheet is None:
        total = points_left(view) if noted else _begun_with(view)
        return total / 4, total / 4, total / 4, total / 4
    if noted:
        return view.defense, noted.destruction, noted.attack, noted.movement
    other = max(0, points_had(view) - view.scenario.quota - view.damage - view.defense) / 3
    return view.defense, other, other, other


def _begun_with(view: State) -> int:
    """Points for strengths, where as few go on abilities as may be."""
    return view.scenario.monster - view.scenario.quota


def _prey(view: State) -> float:
    """How near the monster is to something that scores: 1 beside it or on it, 0 far away or shut in."""
    if view.monster is None:
        return 0.0
    board, costs, most = view.board, view.costs(MONSTER), _strengths(view)[-1]
    closed, people = closed_to_monster(view), {box for unit, box in view.at.items() if unit[0] == "c"}
    seen: set[str] = set()
    waiting = [(0, view.monster)]
    while waiting:
        steps, here = heappop(waiting)
        if here in seen:
            continue
        seen.add(here)
        if steps >= SMELLS:
            break
        beside = board.beside[here]
        if here in people or any(view.stands(box) or box in people for box in beside):
            return 1 - steps / SMELLS
        for box in beside:
            if costs.get(box, inf) <= most and box not in seen:
                heappush(waiting, (steps + 1 + BLOCKED * (box in closed), box))
    return 0.0


def _army(view: State) -> float:
    """The strength of the human player, as a part of what he began with."""
    units = sum(view.kind(unit).strength for unit in (*view.hand, *_fighters(view)))
    return (1 + UNBOUGHT * view.budget + units) / (1 + view.scenario.human)


def _near(view: State) -> float:
    """The part of that which reaches the monster, each unit as much less as the monster is beyond its range."""
    if view.monster is None:
        return 0.0
    board, reach = view.board, 0.0
    for unit in _fighters(view):
        kind = view.kind(unit)
        reach += kind.strength / max(1, 1 + board.range(view.monster, view.at[unit]) - kind.range)
    return reach / view.scenario.human


def _fighters(view: State) -> Iterator[str]:
    """The human player's units on the map that can attack."""
    return (unit for unit in view.at if view.kind(unit).combat and view.owner(unit) == HUMAN)
