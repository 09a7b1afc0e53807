"""Duties, which come before everything else (6.0e, 6.31c). `automatic_steps` carries out those that leave no choice.

Losses and retreats that an owner chooses are here too. The duties of the monster's player to note or tell something are
carried out in `monster_record`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf, Subset
from referee.engine.text import count_of, spell_number
from referee.games.sheboygan.automatic_steps import settle_duties
from referee.games.sheboygan.counters import (
    MONSTER,
    STACKING_LIMIT,
    PieceId,
    PieceIds,
    UnitId,
    UnitIds,
    format_units,
    sort_units,
)
from referee.games.sheboygan.notation import Reader, TypedBox, make_reader
from referee.games.sheboygan.options import HUMAN_SEAT, Ability
from referee.games.sheboygan.order_of_play import make_verb
from referee.games.sheboygan.state import BoxName, Duty, EliminationCause, Points, SmallNumber, State
from referee.games.sheboygan.terrain import NO_BOXES
from referee.games.sheboygan.victory import count_victory_points, describe_victory_points


class DutyDone(Event, frozen=True, tag="done"):
    """The first of the duties has been done."""

    told = "That is done."
    announces = True

    def apply(self, state: State) -> State:
        """Removes the first duty."""
        return replace(state, due=state.due[1:])


# Losses of units


CAUSE_WORDS: Mapping[str, str] = {
    "attack": "destroyed by the monster",
    "treason": "destroyed",
    "repulse": "lost in the attack",
    "no-retreat": "destroyed: there is no box to retreat to",
    "suicide": "lost in the suicide assault",
    "overrun": "overrun by the monster",
    "bridge": "lost with the bridge",
    "grabbed": "grabbed and eaten by the monster",
    "flames": "lost in flames",
    "crushed": "crushed by the falling monster",
}
"""The words for each cause of an elimination."""


class UnitsEliminated(Event, frozen=True, tag="eliminated"):
    """Units were eliminated, and scored Victory Points."""

    units: UnitIds
    cause: EliminationCause
    points: Points
    """Victory Points."""
    grows: SmallNumber = 0
    """The points by which the monster may grow."""

    def tell(self) -> str:
        """Tells which units to take off, why, and the points that they score."""
        why = f"{CAUSE_WORDS[self.cause]}.{describe_victory_points(self.points)}"
        return f"Take {format_units(self.units)} off the map: {why}"

    def apply(self, state: State) -> State:
        """Takes the units off the map, and scores. If the monster may grow, growth becomes a duty."""
        changes = dict(state.compute_fields_without_units(self.units))
        if self.grows:
            changes["due"] = (*changes["due"], GrowthDuty(self.grows))
        lost = state.lost + self.units
        return replace(state, **changes, lost=lost, points=state.points + self.points)


def eliminate_units(state: State, units: Iterable[str], cause: EliminationCause) -> UnitsEliminated:
    """Returns the event that eliminates units, with their Victory Points and the points for the monster's growth."""
    gone = sort_units(units)
    return UnitsEliminated(gone, cause, count_victory_points(state, gone, cause), _count_growth_by(state, gone, cause))


def _count_growth_by(state: State, gone: tuple[str, ...], cause: EliminationCause) -> int:
    """Returns the points for growth, which only units beside the monster or in its own box give (14.25c, C5).

    Returns 0 if the monster does not grow in this scenario, or did not destroy the units by its own attack.
    """
    if not state.scenario.monster_grows or cause not in ("attack", "overrun"):
        return 0
    near = {state.monster, *state.board.neighbour_sets[state.monster or ""]}
    fed = sum(state.at[unit] in near for unit in gone)
    return fed if state.options["growth"] == "per-unit" else min(1, fed)


