"""The position that people can type: everything that changes from turn to turn, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.options import Options
from referee.engine.rulebook import Refusal
from referee.engine.text import listing, spell_number
from referee.games.manoover.board import HEADINGS, MAX_ROBOTS, Board, heading_of, parse_robot
from referee.games.manoover.state import Phase, State, Use, opening_phase_of

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
    spent: Annotated[tuple[tuple[Use, Die], ...], Meta(max_length=8)] = ()
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
    robots = [parse_robot(text) for text in position.robots]
    captured = {seat: _upper(position.captured.get(seat, ())) for seat in board.seats}
    gone = {robot for lying in captured.values() for robot in lying} | {robot for robot, _, _ in robots}
    rest = tuple(robot for robot in board.robots if robot not in gone)
    taken = {seat: _turns(position, seat) for seat in board.seats}
    return State(
        board=board,
        options=options,
        goals=board.goal_owners(options["goal-cells"]),
        turn=position.turn,
        phase=_phase_of(position, options),
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


def setup(options: Options, board: Board) -> State:
    """Returns the state at the start: robots on their start cells, and a roll for the first turn (setup.3, setup.5)."""
    robots = board.starting_robots(options["start"], options["numbering"])
    first = options["first"]
    turn = board.seats[0] if first == "throw-off" else first
    before = state_from(
        Position(turn, tuple(map(" ".join, robots)), taken=dict.fromkeys(board.seats, 0)), options, board
    )
    if first == "throw-off":
        return replace(before, phase="throw-off", contenders=board.seats)
    return before


def check_position(position: Position, options: Options, board: Board) -> Iterator[Refusal]:
    """Yields a refusal for every rule that a position breaks, in the order of the rule index."""
    many = {"three": "three.2", "plus": "plus.2"}.get(options["form"], "setup.2")
    robots = [parse_robot(text) for text in position.robots]
    captured = [robot for lying in position.captured.values() for robot in _upper(lying)]
    off = () if position.off == "rest" else _upper(position.off)
    named = [robot for robot, _, _ in robots] + captured + list(off)
    for robot in named:
        if robot not in board.robots:
            yield Refusal(many, f"there is no robot {robot}")
    yield from _check_places(position, robots, options, board)
    for robot in sorted({robot for robot in named if named.count(robot) > 1}):
        yield Refusal(many, f"{robot} is named twice")
    missing = [robot for robot in board.robots if robot not in named]
    if missing and position.off != "rest":
        one = len(missing) == 1
        told = f"{listing(missing)} {'has' if one else 'have'} no place; give {'it' if one else 'them'} one"
        yield Refusal(many, f'{told}, or say off = "rest"')
    yield from _check_seats(position, robots, board)
    alive = {robot for robot, _, _ in robots}
    yield from _check_phase(position, options, board)
    yield from _check_dice(position, alive, board)
    yield from _check_moved(position, alive, options, board)


def _check_places(
    position: Position, robots: list[tuple[str, str, str]], options: Options, board: Board
) -> Iterator[Refusal]:
    goals = board.goal_owners(options["goal-cells"])
    seen: dict[str, str] = {}
    for robot, cell, heading in robots:
        if heading not in HEADINGS:
            yield Refusal("setup.7", f"{robot} cannot point {heading}: an arrow points N, NE, SE, S, SW or NW")
        if cell not in board.cells and options["start"] == "garage":
            yield from _check_garage(position, (robot, cell, heading), options, board)
        elif cell not in board.cells:
            yield Refusal("goal.5", f"{robot} cannot stand on {cell}: the board has no such cell")
        if cell in goals:
            rule = "three.9" if board.has_three_seats else "goal.3" if goals[cell] == board.seats[0] else "goal.4"
            yield Refusal(rule, f"{robot} cannot stand on {cell}: this is {goals[cell]}'s goal")
        if cell in seen:
            yield Refusal("bump.1", f"{seen[cell]} and {robot} cannot both stand on {cell}")
        seen[cell] = robot


def _check_garage(
    position: Position, placed: tuple[str, str, str], options: Options, board: Board
) -> Iterator[Refusal]:
    """Yields refusals about a car outside the board.

    It must be in its own garage until its owner's first automatic phase.
    """
    robot, cell, heading = placed
    garages = {garage: (car, arrow) for car, garage, arrow in board.starting_robots("garage", options["numbering"])}
    car, arrow = garages.get(cell, ("", ""))
    if not car:
        yield Refusal("variant.crash.2", f"{robot} cannot stand on {cell}: the board has no such cell or garage")
    elif car != robot:
        yield Refusal("variant.crash.2", f"{robot} cannot stand on {cell}: it is {car}'s garage")
    elif heading != arrow:
        yield Refusal("setup.8", f"{robot} must point {arrow} while it is in its garage")
    elif _has_driven_in(position, options, board.owner_of(robot), int(robot[1:])):
        yield Refusal(
            "variant.crash.4", f"{robot} must have left its garage in {board.owner_of(robot)}'s first automatic phase"
        )


def _has_driven_in(position: Position, options: Options, seat: str, number: int) -> bool:
    if _turns(position, seat) or seat != position.turn:
        return bool(_turns(position, seat))
    return _phase_of(position, options) != "auto" or number <= position.moved


def _turns(position: Position, seat: str) -> int:
    """Returns the number of turns that a seat has finished; one each if the position gives none."""
    return position.taken.get(seat, 0 if position.taken else 1)


def _phase_of(position: Position, options: Options) -> Phase:
    """Returns the phase that the game waits in, also if the position leaves it out."""
    return position.phase or opening_phase_of(options, _turns(position, position.turn))


FEWEST = 2
"""The number of players with robots below which the game is over (end.1, three.11)."""


def _check_seats(position: Position, robots: list[tuple[str, str, str]], board: Board) -> Iterator[Refusal]:
    for seat in [position.turn, *position.captured, *position.taken]:
        if seat not in board.seats:
            yield Refusal("three.2" if board.has_three_seats else "setup.1", f"nobody is called {seat!r} here")
    alive = [seat for seat in board.seats if any(robot[0] == seat[0].upper() for robot, _, _ in robots)]
    if len(alive) < FEWEST:
        yield Refusal(
            "three.11" if board.has_three_seats else "end.1",
            f"fewer than {spell_number(FEWEST)} players have robots: the game is over",
        )
    elif position.turn in board.seats and position.turn not in alive:
        yield Refusal("three.12", f"{position.turn} has no robots and so no turn")


def _check_phase(position: Position, options: Options, board: Board) -> Iterator[Refusal]:
    """Yields a refusal if a position cannot have this phase, or not with these dice."""
    phase, opens = _phase_of(position, options), opening_phase_of(options, _turns(position, position.turn))
    if phase == "over":
        yield Refusal("end.5", "you cannot begin with a game that is over")
    if phase == "throw-off":
        told = f"a position needs a seat to move; for a first turn write turn {board.seats[0]}, phase throw"
        yield Refusal("setup.5", told)
    if options["order"] == "alternate" and phase == "auto" != opens:
        yield Refusal("variant.alt.1", f"{position.turn}'s first turn has no automatic phase")
    elif phase in (opens, "throw") and (position.dice or position.spent or position.dead or position.rethrown):
        yield _refuse_dice(phase, options, board)


def _refuse_dice(phase: Phase, options: Options, board: Board) -> Refusal:
    if phase == "auto":
        rule = "variant.alt.2" if options["order"] == "alternate" else "variant.crash.1"
        return Refusal(rule, "dice are rolled after the automatic phase, so none lie on the table yet")
    return Refusal(board.dice_rule, "no dice lie on the table before the first roll, and no second roll was made")


def _check_dice(position: Position, alive: set[str], board: Board) -> Iterator[Refusal]:
    many, thrown = board.file.dice, len(position.dice) + len(position.spent) + position.dead
    if thrown > many:
        yield Refusal(board.dice_rule, f"there are only {many} dice")
    wrong = sorted({die for die in (*position.dice, *(die for _, die in position.spent)) if die > board.file.sides})
    if wrong:
        shown = listing(list(map(str, wrong)), "or")
        yield Refusal("dice.2", f"no die of this board shows {shown}: it has {board.file.sides} sides")
    if (position.dead > 0) != (position.phase == "rethrow"):
        yield Refusal("dice.5", "dice are picked up only while the second roll is due, and then at least one is")
    elif position.dead:
        yield from _check_dice_picked_up(position, board)
    if position.phase == "control" and not position.dice:
        yield Refusal("dice.9", "without a usable die the control phase is over")
    letter = position.turn[:1].upper()
    for die in position.dice:
        if position.phase != "auto" and die <= board.file.sides and f"{letter}{die}" not in alive:
            yield Refusal("dice.4", f"a die shows {die}, but {letter}{die} is out of the game")


def _check_dice_picked_up(position: Position, board: Board) -> Iterator[Refusal]:
    """Yields refusals between the two rolls: every die must lie on the table or be picked up, and none be spent."""
    kept, dead, many = len(position.dice), position.dead, board.file.dice
    if position.rethrown:
        yield Refusal("dice.6", "the second roll was already made, and there is no third")
    if position.spent:
        yield Refusal("dice.5", "you cannot spend a die before the second roll")
    elif kept + dead < many:
        told = f"{kept} on the table and {dead} picked up make {kept + dead}"
        yield Refusal(board.dice_rule, f"all {many} dice are rolled: {told}")


def _check_moved(position: Position, alive: set[str], options: Options, board: Board) -> Iterator[Refusal]:
    """Yields refusals about the robot that made its automatic move last."""
    letter, sides = position.turn[:1].upper(), board.file.sides
    if position.moved > sides:
        told = f"no robot has the number {position.moved}: they go by rising number from 1 to {sides}"
        yield Refusal("auto.3", told)
    elif position.moved and _phase_of(position, options) != "auto":
        yield Refusal("auto.1", "robots make automatic moves only in the automatic phase")
    elif position.moved and not any(f"{letter}{number}" in alive for number in range(position.moved + 1, sides + 1)):
        yield Refusal(
            "auto.1", f"all of {position.turn}'s robots have made their automatic moves, so the phase is over"
        )


def _upper(robots: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(robot.upper() for robot in robots)
