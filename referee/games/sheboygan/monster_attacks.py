"""Combat: results for both sides (6.3); the monster's attacks, beside it and farther with lightning (6.2, 13.13)."""

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.choice import Action, Choice, SumConstraint
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Price, Refusal, refuse_price
from referee.engine.slots import Between, Subset
from referee.engine.target_number import Target
from referee.games.sheboygan.automatic_steps import settle_duties
from referee.games.sheboygan.counters import PieceIds, UnitIds, format_units, sort_units
from referee.games.sheboygan.duties import (
    AnyDuty,
    DamageDuty,
    Duties,
    LossesDuty,
    MonsterRetreatDuty,
    RetreatsDuty,
    SuicideDeathsDuty,
)
from referee.games.sheboygan.monster_movement import count_attack_points_left
from referee.games.sheboygan.order_of_play import make_late_check, make_verb
from referee.games.sheboygan.possible_attacks import LIGHTNING_RANGE, WORST_ODDS, sum_defense
from referee.games.sheboygan.state import Die, EliminationCause, SmallNumber, State
from referee.games.sheboygan.strengths import Strength
from referee.games.sheboygan.tables import EffectOnSide

MONSTER_COMBAT = ("monster-combat",)
MAX_LISTED_UNITS = 8
"""The most units that the name of a roll lists in full."""
COVERED_KINDS = "fhc"
"""The letters of firemen, helicopters and populace: attacked only if all others in their box are (6.23e)."""


# The results of the Combat Results Table for both sides (6.3)


class CombatResult(Struct, frozen=True):
    """A cell of the Combat Results Table, as the options of this game read it (C2)."""

    column: str
    cell: str
    """The cell as printed: left of the slash the attacker's part, right of it the defender's (6.31b)."""
    attacker: EffectOnSide
    defender: EffectOnSide


def find_combat_column(state: State, attack: int, defense: int) -> str:
    """Returns the column of the Combat Results Table for these strengths (6.0b, 6.4a, 6.4b).

    For odds that are too low for the table, it is the first column.
    """
    table = state.board.tables.combat
    return table.find_column(attack, defense) or table.columns[0]


def abbreviate_units(units: tuple[str, ...]) -> str:
    """Returns the names of units for the name of a roll, which must be short: of many units, only the first."""
    return " ".join(units) if len(units) <= MAX_LISTED_UNITS else f"{' '.join(units[:MAX_LISTED_UNITS])} and others"


def make_attack_need(state: State, attack: str, column: str, against: Seat) -> Need:
    """Returns the die of an attack at these odds, with the faces that affect the defender and the attacker (6.0c).

    `against` is the seat that gains from results against the attacker.
    """
    table = state.board.tables.combat
    results = {die: table.find_cell(column, die) for die in range(1, 7)}
    hits = [die for die, result in results.items() if result.defender.loss or result.defender.retreats]
    costs = [die for die, result in results.items() if result.attacker.loss or result.attacker.retreats]
    aims = [Target(min(hits), max(hits), "affects the defender")] if hits else []
    aims += [Target(min(costs), max(costs), "affects the attacker", good_for=against)] if costs else []
    return Need(f"{attack} at {column}", 1, 6, aims=tuple(aims), rule="6.0c")


def find_combat_result(state: State, column: str, die: int) -> CombatResult:
    """Returns the result of an attack at these odds (6.0c, 6.0d)."""
    option = state.options["retreat-result"]
    found = state.board.tables.combat.find_cell(column, die)
    attacker = _read_side(found.attacker, option == "retreat-only")
    return CombatResult(column, found.text, attacker, _read_side(found.defender, option != "loss-and-retreat"))


def _read_side(side: EffectOnSide, no_loss: bool) -> EffectOnSide:
    """Returns the effect on one side. With `no_loss`, a side that retreats loses nothing (C2)."""
    return EffectOnSide(0, True) if side.retreats and no_loss else side


