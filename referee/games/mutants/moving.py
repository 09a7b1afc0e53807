"""Movement (III.A.3, III.C, IV.A): Mutants move through their doors (IV.B), Humans with their Janibots (IV.C)."""

from collections.abc import Collection, Iterator
from functools import partial
from typing import Literal, NamedTuple

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat
from referee.engine.legal import Choices
from referee.engine.rulebook import Refusal
from referee.engine.slots import Subset
from referee.engine.text import listing
from referee.games.mutants.board import OFF_BOARD, Place, compact_names, find_column_and_row, is_square
from referee.games.mutants.notation import Reader, TypedPlace, check_owned_on_board, check_unit_names, make_reader
from referee.games.mutants.order_of_play import limit_check_to_turns, refuse_out_of_turn
from referee.games.mutants.phases import MUTANT_MOVEMENT_STEPS
from referee.games.mutants.state import LAST_CONFINED_TURN, Combat, State, UnitId, UnitIds, find_other_side
from referee.games.mutants.status import describe_phase
from referee.games.mutants.victory import end_game_if_decided
from referee.games.mutants.view import SecretlyNotedAction, UnnoticedEvent


class UnitsMoved(UnnoticedEvent, frozen=True, tag="moved"):
    """Units have moved one room or square, and the player has let go of them (IV.A-c, M36)."""

    settles = True
    units: tuple[tuple[UnitId, Place], ...]
    """The units, each with the place it came from."""
    to: Place

    def tell(self) -> str:
        """Tells the players which units go from where to where."""
        origins = dict.fromkeys(origin for _, origin in self.units)
        parts = [f"{compact_names(tuple(u for u, o in self.units if o == origin))} from {origin}" for origin in origins]
        return f"Move {listing(parts)} to {self.to}."

    def apply(self, state: State) -> State:
        """Puts the units in the new place, and marks them as moved."""
        moved = {**state.moved, **dict(self.units)}
        return replace(state, at=state.find_places_after_putting(dict(self.units), self.to), moved=moved)


class MutantsEscaped(UnnoticedEvent, frozen=True, tag="escaped"):
    """Mutants of the Alternate Scenario have left the building."""

    units: UnitIds
    penny: bool
    """True if they took Penny with them."""

    def tell(self) -> str:
        """Names those who have left the building."""
        who = [*self.units, *(["penny"] if self.penny else [])]
        return f"Out of the building: {listing(who)}."

    def apply(self, state: State) -> State:
        """Records the Mutants that are out, and the best escape so far: a Mutant, or a Mutant with Penny."""
        best: Literal["mutant", "penny"] = "penny" if self.penny or state.escape == "penny" else "mutant"
        return replace(state, exited=state.exited.union(self.units), escape=best)


class PennyFreed(Event, frozen=True, tag="penny-freed"):
    """No Mutant is left with Penny: she is free."""

    told = "Penny is free, in {place}."
    place: Place

    def apply(self, state: State) -> State:
        """Makes Penny an ordinary Human unit again."""
        return replace(state, captive=False)


class MoveUnits(SecretlyNotedAction, frozen=True, tag="move"):
    """Move units together to a room or square next to them (IV.A-a)."""

    says = "move {units} to {to}"
    units: UnitIds
    """The units to move. Janibots need a leader (IV.C.2-a), and captive Penny needs Mutants (OPT.VI.C-d)."""
    to: TypedPlace


# The units that can go to a place


def is_confined_tech(state: State, unit: str) -> bool:
    """True if a unit is a Tech that must stay in the Tech Room until Turn 5 (IV.C.1-a, IV.C.1-b, M19).

    A Tech that is outside the Tech Room may move (M53).
    """
    must_stay = state.at.get(unit) == state.board.tech_room and state.turn <= LAST_CONFINED_TURN
    return must_stay and state.board.units[unit].kind == "tech"


def _holds_arrivals(state: State) -> bool:
    """True if Human-side units hold arrivals in the Tech Room for Combat (OPT.VI.B-c). A captive does not (M49)."""
    return bool(state.arrived) and bool(state.list_fighters("human", state.board.tech_room))


