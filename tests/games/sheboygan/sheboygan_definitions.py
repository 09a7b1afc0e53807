"""What the rulebook's sentences say about ways, rivers, webs and fires, slowly.

Written from the rules, without the quick code of the game: `referee.testing` compares the two.
"""

from __future__ import annotations

from itertools import combinations
from random import Random

from maps import DEFAULTS
from slow_attacks import (
    after_crush,
    after_wreck,
    crush,
    may_assail,
    may_strike,
    try_assaults,
    try_strikes,
    wreck,
)
from slow_map import AT_R, COST, OPPOSITE, SIDES, Map, has, monster_price, price_for

from referee.engine.component import read_toml
from referee.games.sheboygan.fire import Douse, Ignite
from referee.games.sheboygan.monster_attacks import StrikeWithMonster
from referee.games.sheboygan.monster_movement import EnterMap, Jump, Overrun
from referee.games.sheboygan.monster_record import FallOnBox
from referee.games.sheboygan.options import find_shipped_board
from referee.games.sheboygan.purchase_and_placement import PlaceUnits
from referee.games.sheboygan.sequence import WebBoxes
from referee.games.sheboygan.towing_carrying_fording import Carry, Ford, Tow
from referee.games.sheboygan.unit_attacks import AttackWithUnits
from referee.games.sheboygan.unit_movement import Move
from referee.games.sheboygan.wind import RollForWind
from referee.games.sheboygan.wrecking import Wreck
from referee.testing import Definition


def may_move(state, unit):
    """True unless the unit is of the other player, afraid, in a web or in the river, or was taken along."""
    turn = "monster-move" if unit == state.control else "human-move"
    stuck = {*state.feared, *state.caught, *state.carried, *state.fording}
    return state.phase == turn and unit in state.at and unit not in stuck


def goals(state, unit):
    """Boxes that a unit can reach; one step at any price if it has not moved yet (5.15, C74)."""
    table, price = Map(state), price_for(state, unit)
    here, left = state.at[unit], points_left(state, unit)
    found = table.ways(here, left, price)
    if unit not in state.moved and left > 0 and unit[0] != "h":
        found |= {box for box in table.beside(here) if price(box) is not None}
    grounded = unit[0] == "h" and unit != state.control and not state.aloft
    return found - ({state.monster} if grounded else set())  # 8.0c


def points_left(state, unit):
    return state.board.tables.units[unit[0]].movement - state.spent.get(unit, 0)


def move(state, seat):
    """Every unit to every box that it can reach, and the monster too in its phase."""
    for unit in [unit for unit in state.at if may_move(state, unit)]:
        yield from (Move(unit, box) for box in goals(state, unit))
    if state.phase == "monster-move" and state.monster and state.landed != "late":
        yield from (Move("m", box) for box in monster_goals(state))


def monster_goals(state):
    """The monster walks or flies; one that flames hurt does not go on from a burning box (13.11)."""
    left = max(0, state.sheet.value.movement - state.walked)
    ends = () if state.aloft or has(state, "flame-immunity") else state.flames
    return Map(state).ways(state.monster, left, monster_price(state), ends)


def jump(state, seat):
    """To a box within two boxes, at twice the cost, not in flight (13.25, C69)."""
    if not state.monster or state.aloft or state.landed == "late" or not has(state, "jumping"):
        return
    price, left = monster_price(state), state.sheet.value.movement - state.walked
    for box in Map(state).within(state.monster, 2):
        if price(box) is not None and 2 * price(box) <= left:
            yield Jump(box)


def overrun(state, seat):
    """At 6-1 over a passable box beside the monster that only firemen, fireboat or populace hold (5.31, C9).

    A monster that enters the map may overrun a box of its noted edge (C36).
    """
    table = Map(state)
    if state.aloft or state.landed == "late":
        return
    near = table.beside(state.monster) if state.monster else edge_boxes(state)
    left, walk = state.sheet.value.attack - state.struck, state.sheet.value.movement - state.walked
    shut = ("low", "high") if state.options["monster-in-tunnel"] == "yes" else ("low", "high", "tunnel")
    for box in near - set(state.ruins):
        units = [unit for unit in table.units_in(box) if unit != state.control]
        is_open = table.terrain(box) not in shut and COST[table.terrain(box)] <= walk
        if units and is_open and all(unit[0] in "fbc" for unit in units):
            defense = sum(state.board.tables.units[unit[0]].strength for unit in units)
            doubled = defense * (2 if table.terrain(box) == "tunnel" else 1)
            yield from (Overrun(box, points) for points in range(6 * doubled, left + 1))


def enter(state, seat):
    """By a box of the noted edge that is passable, free of human units, and can be paid for (3.2g, 3.2h, C36)."""
    price, left = monster_price(state), state.sheet.value.movement - state.walked
    if state.monster is None:
        yield from (EnterMap(box) for box in edge_boxes(state) if price(box) is not None and price(box) <= left)


