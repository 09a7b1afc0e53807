"""Estimates a position for bots: a race between the missing Victory Points and the monster's remaining strength.

Distances between units, monster and buildings count too. A loss counts as a part of what is left, so the last points
matter most. The weights were fitted to positions of games between bots.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf, log, sqrt, tanh

from referee.engine.event import Seat
from referee.games.sheboygan.counters import MONSTER
from referee.games.sheboygan.duties import DamageDuty, LossesDuty
from referee.games.sheboygan.monster_movement import find_boxes_closed_to_monster
from referee.games.sheboygan.options import HUMAN_SEAT
from referee.games.sheboygan.setting_up import count_strength_points_left
from referee.games.sheboygan.state import State
from referee.games.sheboygan.view import find_highest_strength_total

MONSTER_STRENGTH_WEIGHT, MISSING_POINTS_WEIGHT, HUMAN_STRENGTH_WEIGHT = 2.5, 2.2, 0.25
"""The weights of three logarithms: the monster's remaining strength counts for the monster. The points that it still
needs, and the human player's strength, count for the human player.
"""
STRENGTH_WEIGHTS = (0.37, 0.30, 0.15, 0.18)
"""The weights of defense, destruction, attack and movement in the monster's strength. Further points count less."""
LEAST_STRENGTH = 0.01
"""The least strength of a monster, even if it is dying."""
UNSPENT_POINT_WORTH = 0.5
"""The worth of an unspent point compared with a point of a unit's strength."""
NEAR_ARMY_WORTH = 0.3
"""The worth to the human player if the whole army reaches the monster; less for units farther off."""
NEAR_PREY_WORTH = 0.5
"""The worth to the monster of standing beside something that scores; less farther off."""
PREY_RANGE = 12
"""The greatest distance, in boxes, from which the monster goes for prey."""
CLOSED_BOX_DETOUR = 2
"""The boxes that are added to a distance for each closed box on the way, such as one with units in it."""
OVERFULL_BOX_COST = 0.2
"""The cost to the human player of an overfull box: the units cannot stay, and the phase cannot end."""
BURNING_BOX_SHARE = 0.4
"""The part of a burning building's Victory Points that counts as scored."""


def estimate_worth(view: State, seat: Seat) -> float:
    """Returns an estimate of the position for a seat, from -1 (lost) to 1 (won)."""
    race = MISSING_POINTS_WEIGHT * log(_find_missing_share(view)) - MONSTER_STRENGTH_WEIGHT * log(
        _estimate_strength(view)
    )
    units = (
        HUMAN_STRENGTH_WEIGHT * log(_estimate_human_strength(view))
        + NEAR_ARMY_WORTH * _estimate_strength_near_monster(view)
        - OVERFULL_BOX_COST * len(view.crowded_boxes)
    )
    human = tanh(race + units - NEAR_PREY_WORTH * _estimate_nearness_to_prey(view))
    return human if seat == HUMAN_SEAT else -human


def _find_missing_share(view: State) -> float:
    """Returns the part of the needed Victory Points that is still missing.

    Units that must be lost count as scored, and burning buildings in part.
    """
    effects, boxes = view.board.tables.terrain, view.board.boxes
    losses = [due for due in view.due if isinstance(due, LossesDuty)]
    lost = sum(sum(sorted(view.get_unit_type(unit).strength for unit in due.units)[: due.count]) for due in losses)
    burning = sum(effects[boxes[box].terrain].vp for box in view.flames if view.is_destructible(box))
    needs = view.scenario.victory_level + 1
    return max(0.5, needs - view.points - lost - BURNING_BOX_SHARE * burning) / needs


def _estimate_strength(view: State) -> float:
    """Returns the strength of the monster after the damage that is due, as a part of its strength at the start."""
    strengths = _find_strengths(view)
    total, even = sum(strengths), _count_starting_points(view) / len(strengths)
    part = sum(weight * sqrt(points / even) for weight, points in zip(STRENGTH_WEIGHTS, strengths, strict=True)) ** 2
    due = sum(due.points for due in view.due if isinstance(due, DamageDuty))
    return max(LEAST_STRENGTH, part * (total - due) / max(1, total))


def _find_strengths(view: State) -> tuple[float, float, float, float]:
    """Returns defense, destruction, attack and movement.

    If a view does not know the last three, they are estimated as equal. Before the record is written, all four are.
    """
    noted = view.sheet.value if view.sheet and view.sheet.known else None
    if view.phase == "record" or view.sheet is None:
        total = count_strength_points_left(view) if noted else _count_starting_points(view)
        return total / 4, total / 4, total / 4, total / 4
    if noted:
        return view.defense, noted.destruction, noted.attack, noted.movement
    other = (
        max(0, find_highest_strength_total(view) - view.scenario.least_ability_points - view.damage - view.defense) / 3
    )
    return view.defense, other, other, other


def _count_starting_points(view: State) -> int:
    """Returns the points for strengths at the start, if as few as possible go on abilities."""
    return view.scenario.monster_points - view.scenario.least_ability_points


def _estimate_nearness_to_prey(view: State) -> float:
    """Returns how near the monster is to something that scores: 1 beside it or on it, 0 far away or shut in."""
    if view.monster is None:
        return 0.0
    board, costs, most = view.board, view.get_entry_costs(MONSTER), _find_strengths(view)[-1]
    closed, people = find_boxes_closed_to_monster(view), {box for unit, box in view.at.items() if unit[0] == "c"}
    seen: set[str] = set()
    waiting = [(0, view.monster)]
    while waiting:
        steps, here = heappop(waiting)
        if here in seen:
            continue
        seen.add(here)
        if steps >= PREY_RANGE:
            break
        beside = board.neighbour_sets[here]
        if here in people or any(view.is_destructible(box) or box in people for box in beside):
            return 1 - steps / PREY_RANGE
        for box in beside:
            if costs.get(box, inf) <= most and box not in seen:
                heappush(waiting, (steps + 1 + CLOSED_BOX_DETOUR * (box in closed), box))
    return 0.0


def _estimate_human_strength(view: State) -> float:
    """Returns the strength of the human player's units and points, as a part of the points at the start."""
    units = sum(view.get_unit_type(unit).strength for unit in (*view.hand, *_list_fighters(view)))
    return (1 + UNSPENT_POINT_WORTH * view.budget + units) / (1 + view.scenario.human_points)


def _estimate_strength_near_monster(view: State) -> float:
    """Returns the strength of units near the monster, as a part of the human player's points at the start.

    The farther the monster is beyond a unit's range, the less the unit counts.
    """
    if view.monster is None:
        return 0.0
    board, reach = view.board, 0.0
    for unit in _list_fighters(view):
        kind = view.get_unit_type(unit)
        reach += kind.strength / max(1, 1 + board.measure_range(view.monster, view.at[unit]) - kind.range)
    return reach / view.scenario.human_points


def _list_fighters(view: State) -> Iterator[str]:
    """Yields the human player's units on the map that can attack."""
    return (unit for unit in view.at if view.get_unit_type(unit).combat and view.get_owner(unit) == HUMAN_SEAT)
