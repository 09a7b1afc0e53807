"""Setting up units (II): those of the Human side, then Mutants around the building.

A player may move units, or take them up again, until declaring the set-up complete (II.B.2-a).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.caching import cache_latest
from referee.engine.choice import Action, Choice, SumConstraint
from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf, Subset
from referee.engine.text import listing
from referee.games.mutants.board import DoorNames, Place, UnitKind, compact_names
from referee.games.mutants.notation import Reader, TypedPlace, check_side, check_unit_names, make_reader
from referee.games.mutants.order_of_play import SET_UP_PHASES
from referee.games.mutants.sides import check_set_up_seat
from referee.games.mutants.state import State, UnitIds
from referee.games.mutants.view import SecretlyNotedAction, UnnoticedEvent

PlacementOffer = tuple[Subset | Callable[[], Subset], OneOf | Callable[[], OneOf]]
"""A group of units that may be set up together, and the places for it."""


def refuse_outside_set_up(state: State, seat: Seat, _action: Action) -> Iterator[Refusal]:
    """Yields the refusals of any set-up action outside the Phases of the set-up."""
    yield from check_set_up_seat(state, seat) or (Refusal("II.B.2-a", "the set-up is complete"),)


def _list_units_in_hand(state: State, seat: Seat, _fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns the units in the hand. A number of units, such as `2n`, is counted off among them, not on the board."""
    return state.list_units_in_hand(seat)


class UnitsPlaced(UnnoticedEvent, frozen=True, tag="placed"):
    """Units were set up in a place, or moved to it."""

    units: UnitIds
    place: Place

    def tell(self) -> str:
        """Tells where to put the units."""
        return f"Put {compact_names(self.units)} in {self.place}."

    def apply(self, state: State) -> State:
        """Puts the units in the place."""
        return replace(state, at=state.find_places_after_putting(self.units, self.place))


class PiecesLifted(UnnoticedEvent, frozen=True, tag="lifted"):
    """Walls and units were taken back into the hand."""

    doors: DoorNames
    units: UnitIds

    def tell(self) -> str:
        """Tells what goes back into the hand."""
        walls = [f"the Wall off {door}" for door in self.doors]
        units = [compact_names(self.units)] if self.units else []
        return f"Take {listing([*walls, *units])} back into the hand."

    def apply(self, state: State) -> State:
        """Takes the Walls and units off the board."""
        return replace(state, walls=state.walls.difference(self.doors), at=state.find_places_after_removing(self.units))


class Put(SecretlyNotedAction, frozen=True, tag="put"):
    """Set up units in a room or Set Up square, or move them there (II.B.1.b to II.B.2.c)."""

    says = "put {units} in {place}"
    units: UnitIds
    place: TypedPlace


class LiftPieces(SecretlyNotedAction, frozen=True, tag="lift"):
    """Take back into your hand Walls and units that you have set up (II.B.2-a)."""

    says = "lift {doors} {units}"
    doors: DoorNames
    units: UnitIds


def _offer_put(state: State, seat: Seat) -> Iterator[Choice]:
    """Offers units from the hand and units that may be moved.

    Once the hand is empty, these offers are minor: they are seldom picked at random, and never taken for a player
    who says nothing.
    """
    minor = not state.list_units_in_hand(seat)
    for units, places in _list_mutant_placings(state) if seat == "mutant" else _list_human_placings(state):
        if places:
            yield Choice(Put, minor=minor, units=units, place=places)


def _list_human_placings(state: State) -> Iterator[PlacementOffer]:
    techs = pick_units_of_kinds(state, state.list_units_in_hand("human"), "tech")
    guards, janibots = state.board.units_by_kind["guard"], state.board.janibots
    if techs:
        yield Subset(techs, 1, len(techs)), OneOf((state.board.tech_room,))
    yield Subset(guards, 1, 1), OneOf(list_rooms_without(state, "guard"))
    yield Subset(janibots, 1, 1), OneOf(list_rooms_without(state, "janibot"))
    rooms = OneOf(list_rooms_without(state, "guard", "janibot"))
    for guard in guards:
        yield partial(_find_leader_groups, guard, janibots, 2, 2), rooms


