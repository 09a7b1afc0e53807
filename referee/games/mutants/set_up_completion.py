"""The set-up as a whole: one word for all units that are left, and the end of the set-up (II.B, III-a)."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.target_number import ONLY_READ
from referee.engine.text import count_of
from referee.games.mutants import sequence
from referee.games.mutants.board import SMASHER_KINDS, Side, compact_names, find_column_and_row
from referee.games.mutants.order_of_play import SET_UP_PHASES
from referee.games.mutants.sequence import PhaseBegun
from referee.games.mutants.setting_up import (
    UnitsPlaced,
    list_rooms_without,
    list_squares_to_fill,
    map_leaders_by_direction,
    pick_units_of_kinds,
    refuse_outside_set_up,
)
from referee.games.mutants.state import State, find_side
from referee.games.mutants.view import SecretlyNotedAction
from referee.games.mutants.walls import WallsPlaced, iterate_doors_free_for_walls, list_doors_free_for_walls


class PutRestByPlan(SecretlyNotedAction, frozen=True, tag="rest"):
    """Set up all remaining units by a fixed plan (II.B.1, II.B.2-a).

    Human units stand close around the Tech Room, Mutants evenly around the building.
    """

    says = "rest"


class PutRestAtRandom(SecretlyNotedAction, frozen=True, tag="random"):
    """Set up all remaining units at random, Walls included. The lots are recorded (II.B.1, II.B.2-a)."""

    says = "random"


def _check_units_left(state: State, seat: Seat, _action: PutRestByPlan | PutRestAtRandom) -> Iterator[Refusal]:
    left = state.list_units_in_hand(seat)
    if not left:
        yield Refusal("III-a", "every unit is already set up")
    elif seat == "mutant":
        others, empty = state.board.smasher_set.intersection(left), list_squares_to_fill(state)
        if len(others) < len(empty):
            squares = count_of(len(empty), "empty square")
            yield Refusal(
                "II.B.2.b-a", f"{count_of(len(others), 'Mutant')} in the hand for {squares}: first lift more Mutants"
            )


# By a fixed plan


def _put_remaining_units(state: State, seat: Seat, _action: PutRestByPlan, _dice: Dice) -> Script[State]:
    """Sets up all remaining units by a fixed plan.

    Techs go to the Tech Room; Guards, then Janibots, to the free rooms nearest to it. A Leader goes to the middle of
    each side. One Mutant goes to each empty square, and the rest one by one around the building.
    """
    plan = _plan_human_units(state) if seat == "human" else _plan_mutants(state)
    places: dict[str, list[str]] = {}
    for unit, place in plan:
        places.setdefault(place, []).append(unit)
    for place, units in places.items():
        yield UnitsPlaced(state.board.sort_units(units), place)


def _plan_human_units(state: State) -> Iterator[tuple[str, str]]:
    left, tech = state.list_units_in_hand("human"), state.board.tech_room
    yield from ((unit, tech) for unit in pick_units_of_kinds(state, left, "tech"))
    for kind in ("guard", "janibot"):
        rooms = sorted(list_rooms_without(state, kind), key=lambda room: _measure_distance(room, tech))
        yield from zip(pick_units_of_kinds(state, left, kind), rooms, strict=False)


def _measure_distance(room: str, other: str) -> int:
    (x1, y1), (x2, y2) = find_column_and_row(room), find_column_and_row(other)
    return abs(x1 - x2) + abs(y1 - y2)


def _plan_mutants(state: State) -> Iterator[tuple[str, str]]:
    left, squares = state.list_units_in_hand("mutant"), state.board.squares
    for leader, row in zip(pick_units_of_kinds(state, left, "leader"), _list_rows_without_leader(state), strict=False):
        yield leader, row[len(row) // 2]
    others = pick_units_of_kinds(state, left, *SMASHER_KINDS)
    empty = list_squares_to_fill(state)
    yield from zip(others, empty, strict=False)
    for number, unit in enumerate(others[len(empty) :]):
        yield unit, squares[number % len(squares)]


def _list_rows_without_leader(state: State) -> list[tuple[str, ...]]:
    """Returns, for each side of the building without a Leader, the squares of that side."""
    led, squares = map_leaders_by_direction(state), state.board.squares
    sides = dict.fromkeys(square[1] for square in squares if square[1] not in led)
    return [tuple(square for square in squares if square[1] == side) for side in sides]


# At random


def _put_units_at_random(state: State, seat: Seat, _action: PutRestAtRandom, dice: Dice) -> Script[State]:
    """Sets up all remaining Walls and units by lot, except that Techs always go to the Tech Room."""
    if seat == "human":
        while doors := list_doors_free_for_walls(state):
            state = yield WallsPlaced((dice.draw(doors, "a door for a Wall", lots=True),))
        state = yield from _put_techs(state)
        for kind in ("guard", "janibot"):
            for unit in pick_units_of_kinds(state, state.list_units_in_hand("human"), kind):
                room = dice.draw(list_rooms_without(state, kind), f"a room for {unit}", lots=True)
                state = yield UnitsPlaced((unit,), room)
    else:
        yield from _put_mutants_at_random(state, dice)


def _put_techs(state: State) -> Script[State]:
    techs = pick_units_of_kinds(state, state.list_units_in_hand("human"), "tech")
    if techs:
        state = yield UnitsPlaced(techs, state.board.tech_room)
    return state


def _put_mutants_at_random(state: State, dice: Dice) -> Script[State]:
    squares = state.board.squares
    for row in _list_rows_without_leader(state):
        leaders = pick_units_of_kinds(state, state.list_units_in_hand("mutant"), "leader")
        leader = dice.draw(leaders, f"a Leader for side {row[0][1]}", lots=True)
        state = yield UnitsPlaced((leader,), dice.draw(row, f"a square for {leader}", lots=True))
    others = pick_units_of_kinds(state, state.list_units_in_hand("mutant"), *SMASHER_KINDS)
    for square in list_squares_to_fill(state):
        drawn = dice.draw(others, f"a Mutant for {square}", lots=True)
        others = tuple(unit for unit in others if unit != drawn)
        yield UnitsPlaced((drawn,), square)
    if others:
        faces = dice.throw(Need("squares for the other Mutants", len(others), len(squares), lots=True, aims=ONLY_READ))
        for square in squares:
            units = tuple(unit for unit, face in zip(others, faces, strict=True) if squares[face - 1] == square)
            if units:
                yield UnitsPlaced(units, square)


# The end of the set-up


class SetUpDone(Event, frozen=True, tag="set-up-done"):
    """A player has completed the set-up."""

    told = "The {side} set-up is complete."
    side: Side

    def apply(self, state: State) -> State:
        """Changes nothing, except that all Mutants of the Alternate Scenario go into the pool."""
        if self.side == "human" and state.is_alternate_scenario:
            return replace(state, pool=state.list_units_in_hand("mutant"))
        return state


class Ready(Action, frozen=True, tag="ready"):
    """Declare your set-up complete (III-a)."""

    says = "ready"


def _offer_ready(state: State, seat: Seat) -> Iterator[Choice]:
    """Offers `ready` if the set-up is complete. The check of units comes first, because it is fast."""
    if not state.list_units_in_hand(seat) and next(_check_ready(state, seat, Ready()), None) is None:
        yield Choice(Ready)


def _check_ready(state: State, seat: Seat, _action: Ready) -> Iterator[Refusal]:
    """Yields a refusal for everything that is missing (M27).

    All units of the player must be on the board, and the Walls that the option wall-count demands. Each Set Up square
    needs a Radioactive or Normal Mutant (II.B.2.b-a, II.B.2.b-b).
    """
    left = state.list_units_in_hand(seat)
    if left:
        yield Refusal("III-a", f"{count_of(len(left), 'unit')} not set up yet: {compact_names(left)}")
    if seat == "mutant":
        empty, with_leader = list_squares_to_fill(state), state.find_places_of(state.board.units_by_kind["leader"])
        led = tuple(square for square in empty if square in with_leader)
        nobody = tuple(square for square in empty if square not in with_leader)
        for rule, squares, who in (("II.B.2.b-b", led, "only a Leader"), ("II.B.2.b-a", nobody, "nobody")):
            if squares:
                need = "it needs" if len(squares) == 1 else "each needs"
                yield Refusal(rule, f"{who} in {compact_names(squares)}: {need} a Radioactive or Normal Mutant")
    elif state.options["wall-count"] == "exactly" and next(iterate_doors_free_for_walls(state), None):
        yield Refusal("M6", f"{count_of(state.wall_count_in_hand, 'Wall')} must still be placed")


def _end_set_up(_state: State, seat: Seat, _action: Ready, _dice: Dice) -> Script[State]:
    """Ends the set-up of a player: first Human (II.B.1), then Mutant (II.B.2-a), then Turn 1 begins (II.B.1.e)."""
    state = yield SetUpDone(find_side(seat))
    if seat == "human" and not state.is_alternate_scenario:
        yield PhaseBegun("setup-mutant")
    else:
        yield from sequence.begin_turn(state)


VERBS = (
    Verb(
        PutRestByPlan, SET_UP_PHASES, check=_check_units_left, resolve=_put_remaining_units, late=refuse_outside_set_up
    ),
    Verb(
        PutRestAtRandom,
        SET_UP_PHASES,
        check=_check_units_left,
        resolve=_put_units_at_random,
        late=refuse_outside_set_up,
    ),
    Verb(Ready, SET_UP_PHASES, _offer_ready, _check_ready, _end_set_up, late=refuse_outside_set_up),
)