def list_duties_after_monster_attack(
    state: State, units: tuple[str, ...], result: CombatResult, box: str
) -> Iterator[AnyDuty]:
    """Yields the duties after an attack of the monster on units in a box: first the defender's part (6.31c).

    Only attacked units suffer (6.23d). If the box is not adjacent, nothing happens to the monster (6.32e, 13.13b, C13).
    """
    monster = state.monster or ""
    yield from _list_unit_duties(units, result.defender, "attack", monster)
    if box == monster or box in state.board.neighbour_sets[monster]:
        yield from _list_monster_duties(result.attacker)


def list_duties_after_unit_attack(state: State, units: tuple[str, ...], result: CombatResult) -> Iterator[AnyDuty]:
    """Yields the duties after an attack of units on the monster.

    Units that were not adjacent are spared (6.32b, 6.33b). The option mixed-attack may say otherwise (C14).
    """
    yield from _list_monster_duties(result.defender)
    spared = state.options["mixed-attack"] == "adjacent-suffer" or not _list_units_near(state, units)
    yield from _list_unit_duties(
        _list_units_near(state, units) if spared else units, result.attacker, "repulse", state.monster or ""
    )
    yield from _list_suicide_deaths(state, units)


def _list_suicide_deaths(state: State, units: tuple[str, ...]) -> Iterator[AnyDuty]:
    """Yields the death of units that made a suicide assault, which comes after all else (9.0c, C63)."""
    found = tuple(unit for unit in units if unit in state.assaulting)
    if found:
        yield SuicideDeathsDuty(found)


def list_duties_after_control_attack(
    state: State, units: tuple[str, ...], targets: tuple[str, ...], result: CombatResult
) -> Iterator[AnyDuty]:
    """Yields the duties after an attack by or on the unit under control (13.27c, C60)."""
    control = state.control or ""
    here = state.at[control]
    if control in units:
        yield from _list_unit_duties(targets, result.defender, "treason", here)
        if _list_units_near(state, targets, here):
            yield from _list_unit_duties(units, result.attacker, "repulse", state.at[targets[0]])
    else:
        yield from _list_unit_duties(targets, result.defender, "treason", state.at[units[0]])
        yield from _list_unit_duties(_list_units_near(state, units, here), result.attacker, "repulse", here)
        yield from _list_suicide_deaths(state, units)


def _list_units_near(state: State, units: tuple[str, ...], box: str | None = None) -> tuple[str, ...]:
    """Returns those of these units that are in a box or beside it. If no box is named, it is the monster's box."""
    centre = box or state.monster or ""
    return tuple(
        unit for unit in units if state.at[unit] == centre or state.at[unit] in state.board.neighbour_sets[centre]
    )


def _list_monster_duties(side: EffectOnSide) -> Iterator[AnyDuty]:
    if side.loss:
        yield DamageDuty(side.loss)
    if side.retreats:
        yield MonsterRetreatDuty()


def _list_unit_duties(
    units: tuple[str, ...], side: EffectOnSide, cause: EliminationCause, away: str
) -> Iterator[AnyDuty]:
    if units and side.loss:
        yield LossesDuty(units, side.loss, cause)
    if units and side.retreats:
        yield RetreatsDuty(units, away)


# The units that the monster can attack


class AttackMadeByMonster(Event, frozen=True, tag="struck"):
    """The monster has attacked units (6.23a)."""

    units: UnitIds
    strength: SmallNumber
    column: str
    die: Die
    result: str
    due: Duties
    bolt: bool = False
    """True if it threw lightning, which everybody sees (13.13a)."""

    def tell(self) -> str:
        """Tells which units were attacked, and the result."""
        bolt = "Lightning strikes" if self.bolt else "The monster attacks"
        how = f"{self.column}, die {self.die}, result {self.result}"
        return f"{bolt} {format_units(self.units)} with {self.strength}: {how}."

    def apply(self, state: State) -> State:
        """Spends the points, and makes the results due."""
        known = (*state.known, "lightning-throwing") if self.bolt else state.known
        return replace(
            state,
            struck=state.struck + self.strength,
            attacked=state.attacked.union(self.units),
            known=tuple(dict.fromkeys(known)),
            due=self.due,
        )