def _find_barred_units(state: State, side: Seat) -> set[str]:
    """Returns the units that may not move by themselves now: those that have moved, and a captive Penny.

    On the Human side, confined Techs may not move either. Nor may Mutants that failed at a door (IV.B.4-a), are out of
    play (M57), or are held in the Tech Room for Combat (OPT.VI.B-c).
    """
    barred = {*state.moved, "penny"} if state.captive else set(state.moved)
    if side == "human":
        return barred.union(unit for unit in state.board.units_by_kind["tech"] if is_confined_tech(state, unit))
    barred |= state.failed | state.mutants_out_of_play
    return barred | state.arrived if _holds_arrivals(state) else barred


# The moves on offer


def offer_moves(state: State, seat: Seat) -> Iterator[Choices]:
    """Offers every destination with all units that can go there, singly or together (IV.A-a), in any order (IV.A-b).

    Unused movement is lost (IV.A.4-b). Janibots go with Human units (IV.C.2-b, M35), Penny with Mutants (OPT.VI.C-d).

    Units that have not moved this Phase still stand where they began it, so those in one place began together (M11).
    The move of a Janibot stands even if the Human unit that led it dies later (M12).
    """
    able = state.board.units_that_move_alone[seat] - _find_barred_units(state, seat)
    places = _list_destinations(state, seat, able)
    if places:
        yield Choices(places, lambda to: Choice(MoveUnits, units=partial(_find_groups, state, seat, able, to), to=to))


def _list_destinations(state: State, side: Seat, able: frozenset[str]) -> Collection[str]:
    """Returns the places to which any of these units can go, each once, in the order of the counters."""
    left = state.find_places_of(able)
    left_inside = state.find_places_of(able - state.exited) if state.exited else left
    ways, found = state.map_destinations(side), list[str]()
    for place in dict.fromkeys(state.at.values()):
        if place in left_inside:
            found += ways[place]
        elif place in left:
            found += filter(is_square, ways[place])
    return dict.fromkeys(found)


def _find_groups(state: State, side: Seat, able: frozenset[str], to: str) -> Subset:
    """Returns the groups of these units that can go to a place.

    Mutants that have left the building stay outside (OPT.VI.E.NOTE-a, M24).
    """
    entering = able if is_square(to) else able - state.exited
    ways = state.map_destinations(side)
    origins = {place for place in state.find_neighbours(to) if to in ways[place]}
    going = tuple([unit for unit, place in state.at.items() if place in origins and unit in entering])
    needs: dict[str, tuple[str, ...]] = {}
    if side == "mutant" or to != state.board.tech_room:
        for unit, place in _list_units_to_lead(state, side, origins):
            leaders = tuple(leader for leader in going if state.at[leader] == place)
            needs |= {unit: leaders} if leaders else {}
    units = state.board.sort_units((*going, *needs)) if needs else going
    return Subset(units, 1, len(units), needs)


def _list_units_to_lead(state: State, side: Seat, origins: set[str]) -> Iterator[tuple[str, str]]:
    """Yields the units that could be led out of one of these places, each with its place."""
    needy = state.board.janibots if side == "human" else ("penny",) if state.captive else ()
    return ((unit, state.at[unit]) for unit in needy if state.at.get(unit) in origins and unit not in state.moved)


# The moves that are forbidden


def _check_move(state: State, seat: Seat, action: MoveUnits) -> Iterator[Refusal]:
    """Yields a refusal for every rule that a move breaks."""
    wrong = list(check_unit_names(state, action.units)) or list(check_owned_on_board(state, seat, action.units))
    if wrong or not action.units:
        yield from wrong or [Refusal("IV.A-a", "say which units move")]
        return
    yield from _check_company(state, seat, action.units)
    for unit in action.units:
        yield from _check_unit(state, seat, unit, action.to)