class _OfUnits(Duty, frozen=True):
    """A duty of some units, or a loss that they suffer."""

    units: tuple[UnitId, ...]

    def seat(self, state: State) -> Seat:
        """Returns the owner of the units."""
        return state.get_owner(self.units[0]) if self.units else HUMAN_SEAT

    def without_units(self, gone: frozenset[str]) -> Duty:
        """Returns the duty for the units that are left."""
        return replace(self, units=tuple(unit for unit in self.units if unit not in gone))


class LossesDuty(_OfUnits, frozen=True, tag="losses"):
    """The duty to lose some of these units, which their owner chooses (6.32a)."""

    clause = "somebody must first name the losses"
    count: SmallNumber
    cause: EliminationCause

    def describe_for_status(self) -> str:
        """Returns a clause that says how many of which units are lost."""
        return f"the owner chooses which {self.count} of {format_units(self.units)} to lose"

    def make_forced_events(self, state: State) -> Event | None:
        """Returns the loss of all units if that many or more must be lost (6.32c); None if the owner chooses.

        Returns `DutyDone` if there is nothing to lose.
        """
        if not self.units or not self.count:
            return DutyDone()
        return eliminate_units(state, self.units, self.cause) if self.count >= len(self.units) else None


class SuicideDeathsDuty(_OfUnits, frozen=True, tag="suicides"):
    """The death of units at the end of their suicide assault (9.0c)."""

    clause = "suicide assaults must first end"

    def make_forced_events(self, state: State) -> Event | None:
        """Returns the elimination of all these units, or `DutyDone` if none is left."""
        return eliminate_units(state, self.units, "suicide") if self.units else DutyDone()


class LoseUnits(Action, frozen=True, tag="lose"):
    """Name the units that are lost: their owner chooses among those involved (6.32a)."""

    says = "lose {units}"
    units: PieceIds


def _offer_lose(state: State) -> Iterator[Choice]:
    due = state.get_first_duty(LossesDuty)
    yield Choice(LoseUnits, units=Subset(due.units, due.count, due.count))


def _check_lose(state: State, action: LoseUnits) -> Iterator[Refusal]:
    due = state.get_first_duty(LossesDuty)
    strangers = [unit for unit in action.units if unit not in due.units]
    if strangers:
        rule = "6.32b" if due.cause == "repulse" else "6.23d"
        yield Refusal(rule, f"{' '.join(strangers)} cannot be lost: only {' '.join(due.units)} took part")
    elif len(action.units) != due.count:
        yield Refusal("6.32a", f"exactly {due.count} of {' '.join(due.units)} must be lost")


def _lose_units(state: State, action: LoseUnits, _dice: Dice) -> Script[State]:
    state = yield eliminate_units(state, action.units, state.get_first_duty(LossesDuty).cause)
    state = yield DutyDone()
    yield from settle_duties(state)


# Retreats of units


class UnitRetreated(Event, frozen=True, tag="retreated"):
    """A unit has retreated one box (6.33a)."""

    told = "{unit} retreats: put it in {box}."
    unit: UnitId
    box: BoxName

    def apply(self, state: State) -> State:
        """Puts the unit into the box. It is no longer caught in a web, nor fording."""
        first = state.due[0]
        rest = tuple(unit for unit in getattr(first, "units", ()) if unit != self.unit)
        caught = {unit: left for unit, left in state.caught.items() if unit != self.unit}
        fording = {unit: bank for unit, bank in state.fording.items() if unit != self.unit}
        due = (replace(first, units=rest), *state.due[1:])
        return replace(state, at={**state.at, self.unit: self.box}, caught=caught, fording=fording, due=due)


def list_retreat_boxes(state: State, unit: str, away: str) -> tuple[str, ...]:
    """Returns the boxes to which a unit may retreat from a piece in box `away` (6.33c to 6.33f, C12).

    A box must be farther from `away` than the unit is, and not beside the monster. Below a monster in flight there is
    usually none (C46).
    """
    return tuple(_find_retreats(state, unit, away))


