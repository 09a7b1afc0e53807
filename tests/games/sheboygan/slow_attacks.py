"""What the rulebook's sentences say about attacks and destruction in Sheboygan, slowly.

Written from the rules, without the quick code of the game: `referee.testing` compares the two.
"""

from __future__ import annotations

from functools import cache

from shapely.geometry import MultiPoint, Polygon
from slow_map import Map, has
from slow_sight import places_of, sees

from referee.games.sheboygan.monster_attacks import StrikeWithMonster
from referee.games.sheboygan.monster_record import FallOnBox
from referee.games.sheboygan.unit_attacks import AttackWithUnits
from referee.games.sheboygan.wrecking import Wreck

COVERED = ("f", "h", "c")
"""Firemen, helicopters and populace, whom the others in their box cover (6.23e)."""
BRACKETED = ("f", "b", "c")
"""Units that never attack (6.11c)."""
STRENGTH = {"low": 2, "high": 4, "bridge": 2}
"""What can be destroyed, with its destruction strength (5.4c to 5.4e)."""
DESTROYS = {"1-2": 6, "1-1": 5, "2-1": 4, "3-1": 3, "4-1": 2, "5-1": 1}
"""The lowest face that destroys a box in each column of the table (7.2a, C42)."""


def humans(state, box):
    return [unit for unit in Map(state).units_in(box) if unit != state.control]


def strength(state, unit):
    return state.board.tables.units[unit[0]].strength * (2 if unit in state.assaulting else 1)  # 9.0b


def defense(state, units):
    """The sum of the units; terrain doubles all but helicopters (6.0a, 5.4j, 5.4k)."""
    total = 0
    for unit in units:
        doubled = Map(state).terrain(state.at[unit]) in ("low", "high", "tunnel") and unit[0] != "h"
        total += state.board.tables.units[unit[0]].strength * (2 if doubled else 1)
    return total


@cache
def between(board, one, other):
    """Buildings that can matter for a line between two boxes."""
    corners = [corner for box in (one, other) for outline in places_of(board, box) for corner in outline]
    hull = MultiPoint(corners).convex_hull
    walls = [((box.id,), box.wall) for box in board.boxes.values() if box.wall]
    seams = [((seam.a, seam.b), seam.polygon) for seam in board.file.seam]
    return frozenset(box for boxes, shape in (*walls, *seams) if Polygon(shape).intersects(hull) for box in boxes)


@cache
def line(board, one, other, fallen, lightning):
    return sees(board, one, other, fallen, lightning)


def has_line(state, one, other, lightning=False):
    """True if a line joins two boxes past the buildings that stand (6.12a to 6.12c)."""
    one, other = sorted((one, other))
    return line(state.board, one, other, state.rubble & between(state.board, one, other), lightning)


def tunnel_between(state, *boxes):
    """True if one of the boxes is a tunnel, which is attacked from its ends alone (5.14f, C64)."""
    return any(state.board.boxes[box].terrain == "tunnel" for box in boxes)


def is_group(state, units):
    """True for units on the map, nobody twice, in the order of the counters."""
    return bool(units) and list(units) == [unit for unit in state.at if unit in units]


# The monster attacks


def monster_reaches(state, unit):
    """Adjacent boxes; in flight its own and helicopters beside it; with lightning three boxes (6.21a, 13.13, 13.28)."""
    here, there, table = state.monster, state.at[unit], Map(state)
    if there in table.beside(here):
        return unit[0] == "h" or not state.aloft
    if state.aloft:
        return there == here
    if not has(state, "lightning-throwing") or tunnel_between(state, here, there) or there == here:
        return False
    return there in table.within(here, 3) and (unit[0] == "h" or has_line(state, here, there, lightning=True))


def is_open(state, unit, group):
    """True if a unit may be attacked as one of a group: all others of its box are, or were, too (6.23e, C45, C77)."""
    box = state.at[unit]
    if unit[0] not in COVERED or (state.aloft and box != state.monster):
        return True
    return set(humans(state, box)) <= {*group, *state.attacked}


def may_strike(state, seat, action):
    """Any or all units of one box, with some of the points that are left, at 1-5 or better (6.23a to 6.23e, 6.4c)."""
    units, points = action.units, action.points
    if not state.monster or state.fled or not is_group(state, units) or state.control in units:
        return False
    if len({state.at[unit] for unit in units}) > 1:  # C43
        return False
    reached = all(monster_reaches(state, unit) and is_open(state, unit, units) for unit in units)
    left = state.sheet.value.attack - state.struck  # C68
    return reached and 1 <= points <= left and 5 * points >= defense(state, units)


