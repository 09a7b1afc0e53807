"""The Engaged boxes: both players lay out the units of a Round, pair by pair (V.B.3)."""

from collections.abc import Iterator
from typing import Any

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.slots import Ordered
from referee.engine.text import count_of, spell_number
from referee.games.mutants.board import Side, compact_names
from referee.games.mutants.notation import Reader, check_side, check_unit_names
from referee.games.mutants.order_of_play import LateCheck, SeatCheck
from referee.games.mutants.phases import COMBAT_PHASES
from referee.games.mutants.state import ENGAGED_BOX_COUNT, Combat, State, UnitIds, find_other_side

KINDS_IN_RISING_VALUE = ("janibot", "guard", "tech", "radioactive", "normal", "leader")
"""The kinds of units of both sides, from the least to the most important for the end of the game (M66)."""


def count_pairs(state: State, combat: Combat) -> int:
    """Returns the number of pairs in this Round: all units of the smaller side, up to five (V.B.2-a, V.B.3-c, M37)."""
    return min(ENGAGED_BOX_COUNT, *(len(state.list_fighters(side, combat.room)) for side in ("human", "mutant")))


def make_combat_stage_check(check: SeatCheck) -> LateCheck:
    """Returns the check `late` of a verb that may be used only in one stage of a Combat.

    During a Combat, `check` yields the refusals. Before a Combat, the player must first choose its room (V.B-a).
    """

    def late(state: State, seat: Seat, _action: Action) -> Iterator[Refusal]:
        if state.combat:
            yield from check(state, seat)
        elif state.phase in COMBAT_PHASES:
            yield Refusal("V.B-a", f"the {state.last_mover} player first chooses the room of the next Combat")

    return late


class UnitsEngaged(Event, frozen=True, tag="engaged"):
    """A player has filled the Engaged boxes of one side."""

    evident = True

    side: Side
    units: UnitIds
    reserve: UnitIds

    def tell(self) -> str:
        """Tells the players which unit lies in which box, and which are left over."""
        left = f"; in Reserve: {compact_names(self.reserve)}" if self.reserve else ""
        return f"Engaged for the {self.side} side, from box 1: {' '.join(self.units)}{left}."

    def apply(self, state: State) -> State:
        """Fills the boxes of the side. The other side's boxes come next, then the dice."""
        if state.combat and state.combat.first == self.side:
            return state.change_combat(laid=self.units, stage="pair", may_retreat=False)
        return state.change_combat(paired=self.units, stage="resolve")


class LayOutUnits(Action, frozen=True, tag="lay"):
    """Lay out units in your Engaged boxes, from box 1 on (V.B.3-c)."""

    says = "lay {units}"
    units: UnitIds


class PairOffUnits(Action, frozen=True, tag="pair"):
    """Put units opposite the enemy's Engaged boxes, from box 1 on (V.B.3-d)."""

    says = "pair {units}"
    units: UnitIds


def _make_boxes_verb(kind: type[LayOutUnits | PairOffUnits], stage: str) -> Verb[State, Any]:
    """Returns the verb that fills one of the two rows of boxes."""

    def offers(state: State, seat: Seat) -> Iterator[Choice]:
        yield Choice(kind, units=list_units_for_boxes(state, state.current_combat, seat))

    def read(reader: Reader) -> LayOutUnits | PairOffUnits:
        return kind(_read_boxes(reader, kind))

    @make_combat_stage_check
    def late(state: State, seat: Seat) -> Iterator[Refusal]:
        combat = state.current_combat
        if combat.stage == "pursue":
            yield Refusal("OPT.IV.A.1-a", "one side has left the Combat; first pursue or hold")
        elif seat != find_side_that_fills_boxes(combat, kind):
            yield _make_order_refusal(state, combat, stage)
        else:
            yield Refusal("V.B.3-d" if stage == "pair" else "V.B.3-c", f"this Round waits for: {combat.stage}")

    def theirs(state: State) -> Iterator[Refusal]:
        yield _make_order_refusal(state, state.current_combat, stage)

    return Verb(kind, (stage,), offers, _check_engaged, _engage_units, read=read, late=late, theirs=theirs)