def _find_retreats(state: State, unit: str, away: str) -> Iterator[str]:
    board, entry, here = state.board, state.get_entry_costs(unit), state.at[unit]
    shut = state.pathfinder.get_closed_boxes(unit[0] == "h") | ({state.monster} if state.monster else NO_BOXES)
    lenient = state.options["retreat-under-flier"] == "neighbour" and state.is_monster_flying_over(here)
    near = board.neighbour_sets[state.monster] if state.monster and not lenient else NO_BOXES
    for box in board.neighbours[here]:
        if (
            box not in entry
            or box in shut
            or box in near
            or board.measure_range(away, box) <= board.measure_range(away, here)
        ):
            continue
        if not _is_full(state, unit, box):
            yield box


def _is_full(state: State, unit: str, box: str) -> bool:
    return state.get_unit_type(unit).stacks and state.count_stacking_units(box) >= STACKING_LIMIT


class RetreatsDuty(_OfUnits, frozen=True, tag="retreats"):
    """The duty of units to retreat one box each, away from box `away` (6.33a)."""

    clause = "units have to retreat first"
    away: BoxName

    def describe_for_status(self) -> str:
        """Returns a clause that names the units."""
        return f"{format_units(self.units)} must retreat"

    def make_forced_events(self, state: State) -> Event | None:
        """Returns the elimination of units with no box to retreat to (6.33g), if there are any.

        If only one unit is left and only one box is open to it, returns that retreat. If no unit is left, returns
        `DutyDone`. Returns None if the owner must choose.
        """
        if not self.units:
            return DutyDone()
        exits = {unit: list_retreat_boxes(state, unit, self.away) for unit in self.units}
        lost = [unit for unit in self.units if not exits[unit]]
        if lost:
            return eliminate_units(state, lost, "no-retreat")
        only = exits[self.units[0]]
        return UnitRetreated(self.units[0], only[0]) if len(self.units) == len(only) == 1 else None


# Duties of the monster's player


class _OfPoints(Duty, frozen=True):
    """A duty that uses a number of points."""

    points: SmallNumber

    def describe_for_status(self) -> str:
        """Returns a clause with the number of points."""
        return self.clause + (f": {count_of(self.points, 'point')}" if self.points else "")

    def make_forced_events(self, state: State) -> Event | None:  # noqa: ARG002 - whatever the state
        """Returns `DutyDone` if there are no points; None if the player must choose."""
        return None if self.points else DutyDone()


class DamageDuty(_OfPoints, frozen=True, tag="damage"):
    """The duty to strike off points of damage (6.32d, 12.0b)."""

    clause = "the monster's damage must first be struck off"


class GrowthDuty(_OfPoints, frozen=True, tag="growth"):
    """The duty to note the points by which the monster grows (14.25b, 14.25c)."""

    clause = "the monster's growth must first be noted"


class FallDuty(Duty, frozen=True, tag="fall"):
    """The duty to choose the box on which the dead monster falls (13.21a)."""

    clause = "the dead monster has to fall first"
    outlives_monster = True


class QuestionDuty(Duty, frozen=True, tag="question"):
    """The duty to tell whether the monster has an ability. `unit` is the unit that the answer concerns, if any."""

    clause = "the monster player must first answer a question"
    asks = True
    ability: Ability
    unit: UnitId | None = None


class MonsterRetreatDuty(Duty, frozen=True, tag="withdrawal"):
    """The duty of the monster to retreat one box (6.33h)."""

    clause = "the monster has to retreat first"

    def make_forced_events(self, state: State) -> Script[State] | Event | None:
        """Returns the event `MonsterCornered` if the monster has no box to retreat to (6.33k).

        If only one box is open, returns that retreat; None if the player must choose. Every retreat ends the monster's
        attacks in its own Combat Phase, even if it is impossible (6.24a, C62).
        """
        exits = list_monster_retreat_boxes(state)
        if not exits:
            return MonsterCornered(state.phase == "monster-combat")
        return retreat_monster(state, exits[0]) if len(exits) == 1 else None


