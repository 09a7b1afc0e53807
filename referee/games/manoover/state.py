"""The state of a game of Manoover, and the position that a person can type.

A `State` holds everything that a rule may ask for, the board and the options included. A `Position` is what changes
from turn to turn, in words: it is what a position file and an `amend` entry hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from referee.engine.game import Outcome, Seat
from referee.engine.ruling import Refusal
from referee.engine.text import listing
from referee.games.manoover.board import HEADINGS, MAX_ROBOTS, Board, split_robot

Phase = Literal["throw-off", "throw", "rethrow", "control", "auto", "over"]
"""What the game waits for: dice for the first turn, the first throw, the second throw, actions, the automatic phase."""


Verb = Literal["go", "turn"]
"""What a die can be spent on."""


class Options(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The options in force; what each means stands in `options.py`."""

    form: str
    edition: str
    order: str
    ties: str
    rotation: str
    start: str
    goal_cells: str
    numbering: str
    decline_die: str
    null_rotation: str
    eliminated_goal: str
    three_result: str
    first: str


class State(Struct, frozen=True, gc=False):
    """Everything about a game at one moment. Values only, so no cycles for the garbage collector to look for."""

    board: Board
    options: Options
    goals: Mapping[str, Seat]
    """Owner of each goal cell."""
    turn: Seat
    """Whose turn it is; before the first turn, who throws for all."""
    phase: Phase
    cells: Mapping[str, str]
    """Cell of every robot in the game."""
    arrows: Mapping[str, str]
    """Heading of every robot in the game."""
    captured: Mapping[Seat, tuple[str, ...]]
    """Robots that lie in front of each seat, in the order in which they entered its goal."""
    off: tuple[str, ...] = ()
    """Robots that left over the edge."""
    taken: Mapping[Seat, int] = {}
    """Turns each seat has finished."""
    dice: tuple[int, ...] = ()
    """Usable dice not yet spent, in rising order; they stay on the table until the turn is over."""
    spent: tuple[tuple[Verb, int], ...] = ()
    """What each die of this turn was spent on: (verb, die)."""
    dead: int = 0
    """Dice picked up, to be thrown a second time."""
    rethrown: bool = False
    """Whether this turn's second throw was made."""
    moved: int = 0
    """Number of the last robot that made its automatic move in this phase."""
    contenders: tuple[Seat, ...] = ()
    """Who throws for the first turn: everybody, or those who tied."""
    tied: bool = False
    """Whether the last throw for the first turn was a tie."""
    outcome: Outcome | None = None

    def in_game(self, seat: Seat) -> bool:
        """Whether a seat has a robot left, on the board or in a garage (end.1, r.garage)."""
        letter = seat[0].upper()
        return any(robot[0] == letter for robot in self.cells)

    def own(self, number: int | str) -> str:
        """Id of the mover's robot with this number."""
        return f"{self.turn[0].upper()}{number}"

    def occupants(self) -> dict[str, str]:
        """The robot on each occupied cell."""
        return {cell: robot for robot, cell in self.cells.items()}

    def scores(self) -> tuple[tuple[Seat, int], ...]:
        """How many robots lie in front of each seat."""
        return tuple((seat, len(self.captured[seat])) for seat in self.board.seats)


def to_act(state: State) -> Seat | None:
    """Who holds the pen: the player on turn, all phase long (turn.2, three.6)."""
    return None if state.outcome else state.turn


def turn_of(state: State) -> int:
    """Number of the turn being played, from 1."""
    return sum(state.taken.values()) + (0 if state.outcome else 1)


def view(state: State, seat: Seat | None) -> State:  # noqa: ARG001 - nothing is hidden in this game
    """What a seat may know: everything."""
    return state


def outcome(state: State) -> Outcome | None:
    """How the game ended; None while it is going on. Nothing ends it but end.1 and three.11 (r.no-limit)."""
    return state.outcome


Die = Annotated[int, Meta(ge=1, le=MAX_ROBOTS)]
RobotId = Annotated[str, Meta(pattern="^[A-Za-z][1-9]$")]


