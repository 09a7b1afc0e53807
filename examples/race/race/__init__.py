"""Race: each of two players brings three runners home. The lanes meet, and there runners send each other back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from referee.engine import (
    ONLY_READ,
    Action,
    Choice,
    Component,
    Dice,
    Event,
    Game,
    Glyph,
    Invariant,
    Layout,
    Need,
    Obligation,
    OneOf,
    Options,
    Order,
    Outcome,
    Refusal,
    RuleBook,
    Scene,
    ScenePage,
    Script,
    Seat,
    Verb,
    rank_seats,
)

SEATS = ("red", "blue")
OPPONENT = {"red": "blue", "blue": "red"}
RUN_ROLL = Need("how far to run", 1, 4, aims=ONLY_READ)
Square = Annotated[int, Meta(ge=0, le=20)]


class Lanes(Struct, frozen=True, forbid_unknown_fields=True):
    """The board. Squares are counted from the start, which is 0."""

    name: str
    """The name of the board."""
    shared: tuple[Square, ...]
    """The squares that belong to both lanes."""
    safe: tuple[Square, ...]
    """The shared squares on which nobody is caught."""
    home: Square
    """The square at the end of both lanes."""
    reconstruction: str | None = None
    """The part of the board that is a reconstruction, if any."""


class Position(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The part of a game that changes, as a player may type it."""

    mover: Literal["red", "blue"] = "red"
    """The player to move."""
    thrown: Annotated[int, Meta(ge=0, le=4)] = 0
    """The number on the die; 0 before the roll."""
    red: tuple[Square, Square, Square] = (0, 0, 0)
    """The squares of red's runners."""
    blue: tuple[Square, Square, Square] = (0, 0, 0)
    """The squares of blue's runners."""


class State(Position, frozen=True, kw_only=True):
    """A game between two actions."""

    lanes: Lanes
    """The board."""

    def list_runners(self, seat: Seat) -> tuple[Square, ...]:
        """Returns the squares on which a player's runners stand."""
        return self.red if seat == "red" else self.blue

    def move_runner(self, seat: Seat, origin: int, to: int) -> "State":
        """Returns the state after one runner moved to another square."""
        others = list(self.list_runners(seat))
        others.remove(origin)
        return replace(self, **{seat: tuple(sorted([*others, to]))})

    @property
    def winner(self) -> Seat | None:
        """The player who has brought all runners home (end); None if nobody has."""
        return next((seat for seat in SEATS if set(self.list_runners(seat)) == {self.lanes.home}), None)


class DieThrown(Event, frozen=True, tag="thrown"):
    """The number of a turn (throw)."""

    told = "{seat} may run {squares}."
    seat: Seat
    squares: int

    def apply(self, state: State) -> State:
        return replace(state, thrown=self.squares)


class RunnerMoved(Event, frozen=True, tag="ran"):
    """A runner has moved, and the other player rolls next (run)."""

    told = "Move {seat}'s runner from {origin} to {to}."
    seat: Seat
    origin: Square
    to: Square

    def apply(self, state: State) -> State:
        return replace(state.move_runner(self.seat, self.origin, self.to), mover=OPPONENT[self.seat], thrown=0)


class RunnerCaught(Event, frozen=True, tag="caught"):
    """A runner goes back to the start (catch)."""

    told = "Put {seat}'s runner on {square} back to the start."
    seat: Seat
    square: Square

    def apply(self, state: State) -> State:
        return state.move_runner(self.seat, self.square, 0)


class TurnPassed(Event, frozen=True, tag="passed"):
    """No runner can go as far as the die says (pass)."""

    told = "None of {seat}'s runners can go so far."
    seat: Seat

    def apply(self, state: State) -> State:
        return replace(state, mover=OPPONENT[self.seat], thrown=0)


class ThrowDie(Action, frozen=True, tag="throw"):
    """Roll the die (throw)."""

    says = "throw"


def _throw(state: State, seat: Seat, _action: ThrowDie, dice: Dice) -> Script[State]:
    state = yield DieThrown(seat, dice.throw(RUN_ROLL)[0])
    if not _able(state):
        yield TurnPassed(seat)


class MoveRunner(Action, frozen=True, tag="run"):
    """Move the runner that stands there (run)."""

    says = "run {square}"
    square: Square