def _check_company(state: State, side: Seat, units: tuple[str, ...]) -> Iterator[Refusal]:
    """Yields a refusal unless each unit that must be led goes with a leader from its room, in one action."""
    led = [unit for unit in units if state.needs_company(unit)]
    escorts = {state.at[unit] for unit in units if unit not in led} if led else set()
    alone = [unit for unit in led if state.at[unit] not in escorts]
    if not alone:
        return
    if side == "mutant":
        yield Refusal("OPT.VI.C-d", "captive Penny moves only together with a Mutant that starts in the same room")
    elif escorts:
        yield Refusal("IV.C.2-b", f"{alone[0]} must start in the same room as the unit that leads it (M35)")
    else:
        if len(alone) > 1:
            yield Refusal("INTRO.IV.A.1-b", "a Janibot is not a Human unit and cannot lead others")
        yield Refusal("IV.C.2-a", f"{alone[0]} moves only together with a Tech or Guard that leads it")


def _check_unit(state: State, side: Seat, unit: str, to: str) -> Iterator[Refusal]:
    place = state.at[unit]
    if unit in state.moved:
        yield from _refuse_second_move(state, unit, to)
        return
    if not state.are_neighbours(place, to):
        yield from _refuse_distance(state, unit, to)
        return
    if side == "human":
        yield from _check_human_way(state, unit, to)
    else:
        yield from _check_mutant_state(state, unit)
        yield from _check_mutant_way(state, unit, to)


def _refuse_second_move(state: State, unit: str, to: str) -> Iterator[Refusal]:
    """Yields refusals about a unit that has moved. A move stands once the referee has accepted it (M36)."""
    origin = state.moved[unit]
    if to == origin or state.are_neighbours(origin, to):
        yield Refusal("IV.A-c", f"{unit} has moved from {origin} to {state.at[unit]}, and that move stands")
    else:
        yield Refusal("IV.A.4-a", f"{unit} has already moved, and no other unit can give it another move")
    if unit == "penny":
        yield Refusal("M52", "Penny has already been moved one room this Turn")
    yield Refusal("IV.A.2-a", f"{unit} has already moved one room this Turn")


def _refuse_distance(state: State, unit: str, to: str) -> Iterator[Refusal]:
    if to == OFF_BOARD or to not in state.board.places:
        yield Refusal("IV.A.5-a", f"{unit} would leave the playable part of the board")
        return
    place = state.at[unit]
    apart = _find_offset(place, to)
    if place == to:
        yield Refusal("IV.A.2-b", f"{unit} is already in {to}")
    elif apart == (1, 1):
        yield Refusal("IV.A.2-d", f"{place} and {to} touch only at a corner")
    elif _do_squares_meet_at_corner(state, place, to):
        yield Refusal("M2", f"there is no way round the corner from {place} to {to}")
    elif apart in ((0, 1), (1, 0)):
        yield Refusal("IV.A.2-b", f"there is no door between {place} and {to}")
    else:
        yield Refusal("IV.A.2-a", f"{to} is more than one room from {place}")
        yield Refusal("IV.A.4-b", "movement not used on earlier Turns is lost")


def _do_squares_meet_at_corner(state: State, place: str, to: str) -> bool:
    """True if two squares meet at a corner of the building (M2)."""
    return not {f"{place}-{to}", f"{to}-{place}"}.isdisjoint(state.board.file.corner_links)


def _find_offset(place: str, to: str) -> tuple[int, int] | None:
    """Returns the columns and rows between two rooms; None if one of them is a square."""
    if is_square(place) or is_square(to):
        return None
    (x1, y1), (x2, y2) = find_column_and_row(place), find_column_and_row(to)
    return abs(x1 - x2), abs(y1 - y2)


def _check_human_way(state: State, unit: str, to: str) -> Iterator[Refusal]:
    place = state.at[unit]
    if is_square(to):
        yield Refusal("IV.C.4", f"{to} is a Mutant Set Up square")
    elif is_square(place):
        yield Refusal("M61", f"{unit} must stay in {place}")
    elif state.find_door_between(place, to) in state.walls:
        yield Refusal("IV.A.3", f"a Wall blocks {state.find_door_between(place, to)}")
    if is_confined_tech(state, unit):
        yield Refusal("IV.C.1-a", f"{unit} must stay in the Tech Room until Turn {LAST_CONFINED_TURN + 1}")
    if to == state.board.tech_room and state.is_janibot(unit):
        yield Refusal("IV.C.3", f"{unit} is a Janibot and may not enter the Tech Room")