class StrikeWithMonster(Action, frozen=True, tag="strike"):
    """Attack units in one box with a number of points of attack strength, or with all (6.22a, 6.23a, 6.23b, C43)."""

    says = "attack {units} with {points}"
    units: PieceIds
    points: Strength


def list_monster_targets(state: State) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields boxes, each with the units there that the monster can attack (6.21a, 13.28c, 13.28e), perhaps none.

    Units on bridges can be attacked too (5.14g). In flight the monster can attack its own box, and helicopters beside
    it, but throw no lightning farther (C69).
    """
    here = state.monster or ""
    if state.aloft:
        yield here, state.list_humans_in(here)
    for box in state.board.neighbours[here]:
        units = state.list_humans_in(box)
        yield box, tuple(unit for unit in units if unit[0] == "h" or not state.aloft)
    if not state.aloft and state.has_ability("lightning-throwing"):
        yield from _list_lightning_targets(state, here)


def _list_lightning_targets(state: State, here: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields boxes that only lightning reaches, each with the units in sight over low buildings (6.21b, 13.13c)."""
    board = state.board
    for box in state.units_by_box:
        if (
            box == here
            or box in board.neighbour_sets[here]
            or board.measure_range(here, box) > LIGHTNING_RANGE
            or _is_tunnel(state, here, box)
        ):
            continue
        units = state.list_humans_in(box)
        is_seen = board.is_in_sight(here, box, state.rubble, lightning=True)
        yield box, tuple(unit for unit in units if is_seen or unit[0] == "h")


def _is_tunnel(state: State, *boxes: str) -> bool:
    """True if one of the boxes is the tunnel, which can be attacked from its ends only (5.14f, C64)."""
    return any(state.board.boxes[box].terrain == "tunnel" for box in boxes)


def _find_needed_units(state: State, box: str) -> frozenset[str]:
    """Returns the units in a box that must still be attacked, before or together with covered units (C45).

    In flight the monster may attack helicopters beside it whatever else is there (C77).
    """
    if state.aloft and box != state.monster:
        return frozenset()
    return frozenset(state.list_humans_in(box)) - state.attacked


def _is_covered(state: State, units: tuple[str, ...], box: str) -> bool:
    """True if some of the units are still covered by others that are not among them (C17)."""
    return any(unit[0] in COVERED_KINDS for unit in units) and not _find_needed_units(state, box) <= set(units)


def _offer_strike(state: State) -> Iterator[Choice]:
    left = count_attack_points_left(state)
    if state.fled or not left or state.monster is None:
        return
    for box, units in list_monster_targets(state):
        slot = _find_groups(units, _find_needed_units(state, box))
        if slot.values:
            yield from _offer_groups(state, slot, units, left)


def _find_groups(units: tuple[str, ...], needed: frozenset[str]) -> Subset:
    """Returns every group that these units can attack. A group with a covered unit holds all `needed` units (6.23e)."""
    covered = tuple(unit for unit in units if unit[0] in COVERED_KINDS)
    if not covered or not needed:
        return Subset(units, 1, len(units))
    if needed <= set(units):
        return Subset(units, 1, len(units), covered=covered, cover=sort_units(needed))
    open_ = tuple(unit for unit in units if unit not in covered)
    return Subset(open_, 1, len(open_))