def _able(state: State) -> tuple[int, ...]:
    """Returns the squares of runners that can go as far as the die says."""
    squares = dict.fromkeys(state.list_runners(state.mover))
    return tuple(square for square in squares if not any(_forbids(state, state.mover, MoveRunner(square))))


def _forbids(state: State, seat: Seat, action: MoveRunner) -> Iterator[Refusal]:
    to = action.square + state.thrown
    if action.square not in state.list_runners(seat):
        yield Refusal("run", f"{seat} has no runner on {action.square}")
    elif to > state.lanes.home:
        yield Refusal("home", f"from {action.square} it is {state.lanes.home - action.square} to go home")
    elif to in state.list_runners(seat) and to != state.lanes.home:
        yield Refusal("run", f"a runner of {seat} stands on {to}")
    elif to in state.lanes.safe and to in state.list_runners(OPPONENT[seat]):
        yield Refusal("safe", f"{OPPONENT[seat]} is safe on {to}")


def _run(state: State, seat: Seat, action: MoveRunner, _dice: Dice) -> Script[State]:
    to = action.square + state.thrown
    if to in state.lanes.shared and to in state.list_runners(OPPONENT[seat]):
        yield RunnerCaught(OPPONENT[seat], to)
    yield RunnerMoved(seat, action.square, to)


def _due(state: State) -> Obligation | None:
    """Returns what is due: a player rolls, and then runs (turn)."""
    phase = "run" if state.thrown else "throw"
    return None if state.winner else Obligation(state.mover, phase, "turn", f"{state.mover} has to {phase} now")


def _barred(state: State, _seat: Seat) -> Iterator[Refusal]:
    if state.winner:
        yield Refusal("end", f"{state.winner} has won")


VERBS: tuple[Verb[State, Any], ...] = (
    Verb(ThrowDie, ("throw",), lambda *_: iter([Choice(ThrowDie, RUN_ROLL)]), resolve=_throw),
    Verb(MoveRunner, ("run",), lambda state, _: iter([Choice(MoveRunner, square=OneOf(_able(state)))]), _forbids, _run),
)


def _check_thrown(state: State) -> Iterator[Refusal]:
    if state.thrown and not _able(state):
        yield Refusal("pass", f"none of {state.mover}'s runners can go {state.thrown}")


class Race(Game[State, Action, Event, Position, Lanes]):
    """The game of race."""

    name = "race"
    title = "Race"
    components = (Component("board", Lanes, lambda _: Path(__file__).with_name("lanes.toml")),)
    order = Order(_due, _barred)
    position = Position
    rulebook = RuleBook(Path(__file__).with_name("rules.toml"))
    examples = ("throw", "run 0")

    def seats(self, options: Options, names: tuple[str, ...] = ()) -> tuple[Seat, ...]:
        return SEATS

    def setup(self, options: Options, board: Lanes) -> State:
        return State(lanes=board)

    @property
    def invariants(self) -> tuple[Invariant[State], ...]:
        return (_check_thrown,)

    def state_from(self, position: Position, options: Options, board: Lanes) -> State:
        return State(lanes=board, **asdict(position))

    def position_from(self, state: State) -> Position:
        return Position(mover=state.mover, thrown=state.thrown, red=state.red, blue=state.blue)

    def outcome(self, state: State) -> Outcome | None:
        home = tuple((seat, state.list_runners(seat).count(state.lanes.home)) for seat in SEATS)
        first = state.winner
        return Outcome(rank_seats((first,), SEATS), home, f"all of {first}'s runners are at home") if first else None

    def status(self, view: State) -> str:
        return f"{view.mover} is to run {view.thrown}" if view.thrown else f"{view.mover} is to throw"

    def draw(self, view: State) -> Scene:
        squares = range(view.lanes.home + 1)
        lanes = (
            f"{seat:6}" + "".join(str(view.list_runners(seat).count(at) or ".") for at in squares) for seat in SEATS
        )
        glyphs = tuple(Glyph(0, row, lane) for row, lane in enumerate(lanes))
        return Scene(self.status(view), (ScenePage("", (), (), (Layout(20, glyphs),)),), words=(self.status(view),))


GAME = Race()