class NoteRecordDuty(Duty, frozen=True, tag="noting"):
    """The duty to note the monster's record in secret, if a position does not give it (12.0a, 12.0f)."""

    clause = "the monster's record must first be noted in secret"
    outlives_monster = True


AnyDuty = (
    DamageDuty
    | MonsterRetreatDuty
    | LossesDuty
    | RetreatsDuty
    | SuicideDeathsDuty
    | GrowthDuty
    | FallDuty
    | QuestionDuty
    | NoteRecordDuty
)
Duties = Annotated[tuple[AnyDuty, ...], Meta(max_length=8)]


class MonsterCornered(Event, frozen=True, tag="cornered"):
    """The monster cannot retreat and takes a point of damage (6.33k); its attacks are over (C62)."""

    told = "The monster has no box to retreat to, and takes a point of damage."
    fled: bool
    """True if this ends its attacks."""

    def apply(self, state: State) -> State:
        """Replaces the retreat by a point of damage."""
        return replace(state, due=(DamageDuty(1), *state.due[1:]), fled=self.fled or state.fled)


class MonsterRetreated(Event, frozen=True, tag="withdrew"):
    """The monster has retreated one box (6.33h)."""

    told = "The monster retreats: put it in {box}."
    box: BoxName
    fled: bool
    """True if this ends its attacks (6.24a)."""

    def apply(self, state: State) -> State:
        """Puts the monster into the box."""
        return replace(state, monster=self.box, due=state.due[1:], fled=self.fled or state.fled)


def list_monster_retreat_boxes(state: State) -> tuple[str, ...]:
    """Returns the boxes to which the monster may retreat: never off the map (6.33i, 6.33j, C11)."""
    entry = state.get_entry_costs(MONSTER)
    return tuple(
        box for box in state.board.neighbours[state.monster or ""] if box in entry and not state.list_humans_in(box)
    )


def retreat_monster(state: State, box: str) -> Script[State]:
    """Makes the monster retreat to a box, which may burn. In its own Combat Phase this ends its attacks (6.24a)."""
    state = yield MonsterRetreated(box, state.phase == "monster-combat")
    return (yield from scorch_monster(state))


class MonsterScorched(Event, frozen=True, tag="scorched"):
    """Flames have hurt the monster (11.41c)."""

    told = "Flames in {box} hurt the monster: 2 points of damage."
    box: BoxName

    def apply(self, state: State) -> State:
        """Makes two points of damage due, once for each box in a phase. The monster is now known to lack immunity."""
        lacking = tuple(dict.fromkeys((*state.lacking, "flame-immunity")))
        scorched = state.scorched | {self.box}
        return replace(state, scorched=scorched, lacking=lacking, due=(DamageDuty(2), *state.due))


class AskedAboutAbility(Event, frozen=True, tag="asked"):
    """The monster's player was asked about an ability, because nobody else knows whether the monster has it."""

    tells = True
    question: AnyDuty

    def tell(self) -> str:
        """Tells which ability the question is about."""
        ability = self.question.ability if isinstance(self.question, QuestionDuty) else "that"
        return f"The monster player is asked whether the monster has {ability}."

    def apply(self, state: State) -> State:
        """Makes the answer the first duty."""
        return replace(state, due=(self.question, *state.due))


def is_monster_safe_from_flames(state: State) -> bool:
    """True if no flames can hurt the monster now: none are in its box, it flies, or they have hurt it (C25, C57)."""
    box = state.monster
    return not box or box not in state.flames or state.aloft or box in state.scorched


def scorch_monster(state: State) -> Script[State]:
    """Lets flames in its box hurt a monster that is not immune (11.41c).

    If only its player knows whether it is immune, the player is asked.
    """
    if is_monster_safe_from_flames(state) or "flame-immunity" in state.known:
        return state
    if state.is_ability_public("flame-immunity"):
        return (yield MonsterScorched(state.monster or ""))
    return (yield AskedAboutAbility(QuestionDuty("flame-immunity")))


