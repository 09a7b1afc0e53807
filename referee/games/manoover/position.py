"""The position that people can type: everything that changes from turn to turn, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.options import Options
from referee.engine.rulebook import Refusal
from referee.engine.text import listing
from referee.games.manoover.board import HEADINGS, MAX_ROBOTS, Board, find_heading, parse_robot_cell_and_arrow
from referee.games.manoover.state import DieUse, Phase, State, find_opening_phase

Die = Annotated[int, Meta(ge=1, le=MAX_ROBOTS)]
RobotId = Annotated[str, Meta(pattern="^[A-Za-z][1-9]$", description="a robot such as R1")]


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A position as people type it."""

    turn: str
    """The seat whose turn it is."""
    robots: Annotated[tuple[str, ...], Meta(max_length=3 * MAX_ROBOTS)]
    """The robots in the game: "R1 a1 N" is robot, cell, arrow."""
    captured: dict[str, tuple[RobotId, ...]] = {}
    """The robots in front of each seat."""
    off: tuple[RobotId, ...] | Literal["rest"] = ()
    """The robots laid aside, or "rest" for all robots that are not named elsewhere."""
    phase: Phase | None = None
    """The phase that the game waits in. If it is left out, it is the phase that opens the turn."""
    taken: dict[str, Annotated[int, Meta(ge=0, le=10_000)]] = {}
    """The number of turns that each seat has finished. If it is left out, it is one each."""
    dice: Annotated[tuple[Die, ...], Meta(max_length=8)] = ()
    """The usable dice on the table, in the control phase."""
    spent: Annotated[tuple[tuple[DieUse, Die], ...], Meta(max_length=8)] = ()
    """The dice already spent in this turn, and what each was spent on."""
    dead: Annotated[int, Meta(ge=0, le=8)] = 0
    """The number of dice picked up for the second roll, in phase "rethrow"."""
    rethrown: bool = False
    """True if the second roll of this turn was made."""
    moved: Annotated[int, Meta(ge=0, le=MAX_ROBOTS)] = 0
    """In phase "auto": the number of the robot that made its automatic move last."""


def position_from(state: State) -> Position:
    """Returns the position of a state. For a game that is over or not yet begun, only the robots' places matter."""
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


def state_from(position: Position, options: Options, board: Board) -> State:
    """Returns the state of a position. Call `check_position` first: the position must be legal."""
    robots = [parse_robot_cell_and_arrow(text) for text in position.robots]
    captured = {seat: _uppercase_robots(position.captured.get(seat, ())) for seat in board.seats}
    gone = {robot for lying in captured.values() for robot in lying} | {robot for robot, _, _ in robots}
    rest = tuple(robot for robot in board.robots if robot not in gone)
    taken = {seat: _count_turns(position, seat) for seat in board.seats}
    return State(
        board=board,
        options=options,
        goals=board.map_goal_owners(options["goal-cells"]),
        turn=position.turn,
        phase=_find_phase(position, options),
        cells={robot: cell for robot, cell, _ in robots},
        arrows={robot: find_heading(heading) for robot, _, heading in robots},
        captured=captured,
        off=rest if position.off == "rest" else _uppercase_robots(position.off),
        taken=taken,
        dice=tuple(sorted(position.dice)),
        spent=position.spent,
        dead=position.dead,
        rethrown=position.rethrown,
        moved=position.moved,
    )


def describe_added_facts(position: Position) -> tuple[str, ...]:
    """Returns sentences about facts that `state_from` adds to a position, because they were not typed."""
    phase = f"{position.turn.capitalize()}'s turn begins: no phase was typed (turn.1)."
    taken = "Each player has finished one turn: no other number was typed."
    return (*((phase,) if position.phase is None else ()), *(() if position.taken else (taken,)))


def set_up_game(options: Options, board: Board) -> State:
    """Returns the state at the start: robots on their start cells, and a roll for the first turn (setup.3, setup.5)."""
    robots = board.list_starting_robots(options["start"], options["numbering"])
    first = options["first"]
    turn = board.seats[0] if first == "throw-off" else first
    before = state_from(
        Position(turn, tuple(map(" ".join, robots)), taken=dict.fromkeys(board.seats, 0)), options, board
    )
    if first == "throw-off":
        return replace(before, phase="throw-off", contenders=board.seats)
    return before


def check_position_names(position: Position, options: Options, board: Board) -> Iterator[Refusal]:
    """Yields a refusal for unknown names, for robots without a place or with two, and for phases in which no game
    begins.
    """
    many = {"three": "three.2", "plus": "plus.2"}.get(options["form"], "setup.2")
    named = _list_named_robots(position)
    for robot in named:
        if robot not in board.robots:
            yield Refusal(many, f"there is no robot {robot}")
    for text in position.robots:
        robot, _, heading = parse_robot_cell_and_arrow(text)
        if heading not in HEADINGS:
            yield Refusal("setup.7", f"{robot} cannot point {heading}: an arrow points N, NE, SE, S, SW or NW")
    for robot in sorted({robot for robot in named if named.count(robot) > 1}):
        yield Refusal(many, f"{robot} is named twice")
    missing = [robot for robot in board.robots if robot not in named]
    if missing and position.off != "rest":
        one = len(missing) == 1
        reason = f"{listing(missing)} {'has' if one else 'have'} no place; give {'it' if one else 'them'} one"
        yield Refusal(many, f'{reason}, or say off = "rest"')
    for seat in [position.turn, *position.captured, *position.taken]:
        if seat not in board.seats:
            yield Refusal("three.2" if board.has_three_seats else "setup.1", f"nobody is called {seat!r} here")
    if position.phase == "over":
        yield Refusal("end.5", "you cannot begin with a game that is over")
    elif position.phase == "throw-off":
        reason = f"a position needs a seat to move; for a first turn write turn {board.seats[0]}, phase throw"
        yield Refusal("setup.5", reason)


def _list_named_robots(position: Position) -> list[str]:
    """Returns every robot that a position names. A robot that is named twice is in the list twice."""
    placed = [parse_robot_cell_and_arrow(text)[0] for text in position.robots]
    captured = [robot for lying in position.captured.values() for robot in _uppercase_robots(lying)]
    return [*placed, *captured, *(() if position.off == "rest" else _uppercase_robots(position.off))]


def _count_turns(position: Position, seat: str) -> int:
    """Returns the number of turns that a seat has finished; 1 if the position gives no number for any seat."""
    return position.taken.get(seat, 0 if position.taken else 1)


def _find_phase(position: Position, options: Options) -> Phase:
    """Returns the phase in which the game waits. If the position names none, it is the phase that opens the turn."""
    return position.phase or find_opening_phase(options, _count_turns(position, position.turn))


def _uppercase_robots(robots: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(robot.upper() for robot in robots)
