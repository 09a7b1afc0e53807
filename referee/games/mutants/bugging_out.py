"""Bugging Out: retreat from a Combat at the start of a Round, and pursuit (OPT.IV)."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.secret import Secret
from referee.engine.slots import Subset
from referee.engine.text import count_of
from referee.games.mutants.announcements import QuestionAsked
from referee.games.mutants.board import OFF_BOARD, Place, Side, compact_names, is_square
from referee.games.mutants.combat_rounds import begin_combat, end_combat, put_survivors_back
from referee.games.mutants.engaging import make_combat_stage_check
from referee.games.mutants.moving import (
    check_refuge,
    free_unguarded_penny,
    is_confined_tech,
    list_refuges,
    list_units_able_to_leave,
    list_units_to_lead_out,
    record_escape,
)
from referee.games.mutants.notation import TypedPlace, check_side, check_unit_names, make_reader
from referee.games.mutants.state import LAST_CONFINED_TURN, Combat, Question, State, UnitIds, find_other_side
from referee.games.mutants.victory import end_game_if_decided
from referee.games.mutants.view import SecretlyNotedAction

NO_LIMIT = 100
"""A number of units that no group reaches, in place of a limit."""
NO_RETREAT = Refusal("V.A-c", "a Combat goes on to the end: the option bugging-out is off")

# Retreat


class UnitsRetreated(Event, frozen=True, tag="retreated"):
    """Units have retreated from a Combat."""

    settles = True
    side: Side
    units: UnitIds
    origin: Place
    to: Place | None
    """The place they went to; None for a secret square."""
    into: Secret[Place] | None
    """The secret square. With Hidden Movement it is never shown (OPT.V.D-a)."""
    complete: bool
    """True if the whole side left, so that it may be pursued."""

    @property
    def known_refuge(self) -> str | None:
        """The place where the units are now; None if it is out of sight."""
        return self.into.value if self.into and self.into.known else self.to

    def tell(self) -> str:
        """Tells the players which units go where, as far as they may know it."""
        left = "" if self.complete else "; the others stay and fight"
        to = f"to {self.known_refuge}" if self.known_refuge else "into a square"
        return f"Move {compact_names(self.units)} from {self.origin} {to}: retreat{left}."

    def apply(self, state: State) -> State:
        """Puts the units into their refuge, or out of sight. If the whole side left, pursuit comes next."""
        there = (
            state.find_places_after_putting(self.units, self.known_refuge)
            if self.known_refuge
            else state.find_places_after_removing(self.units)
        )
        shown = tuple(unit for unit in self.units if not state.is_captive(unit))
        state = replace(state, at=there, told=state.told.without_units(shown) if self.into else state.told, asked=None)
        if not self.complete:
            return state.change_combat(may_retreat=False)
        fled = sum(not state.is_captive(unit) for unit in self.units)
        return state.change_combat(stage="pursue", may_retreat=False, refuge=self.to, fled=fled, first=self.side)


class RetreatBarred(Event, frozen=True, tag="barred"):
    """A retreat did not happen, because an enemy is in the room."""

    told = "Somebody is in {room}, so nobody can retreat there."
    tells = True
    room: Place

    def apply(self, state: State) -> State:
        """Records that both players know of an enemy in the room."""
        return replace(state, told=state.told.with_sighted_rooms((self.room,)), asked=None)


class Retreat(SecretlyNotedAction, frozen=True, tag="retreat"):
    """Retreat from the Combat to a room next to it (OPT.IV.A-a)."""

    says = "retreat {units} to {to}"
    units: UnitIds
    to: TypedPlace

    @property
    def is_noted_secretly(self) -> bool:
        """True if the retreat leads into a square: the Human player is never shown which one (OPT.V.D-a)."""
        return is_square(self.to)


def _offer_retreat(state: State, seat: Seat) -> Iterator[Choice]:
    """Offers every place to which the outnumbered side may retreat: once a Round (M47), all to one place (M44)."""
    combat = state.combat
    may = combat and combat.may_retreat and combat.odds != seat
    for to, able, along in list_refuges(state, combat) if combat and may else ():
        yield Choice(Retreat, units=_find_leaving_groups(state, able, along), to=to)


def _find_leaving_groups(state: State, able: tuple[str, ...], along: tuple[str, ...], most: int = NO_LIMIT) -> Subset:
    """Returns the groups of at most `most` units that may leave a room.

    Units of `along` have to be led, so they go only with one of `able`.
    """
    units = state.board.sort_units((*able, *along))
    return Subset(units, 1, min(len(units), most), dict.fromkeys(along, able))


def _check_retreat(state: State, seat: Seat, action: Retreat) -> Iterator[Refusal]:
    """Yields a refusal for every rule that a retreat breaks."""
    combat = state.current_combat
    never = _check_odds(state, combat, seat)
    if never:
        yield never
        return
    names = list(check_unit_names(state, action.units))
    if names or not action.units:
        yield from names or [Refusal("OPT.IV.A-a", "say which units retreat")]
        return
    yield from _check_group(state, combat.room, seat, action.units)
    yield from check_refuge(state, seat, combat.room, action.to)
    for unit in action.units:
        if is_confined_tech(state, unit) and not state.is_captive(unit):
            yield Refusal("OPT.IV.A.8", f"{unit} may not leave the Tech Room before Turn {LAST_CONFINED_TURN + 1}")
        if action.to == state.board.tech_room and state.is_janibot(unit):
            yield Refusal("OPT.IV.A.7-a", f"{unit} is a Janibot and may not retreat into the Tech Room")


def _check_odds(state: State, combat: Combat, seat: Seat) -> Refusal | None:
    """Returns the refusal if this player cannot retreat at all; None otherwise."""
    if not state.is_option_played("bugging-out"):
        return NO_RETREAT
    if combat.odds is None or seat == combat.odds:
        return _make_odds_refusal(state, combat)
    if not combat.may_retreat and next(list_refuges(state, combat), None):
        return Refusal("M47", "you have already retreated once in this Round")
    return None


def _make_odds_refusal(state: State, combat: Combat) -> Refusal:
    humans, mutants = (len(state.list_fighters(side, combat.room)) for side in ("human", "mutant"))
    return Refusal(
        "OPT.IV.A-a", f"{humans} on the Human side against {mutants}: your side is not outnumbered by enough"
    )


def _refuse_retreat_of_other_side(state: State) -> Iterator[Refusal]:
    """Yields the refusal for the other side, which is not outnumbered."""
    yield _make_odds_refusal(state, state.current_combat) if state.is_option_played("bugging-out") else NO_RETREAT


@make_combat_stage_check
def _refuse_late_retreat(state: State, _seat: Seat) -> Iterator[Refusal]:
    late = Refusal("OPT.IV.A-a", "units retreat only at the start of a Round, before either side lays out")
    yield late if state.is_option_played("bugging-out") else NO_RETREAT


def _check_group(state: State, room: str, seat: Seat, units: tuple[str, ...]) -> Iterator[Refusal]:
    """Yields refusals about units that are not in the Combat, and Janibots without a Human unit (OPT.IV.A.3)."""
    yield from check_side(state, seat, units)
    led = all(map(state.needs_company, units))
    for unit in units:
        if (state.board.find_side(unit) == seat or state.is_captive(unit)) and state.at.get(unit) != room:
            yield Refusal("V.B.1-a", f"{unit} is not in {room}")
        elif state.is_captive(unit) and (led or seat == "human"):
            yield Refusal("OPT.VI.C-d", "penny is a captive and goes only together with Mutants")
    if led and not state.is_captive(units[0]):
        yield Refusal("OPT.IV.A.3", f"{units[0]} goes only together with a Human unit")


def _retreat_units(state: State, _seat: Seat, action: Retreat, _dice: Dice) -> Script[State]:
    """Makes units retreat. If they may meet hidden enemies, the other player is asked first (OPT.IV.A.6)."""
    group, to = action.units, action.to
    unknown = (
        state.has_hidden_movement
        and state.current_combat.odds == "human"
        and not is_square(to)
        and to not in state.told.rooms
    )
    if unknown:
        yield QuestionAsked(Question("human", behind=(to,), fleeing=group))
    else:
        yield from move_out_of_combat(state, group, to)


def move_out_of_combat(state: State, group: tuple[str, ...], to: str) -> Script[State]:
    """Moves a group of units out of a Combat.

    The enemies may follow if the whole side has left. A retreat uses up no movement of the Turn (OPT.IV.B).
    """
    combat = state.current_combat
    side = find_other_side(combat.odds or "human")
    complete = set(group) >= set(state.list_fighters(side, combat.room))
    square = Secret("mutant", to) if state.has_hidden_movement and is_square(to) else None
    state = yield UnitsRetreated(side, group, combat.room, None if square else to, square, complete)
    if state.options["retreat-exit"] == "counts":  # M56
        state = yield from record_escape(state, group, to)
        state = yield from end_game_if_decided(state)
    if not (state.outcome or state.asked):
        yield from continue_after_retreat(state)


def continue_after_retreat(state: State) -> Script[State]:
    """Goes on after a retreat. Penny is free if her captors have left her.

    If the whole side left and met enemies, a new Combat begins. If it met none and nobody can follow, the Combat ends.
    """
    state = yield from free_unguarded_penny(state)
    combat = state.current_combat
    if combat.stage == "pursue" and combat.refuge in state.list_contested_rooms():
        yield from _continue_after_pursuit(state)
    elif combat.stage == "pursue" and next(_offer_pursuit(state, find_other_side(combat.first)), None) is None:
        yield from end_combat(state, combat.room)


# Pursuit


class PursuersMoved(Event, frozen=True, tag="pursued"):
    """Units have followed those that fled."""

    settles = True
    units: UnitIds
    origin: Place
    to: Place

    def tell(self) -> str:
        """Tells the players which units follow."""
        return f"Move {compact_names(self.units)} from {self.origin} to {self.to}: pursuit."

    def apply(self, state: State) -> State:
        """Puts the units into the room of those that fled."""
        return replace(state, at=state.find_places_after_putting(self.units, self.to))


class PursuitDeclined(Event, frozen=True, tag="held"):
    """A player has decided that nobody follows the units that fled."""

    told = "Nobody follows."

    def apply(self, state: State) -> State:
        """Changes nothing."""
        return state


class Pursue(Action, frozen=True, tag="pursue"):
    """Follow a side that has retreated completely (OPT.IV.A.1-a)."""

    says = "pursue {units}"
    units: UnitIds


class DeclinePursuit(Action, frozen=True, tag="hold"):
    """Do not follow (OPT.IV.A.1-a)."""

    says = "hold"


def _offer_pursuit(state: State, seat: Seat) -> Iterator[Choice]:
    """Offers the groups that may follow: no more than fled (M43), Janibots only with a Human unit (OPT.IV.A.1-e)."""
    combat = state.combat
    if combat is None or combat.refuge is None:
        return
    able = list_units_able_to_leave(state, seat, combat.room)
    if not able or (seat == "human" and is_square(combat.refuge)):
        return
    along = list_units_to_lead_out(state, seat, combat.room, combat.refuge) if seat == "human" else ()
    yield Choice(Pursue, units=_find_leaving_groups(state, able, along, combat.fled))


def _offer_hold(_state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(DeclinePursuit)


@make_combat_stage_check
def _refuse_late_pursuit(state: State, _seat: Seat) -> Iterator[Refusal]:
    stays = Refusal("OPT.IV.A.2", "you cannot pursue: the other side has not left completely")
    yield (
        stays
        if _has_left_units_behind(state.current_combat)
        else Refusal("OPT.IV.A.1-a", "you cannot pursue: nobody has retreated")
    )


def _refuse_pursuit_of_other_side(state: State) -> Iterator[Refusal]:
    fled = state.current_combat.first
    yield Refusal("OPT.IV.A.1-a", f"only the {find_other_side(fled)} player may follow, because the {fled} side fled")


def _has_left_units_behind(combat: Combat) -> bool:
    """True if the outnumbered side retreated in this Round but left units behind."""
    return combat.odds is not None and not combat.may_retreat


def _check_pursuers(state: State, seat: Seat, action: Pursue) -> Iterator[Refusal]:
    """Yields a refusal for every rule that a pursuit breaks."""
    combat = state.current_combat
    to = combat.refuge or OFF_BOARD
    names = list(check_unit_names(state, action.units))
    if names or not action.units:
        yield from names or [Refusal("OPT.IV.A.1-a", "say which units follow, or type hold")]
        return
    for unit in action.units:
        if unit not in state.list_fighters(seat, combat.room):
            yield Refusal("V.B.1-a", f"{unit} is not a unit of the {seat} side in {combat.room}")
    janibots = [unit for unit in action.units if state.is_janibot(unit)]
    if len(janibots) == len(action.units):
        yield Refusal("OPT.IV.A.1-e", "Janibots follow only together with a Human unit")
    if janibots and to == state.board.tech_room:
        yield Refusal("OPT.IV.A.7-b", f"{janibots[0]} is a Janibot and may not follow into the Tech Room")
    if seat == "human" and is_square(to):
        yield Refusal("IV.C.4", f"{to} is a Mutant Set Up square")
    for unit in action.units:
        if unit in state.at and is_confined_tech(state, unit):
            yield Refusal("M45", f"{unit} may not leave the Tech Room before Turn {LAST_CONFINED_TURN + 1}")
    group = len(action.units)
    if group > combat.fled:
        rule = "OPT.IV.A.1-d" if group == len(state.list_fighters(seat, combat.room)) else "OPT.IV.A.1-b"
        yield Refusal(rule, f"{count_of(combat.fled, 'unit')} fled, so no more than that may follow")


def _pursue_units(state: State, _seat: Seat, action: Pursue, _dice: Dice) -> Script[State]:
    """Moves the followers to those that fled; the door stands open for Mutants too (OPT.IV.A.1-c).

    A new Combat follows. The outnumbered side may flee from it again, as often as it likes (OPT.IV.A.5).
    """
    combat = state.current_combat
    state = yield PursuersMoved(action.units, combat.room, combat.refuge or OFF_BOARD)
    if not state.asked:
        yield from _continue_after_pursuit(state)


def _continue_after_pursuit(state: State) -> Script[State]:
    combat = state.current_combat
    state = yield from put_survivors_back(state, combat.room)
    yield from begin_combat(state, combat.refuge or OFF_BOARD)


def _decline_pursuit(_state: State, _seat: Seat, _action: DeclinePursuit, _dice: Dice) -> Script[State]:
    state = yield PursuitDeclined()
    yield from end_combat(state, state.current_combat.room)


VERBS = (
    Verb(
        Retreat,
        ("lay",),
        _offer_retreat,
        _check_retreat,
        _retreat_units,
        read=make_reader(Retreat, _offer_retreat),
        carries=True,
        late=_refuse_late_retreat,
        theirs=_refuse_retreat_of_other_side,
    ),
    Verb(
        Pursue,
        ("pursue",),
        _offer_pursuit,
        _check_pursuers,
        _pursue_units,
        read=make_reader(Pursue, _offer_pursuit),
        late=_refuse_late_pursuit,
        theirs=_refuse_pursuit_of_other_side,
    ),
    Verb(
        DeclinePursuit,
        ("pursue",),
        _offer_hold,
        resolve=_decline_pursuit,
        late=_refuse_late_pursuit,
        theirs=_refuse_pursuit_of_other_side,
    ),
)