# Retreats that a player chooses


class RetreatPiece(Action, frozen=True, tag="back"):
    """Retreat a unit, or the monster, by one box (6.33a, 6.33h)."""

    says = "back {unit} {box}"
    unit: PieceId
    box: TypedBox


def _offer_back(state: State) -> Iterator[Choice]:
    due = state.due[0]
    if isinstance(due, RetreatsDuty):
        for unit in due.units:
            yield Choice(RetreatPiece, unit=unit, box=OneOf(list_retreat_boxes(state, unit, due.away)))
    else:
        yield Choice(RetreatPiece, unit=MONSTER, box=OneOf(list_monster_retreat_boxes(state)))


def _check_back(state: State, action: RetreatPiece) -> Iterator[Refusal]:
    due = state.due[0]
    if isinstance(due, RetreatsDuty):
        yield from _check_retreat(state, action, due)
    elif action.unit != MONSTER:
        yield Refusal("6.33h", "the monster has to retreat, not a unit")
    elif action.box not in list_monster_retreat_boxes(state):
        yield _make_monster_retreat_refusal(state, action.box)


def _make_monster_retreat_refusal(state: State, box: str) -> Refusal:
    if box not in state.board.neighbour_sets[state.monster or ""]:
        return Refusal("6.33h", f"{box} is not the next box: the monster retreats one box, and stays on the map")
    if state.list_humans_in(box):
        return Refusal("6.33j", f"human units are in {box}: {' '.join(state.list_humans_in(box))}")
    return Refusal("6.33i", f"{box} is impassable for the monster: {state.get_terrain(box)}")


def _check_retreat(state: State, action: RetreatPiece, due: RetreatsDuty) -> Iterator[Refusal]:
    unit, box = action.unit, action.box
    if unit not in due.units:
        yield Refusal("6.33b", f"{unit} does not have to retreat: only {' '.join(due.units)} must")
    elif box not in list_retreat_boxes(state, unit, due.away):
        yield _make_retreat_refusal(state, unit, box, due)


def _make_retreat_refusal(state: State, unit: str, box: str, due: RetreatsDuty) -> Refusal:
    if box == state.monster:
        return Refusal("6.33c", f"the monster is in {box}")
    if box not in state.board.neighbour_sets[state.at[unit]]:
        return Refusal("6.33a", f"{box} is not the next box: units retreat one box")
    if state.monster and box in state.board.neighbour_sets[state.monster]:
        return Refusal("6.33d", f"{box} is beside the monster's box")
    if state.board.measure_range(due.away, box) <= state.board.measure_range(due.away, state.at[unit]):
        return Refusal("6.33a", f"{box} does not lead away from the attack")
    if state.get_unit_type(unit).stacks and state.count_stacking_units(box) >= STACKING_LIMIT:
        return Refusal("6.33f", f"{box} takes no more than {spell_number(STACKING_LIMIT)} units that count")
    return Refusal("6.33e", f"{box} is impassable for {unit}")


def _retreat_piece(state: State, action: RetreatPiece, _dice: Dice) -> Script[State]:
    if action.unit != MONSTER:
        state = yield UnitRetreated(action.unit, action.box)
    else:
        state = yield from retreat_monster(state, action.box)
    yield from settle_duties(state)


VERBS = (
    make_verb(
        LoseUnits,
        ("losses",),
        _lose_units,
        offers=_offer_lose,
        check=_check_lose,
        read=make_reader(LoseUnits, Reader.read_units),
    ),
    make_verb(
        RetreatPiece,
        ("retreats", "withdrawal"),
        _retreat_piece,
        offers=_offer_back,
        check=_check_back,
        read=make_reader(RetreatPiece, Reader.read_unit, Reader.read_box),
        carries=True,
    ),
)
