"""Special abilities that have a verb of their own: fear, blinding light, mind control (13.23, 13.24, 13.27)."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf, Subset
from referee.games.sheboygan.automatic_steps import settle_duties
from referee.games.sheboygan.counters import MONSTER, PieceId, PieceIds, UnitId, format_units
from referee.games.sheboygan.notation import Reader, make_reader
from referee.games.sheboygan.order_of_play import make_late_check, make_verb
from referee.games.sheboygan.possible_attacks import FEAR_RANGE, MAX_FLASHES
from referee.games.sheboygan.state import State
from referee.games.sheboygan.turns import begin_human_turn

MAX_FEAR_VICTIMS = 2
"""The most units that fear immobilizes in a turn (13.23a)."""


def can_monster_see(state: State, unit: str) -> bool:
    """True if the monster has a line of sight to a unit. A helicopter is always in its sight (C59)."""
    here = state.monster
    return here is not None and (unit[0] == "h" or state.board.is_in_sight(here, state.at[unit], state.rubble))


# Fear


class UnitsImmobilized(Event, frozen=True, tag="feared"):
    """Units are immobilized with fear (13.23a)."""

    units: Annotated[tuple[UnitId, ...], Meta(min_length=1, max_length=2)]

    def tell(self) -> str:
        """Tells which units cannot move."""
        return f"Out of fear, {format_units(self.units)} cannot move in this Human Movement Phase."

    def apply(self, state: State) -> State:
        """Immobilizes the units for this phase, and makes the ability known."""
        return replace(state, feared=self.units, known=state.list_known_abilities_with("fear-immobilization"))


class FillUnitsWithFear(Action, frozen=True, tag="fear"):
    """End the monster's attacks, and immobilize one or two units when the Human Movement Phase begins (13.23a)."""

    says = "fear {units}"
    units: PieceIds


def _list_fear_targets(state: State) -> tuple[str, ...]:
    """Returns the units that fear can immobilize: those within three boxes and in sight (13.23c)."""
    if state.monster is None or not state.has_ability("fear-immobilization"):
        return ()
    board, here = state.board, state.monster
    return tuple(
        unit
        for unit in state.human_units
        if board.measure_range(here, state.at[unit]) <= FEAR_RANGE and can_monster_see(state, unit)
    )


def _offer_fear(state: State) -> Iterator[Choice]:
    units = _list_fear_targets(state)
    if units:
        yield Choice(FillUnitsWithFear, units=Subset(units, 1, min(MAX_FEAR_VICTIMS, len(units))))


def _check_fear(state: State, action: FillUnitsWithFear) -> Iterator[Refusal]:
    if not state.has_ability("fear-immobilization"):
        yield Refusal("13.23a", "the monster cannot spread fear")
    elif len(action.units) > MAX_FEAR_VICTIMS or not action.units:
        yield Refusal("13.23a", f"fear affects one or {MAX_FEAR_VICTIMS} units")
    else:
        yield from (refusal for unit in action.units for refusal in _refuse_fearless_unit(state, unit))


def _refuse_fearless_unit(state: State, unit: str) -> Iterator[Refusal]:
    if unit not in state.human_units:
        yield Refusal("2.0b", f"{unit} is not a unit of the human player on the map")
    elif state.board.measure_range(state.monster or "", state.at[unit]) > FEAR_RANGE:
        yield Refusal("13.23a", f"{unit} is not within {FEAR_RANGE} boxes")
    elif not can_monster_see(state, unit):
        yield Refusal("13.23c", f"buildings block every line of sight to {unit} in {state.at[unit]}")


def _spread_fear(state: State, action: FillUnitsWithFear, _dice: Dice) -> Script[State]:
    """Immobilizes units and begins the Human Movement Phase. The units may still attack (13.23d)."""
    state = yield UnitsImmobilized(action.units)
    yield from begin_human_turn(state)


# Blinding light