def _check_mutant_state(state: State, unit: str) -> Iterator[Refusal]:
    if unit in state.failed:
        yield Refusal("IV.B.2.d", f"{unit} failed in a smashing attempt this Turn")
    if unit in state.mutants_out_of_play:
        yield Refusal("M57", f"{unit} has left the building and is out of play")
    if unit in state.arrived and _holds_arrivals(state):
        yield Refusal(
            "OPT.VI.B-c", f"{unit} has just arrived and must first fight the Human-side units in the Tech Room"
        )


def _check_mutant_way(state: State, unit: str, to: str) -> Iterator[Refusal]:
    place = state.at[unit]
    if unit in state.exited and not is_square(to):
        yield Refusal("OPT.VI.E.NOTE-a", f"{unit} has left the building and may not go back in")
    if to in state.map_destinations("mutant")[place]:
        return
    door = state.find_door_between(place, to)
    if door in state.walls:
        yield Refusal("IV.A.3", f"a Wall blocks {door}")
        return
    yield Refusal("IV.B.1", f"{door} is neither smashed nor held open for units in {place}")
    if state.list_fighters("mutant", to):
        yield Refusal("IV.B.3.c-b", f"nobody in {to} has opened {door} in this Turn's Door-Opening Step")


# Places to flee to from a Combat (OPT.IV.A)


class Refuge(NamedTuple):
    """A place to flee to, and the units that can go there."""

    place: str
    units_able_to_leave: tuple[str, ...]
    """The units that can go by themselves, at least one."""
    units_to_lead_out: tuple[str, ...]
    """The units that can go along with them."""


def list_refuges(state: State, combat: Combat) -> Iterator[Refuge]:
    """Yields every place to which the outnumbered side can flee.

    Only the odds count, not their modifier (OPT.IV.A-a, M21).
    """
    if combat.odds is None:
        return
    side = find_other_side(combat.odds)
    able = list_units_able_to_leave(state, side, combat.room)
    for to in state.find_neighbours(combat.room) if able else ():
        if next(check_refuge(state, side, combat.room, to), None) is None:
            yield Refuge(to, able, list_units_to_lead_out(state, side, combat.room, to))


def list_units_able_to_leave(state: State, side: Seat, room: str) -> tuple[str, ...]:
    """Returns the units of a side that can leave a room by themselves."""
    here = state.list_fighters(side, room)
    return tuple(unit for unit in here if not state.needs_company(unit) and not is_confined_tech(state, unit))


def list_units_to_lead_out(state: State, side: Seat, room: str, to: str) -> tuple[str, ...]:
    """Returns the units that may come along: Janibots, but not into the Tech Room (OPT.IV.A.7-a); captive Penny with
    Mutants (M51).
    """
    if side == "mutant":
        return ("penny",) if state.captive and state.at["penny"] == room else ()
    if to == state.board.tech_room:
        return ()
    return tuple(unit for unit in state.list_fighters("human", room) if state.is_janibot(unit))


def check_refuge(state: State, side: Seat, room: str, to: str) -> Iterator[Refusal]:
    """Yields a refusal if a side cannot flee from a room to a place. Each side flees through its own doors (M22).

    Mutants that failed at a door this Turn may flee too (M46). The other rules of the Basic Game stay in force
    (OPT.I-b).
    """
    if to == OFF_BOARD or not state.are_neighbours(room, to):
        yield Refusal("OPT.IV.A-a", f"{to} is not next to {room}")
        return
    door = state.find_door_between(room, to)
    if door in state.walls:
        yield Refusal("IV.A.3", f"a Wall blocks {door}")
    elif side == "human" and is_square(to):
        yield Refusal("IV.C.4", f"{to} is a Mutant Set Up square")
    elif side == "mutant" and door not in state.smashed:
        yield Refusal("OPT.IV.A.4", f"{door} is not smashed")
    if state.knows_enemies(side, to):
        yield Refusal("OPT.IV.A.6", f"{to} holds enemies")