class Position(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """A position as a person types it."""

    turn: str
    """Whose turn it is."""
    robots: Annotated[tuple[str, ...], Meta(max_length=3 * MAX_ROBOTS)]
    """Robots in the game: "R1 a1 N" is robot, cell, arrow."""
    captured: dict[str, tuple[RobotId, ...]] = {}
    """Robots in front of each seat."""
    off: tuple[RobotId, ...] | Literal["rest"] = ()
    """Robots laid aside, or "rest": all that are not named elsewhere."""
    phase: Phase | None = None
    """What the game waits for; not given: the phase with which the turn opens."""
    taken: dict[str, Annotated[int, Meta(ge=0, le=10_000)]] = {}
    """Turns each seat has finished; not given: one each."""
    dice: Annotated[tuple[Die, ...], Meta(max_length=8)] = ()
    """Usable dice on the table, in the control phase."""
    spent: Annotated[tuple[tuple[Verb, Die], ...], Meta(max_length=8)] = ()
    """Dice already spent in this turn, and on what."""
    dead: Annotated[int, Meta(ge=0, le=8)] = 0
    """Dice picked up for the second throw, in phase "rethrow"."""
    rethrown: bool = False
    """Whether the second throw of this turn was made."""
    moved: Annotated[int, Meta(ge=0, le=MAX_ROBOTS)] = 0
    """In phase "auto": the last robot that made its automatic move."""


def position_of(state: State) -> Position:
    """The position of a state. A game that has ended or not yet begun is placed as its robots stand."""
    return Position(
        turn=state.turn,
        robots=tuple(f"{robot} {cell} {state.arrows[robot]}" for robot, cell in sorted(state.cells.items())),
        captured=dict(state.captured),
        off=state.off,
        phase=state.phase,
        taken=dict(state.taken),
        dice=state.dice,
        spent=state.spent,
        dead=state.dead,
        rethrown=state.rethrown,
        moved=state.moved,
    )


def place(position: Position, options: Mapping[str, str], board: Board) -> State:
    """The state of a position that `check_position` found nothing wrong with."""
    robots = [split_robot(text) for text in position.robots]
    captured = {seat: _upper(position.captured.get(seat, ())) for seat in board.seats}
    gone = {robot for lying in captured.values() for robot in lying} | {robot for robot, _, _ in robots}
    rest = tuple(robot for robot in board.robots if robot not in gone)
    taken = {seat: position.taken.get(seat, 0 if position.taken else 1) for seat in board.seats}
    settled = msgspec.convert(options, Options)
    return State(
        board=board,
        options=settled,
        goals=board.goals(options["goal-cells"]),
        turn=position.turn,
        phase=position.phase or opening_phase(settled.order, taken[position.turn]),
        cells={robot: cell for robot, cell, _ in robots},
        arrows={robot: heading for robot, _, heading in robots},
        captured=captured,
        off=rest if position.off == "rest" else _upper(position.off),
        taken=taken,
        dice=tuple(sorted(position.dice)),
        spent=position.spent,
        dead=position.dead,
        rethrown=position.rethrown,
        moved=position.moved,
    )


def setup(options: Mapping[str, str], board: Board) -> State:
    """The state in which a game begins: robots on their start cells, a throw for the first turn (setup.3, setup.5)."""
    robots = board.start(options["start"], options["numbering"])
    first = options["first"]
    turn = board.seats[0] if first == "throw-off" else first
    before = place(Position(turn, tuple(map(" ".join, robots)), taken=dict.fromkeys(board.seats, 0)), options, board)
    if first == "throw-off":
        return msgspec.structs.replace(before, phase="throw-off", contenders=board.seats)
    return before


def opening_phase(order: str, taken: int) -> Phase:
    """The phase that opens a turn after `taken` turns of that player (turn.1, variant.alt.1, variant.crash.1)."""
    return "auto" if order == "auto-control" or (order == "alternate" and taken) else "throw"


def check_position(position: Position, options: Mapping[str, str], board: Board) -> Iterator[Refusal]:
    """Every rule that a position breaks, in the order of the index."""
    many = {"three": "three.2", "plus": "plus.2"}.get(options["form"], "setup.2")
    robots = [split_robot(text) for text in position.robots]
    captured = [robot for lying in position.captured.values() for robot in _upper(lying)]
    off = () if position.off == "rest" else _upper(position.off)
    named = [robot for robot, _, _ in robots] + captured + list(off)
    for robot in named:
        if robot not in board.robots:
            yield Refusal(many, f"there is no robot {robot}")
    yield from _check_places(robots, options, board)
    for robot in sorted({robot for robot in named if named.count(robot) > 1}):
        yield Refusal(many, f"{robot} is named twice")
    missing = [robot for robot in board.robots if robot not in named]
    if missing and position.off != "rest":
        yield Refusal(many, f'{listing(missing)} is nowhere; name it, or say off = "rest"')
    yield from _check_seats(position, robots, board)
    yield from _check_dice(position, {robot for robot, _, _ in robots}, board)


def _check_places(robots: list[tuple[str, str, str]], options: Mapping[str, str], board: Board) -> Iterator[Refusal]:
    goals = board.goals(options["goal-cells"])
    places = board.axial if options["start"] == "garage" else board.cells
    seen: dict[str, str] = {}
    for robot, cell, heading in robots:
        if heading not in HEADINGS:
            yield Refusal("setup.7", f"{robot} cannot point {heading}: an arrow points N, NE, SE, S, SW or NW")
        if cell not in places:
            yield Refusal("goal.5", f"{robot} cannot stand on {cell}: the board has no such cell")
        if cell in goals:
            rule = {3: "three.9"}.get(len(board.seats), "goal.3" if goals[cell] == board.seats[0] else "goal.4")
            yield Refusal(rule, f"{robot} cannot stand on {cell}: it is {goals[cell]}'s goal")
        if cell in seen:
            yield Refusal("bump.1", f"{seen[cell]} and {robot} cannot both stand on {cell}")
        seen[cell] = robot


def _check_seats(position: Position, robots: list[tuple[str, str, str]], board: Board) -> Iterator[Refusal]:
    three = len(board.seats) == 3
    for seat in [position.turn, *position.captured, *position.taken]:
        if seat not in board.seats:
            yield Refusal("three.2" if three else "setup.1", f"nobody is called {seat!r} here")
    alive = [seat for seat in board.seats if any(robot[0] == seat[0].upper() for robot, _, _ in robots)]
    if len(alive) < 2:
        yield Refusal("three.11" if three else "end.1", "fewer than two players have robots: the game is over")
    elif position.turn in board.seats and position.turn not in alive:
        yield Refusal("three.12" if three else "end.1", f"{position.turn} has no robots and so no turn")


def _check_dice(position: Position, alive: set[str], board: Board) -> Iterator[Refusal]:
    rule = "plus.3" if board.file.dice == 4 else "dice.1"
    opened = bool(position.dice or position.spent or position.dead)
    if position.phase in ("throw-off", "over"):
        yield Refusal("end.5" if position.phase == "over" else "setup.5", f"a position in phase {position.phase!r}")
    if len(position.dice) + len(position.spent) + position.dead > board.file.dice:
        yield Refusal(rule, f"there are only {board.file.dice} dice")
    if position.phase in ("throw", None) and opened:
        yield Refusal("dice.1", "no dice lie on the table before the throw")
    if (position.dead > 0) != (position.phase == "rethrow"):
        yield Refusal("dice.5", "dice are picked up exactly while the second throw is due")
    if position.phase == "control" and not position.dice:
        yield Refusal("dice.9", "without a usable die the control phase is over")
    letter = position.turn[:1].upper()
    for die in position.dice:
        if position.phase != "auto" and f"{letter}{die}" not in alive:
            yield Refusal("dice.4", f"a die shows {die}, but {letter}{die} is out of the game")
    if position.moved and position.phase != "auto":
        yield Refusal("auto.1", "robots move by themselves only in the automatic phase")


def _upper(robots: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(robot.upper() for robot in robots)
