"""Invariants of every position that play can reach, each with its rule."""

from collections.abc import Iterator

from referee.engine.rulebook import Invariant, Refusal
from referee.engine.text import listing, spell_number
from referee.games.manoover.state import State

MIN_PLAYERS_WITH_ROBOTS = 2
"""The number of players with robots below which the game is over (end.1, three.11)."""


def _check_cells(state: State) -> Iterator[Refusal]:
    """Yields refusals about robots in wrong places.

    Each robot stands alone on a cell of the board that is not a goal. Cars may also wait in garages.
    """
    seen: dict[str, str] = {}
    for robot, cell in state.cells.items():
        if cell not in state.board.cells:
            yield from _check_garage(state, robot, cell)
        elif cell in state.goals:
            yield Refusal(
                _find_goal_rule(state, cell), f"{robot} cannot stand on {cell}: this is {state.goals[cell]}'s goal"
            )
        if cell in seen:
            yield Refusal("bump.1", f"{seen[cell]} and {robot} cannot both stand on {cell}")
        seen[cell] = robot


def _find_goal_rule(state: State, cell: str) -> str:
    if state.board.has_three_seats:
        return "three.9"
    return "goal.3" if state.goals[cell] == state.board.seats[0] else "goal.4"


def _check_garage(state: State, robot: str, cell: str) -> Iterator[Refusal]:
    """Yields refusals about a robot that stands outside the board.

    Only a car may stand there: in its own garage, until its owner's first automatic phase.
    """
    if state.options["start"] != "garage":
        yield Refusal("goal.5", f"{robot} cannot stand on {cell}: the board has no such cell")
        return
    starts = state.board.list_starting_robots("garage", state.options["numbering"])
    garages = {garage: (car, arrow) for car, garage, arrow in starts}
    car, arrow = garages.get(cell, ("", ""))
    owner = state.board.find_owner(robot)
    if not car:
        yield Refusal("variant.crash.2", f"{robot} cannot stand on {cell}: the board has no such cell or garage")
    elif car != robot:
        yield Refusal("variant.crash.2", f"{robot} cannot stand on {cell}: it is {car}'s garage")
    elif state.arrows[robot] != arrow:
        yield Refusal("setup.8", f"{robot} must point {arrow} while it is in its garage")
    elif _has_driven_in(state, owner, int(robot[1:])):
        yield Refusal("variant.crash.4", f"{robot} must have left its garage in {owner}'s first automatic phase")


def _has_driven_in(state: State, seat: str, number: int) -> bool:
    if state.taken[seat] or seat != state.turn:
        return bool(state.taken[seat])
    return state.phase not in ("auto", "throw-off") or (state.phase == "auto" and number <= state.moved)


def _check_seats(state: State) -> Iterator[Refusal]:
    """Yields a refusal unless at least two players have robots, and the player whose turn it is has some."""
    alive = [seat for seat in state.board.seats if state.is_in_game(seat)]
    if len(alive) < MIN_PLAYERS_WITH_ROBOTS:
        reason = f"fewer than {spell_number(MIN_PLAYERS_WITH_ROBOTS)} players have robots: the game is over"
        yield Refusal("three.11" if state.board.has_three_seats else "end.1", reason)
    elif state.turn not in alive:
        yield Refusal("three.12", f"{state.turn} has no robots and so no turn")


def _check_dice_in_phase(state: State) -> Iterator[Refusal]:
    """Yields refusals about dice before the first roll of a turn, or about an automatic phase that the turn does not
    have.

    A player's first turn in the alternate order has no automatic phase.
    """
    opens, alternate = state.find_opening_phase(state.turn), state.options["order"] == "alternate"
    if alternate and state.phase == "auto" != opens:
        yield Refusal("variant.alt.1", f"{state.turn}'s first turn has no automatic phase")
    elif state.phase in (opens, "throw") and (state.dice or state.spent or state.dead or state.rethrown):
        if state.phase == "auto":
            rule = "variant.alt.2" if alternate else "variant.crash.1"
            yield Refusal(rule, "dice are rolled after the automatic phase, so none lie on the table yet")
        else:
            reason = "no dice lie on the table before the first roll, and no second roll was made"
            yield Refusal(state.board.dice_rule, reason)


def _check_dice(state: State) -> Iterator[Refusal]:
    """Yields refusals about dice that the board does not have, and about usable dice whose robot is out of the game.

    A control phase without a usable die is refused, too.
    """
    many, sides = state.board.file.dice, state.board.file.sides
    if len(state.dice) + len(state.spent) + state.dead > many:
        yield Refusal(state.board.dice_rule, f"there are only {many} dice")
    wrong = sorted({die for die in (*state.dice, *(die for _, die in state.spent)) if die > sides})
    if wrong:
        shown = listing(list(map(str, wrong)), "or")
        yield Refusal("dice.2", f"no die of this board shows {shown}: it has {sides} sides")
    if state.phase == "control" and not state.dice:
        yield Refusal("dice.9", "without a usable die the control phase is over")
    for die in state.dice if state.phase != "auto" else ():
        if die <= sides and state.name_own_robot(die) not in state.cells:
            yield Refusal("dice.4", f"a die shows {die}, but {state.name_own_robot(die)} is out of the game")


def _check_second_roll(state: State) -> Iterator[Refusal]:
    """Yields a refusal if dice do not fit the second roll.

    While that roll is due, every die lies on the table or is picked up, and none is spent. At other times no die is
    picked up.
    """
    kept, dead, many = len(state.dice), state.dead, state.board.file.dice
    if (dead > 0) != (state.phase == "rethrow"):
        yield Refusal("dice.5", "dice are picked up only while the second roll is due, and then at least one is")
    elif dead and state.rethrown:
        yield Refusal("dice.6", "the second roll was already made, and there is no third")
    elif dead and state.spent:
        yield Refusal("dice.5", "you cannot spend a die before the second roll")
    elif dead and kept + dead < many:
        reason = f"{kept} on the table and {dead} picked up make {kept + dead}"
        yield Refusal(state.board.dice_rule, f"all {many} dice are rolled: {reason}")


def _check_moved(state: State) -> Iterator[Refusal]:
    """Yields a refusal if the number of the robot that moved last is impossible.

    Robots move by rising number, only in the automatic phase. Until that phase ends, at least one has still to move.
    """
    sides = state.board.file.sides
    if state.moved > sides:
        reason = f"no robot has the number {state.moved}: they go by rising number from 1 to {sides}"
        yield Refusal("auto.3", reason)
    elif state.moved and state.phase != "auto":
        yield Refusal("auto.1", "robots make automatic moves only in the automatic phase")
    elif state.moved and not any(state.name_own_robot(at) in state.cells for at in range(state.moved + 1, sides + 1)):
        reason = f"all of {state.turn}'s robots have made their automatic moves, so the phase is over"
        yield Refusal("auto.1", reason)


INVARIANTS: tuple[Invariant[State], ...] = (
    _check_cells,
    _check_seats,
    _check_dice_in_phase,
    _check_dice,
    _check_second_roll,
    _check_moved,
)
"""The facts about a position, in the order in which they are told."""