def edge_boxes(state):
    return {box.id for box in state.board.file.box if state.edge and state.edge.value in box.edges}


def may_place(state, seat, action):
    """Units from the hand go where they may stand, two that count in a box, none at a map edge (3.2c, 3.2d, C51).

    Firemen and fireboat may arrive anywhere but in the monster's box (11.31c, 11.31d, C52). Webbed boxes are closed
    (13.22b). Kinds that differ in where they may stand are placed one after another.
    """
    units, box, table = action.units, action.box, Map(state)
    if box not in table.boxes or not units or units != in_order(unit for unit in state.hand if unit in units):
        return False
    counted = sum(unit[0] in "ptigb" for unit in (*units, *table.units_in(box)))
    is_full = counted > 2 and any(unit[0] in "ptigb" for unit in units)
    at_edge = state.phase == "place" and table.boxes[box].edges
    taken = box in (state.monster, state.at.get(state.control))  # C60
    alike = any({unit[0] for unit in units} <= set(kinds) for kinds in ("pi", "tg", "h", "f", "b"))
    closed = is_full or at_edge or taken or box in state.webs
    return alike and not closed and all(may_stand(state, unit, box) for unit in units)


def may_stand(state, unit, box):
    """True if the terrain of a box is passable for a unit that is placed there (C51, C52, 7.12a)."""
    terrain = Map(state).terrain(box)
    if unit[0] == "h":
        return box not in state.ruins
    if unit[0] == "b":
        return terrain == "river"
    return terrain not in (("river", "low", "high") if unit[0] in "tg" else ("river",)) and box not in state.ruins


def try_places(state, seat, random):
    """Every unit alone in some boxes, and groups at random."""
    boxes = sorted({box.id for box in state.board.file.box})
    for box in random.sample(boxes, 12):
        yield from (PlaceUnits((unit,), box) for unit in state.hand)
        for _ in range(4 if state.hand else 0):
            some = random.sample(state.hand, random.randint(1, min(4, len(state.hand))))
            yield PlaceUnits(in_order(some), box)


def in_order(units):
    """Units as the log has them, by kind and number."""
    return tuple(sorted(units, key=lambda unit: ("phitgcfb".index(unit[0]), int(unit[1:]))))


def tow(state, seat):
    """A tank and a gun that begin in one box and have not moved go together, with 3 points (5.0j, C18)."""
    for tank, gun in [(tank, gun) for tank in state.at for gun in state.at if tank[0] + gun[0] == "tg"]:
        fresh = all(may_move(state, unit) and unit not in state.moved for unit in (tank, gun))
        if fresh and state.at[tank] == state.at[gun]:
            yield from (Tow(tank, gun, box) for box in Map(state).ways(state.at[tank], 3, price_for(state, tank)))


def carry(state, seat):
    """Police take along populace that began the phase with them and has not left them since (10.0b, C19)."""
    for police in [unit for unit in state.at if unit[0] == "p" and may_move(state, unit)]:
        riders = [
            unit for unit in Map(state).units_in(state.at[police]) if unit[0] == "c" and rides(state, police, unit)
        ]
        groups = [group for count in range(1, len(riders) + 1) for group in combinations(riders, count)]
        yield from (Carry(police, group, box) for box in (goals(state, police) if riders else ()) for group in groups)


def rides(state, police, unit):
    began = {state.moved.get(one, state.at[one]) for one in (police, unit)}
    held = unit in state.feared or unit in state.caught or unit == state.control
    with_it = state.carried.get(unit) == police if police in state.moved else unit not in state.moved
    return len(began) == 1 and with_it and not held


def ford(state, seat):
    """Infantry that has not moved goes into the river where it can come out on another bank, or comes out (9.1)."""
    table = Map(state)
    for unit in [unit for unit in state.at if unit[0] == "i" and unit not in state.moved]:
        stuck = unit in state.feared or unit in state.caught or unit in state.carried or unit == state.control
        if stuck or state.phase != "human-move":
            continue
        here = state.at[unit]
        if unit in state.fording:
            boxes = ways_out(state, here, state.fording[unit])
        else:
            wet = [box for box in table.beside(here) if is_wet(state, box)]
            boxes = [box for box in wet if ways_out(state, box, table.boxes[here].bank)]
        closed = {*state.webs, *([state.at[state.control]] if state.control else ())}
        closed |= {state.monster} if state.monster and not state.aloft else set()
        yield from (Ford(unit, box) for box in boxes if box not in closed and table.has_room(box))


def is_wet(state, box):
    """True for the river and for a bridge that is gone (5.14h, C65)."""
    return Map(state).boxes[box].terrain == "river" or box in state.ruins