def _offer_groups(state: State, slot: Subset, units: tuple[str, ...], left: int) -> Iterator[Choice]:
    """Offers attacks on groups of these units. The points that an attack needs depend on the group's defense (6.4c)."""
    weights = {unit: -sum_defense(state, (unit,)) for unit in units}
    low = max(1, -(-_find_weakest_defense(slot, weights) // WORST_ODDS))
    if low > left:
        return
    known = f"points at least a {WORST_ODDS}th of their defense"
    bound = SumConstraint(("units", "points"), 0, 10_000, {**weights, "points": WORST_ODDS}, known)
    yield Choice(StrikeWithMonster, bounds=(bound,), units=slot, points=Between(low, left))


def _find_weakest_defense(slot: Subset, weights: Mapping[str, int]) -> int:
    """Returns the defense of the weakest group that can be attacked."""
    alone = [-weights[unit] for unit in slot.values if unit not in slot.covered]
    together = [-sum(weights[unit] for unit in slot.cover)] if slot.cover else []
    return min(alone + together)


# The verb


def _check_strike(state: State, action: StrikeWithMonster) -> Iterator[Refusal]:
    if state.fled:
        yield Refusal("6.24a", "the monster had to retreat and makes no further attack in this phase")
    boxes = {state.at.get(unit) for unit in action.units}
    if not action.units or None in boxes or not set(action.units) <= set(state.human_units):
        yield Refusal("2.0b", "the monster attacks only the human player's units on the map")
    elif len(boxes) > 1:
        yield Refusal("C43", "an attack is made on one box")
        yield Refusal("6.23c", "an attack is made on one box")
    else:
        yield from _check_target(state, action, str(boxes.pop()))


def _check_target(state: State, action: StrikeWithMonster, box: str) -> Iterator[Refusal]:
    reached = next((units for target, units in list_monster_targets(state) if target == box), ())
    if not set(action.units) <= set(reached):
        yield from _refuse_out_of_reach(state, box)
        return
    if _is_covered(state, action.units, box):
        others = sort_units(_find_needed_units(state, box).difference(action.units))
        yield Refusal("6.23e", f"{' '.join(others)} in {box} must be attacked as well")
    left, defense = count_attack_points_left(state), sum_defense(state, action.units)
    if action.points > left:
        yield refuse_price("6.23a", Price(action.points, left, "attack point", "the monster"))
        if state.struck:
            yield Refusal("5.33a", f"{state.struck} points are spent in this Player-Turn")
    if action.points * WORST_ODDS < max(defense, 1):
        yield Refusal("6.4c", f"{action.points} points against {defense} is less than 1-{WORST_ODDS}")


def _refuse_out_of_reach(state: State, box: str) -> Iterator[Refusal]:
    here = state.monster or ""
    if state.aloft:
        yield Refusal("13.28c", "in flight the monster attacks units in its own box only, and helicopters beside it")
    elif _is_tunnel(state, here, box):
        yield Refusal("5.14f", "the tunnel can be attacked only from its end streets")
    elif not state.has_ability("lightning-throwing"):
        yield Refusal("6.21a", f"{box} is not adjacent to the monster")
    elif state.board.measure_range(here, box) > LIGHTNING_RANGE:
        yield Refusal(
            "13.13a", f"{box} is {state.board.measure_range(here, box)} boxes away; lightning reaches {LIGHTNING_RANGE}"
        )
        yield Refusal("6.21b", f"{box} is out of range")
    else:
        yield Refusal("13.13c", f"no line of sight leads to {box} past the high buildings")


def _resolve_strike(state: State, action: StrikeWithMonster, dice: Dice) -> Script[State]:
    """Rolls one die at the odds of the attack (6.0c), and carries out its results."""
    box, defense = state.at[action.units[0]], sum_defense(state, action.units)
    column = find_combat_column(state, action.points, defense)
    (die,) = dice.throw(
        make_attack_need(state, f"the monster's attack on {abbreviate_units(action.units)}", column, "human")
    )
    result = find_combat_result(state, column, die)
    bolt = box != state.monster and box not in state.board.neighbour_sets[state.monster or ""]
    due = tuple(list_duties_after_monster_attack(state, action.units, result, box))
    state = yield AttackMadeByMonster(action.units, action.points, result.column, die, result.cell, due, bolt)
    yield from settle_duties(state)


VERBS = (
    make_verb(
        StrikeWithMonster,
        MONSTER_COMBAT,
        _resolve_strike,
        offers=_offer_strike,
        check=_check_strike,
        late=make_late_check("4.0e", ("monster-move",)),
    ),
)
