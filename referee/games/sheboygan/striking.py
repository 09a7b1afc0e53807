"""The monster's attacks (6.2): in its own box and beside it, and farther with lightning (13.13)."""

from collections.abc import Iterator
from itertools import combinations

from referee.engine.dice import Dice
from referee.engine.event import Script
from referee.engine.legal import Action, Between, Choice, OneOf, Subset, Total
from referee.engine.ruling import Refusal
from referee.games.sheboygan.combat_events import Struck
from referee.games.sheboygan.counters import Pieces, in_order
from referee.games.sheboygan.prowling import defense_of, strength_left
from referee.games.sheboygan.results import column_of, dues_of_strike, named, need_of, result_of
from referee.games.sheboygan.setting_up import Strength
from referee.games.sheboygan.settling import settle
from referee.games.sheboygan.state import State
from referee.games.sheboygan.timing import timed

PHASE = ("monster-combat",)
BOLT = 3
"""Boxes that lightning reaches (13.13a)."""
WORST = 5
"""Attacks at less than one to so many are not made (6.4c)."""
COVERED = "fhc"
"""Firemen, helicopters and populace: attacked only if all others in their box are (6.23e)."""


class Strike(Action, frozen=True, tag="strike"):
    """Attack units of one box with so many points of attack strength, or all of them (6.22a, 6.23a, 6.23b, C43)."""

    says = "attack {units} with {points}"
    units: Pieces
    points: Strength


# Whom it can attack


def targets(state: State) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Boxes, and the units in them that the monster can reach (6.21a, 13.28c, 13.28e), on bridges too (5.14g).

    A flier reaches its own box, and helicopters beside it; it throws no lightning farther (C69).
    """
    here = state.monster or ""
    if state.aloft:
        yield here, state.humans_in(here)
    for box in state.board.neighbours[here]:
        units = state.humans_in(box)
        yield box, tuple(unit for unit in units if unit[0] == "h" or not state.aloft)
    if not state.aloft and state.has("lightning-throwing"):
        yield from _far(state, here)


def _far(state: State, here: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Boxes that only lightning reaches, and whom it can see there: over low buildings too (6.21b, 13.13c)."""
    board = state.board
    for box in state.stacks:
        if box == here or box in board.beside[here] or board.range(here, box) > BOLT or _is_tunnel(state, here, box):
            continue
        units = state.humans_in(box)
        is_seen = board.sees(here, box, state.rubble, lightning=True)
        yield box, tuple(unit for unit in units if is_seen or unit[0] == "h")


def _is_tunnel(state: State, *boxes: str) -> bool:
    """Whether one of them is the tunnel, which is fought over from its ends only (5.14f, C64)."""
    return any(state.board.boxes[box].terrain == "tunnel" for box in boxes)


def _needed(state: State, box: str) -> frozenset[str]:
    """Who must have been attacked in this phase before those under cover are, or with them (C45).

    A flier may attack helicopters beside it whoever else is there (C77).
    """
    if state.aloft and box != state.monster:
        return frozenset()
    return frozenset(state.humans_in(box)) - state.attacked


def _is_covered(state: State, units: tuple[str, ...], box: str) -> bool:
    """Whether some of the units are attacked that are under the cover of others (C17)."""
    return any(unit[0] in COVERED for unit in units) and not _needed(state, box) <= set(units)


def _offers(state: State) -> Iterator[Choice]:
    left = strength_left(state)
    if state.fled or not left or state.monster is None:
        return
    for box, units in targets(state):
        open_ = tuple(unit for unit in units if unit[0] not in COVERED)
        if open_:
            yield from _family(state, Subset(open_, 1, len(open_)), open_, left)
        groups = tuple(_groups(state, units, box))
        if groups:
            yield from _family(state, OneOf(groups), units, left)


def _groups(state: State, units: tuple[str, ...], box: str) -> Iterator[tuple[str, ...]]:
    """Groups of which some need cover: with all others that have not been attacked, and any that have."""
    needed = _needed(state, box)
    free = [unit for unit in units if unit not in needed]
    if not needed <= set(units):
        return
    for size in range(len(free) + 1):
        for more in combinations(free, size):
            group = in_order((*needed, *more))
            if any(unit[0] in COVERED for unit in group):
                yield group