def _list_mutant_placings(state: State) -> Iterator[PlacementOffer]:
    """Yields groups of any size for any square (II.B.2.c-a, II.B.2.c-b), and a Leader alone or with others."""
    others = state.board.smashers
    yield Subset(others, 1, len(others)), OneOf(state.board.squares)
    for leader in state.board.units_by_kind["leader"]:
        yield (
            partial(_find_leader_groups, leader, others, 1, 1 + len(others)),
            partial(_list_squares_for_leader, state, leader),
        )


def _list_squares_for_leader(state: State, leader: str) -> OneOf:
    """Returns the squares for a Leader: those on sides that no other Leader has. There are as many sides as Leaders."""
    led = map_leaders_by_direction(state, leader)
    return OneOf(tuple(square for square in state.board.squares if square[1] not in led))


@lru_cache(maxsize=32)
def _find_leader_groups(leader: str, others: tuple[str, ...], least: int, most: int) -> Subset:
    """Returns the groups that a leader and others can form. The others come only with the leader."""
    return Subset((leader, *others), least, most, dict.fromkeys(others, (leader,)))


@cache_latest
def list_squares_to_fill(state: State) -> tuple[str, ...]:
    """Returns the squares without a Radioactive or Normal Mutant. A Leader does not count (II.B.2.b-b)."""
    held = state.find_places_of(state.board.smasher_set)
    return tuple(square for square in state.board.squares if square not in held)


def map_leaders_by_direction(state: State, but: str = "") -> dict[str, str]:
    """Returns the Leader of each side of the building that has one, by the side's letter (II.B.2.a).

    The Leader `but` is left out.
    """
    leaders = (leader for leader in state.board.units_by_kind["leader"] if leader in state.at and leader != but)
    return {state.at[leader][1]: leader for leader in leaders}


def pick_units_of_kinds(state: State, units: Iterable[str], *kinds: UnitKind) -> tuple[str, ...]:
    """Returns the units among these that are of one of these kinds."""
    return tuple(unit for unit in units if state.board.units[unit].kind in kinds)


def list_rooms_without(state: State, *kinds: UnitKind) -> tuple[str, ...]:
    """Returns rooms other than the Tech Room that hold none of these kinds (II.B.1.c-a to II.B.1.d-b)."""
    held = state.find_places_of(unit for kind in kinds for unit in state.board.units_by_kind[kind]) | {
        state.board.tech_room
    }
    return tuple(room for room in state.board.rooms if room not in held)


def _offer_lift(state: State, seat: Seat) -> Iterator[Choice]:
    walls = tuple(sorted(state.walls)) if seat == "human" else ()
    mine = state.board.units_by_side[seat]
    units = tuple(filter(mine.__contains__, state.at))
    if walls or units:
        bound = SumConstraint(("doors", "units"), 1, len(walls) + len(units))
        yield Choice(
            LiftPieces,
            None,
            (bound,),
            minor=True,
            doors=Subset(walls, 0, len(walls)),
            units=Subset(units, 0, len(units)),
        )


def check_placement(state: State, seat: Seat, action: Put) -> Iterator[Refusal]:
    """Yields a refusal for every rule that setting up these units in this place breaks."""
    units, place = action.units, action.place
    wrong = list(check_unit_names(state, units)) or list(check_side(state, seat, units))
    if wrong or not units:
        yield from wrong or [Refusal("III-a", "say which units you set up there")]
    elif seat == "human":
        for unit in units:
            yield from _check_human_place(state, unit, place)
        yield from _check_human_group(state, units)
    else:
        yield from _check_mutants(state, units, place)


def _check_human_place(state: State, unit: str, place: str) -> Iterator[Refusal]:
    kind, tech = state.board.units[unit].kind, state.board.tech_room
    if kind == "tech":
        if place != tech:
            yield Refusal("II.B.1.b", f"{unit} starts in the Tech Room {tech}, not in {place}")
        elif unit in state.at:
            yield Refusal("INTRO.IV.B-a", f"{unit} already stands in {tech}")
    elif place not in state.board.rooms:
        yield Refusal("IV.C.4", f"{place} is not a room, and Human-side units cannot stand outside")
    elif place == tech:
        yield Refusal("II.B.1.c-a" if kind == "guard" else "II.B.1.d-a", f"{place} is the Tech Room")
    elif state.count_units(place, kind):
        rule = "II.B.1.c-b" if kind == "guard" else "II.B.1.d-b"
        yield Refusal(rule, f"{place} already has a {kind.capitalize()}")