class MonsterFlashed(Event, frozen=True, tag="flashed"):
    """A flash of blinding light (13.24a)."""

    told = "A flash of blinding light: nobody attacks the monster in this turn."

    def apply(self, state: State) -> State:
        """Forbids attacks on the monster in the Human Combat Phase of this Game-Turn (13.24b)."""
        return replace(
            state, flashed=True, flashes=state.flashes + 1, known=state.list_known_abilities_with("blinding-light")
        )


class FlashBlindingLight(Action, frozen=True, tag="flash"):
    """Flash with blinding light: in this turn no unit attacks the monster (13.24a, 13.24b, C32)."""

    says = "flash"


def _check_flash(state: State, _action: FlashBlindingLight) -> Iterator[Refusal]:
    if not state.has_ability("blinding-light"):
        yield Refusal("13.24a", "the monster does not have blinding light")
    elif state.monster is None:
        yield Refusal("3.2g", "the monster has not entered the map")
    elif state.flashes >= MAX_FLASHES:
        yield Refusal("13.24a", f"the monster has already flashed {MAX_FLASHES} times in this game")
    elif state.flashed:
        yield Refusal("C32", "the monster has already flashed in this turn")


def _flash_monster(_state: State, _action: FlashBlindingLight, _dice: Dice) -> Script[State]:
    yield MonsterFlashed()


# Mind control


class UnitControlled(Event, frozen=True, tag="controlled"):
    """A unit was taken over (13.27a)."""

    told = "The monster player takes over {unit}."
    unit: UnitId

    def apply(self, state: State) -> State:
        """Puts the unit under the monster's control, and makes the ability known."""
        return replace(state, control=self.unit, controlled=True, known=state.list_known_abilities_with("mind-control"))


class ControlUnit(Action, frozen=True, tag="control"):
    """Take over a human unit in sight, once in the game (13.27a)."""

    says = "control {unit}"
    unit: PieceId


def _list_control_targets(state: State) -> tuple[str, ...]:
    """Returns the units that can be taken over: those in sight (13.27b)."""
    if state.monster is None or state.controlled or not state.has_ability("mind-control"):
        return ()
    return tuple(unit for unit in state.at if can_monster_see(state, unit))


def _offer_control(state: State) -> Iterator[Choice]:
    units = _list_control_targets(state)
    if units:
        yield Choice(ControlUnit, unit=OneOf(units))


def _check_control(state: State, action: ControlUnit) -> Iterator[Refusal]:
    if not state.has_ability("mind-control"):
        yield Refusal("13.27a", "the monster does not have mind control")
    elif state.monster is None:
        yield Refusal("3.2g", "the monster has not entered the map")
    elif state.controlled:
        rule = "13.27a" if state.control else "13.27f"
        yield Refusal(rule, "the monster has already taken over a unit in this game")
    elif action.unit == MONSTER:
        yield Refusal("13.27a", f"{action.unit} is the monster, not a unit")
    elif action.unit not in state.at:
        yield Refusal("2.0b", f"{action.unit} is not on the map")
    elif action.unit not in _list_control_targets(state):
        yield Refusal("13.27b", f"buildings block every line of sight to {action.unit} in {state.at[action.unit]}")


def _control_unit(state: State, action: ControlUnit, _dice: Dice) -> Script[State]:
    """Takes over a unit. The monster keeps it, even out of sight, until the unit is lost or the monster dies
    (13.27d, 13.27e).

    The unit is no longer a human unit. If it was the last one, the game is over at once (C60, 14.1b).
    """
    state = yield UnitControlled(action.unit)
    yield from settle_duties(state)


VERBS = (
    make_verb(
        ControlUnit,
        ("monster-move",),
        _control_unit,
        offers=_offer_control,
        check=_check_control,
        read=make_reader(ControlUnit, Reader.read_unit),
    ),
    make_verb(
        FillUnitsWithFear,
        ("monster-combat",),
        _spread_fear,
        offers=_offer_fear,
        check=_check_fear,
        late=make_late_check("13.23a", ("human-move",)),
        read=make_reader(FillUnitsWithFear, Reader.read_units),
    ),
    make_verb(
        FlashBlindingLight,
        ("monster-move", "monster-combat"),
        _flash_monster,
        check=_check_flash,
        late=make_late_check("C32"),
    ),
)