def find_side_that_fills_boxes(combat: Combat, kind: type[LayOutUnits | PairOffUnits]) -> Side:
    """Returns the side that fills its boxes by this kind of action."""
    return combat.first if kind is LayOutUnits else find_other_side(combat.first)


def _read_boxes(reader: Reader, kind: type[LayOutUnits | PairOffUnits]) -> tuple[str, ...]:
    """Reads the units for the boxes. If the player types "auto" instead, the referee picks the units of that player
    (M66).
    """
    state, combat = reader.state, reader.state.combat
    boxes = (
        list_units_for_boxes(state, combat, find_side_that_fills_boxes(combat, kind)) if combat else Ordered((), 0, 0)
    )
    if not reader.read_word_if_last("auto"):
        return reader.read_units_as_typed(lambda: boxes.values)
    return pick_least_valuable_units(state, boxes)


def pick_least_valuable_units(state: State, boxes: Ordered) -> tuple[str, ...]:
    """Returns the units that "auto" puts into the boxes: the least valuable ones, from box 1 (M66)."""
    return tuple(sorted(boxes.values, key=lambda unit: rate_unit(state, unit))[: boxes.most])


def rate_unit(state: State, unit: str) -> tuple[int, int]:
    """Returns a unit's value for "auto"; lower values fight first (M66).

    The kind counts first: Leaders and Techs, who count most in the Tech Room at the end, come last. Then units with a
    lower Hit Number come first.
    """
    found = state.board.units[unit]
    return KINDS_IN_RISING_VALUE.index(found.kind), found.hit_number


def list_units_for_boxes(state: State, combat: Combat, side: Seat) -> Ordered:
    """Returns the units that may fill the Engaged boxes of a side: any of its units in the room (V.B.3-f)."""
    count = len(combat.laid) or count_pairs(state, combat)
    return Ordered(state.list_fighters(side, combat.room), count, count)


def _make_order_refusal(state: State, combat: Combat, stage: str) -> Refusal:
    human, mutant = (len(state.list_fighters(side, combat.room)) for side in ("human", "mutant"))
    counts = f"{human} on the Human side, {count_of(mutant, 'Mutant')}"
    if stage == "pair":
        return Refusal("V.B.3-d", f"the {find_other_side(combat.first)} player pairs off ({counts})")
    rule = "V.B.3-b" if human == mutant else "V.B.3-a"
    return Refusal(rule, f"the {combat.first} player lays out first ({counts})")


def _check_engaged(state: State, seat: Seat, action: LayOutUnits | PairOffUnits) -> Iterator[Refusal]:
    combat, units = state.current_combat, action.units
    unknown = list(check_unit_names(state, state.board.sort_units(set(units))))
    if unknown:
        yield from unknown
        return
    here = state.list_fighters(seat, combat.room)
    yield from check_side(state, seat, dict.fromkeys(units))
    for unit in dict.fromkeys(units):
        if state.is_captive(unit):
            yield Refusal("OPT.VI.C-b", "penny is a captive and cannot fight")
        elif state.board.find_side(unit) == seat and unit not in here:
            yield Refusal("V.B.1-a", f"{unit} is not in {combat.room}")
    if len(set(units)) < len(units):
        yield Refusal("V.B.3-c", "a unit can lie in only one box")
    wanted = len(combat.laid) or count_pairs(state, combat)
    if len(units) > ENGAGED_BOX_COUNT:
        yield Refusal("V.B.2-a", f"there are {spell_number(ENGAGED_BOX_COUNT)} Engaged boxes, not {len(units)}")
    if len(units) != wanted:
        yield Refusal("V.B.3-d" if combat.laid else "V.B.3-c", f"{count_of(wanted, 'box', 'boxes')} must be filled")


def _engage_units(state: State, _seat: Seat, action: LayOutUnits | PairOffUnits, _dice: Dice) -> Script[State]:
    """Fills the boxes; units left over are in Reserve (V.B.2-b, V.B.3-e)."""
    side = find_side_that_fills_boxes(state.current_combat, type(action))
    reserve = tuple(unit for unit in state.list_fighters(side, state.current_combat.room) if unit not in action.units)
    yield UnitsEngaged(side, action.units, reserve)


VERBS = (_make_boxes_verb(LayOutUnits, "lay"), _make_boxes_verb(PairOffUnits, "pair"))
