"""The set-up as a whole: what is left set up at one word, and the set-up declared complete (II.B, III-a)."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.aim import ONLY_READ
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script, Seat
from referee.engine.legal import Action, Choice
from referee.engine.ruling import Refusal
from referee.engine.text import count_of
from referee.engine.verb import Verb
from referee.games.mutants import sequence
from referee.games.mutants.board import SMASHERS, Side, compact, grid
from referee.games.mutants.order import SET_UP
from referee.games.mutants.sequence import PhaseBegun
from referee.games.mutants.setting_up import Placed, empty_squares, free_rooms, led_sides, of_kind, set_up_over
from referee.games.mutants.state import State, side_of
from referee.games.mutants.view import Noted
from referee.games.mutants.walls import Walled, free_doors, wall_doors


class PutRest(Noted, frozen=True, tag="rest"):
    """Set up all that is left by a fixed policy (II.B.1, II.B.2-a): Human units close around the Tech Room, Mutants
    evenly.
    """

    says = "rest"


class PutRandom(Noted, frozen=True, tag="random"):
    """Set up all that is left at random, Walls included: lots are drawn, and recorded (II.B.1, II.B.2-a)."""

    says = "random"


def _check_left(state: State, seat: Seat, _action: PutRest | PutRandom) -> Iterator[Refusal]:
    left = state.unplaced(seat)
    if not left:
        yield Refusal("III-a", "every unit is set up")
    elif seat == "mutant":
        others, empty = state.board.all_smashers.intersection(left), empty_squares(state)
        if len(others) < len(empty):
            squares = count_of(len(empty), "empty square")
            yield Refusal("II.B.2.b-a", f"{len(others)} in the hand for {squares}: lift others")


# By a fixed policy


def _put_rest(state: State, seat: Seat, _action: PutRest, _dice: Dice) -> Script[State]:
    """Set up what is left by a fixed policy.

    Techs in the Tech Room; Guards, then Janibots, in the free rooms nearest to it. A Leader in the middle of each
    side; one Mutant in each empty square, and the rest one by one around the building.
    """
    plan = _human_plan(state) if seat == "human" else _mutant_plan(state)
    places: dict[str, list[str]] = {}
    for unit, place in plan:
        places.setdefault(place, []).append(unit)
    for place, units in places.items():
        yield Placed(state.board.sorted(units), place)


def _human_plan(state: State) -> Iterator[tuple[str, str]]:
    left, tech = state.unplaced("human"), state.board.tech
    yield from ((unit, tech) for unit in of_kind(state, left, "tech"))
    for kind in ("guard", "janibot"):
        rooms = sorted(free_rooms(state, kind), key=lambda room: _distance(room, tech))
        yield from zip(of_kind(state, left, kind), rooms, strict=False)


def _distance(room: str, other: str) -> int:
    (x1, y1), (x2, y2) = grid(room), grid(other)
    return abs(x1 - x2) + abs(y1 - y2)


def _mutant_plan(state: State) -> Iterator[tuple[str, str]]:
    left, squares = state.unplaced("mutant"), state.board.squares
    for leader, row in zip(of_kind(state, left, "leader"), _rows_to_lead(state), strict=False):
        yield leader, row[len(row) // 2]
    others = of_kind(state, left, *SMASHERS)
    empty = empty_squares(state)
    yield from zip(others, empty, strict=False)
    for number, unit in enumerate(others[len(empty) :]):
        yield unit, squares[number % len(squares)]


def _rows_to_lead(state: State) -> list[tuple[str, ...]]:
    """The squares of each side of the building that has no Leader yet."""
    led, squares = led_sides(state), state.board.squares
    sides = dict.fromkeys(square[1] for square in squares if square[1] not in led)
    return [tuple(square for square in squares if square[1] == side) for side in sides]


# At random


def _put_random(state: State, seat: Seat, _action: PutRandom, dice: Dice) -> Script[State]:
    """Set up what is left at random: every Wall, unit and place by lot."""
    if seat == "human":
        while doors := wall_doors(state):
            state = yield Walled((dice.draw(doors, "a door for a Wall", lots=True),))
        state = yield from _put_techs(state)
        for kind in ("guard", "janibot"):
            for unit in of_kind(state, state.unplaced("human"), kind):
                room = dice.draw(free_rooms(state, kind), f"a room for {unit}", lots=True)
                state = yield Placed((unit,), room)
    else:
        yield from _random_mutants(state, dice)


def _put_techs(state: State) -> Script[State]:
    techs = of_kind(state, state.unplaced("human"), "tech")
    if techs:
        state = yield Placed(techs, state.board.tech)
    return state


def _random_mutants(state: State, dice: Dice) -> Script[State]:
    squares = state.board.squares
    for row in _rows_to_lead(state):
        leaders = of_kind(state, state.unplaced("mutant"), "leader")
        leader = dice.draw(leaders, f"a Leader for side {row[0][1]}", lots=True)
        state = yield Placed((leader,), dice.draw(row, f"a square for {leader}", lots=True))
    others = of_kind(state, state.unplaced("mutant"), *SMASHERS)
    for square in empty_squares(state):
        drawn = dice.draw(others, f"a Mutant for {square}", lots=True)
        others = tuple(unit for unit in others if unit != drawn)
        yield Placed((drawn,), square)
    if others:
        faces = dice.throw(Need("squares for the other Mutants", len(others), len(squares), lots=True, aims=ONLY_READ))
        for square in squares:
            units = tuple(unit for unit, face in zip(others, faces, strict=True) if squares[face - 1] == square)
            if units:
                yield Placed(units, square)


# Completed


class SetUpDone(Event, frozen=True, tag="set-up-done"):
    """A player has completed his set-up."""

    told = "The {side} set-up is complete."
    side: Side

    def apply(self, state: State) -> State:
        """Nothing moves; in the Alternate Scenario all Mutants are mixed now."""
        if self.side == "human" and state.alternate:
            return replace(state, pool=state.unplaced("mutant"))
        return state


class Ready(Action, frozen=True, tag="ready"):
    """Declare one's set-up complete (III-a)."""

    says = "ready"


