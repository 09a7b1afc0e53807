"""Positions of Manoover, as a person types them: what changes from turn to turn, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.options import Options
from referee.engine.ruling import Refusal
from referee.engine.text import listing
from referee.games.manoover.board import HEADINGS, MAX_ROBOTS, Board, heading_of, split_robot
from referee.games.manoover.state import Phase, State, Use

Die = Annotated[int, Meta(ge=1, le=MAX_ROBOTS)]
RobotId = Annotated[str, Meta(pattern="^[A-Za-z][1-9]$")]


class Position(Struct, frozen=True, forbid_unknown_fields=True):
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
    spent: Annotated[tuple[tuple[Use, Die], ...], Meta(max_length=8)] = ()
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


def place(position: Position, options: Options, board: Board) -> State:
    """The state of a position that `check_position` found nothing wrong with."""
    robots = [split_robot(text) for text in position.robots]
    captured = {seat: _upper(position.captured.get(seat, ())) for seat in board.seats}
    gone = {robot for lying in captured.values() for robot in lying} | {robot for robot, _, _ in robots}
    rest = tuple(robot for robot in board.robots if robot not in gone)
    taken = {seat: position.taken.get(seat, 0 if position.taken else 1) for seat in board.seats}
    state = State(
        board=board,
        options=options,
        goals=board.goals(options["goal-cells"]),
        turn=position.turn,
        phase=position.phase or "throw",
        cells={robot: cell for robot, cell, _ in robots},
        arrows={robot: heading_of(heading) for robot, _, heading in robots},
        captured=captured,
        off=rest if position.off == "rest" else _upper(position.off),
        taken=taken,
        dice=tuple(sorted(position.dice)),
        spent=position.spent,
        dead=position.dead,
        rethrown=position.rethrown,
        moved=position.moved,
    )
    return state if position.phase else replace(state, phase=state.opening(state.turn))


def setup(options: Options, board: Board) -> State:
    """The state in which a game begins: robots on their start cells, a throw for the first turn (setup.3, setup.5)."""
    robots = board.start(options["start"], options["numbering"])
    first = options["first"]
    turn = board.seats[0] if first == "throw-off" else first
    before = place(Position(turn, tuple(map(" ".join, robots)), taken=dict.fromkeys(board.seats, 0)), options, board)
    if first == "throw-off":
        return replace(before, phase="throw-off", contenders=board.seats)
    return before


def check_position(position: Position, options: Options, board: Board) -> Iterator[Refusal]:
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


def _check_places(robots: list[tuple[str, str, str]], options: Options, board: Board) -> Iterator[Refusal]:
    goals = board.goals(options["goal-cells"])
    places = board.axial if options["start"] == "garage" else board.cells
    seen: dict[str, str] = {}
    for robot, cell, heading in robots:
        if heading not in HEADINGS:
            yield Refusal("setup.7", f"{robot} cannot point {heading}: an arrow points N, NE, SE, S, SW or NW")
        if cell not in places:
            yield Refusal("goal.5", f"{robot} cannot stand on {cell}: the board has no such cell")
        if cell in goals:
            rule = "three.9" if board.three else "goal.3" if goals[cell] == board.seats[0] else "goal.4"
            yield Refusal(rule, f"{robot} cannot stand on {cell}: it is {goals[cell]}'s goal")
        if cell in seen:
            yield Refusal("bump.1", f"{seen[cell]} and {robot} cannot both stand on {cell}")
        seen[cell] = robot


def _check_seats(position: Position, robots: list[tuple[str, str, str]], board: Board) -> Iterator[Refusal]:
    for seat in [position.turn, *position.captured, *position.taken]:
        if seat not in board.seats:
            yield Refusal("three.2" if board.three else "setup.1", f"nobody is called {seat!r} here")
    alive = [seat for seat in board.seats if any(robot[0] == seat[0].upper() for robot, _, _ in robots)]
    if len(alive) < 2:
        yield Refusal("three.11" if board.three else "end.1", "fewer than two players have robots: the game is over")
    elif position.turn in board.seats and position.turn not in alive:
        yield Refusal("three.12" if board.three else "end.1", f"{position.turn} has no robots and so no turn")


def _check_dice(position: Position, alive: set[str], board: Board) -> Iterator[Refusal]:
    opened = bool(position.dice or position.spent or position.dead)
    if position.phase in ("throw-off", "over"):
        yield Refusal("end.5" if position.phase == "over" else "setup.5", f"a position in phase {position.phase!r}")
    if len(position.dice) + len(position.spent) + position.dead > board.file.dice:
        yield Refusal(board.dice_rule, f"there are only {board.file.dice} dice")
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