def _family(state: State, slot: Subset | OneOf, units: tuple[str, ...], left: int) -> Iterator[Choice]:
    """Attacks on some of these units: the points that they take depend on their defense (6.4c)."""
    weights = {unit: -defense_of(state, (unit,)) for unit in units}
    groups = slot.values if isinstance(slot, OneOf) else [(unit,) for unit in units]
    least = min(-sum(weights[unit] for unit in group) for group in groups)
    low = max(1, -(-least // WORST))
    if low > left:
        return
    told = f"points at least a {WORST}th of their defense"
    bound = Total(("units", "points"), 0, 10_000, {**weights, "points": WORST}, told)
    yield Choice(Strike, bounds=(bound,), units=slot, points=Between(low, left))


# The verb


def _check(state: State, action: Strike) -> Iterator[Refusal]:
    if state.fled:
        yield Refusal("6.24a", "the monster had to retreat and makes no further attack in this phase")
    boxes = {state.at.get(unit) for unit in action.units}
    if not action.units or None in boxes or not set(action.units) <= set(state.humans):
        yield Refusal("2.0b", "only units that are on the map, and the human player's, are attacked")
    elif len(boxes) > 1:
        yield Refusal("C43", "an attack goes into one box")
        yield Refusal("6.23c", "an attack goes into one box")
    else:
        yield from _check_target(state, action, str(boxes.pop()))


def _check_target(state: State, action: Strike, box: str) -> Iterator[Refusal]:
    reached = next((units for target, units in targets(state) if target == box), ())
    if not set(action.units) <= set(reached):
        yield from _why_out_of_reach(state, box)
        return
    if _is_covered(state, action.units, box):
        others = in_order(_needed(state, box).difference(action.units))
        yield Refusal("6.23e", f"{' '.join(others)} in {box} must be attacked as well")
    left, defense = strength_left(state), defense_of(state, action.units)
    if action.points > left:
        yield Refusal("6.23a", f"the monster has {left} attack points left")
        if state.struck:
            yield Refusal("5.33a", f"{state.struck} points are spent in this Player-Turn")
    if action.points * WORST < max(defense, 1):
        yield Refusal("6.4c", f"{action.points} points against {defense} is less than 1-{WORST}")


def _why_out_of_reach(state: State, box: str) -> Iterator[Refusal]:
    here = state.monster or ""
    if state.aloft:
        yield Refusal("13.28c", "in flight the monster attacks units in its own box only, and helicopters beside it")
    elif _is_tunnel(state, here, box):
        yield Refusal("5.14f", "the tunnel is attacked from its end streets only")
    elif not state.has("lightning-throwing"):
        yield Refusal("6.21a", f"{box} is not adjacent to the monster")
    elif state.board.range(here, box) > BOLT:
        yield Refusal("13.13a", f"{box} is {state.board.range(here, box)} boxes away; lightning reaches {BOLT}")
        yield Refusal("6.21b", f"{box} is out of range")
    else:
        yield Refusal("13.13c", f"no line of sight leads to {box} past the high buildings")


def _strike(state: State, action: Strike, dice: Dice) -> Script[State]:
    """One die when the ratio is fixed (6.0c)."""
    box, defense = state.at[action.units[0]], defense_of(state, action.units)
    column = column_of(state, action.points, defense)
    (die,) = dice.throw(need_of(state, f"the monster's attack on {named(action.units)}", column))
    result = result_of(state, column, die)
    bolt = box != state.monster and box not in state.board.beside[state.monster or ""]
    due = tuple(dues_of_strike(state, action.units, result, box))
    state = yield Struck(action.units, action.points, result.column, die, result.cell, due, bolt)
    yield from settle(state)


VERBS = (timed(Strike, PHASE, _strike, offers=_offers, check=_check, late={"monster-move": "4.0e"}),)