def _ready_offers(state: State, seat: Seat) -> Iterator[Choice]:
    """While somebody is left, nobody has to be told who."""
    if not state.unplaced(seat) and next(_check_ready(state, seat, Ready()), None) is None:
        yield Choice(Ready)


def _check_ready(state: State, seat: Seat, _action: Ready) -> Iterator[Refusal]:
    """What is missing before a set-up is complete: everything must be on the board (M27)."""
    left = state.unplaced(seat)
    if left:
        yield Refusal("III-a", f"{count_of(len(left), 'unit')} not set up yet: {compact(left)}")
    if seat == "mutant":
        empty, with_leader = empty_squares(state), state.where(state.board.of_kind["leader"])
        led = tuple(square for square in empty if square in with_leader)
        nobody = tuple(square for square in empty if square not in with_leader)
        for rule, squares, who in (("II.B.2.b-b", led, "only a Leader"), ("II.B.2.b-a", nobody, "nobody")):
            if squares:
                need = "it needs" if len(squares) == 1 else "each needs"
                yield Refusal(rule, f"{who} in {compact(squares)}: {need} a Radioactive or Normal Mutant")
    elif state.options["wall-count"] == "exactly" and next(free_doors(state), None):
        yield Refusal("M6", f"{count_of(state.walls_in_hand, 'Wall')} must still be placed")


def _ready(_state: State, seat: Seat, _action: Ready, _dice: Dice) -> Script[State]:
    """The Human player sets up first (II.B.1), then the Mutant player (II.B.2-a), then Turn 1 begins (II.B.1.e)."""
    state = yield SetUpDone(side_of(seat))
    if seat == "human" and not state.alternate:
        yield PhaseBegun("setup-mutant")
    else:
        yield from sequence.begin_turn(state)


VERBS = (
    Verb(PutRest, SET_UP, check=_check_left, resolve=_put_rest, late=set_up_over),
    Verb(PutRandom, SET_UP, check=_check_left, resolve=_put_random, late=set_up_over),
    Verb(Ready, SET_UP, _ready_offers, _check_ready, _ready, late=set_up_over),
)