def ways_out(state, box, bank):
    """The street boxes beside a river box on another bank, or as the players agreed (C20)."""
    table, option = Map(state), state.options["ford-exit"]
    near = {to: table.boxes[to] for to in table.beside(box)}
    if option == "any-land":
        fits = [to for to in near if not is_wet(state, to)]
    else:
        fits = [to for to, place in near.items() if place.terrain == "street"]
    return [to for to in fits if near[to].bank and (near[to].bank != bank or option == "either-bank")]


def web(state, seat):
    """One or two adjacent boxes without a web, by a monster that has not moved in this phase (13.22a, C58)."""
    if state.monster and not state.walked and has(state, "web-spinning"):
        boxes = sorted(Map(state).beside(state.monster) - state.webs)
        yield from (WebBoxes(group) for count in (1, 2) for group in combinations(boxes, count))


def ignite(state, seat):
    """Up to three times a building or park, beside the monster or below it in flight (11.0b, 11.25, C55)."""
    if state.monster and state.ignitions < 3 and has(state, "fire-breathing"):
        near = Map(state).beside(state.monster) | ({state.monster} if state.aloft else set())
        yield from (Ignite(box) for box in near if burns(state, box))


def burns(state, box):
    """True if a box can catch fire (11.25a, 11.25b, C55)."""
    return Map(state).terrain(box) in ("low", "high", "park") and box not in state.flames


def douse(state, seat):
    """Firemen in their own box, the fireboat in up to two boxes within three boxes (11.32a, 11.33a)."""
    for unit, here in state.at.items():
        if unit in state.doused or unit == state.control or unit[0] not in "fb":
            continue
        near = {here} if unit[0] == "f" else Map(state).within(here, 3)
        fires = sorted(near & set(state.flames))
        yield from (Douse(unit, group) for count in (1, 2) for group in combinations(fires, count))


def after_wind(state, seat, action, faces):
    """Fire spreads on the numbers of C28, then every marker that was there is turned, to R at the last (11.2, C26)."""
    table, wind = Map(state), [*SIDES, None, None][faces[0] - 1]
    needs = {box: need_of(table, state, box, wind) for box in table.boxes if burns(state, box)}
    exposed = [box for box in table.boxes if needs.get(box)]
    lit = [box for box, face in zip(exposed, faces[1:], strict=False) if face >= needs[box]]
    flames = {box: min(AT_R, age + 1) for box, age in state.flames.items()} | dict.fromkeys(lit, 1)
    burnt = {box for box, age in flames.items() if age == AT_R}
    return {"flames": flames, "rubble": state.rubble | burnt, "webs": state.webs - set(lit)}


def need_of(table, state, box, wind):
    """7 less each burning neighbour, less 1 downwind, less each fire straight across a street upwind; at least 1."""
    fires = table.beside(box) & set(state.flames)
    downwind = bool(wind and fires & table.on_side(box, OPPOSITE[wind]))
    across = [*getattr(table.boxes[box], f"across_{OPPOSITE[wind]}")] if wind else []
    count = len(fires) + sum(one in state.flames for one in across)
    return max(1, 7 - count - downwind) if count else None


MEANS = (
    Definition(Move, "5.0b", move),
    Definition(Ford, "9.1a", ford),
    Definition(WebBoxes, "13.22a", web),
    Definition(RollForWind, "C28", leads_to=after_wind),
    Definition(Carry, "10.0b", carry),
    Definition(Tow, "5.0j", tow),
    Definition(Jump, "13.25a", jump),
    Definition(Overrun, "5.31a", overrun),
    Definition(Ignite, "11.0b", ignite),
    Definition(Douse, "11.33a", douse),
    Definition(EnterMap, "3.2g", enter),
    Definition(PlaceUnits, "3.2c", allows=may_place, tries=try_places),
    Definition(Wreck, "7.0a", wreck, leads_to=after_wreck),
    Definition(FallOnBox, "13.21a", crush, leads_to=after_crush),
    Definition(StrikeWithMonster, "6.23c", allows=may_strike, tries=try_strikes),
    Definition(AttackWithUnits, "6.14a", allows=may_assail, tries=try_assaults),
)


def shuffled(seed):
    """The shipped map with other terrain in many boxes, and without a tenth of the dividing lines."""
    random, town = Random(seed), read_toml(find_shipped_board(DEFAULTS))
    others = {"street": "park", "park": "street", "low": "high", "high": "low"}
    boxes = [
        {**box, "terrain": others.get(box["terrain"], box["terrain"])} if random.random() < 0.3 else dict(box)
        for box in town["box"]
    ]
    lines = sorted({tuple(sorted((box["id"], other))) for box in boxes for other in box["neighbours"]})
    cut = set(random.sample(lines, len(lines) // 10))
    for box in boxes:
        for field in ("neighbours", *SIDES):
            if field in box:
                box[field] = [other for other in box[field] if tuple(sorted((box["id"], other))) not in cut]
    return town | {"box": boxes}


OWN = ({"board": shuffled(1)}, {"board": shuffled(2)})
