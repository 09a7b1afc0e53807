"""Every rule that an action breaks, in the order in which a person would be told."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.game import Seat
from referee.engine.ruling import Refusal
from referee.engine.text import count_of, listing
from referee.games.manoover.actions import (
    Auto,
    AutoOne,
    Done,
    Go,
    ManooverAction,
    Rethrow,
    Skip,
    Throw,
    ThrowOff,
    Turn,
)
from referee.games.manoover.board import HEADINGS
from referee.games.manoover.rules import next_robot, turnings
from referee.games.manoover.state import State


def check(state: State, seat: Seat, action: ManooverAction) -> Iterator[Refusal]:
    """Every rule the action breaks when this seat says it; nothing exactly when it is legal."""
    if state.outcome:
        yield Refusal("end.5", "the game is over: nothing more is played")
        return
    if state.phase == "throw-off" or isinstance(action, ThrowOff):
        yield from _check_throw_off(state, seat, action)
        return
    if seat != state.turn:
        yield _not_on_turn(state, seat)
        return
    match action:
        case Throw():
            yield from _check_throw(state)
        case Rethrow():
            yield from _check_rethrow(state)
        case Turn() | Go():
            yield from _check_controlling(state, action)
        case Done():
            yield from _check_done(state)
        case Auto() | AutoOne() | Skip():
            yield from _check_automatic(state, action)


def _not_on_turn(state: State, seat: Seat) -> Refusal:
    three = len(state.board.seats) == 3
    if seat not in state.board.seats:
        return Refusal("three.2" if three else "setup.1", f"nobody is called {seat!r} in this game")
    if three and not state.in_game(seat):
        return Refusal("three.12", f"{seat} has no robots left and takes no more turns; it is {state.turn}'s turn")
    return Refusal("three.6" if three else "turn.2", f"it is {state.turn}'s turn, not {seat}'s")


def _check_throw_off(state: State, seat: Seat, action: ManooverAction) -> Iterator[Refusal]:
    three = len(state.board.seats) == 3
    if three:
        rule = "three.5" if state.tied else "three.4"
    else:
        rule = "setup.6" if state.tied else "setup.5"
    who = listing(state.contenders)
    if isinstance(action, ThrowOff):
        for name in action.seats:
            if name not in state.board.seats:
                yield Refusal("three.2" if three else "setup.1", f"nobody is called {name!r} in this game")
    if state.phase != "throw-off":
        yield Refusal(rule, f"the first turn is settled, and it is {state.turn}'s turn")
    elif not isinstance(action, ThrowOff):
        yield Refusal(rule, f"nobody has the first turn yet: {who} throw one die each")
    elif action.seats != state.contenders:
        yield Refusal(rule, f"{who} throw one die each, nobody else and nobody twice")
    elif seat != state.turn:
        yield Refusal(rule, f"{state.turn} throws for all, or types in what everybody threw")


def _order_rule(state: State) -> str:
    """The rule that fixes the order of the phases in this turn."""
    if state.options.order == "auto-control":
        return "variant.crash.1"
    if state.options.order == "alternate":
        return "variant.alt.2" if state.taken[state.turn] else "variant.alt.1"
    return "three.8" if len(state.board.seats) == 3 else "turn.1"


def _dice_rule(state: State) -> str:
    return "plus.3" if state.board.file.dice == 4 else "dice.1"


def _check_throw(state: State) -> Iterator[Refusal]:
    if state.phase == "auto":
        yield _wrong_phase(state, "the automatic phase")
    elif state.phase != "throw":
        yield Refusal("dice.6", "the dice were thrown in this turn already")


def _check_rethrow(state: State) -> Iterator[Refusal]:
    if state.phase == "auto":
        yield _wrong_phase(state, "the automatic phase")
    elif state.phase == "throw":
        yield Refusal(_dice_rule(state), "the first throw comes first")
    elif state.rethrown:
        yield Refusal("dice.6", "the second throw was made already, and there is no third")
    elif state.phase == "control":
        yield Refusal("dice.3", "every die names a robot in the game and stays on the table")


def _wrong_phase(state: State, phase: str) -> Refusal:
    return Refusal(_order_rule(state), f"this is {phase} of {state.turn}'s turn")


def _check_controlling(state: State, action: Turn | Go) -> Iterator[Refusal]:
    if not action.robot.isdigit() or int(action.robot) > state.board.file.sides:
        yield Refusal("dice.2", f"a die names one of {state.turn}'s own robots, and {action.robot} is none of them")
    elif state.phase == "throw":
        yield Refusal(_dice_rule(state), "the dice have to be thrown first")
    elif state.phase == "rethrow":
        dice = count_of(state.dead, "die", "dice")
        yield Refusal("dice.5", f"{dice} picked up must be thrown again before any action")
    elif state.phase == "auto" and (state.moved or not (state.dice or state.spent or state.rethrown)):
        yield Refusal("auto.2", "in the automatic phase no robot is controlled")
    elif state.phase == "auto" and not (state.dice or state.spent):
        yield Refusal("dice.9", "no die was usable, so the control phase is over")
    elif int(action.robot) not in state.dice:
        yield _no_die(state, action)
    elif state.phase == "auto":
        yield Refusal(_order_rule(state), "the control phase was ended; the automatic phase follows")
    elif isinstance(action, Turn):
        yield from _check_turning(state, action)
    elif action.toward != state.arrows[state.own(action.robot)]:
        arrow = state.arrows[state.own(action.robot)]
        yield Refusal("control.5", f"robot {action.robot} points {arrow} and goes only {arrow}, not {action.toward}")


def _no_die(state: State, action: Turn | Go) -> Refusal:
    """No unspent die names the robot: the rule depends on how many did, and what they were spent on."""
    number = int(action.robot)
    left = f"dice left: {' '.join(map(str, state.dice))}" if state.dice else "no dice are left"
    verbs = [verb for verb, die in state.spent if die == number]
    if state.own(number) not in state.cells:
        return Refusal("control.1", f"robot {number} is out of the game; {left}")
    if not verbs:
        return Refusal("control.1", f"no die shows {number}; {left}")
    if len(verbs) == 1:
        wanted = "turn" if isinstance(action, Turn) else "go"
        rule = "control.1" if verbs == [wanted] else "control.7"
        return Refusal(rule, f'the one die that shows {number} was spent on "{number} {verbs[0]}"; {left}')
    rule = {2: "control.8", 3: "control.9"}.get(len(verbs), "plus.8")
    return Refusal(rule, f"all {len(verbs)} dice that show {number} are spent; {left}")


def _check_turning(state: State, action: Turn) -> Iterator[Refusal]:
    robot = state.own(action.robot)
    if action.toward not in HEADINGS:
        yield Refusal("control.4", f"no side of a cell lies {action.toward}: an arrow points N, NE, SE, S, SW or NW")
    elif action.toward not in turnings(state, robot):
        if action.toward == state.arrows[robot]:
            yield Refusal("control.2", f"robot {action.robot} points {action.toward} already")
        else:
            yield Refusal("variant.crash.3", f"one die turns robot {action.robot} by one edge: {_edges(state, robot)}")


def _edges(state: State, robot: str) -> str:
    return listing([toward for toward in turnings(state, robot) if toward != state.arrows[robot]], "or")


def _check_done(state: State) -> Iterator[Refusal]:
    if state.phase == "auto":
        yield _wrong_phase(state, "the automatic phase")
    elif state.phase == "throw":
        yield Refusal(_dice_rule(state), "the dice have to be thrown first")
    elif state.phase == "rethrow":
        yield Refusal("dice.5", "the second throw is not optional")
    elif state.options.decline_die == "forbidden":
        yield Refusal("control.1", f"every usable die must be spent: {' '.join(map(str, state.dice))}")


def _check_automatic(state: State, action: Auto | AutoOne | Skip) -> Iterator[Refusal]:
    if state.phase != "auto":
        yield _wrong_phase(state, "the control phase")
    elif isinstance(action, Skip):
        yield Refusal("auto.2", "every robot of the mover moves; none is left out")
    elif isinstance(action, AutoOne):
        yield from _check_step(state, action)


def _check_step(state: State, action: AutoOne) -> Iterator[Refusal]:
    if not action.robot.isdigit():
        yield Refusal("auto.12", f"only {state.turn}'s robots move in this phase, and {action.robot} is not his")
        return
    robot, due = state.own(action.robot), next_robot(state)
    if robot not in state.cells:
        yield Refusal("auto.4", f"robot {action.robot} is out of the game and passed over")
    elif int(action.robot) <= state.moved:
        yield Refusal("auto.1", f"robot {action.robot} has had its turn in this phase")
    elif robot != due:
        yield Refusal("auto.3", f"robot {due[1:] if due else '-'} comes first: robots go by rising number")
    elif action.toward != state.arrows[robot]:
        yield Refusal("auto.5", f"robot {action.robot} points {state.arrows[robot]} and goes only there")
