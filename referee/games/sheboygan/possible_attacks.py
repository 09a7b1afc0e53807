"""The attacks that are possible: strengths, range and sight (6.1, 6.4, 9.0, 13.26), and when nobody can attack."""

from collections.abc import Iterator

from msgspec import Struct

from referee.engine.rulebook import Refusal
from referee.games.sheboygan.counters import MONSTER
from referee.games.sheboygan.options import Ability
from referee.games.sheboygan.state import State

WORST_ODDS = 5
"""The worst odds at which an attack may be made: 1 to this number (6.4c)."""
LIGHTNING_RANGE = 3
"""The range of lightning, in boxes (13.13a)."""
FEAR_RANGE = 3
"""The range within which fear immobilizes units, in boxes (13.23a)."""
MAX_FLASHES = 2
"""The most flashes of blinding light in a game (13.24a)."""


# Strengths


def sum_defense(state: State, units: tuple[str, ...]) -> int:
    """Returns the total defense of units: doubled in buildings and the tunnel (5.4k), not for helicopters (5.4j)."""
    effects = state.board.tables.terrain
    total = 0
    for unit in units:
        factor = 1 if unit[0] == "h" else effects[state.get_terrain(state.at[unit])].factor
        total += state.get_unit_type(unit).strength * factor
    return total


def sum_attack_strength(state: State, units: tuple[str, ...]) -> int:
    """Returns the total combat strength of units, doubled for suicide assaults (9.0b)."""
    return sum(state.get_unit_type(unit).strength * (1 + (unit in state.assaulting)) for unit in units)


# Range and sight


def is_in_or_beside(state: State, unit: str, box: str) -> bool:
    """True if a unit is in a box or next to it."""
    return state.at[unit] == box or state.at[unit] in state.board.neighbour_sets[box]


def can_attack_into(state: State, unit: str, box: str) -> bool:
    """True if a unit can attack into a box.

    A unit always reaches adjacent boxes (6.11a, 13.28d). Other boxes must be in range and in sight (6.11b), also to
    attack a monster in flight (C70). Nothing blocks a helicopter's sight (8.0g), except into the tunnel or out of it.
    """
    here = state.at[unit]
    if is_in_or_beside(state, unit, box):
        return True
    if state.board.measure_range(box, here) > state.get_unit_type(unit).range or _is_tunnel_involved(state, here, box):
        return False
    return unit[0] == "h" or state.board.is_in_sight(here, box, state.rubble)


def _is_tunnel_involved(state: State, here: str, box: str) -> bool:
    """True if one of two boxes is the tunnel."""
    return "tunnel" in (state.board.boxes[here].terrain, state.board.boxes[box].terrain)


def refuse_out_of_reach(state: State, unit: str, box: str) -> Refusal | None:
    """Returns the refusal if a unit cannot attack into a box; None if it can."""
    if can_attack_into(state, unit, box):
        return None
    here, kind = state.at[unit], state.get_unit_type(unit)
    if _is_tunnel_involved(state, here, box):
        return Refusal("5.14f", "attacks into or out of the tunnel go only between its end streets")
    away = state.board.measure_range(box, here)
    if kind.range < away:
        rule = "6.11b" if kind.range == 1 else "6.13a"
        return Refusal(rule, f"{unit} in {here} is {away} boxes away from {box}; its range is {kind.range}")
    return Refusal("6.12b", f"buildings block every line of sight from {here} to {box}")


def refuse_attacker(state: State, unit: str) -> Refusal | None:
    """Returns the refusal if a unit cannot attack anybody in this phase; None if it can."""
    if unit == MONSTER:
        return Refusal("6.0a", f"{unit} is the monster, not a unit")
    if unit not in state.at:
        return Refusal("2.0b", f"{unit} is not on the map")
    if unit == state.control and state.phase == "human-combat":
        return Refusal("13.27c", f"{unit} is under the monster's control")
    if unit != state.control and state.phase == "monster-combat":
        return Refusal("4.0b", f"{unit} attacks in the Human Combat Phase")
    if not state.get_unit_type(unit).combat:
        return Refusal("6.11c", f"{state.get_unit_type(unit).type} never attacks: its strength is in brackets")
    if unit in state.caught:
        return Refusal("13.22d", f"{unit} is cutting its way out of a web")  # not after its second phase (C78)
    if unit in state.fought:
        return Refusal("C44", f"{unit} has already attacked in this phase")
    return None


def list_possible_attackers(state: State, box: str) -> tuple[str, ...]:
    """Returns the units of the human player that can attack into a box now."""
    return tuple(
        unit for unit in state.human_units if can_attack_into(state, unit, box) and not refuse_attacker(state, unit)
    )