def _check_human_group(state: State, units: tuple[str, ...]) -> Iterator[Refusal]:
    """Yields refusals about groups: only Techs together, or a Guard with one Janibot (II.B.1.d-c)."""
    kinds = [state.board.units[unit].kind for unit in units]
    if len(set(kinds)) > 1 and kinds != ["guard", "janibot"]:
        yield Refusal("II.B.1.d-c", "you can set up together only Techs, or one Guard with one Janibot")
    elif len(kinds) > 1 and len(set(kinds)) == 1 and kinds[0] != "tech":
        rule = "II.B.1.c-b" if kinds[0] == "guard" else "II.B.1.d-b"
        yield Refusal(rule, f"no room may hold more than one {kinds[0].capitalize()} at set-up")


def _check_mutants(state: State, units: tuple[str, ...], place: str) -> Iterator[Refusal]:
    leaders = pick_units_of_kinds(state, units, "leader")
    if place not in state.board.squares:
        yield Refusal("II.B.2-b", f"{place} is not a Mutant Set Up square")
        return
    there = map_leaders_by_direction(state, leaders[0]).get(place[1]) if leaders else None
    if there:
        yield Refusal("II.B.2.a", f"{there} already stands on that side, and each side has only one Leader")
    elif len(leaders) > 1:
        yield Refusal("II.B.2.a", "only one Leader may stand on each side")


def _check_lift(state: State, seat: Seat, action: LiftPieces) -> Iterator[Refusal]:
    """Yields a refusal for every rule that taking these pieces up breaks."""
    wrong = list(check_unit_names(state, action.units)) or list(check_side(state, seat, action.units))
    if wrong or not (action.doors or action.units):
        yield from wrong or [Refusal("III-a", "say which units or Walls you take back")]
        return
    if list(action.doors) != sorted(set(action.doors)):
        yield Refusal("INTRO.IV.A", f"write each Wall once: {' '.join(sorted(set(action.doors)))}")
    for door in action.doors:
        if seat == "mutant":
            yield Refusal("IV.A.6", "Walls stay where the Human player has placed them")
        elif door not in state.walls:
            yield Refusal("II.B.1.a-b", f"{door} has no Wall")
    for unit in action.units:
        if unit not in state.at:
            yield Refusal("INTRO.IV.B-a", f"{unit} is not set up")


def _read_put(reader: Reader) -> Put:
    """Reads units and a place. Guards and Janibots that already stand there are left out if others are named too."""
    units = reader.read_action(Put, _list_units_in_hand)
    there = tuple(unit for unit in units.units if reader.state.at.get(unit) == units.place)
    if reader.seat == "mutant" or not there or len(there) == len(units.units):
        return units
    reader.remarks.append(
        f"{compact_names(there)} {'stands' if len(there) == 1 else 'stand'} in {units.place} already."
    )
    return Put(tuple(unit for unit in units.units if unit not in there), units.place)


def _put_units(_state: State, _seat: Seat, action: Put, _dice: Dice) -> Script[State]:
    yield UnitsPlaced(action.units, action.place)


def _lift_pieces(_state: State, _seat: Seat, action: LiftPieces, _dice: Dice) -> Script[State]:
    yield PiecesLifted(action.doors, action.units)


VERBS = (
    Verb(
        Put,
        SET_UP_PHASES,
        _offer_put,
        check_placement,
        _put_units,
        words=("put", "place"),
        read=_read_put,
        carries=True,
        late=refuse_outside_set_up,
    ),
    Verb(
        LiftPieces,
        SET_UP_PHASES,
        _offer_lift,
        _check_lift,
        _lift_pieces,
        read=make_reader(LiftPieces, _offer_lift),
        carries=True,
        late=refuse_outside_set_up,
    ),
)