# The effects of a move


def _move_units(state: State, _seat: Seat, action: MoveUnits, _dice: Dice) -> Script[State]:
    """Moves units as ordered; no unit ever has to move (IV.A.1-a, IV.A.1-b).

    Any number of units may be together (IV.A.8). Smashers pass any smashed door (IV.B.2.f-a), or move as others do
    (M32).
    """
    leaving = tuple(unit for unit in action.units if not is_square(state.at[unit]))
    state = yield UnitsMoved(tuple((unit, state.at[unit]) for unit in action.units), action.to)
    state = yield from record_escape(state, leaving, action.to)
    yield from end_game_if_decided(state)


def record_escape(state: State, units: tuple[str, ...], to: str) -> Script[State]:
    """Records that Mutants left the building, in the Alternate Scenario: it counts at once and for good (M54)."""
    mutants = tuple(unit for unit in units if state.board.find_side(unit) == "mutant")
    if state.is_alternate_scenario and is_square(to) and mutants:
        state = yield MutantsEscaped(mutants, "penny" in units)
    return state


def free_unguarded_penny(state: State) -> Script[State]:
    """Frees Penny if no Mutant is beside her (OPT.VI.C-e, OPT.VI.C-f, M50)."""
    if state.captive and not state.may_hold_mutants(state.at["penny"]):
        state = yield PennyFreed(state.at["penny"])
    return state


# How moves are typed


def _read_move(reader: Reader) -> MoveUnits:
    """Reads units and a place.

    If the player types no more than the verb, or only "all" after it, Mutants go through doors that this Turn has
    opened.
    """
    if reader.words and not reader.read_word_if_last("all"):
        return make_reader(MoveUnits, offer_moves)(reader)
    groups = (
        find_moves_through_new_doors(reader.state) if reader.seat == "mutant" and reader.state.phase == "move" else {}
    )
    if not groups:
        raise reader.make_early_end_error(
            "units and a room, because no Mutant stands at a door that was smashed or opened this Turn"
        )
    (to, units), *others = groups.items()
    reader.rest = ", ".join(f"move {' '.join(group)} to {place}" for place, group in others)
    return MoveUnits(units, to)


def find_moves_through_new_doors(state: State) -> dict[str, tuple[str, ...]]:
    """Returns the rooms behind doors that were smashed or opened this Turn, each with Mutants that can go there.

    Mutants that can go into several such rooms are left out.
    """
    doors = {*(state.smashed & state.attempted), *(door for door, _ in state.opened)}
    able, ways = (
        state.board.units_that_move_alone["mutant"] - _find_barred_units(state, "mutant"),
        state.map_destinations("mutant"),
    )
    groups: dict[str, list[str]] = {}
    for unit, place in state.at.items():
        rooms = [to for to in ways[place] if not is_square(to) and state.find_door_between(place, to) in doors]
        if len(rooms) == 1 and unit in able and unit not in state.exited:
            groups.setdefault(rooms[0], []).append(unit)
    return {to: tuple(groups[to]) for to in sorted(groups)}


# Refusals at other times, and to the other player


@limit_check_to_turns
def _refuse_late(state: State, seat: Seat) -> Iterator[Refusal]:
    rule = "IV-b"
    if seat == "human" and state.phase in MUTANT_MOVEMENT_STEPS:
        rule = "IV.A.7-a"
    elif seat == "mutant" and state.phase in ("smash", "open"):
        rule = "III-c" if state.phase == "smash" else "IV.B.3.a-b"
    yield Refusal(rule, describe_phase(state))


def _refuse_other_player(state: State) -> Iterator[Refusal]:
    yield Refusal("IV.A.7-a" if state.phase == "move" else "IV-b", refuse_out_of_turn(state).because)


VERBS = (
    Verb(
        MoveUnits,
        ("move", "human-move"),
        offer_moves,
        _check_move,
        _move_units,
        words=("move", "go"),
        read=_read_move,
        carries=True,
        late=_refuse_late,
        theirs=_refuse_other_player,
    ),
)