def try_strikes(state, seat, random):
    near = {*Map(state).within(state.monster, 4), state.monster} if state.monster else set()
    left = max(0, state.sheet.value.attack - state.struck)
    for box in sorted({at for at in state.at.values() if at in near}):
        for group in groups(state, Map(state).units_in(box), random):
            least = -(-defense(state, group) // 5)
            for points in {least - 1, least, random.randint(0, 30), left, left + 1} & set(range(100)):
                yield StrikeWithMonster(group, points)


def groups(state, units, random):
    """A few groups of these units in the order of the counters: all, and some at random; one at times with another."""
    sizes = [len(units), *(random.randint(1, len(units)) for _ in range(3))] if units else []
    for size in sizes:
        some = random.sample(units, size) + (random.sample([*state.at], 1) if random.random() < 0.1 else [])
        yield tuple(unit for unit in state.at if unit in some)


# Units attack


def unit_reaches(state, unit, target):
    """Adjacent boxes and its own; farther with range and a line of sight, as helicopters have (6.11, 8.0g)."""
    here, table = state.at[unit], Map(state)
    if here == target or target in table.beside(here):
        return True
    reach = state.board.tables.units[unit[0]].range
    if tunnel_between(state, here, target) or target not in table.within(here, reach):
        return False
    return unit[0] == "h" or has_line(state, here, target)


def may_fight(state, unit):
    """True unless a unit is bracketed, has attacked, or cuts its way out of a web (6.11c, C44, 13.22d)."""
    return unit[0] not in BRACKETED and unit not in state.fought and unit not in state.caught


def may_assail(state, seat, action):
    """Units attack the monster, or the unit under control; that unit attacks others (6.14a, 13.27c, C60)."""
    units, target = action.units, action.target
    if not is_group(state, units) or not all(may_fight(state, unit) for unit in units):
        return False
    if state.phase == "monster-combat":
        return units == (state.control,) and may_betray(state, units[0], target)
    if target == ("m",):
        return state.control not in units and may_attack_monster(state, units)
    if state.control is None or target != (state.control,) or state.control in units:
        return False
    reached = all(unit_reaches(state, unit, state.at[state.control]) for unit in units)
    return reached and 5 * sum(strength(state, unit) for unit in units) >= defense(state, target)


def may_attack_monster(state, units):
    """Not after a flash, nor from several boxes under radiation; at 1-5 or better (13.24b, 13.26a, 6.4c)."""
    boxes = {state.at[unit] for unit in units}
    if state.monster is None or state.flashed or (len(boxes) > 1 and "radiation" in state.known):
        return False
    reached = all(unit_reaches(state, unit, state.monster) for unit in units)
    return reached and 5 * sum(strength(state, unit) for unit in units) >= state.defense


def may_betray(state, traitor, target):
    """The unit under control attacks units of one box, by its own range and line of sight (C60)."""
    if not is_group(state, target) or traitor in target or len({state.at[unit] for unit in target}) > 1:
        return False
    reached = unit_reaches(state, traitor, state.at[target[0]])
    return reached and 5 * strength(state, traitor) >= defense(state, target)


def try_assaults(state, seat, random):
    if state.phase == "monster-combat":
        for box in sorted(set(state.at.values())) if state.control else ():
            yield from (
                AttackWithUnits(group, (state.control,)) for group in groups(state, Map(state).units_in(box), random)
            )
        return
    for target in [("m",), *([(state.control,)] if state.control else [])]:
        yield from (AttackWithUnits(target, (unit,)) for unit in state.at)
        for box in sorted(set(state.at.values())):
            yield from (AttackWithUnits(target, group) for group in groups(state, Map(state).units_in(box), random))
        yield from (AttackWithUnits(target, group) for _ in range(4) for group in groups(state, [*state.at], random))
        near = [unit for unit in state.at if may_fight(state, unit) and state.monster]
        near = [unit for unit in near if unit_reaches(state, unit, state.monster)]
        yield from (AttackWithUnits(target, group) for _ in range(4) for group in groups(state, near, random))


# Boxes are destroyed


def wreck(state, seat):
    """Up to three times a building or bridge beside the monster, in flight below it, at 1-2 or better (7.0, 13.28f)."""
    if not state.monster or state.attempts >= 3:
        return
    left = state.sheet.value.destruction - state.smashed
    for box in [state.monster] if state.aloft else Map(state).beside(state.monster):
        needed = STRENGTH.get(Map(state).terrain(box)) if box not in state.ruins else None
        if needed:
            yield from (Wreck(box, points) for points in range(1, left + 1) if 2 * points >= needed)


def after_wreck(state, seat, action, faces):
    """The odds are rounded down to a column of the table; a bridge takes its units along (7.0g, 7.11a to 7.13b)."""
    terrain = Map(state).terrain(action.box)
    ratios = [action.points // STRENGTH[terrain], 5]
    column = f"{min(ratios)}-1" if ratios[0] else "1-2"
    if faces[0] < DESTROYS[column]:
        return {"rubble": state.rubble, "ruins": state.ruins, "at": state.at}
    if terrain == "bridge":
        left = {unit: at for unit, at in state.at.items() if at != action.box}
        return {"ruins": state.ruins | {action.box}, "at": left}
    return {"rubble": state.rubble | {action.box}, "at": state.at}


def crush(state, seat):
    """The dead monster falls on its own box or any adjacent one (13.21a)."""
    yield from map(FallOnBox, sorted({state.monster, *Map(state).beside(state.monster)} if state.monster else ()))


def after_crush(state, seat, action, faces):
    """All units in the box die; it is rubble, but for bridges, which are gone, and for river and tunnel (C61)."""
    terrain = Map(state).terrain(action.box)
    solid = terrain not in ("bridge", "river", "tunnel")
    return {
        "at": {unit: at for unit, at in state.at.items() if at != action.box},
        "rubble": state.rubble | ({action.box} if solid else set()),
        "ruins": state.ruins | ({action.box} if terrain == "bridge" else set()),
    }