# Together


class AttackGroup(Struct, frozen=True):
    """Units that can attack one target together: all of them, or any part."""

    target: tuple[str, ...]
    """The target: the monster, or the unit under its control."""
    units: tuple[str, ...]
    strengths: dict[str, int]
    """The combat strength of each unit."""
    least_strength: int
    """The least strength that an attack on the target needs (6.4c)."""


def has_known_radiation(state: State, target: tuple[str, ...]) -> bool:
    """True if known radiation keeps units of several boxes from attacking this target together (13.26a)."""
    return target == (MONSTER,) and "radiation" in state.known


def list_attack_groups(state: State) -> Iterator[AttackGroup]:
    """Yields the groups of units that can attack together in the Human Combat Phase, each with its target.

    After a flash of blinding light nobody attacks the monster (13.24b).
    """
    if state.monster and not state.flashed:
        yield from _list_groups_with_strength(
            state, (MONSTER,), list_possible_attackers(state, state.monster), state.defense
        )
    if state.control:
        target, box = (state.control,), state.at[state.control]
        yield from _list_groups_with_strength(
            state, target, list_possible_attackers(state, box), sum_defense(state, target)
        )


def _list_groups_with_strength(
    state: State, target: tuple[str, ...], units: tuple[str, ...], defense: int
) -> Iterator[AttackGroup]:
    """Yields the groups that can attack: all units (6.14a), or under radiation those of each box (13.26a, 13.26b).

    Groups that are too weak for the worst odds are left out.
    """
    by_box: dict[str, list[str]] = {}
    for unit in units:
        by_box.setdefault(state.at[unit] if has_known_radiation(state, target) else "", []).append(unit)
    for group in by_box.values():
        weights = {unit: sum_attack_strength(state, (unit,)) for unit in group}
        least = -(-defense // WORST_ODDS)
        if sum(weights.values()) >= least:
            yield AttackGroup(target, tuple(group), weights, least)


# Suicide assaults


def list_suicide_candidates(state: State) -> Iterator[str]:
    """Yields infantry that can make a suicide assault. Several units may (C63); the others fight as usual (9.0a)."""
    if state.monster and not state.flashed:
        for unit in state.human_units:
            if unit[0] == "i" and not refuse_suicide(state, unit):
                yield unit


def refuse_suicide(state: State, unit: str) -> Refusal | None:
    """Returns the refusal if a unit cannot make a suicide assault (9.0b); None if it can."""
    idle = refuse_attacker(state, unit)
    if idle:
        return idle
    if unit[0] != "i":
        return Refusal("9.0b", f"{unit} is not infantry")
    if unit in state.assaulting:
        return Refusal("9.0b", f"{unit} has already declared a suicide assault")
    if not state.monster or not is_in_or_beside(state, unit, state.monster):
        return Refusal("9.0b", f"{unit} is not adjacent to the monster")
    return None


# When there is nothing to be done, as everybody can see


def can_humans_attack(state: State) -> bool:
    """True if any unit can attack, or make a suicide assault, in the Human Combat Phase."""
    return any(list_attack_groups(state)) or any(list_suicide_candidates(state))


def can_monster_act_in_combat(state: State) -> bool:
    """True if the monster's player could do anything in the Monster Combat Phase, as far as everybody knows.

    The monster attacks units beside it, or uses an ability that it has or may have (13.13a, 13.23a, 13.24a, 13.27c).
    """
    here = state.monster
    if here is None:
        return False
    if not state.fled and any(state.list_humans_in(box) for box in (here, *state.board.neighbours[here])):
        return True
    traitor = state.control is not None and state.control not in state.fought
    flash = _can_monster_have(state, "blinding-light") and state.flashes < MAX_FLASHES and not state.flashed
    return traitor or flash or (_has_reach(state) and _are_near(state, here))


def _are_near(state: State, here: str) -> bool:
    """True if any human unit is so near to the box `here` that lightning or fear could reach it."""
    return any(
        state.board.measure_range(here, state.at[unit]) <= max(LIGHTNING_RANGE, FEAR_RANGE)
        for unit in state.human_units
    )


def _has_reach(state: State) -> bool:
    """True if the monster may have an ability that reaches units beyond the adjacent boxes."""
    return _can_monster_have(state, "fear-immobilization") or (
        not state.fled and _can_monster_have(state, "lightning-throwing")
    )


def _can_monster_have(state: State, ability: Ability) -> bool:
    """True if the monster may have an ability, as far as everybody knows."""
    return state.can_have_ability(ability) and ability not in state.lacking
