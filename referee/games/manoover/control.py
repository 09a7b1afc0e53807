"""The control phase: every die buys a turn or a step of its robot (control.1), in any order (control.3)."""

from collections.abc import Iterator
from typing import ClassVar

from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.legal import Action, Choice, OneOf
from referee.engine.ruling import Refusal
from referee.engine.text import count_of, listing
from referee.engine.verb import Verb
from referee.games.manoover.board import HEADINGS, Heading, heading_of, within_one_edge
from referee.games.manoover.events import Advanced, Declined, Lapsed, Turned
from referee.games.manoover.notation import GOING, TURNING, Arrow, Compass, Robot
from referee.games.manoover.pushing import push
from referee.games.manoover.state import State, Use
from referee.games.manoover.throwing import not_thrown
from referee.games.manoover.turns import end_phase, in_turn, order_rule


def _die_barred(state: State, robot: str, use: Use) -> Refusal | None:
    """Why no die can be spent on a robot now; None when there is one for it."""
    if not robot.isdigit() or int(robot) > state.board.file.sides:
        return Refusal("dice.2", f"a die names one of {state.turn}'s own robots, and {robot} is none of them")
    if state.phase == "throw":
        return not_thrown(state)
    if state.phase == "rethrow":
        dice = count_of(state.dead, "die", "dice")
        return Refusal("dice.5", f"{dice} picked up must be thrown again before any action")
    if state.phase == "auto" and (state.moved or not (state.dice or state.spent or state.rethrown)):
        return Refusal("auto.2", "in the automatic phase no robot is controlled")
    if state.phase == "auto" and not (state.dice or state.spent):
        return Refusal("dice.9", "no die was usable, so the control phase is over")
    if int(robot) not in state.dice:
        return _no_die(state, int(robot), use)
    if state.phase == "auto":
        return Refusal(order_rule(state), "the control phase was ended; the automatic phase follows")
    return None


def _no_die(state: State, number: int, use: Use) -> Refusal:
    """No unspent die names the robot: the rule depends on how many did, and what they were spent on."""
    left = f"dice left: {' '.join(map(str, state.dice))}" if state.dice else "no dice are left"
    uses = [spent for spent, die in state.spent if die == number]
    if state.own(number) not in state.cells:
        return Refusal("control.1", f"robot {number} is out of the game; {left}")
    if not uses:
        return Refusal("control.1", f"no die shows {number}; {left}")
    if len(uses) == 1:
        rule = "control.1" if uses == [use] else "control.7"
        return Refusal(rule, f'the one die that shows {number} was spent on "{number} {uses[0]}"; {left}')
    rule = {2: "control.8", 3: "control.9"}.get(len(uses), "plus.8")
    return Refusal(rule, f"all {len(uses)} dice that show {number} are spent; {left}")


def _after_control(state: State) -> Script[State]:
    """Dice whose robot is gone lapse (r.lapse); when no die is left the phase is over (control.7-control.9, plus.8)."""
    if state.outcome:  # end.5
        return
    lapsed = tuple(die for die in state.dice if state.own(die) not in state.cells)
    if lapsed:
        state = yield Lapsed(lapsed)
    if not state.dice:
        yield from end_phase(state)


# Going


class Go(Action, frozen=True, tag="go"):
    """Spend a die on moving the robot it names one cell along its arrow (control.5)."""

    says: ClassVar[str] = "{robot} go {toward}"
    robot: Robot
    toward: Arrow
    """The arrow's direction, which the player may leave unsaid."""


def _offer_go(state: State, _seat: Seat) -> Iterator[Choice]:
    for die in sorted(set(state.dice)):
        yield Choice(Go, robot=str(die), toward=state.arrows[state.own(die)])


def _check_go(state: State, action: Go) -> Iterator[Refusal]:
    barred = _die_barred(state, action.robot, "go")
    if barred:
        yield barred
        return
    arrow = state.arrows[state.own(action.robot)]
    if action.toward != arrow:
        yield Refusal("control.5", f"robot {action.robot} points {arrow} and goes only {arrow}, not {action.toward}")


def _go(state: State, _seat: Seat, action: Go, _dice: Dice) -> Script[State]:
    state = yield from push(state, state.own(action.robot), Advanced)
    yield from _after_control(state)


GO = Verb(Go, ("control",), _offer_go, in_turn(_check_go), _go, GOING, lambda reader: Go(*reader.robot_and_arrow()))


# Turning


class Turn(Action, frozen=True, tag="turn"):
    """Spend a die on turning the arrow of the robot it names (control.4)."""

    says: ClassVar[str] = "{robot} turn {toward}"
    robot: Robot
    toward: Compass


def _offer_turn(state: State, _seat: Seat) -> Iterator[Choice]:
    """Where the arrow points already is a direction too (control.2)."""
    for die in sorted(set(state.dice)):
        yield Choice(Turn, robot=str(die), toward=OneOf(_turnings(state, state.own(die))))


def _turnings(state: State, robot: str) -> tuple[Heading, ...]:
    """Directions to which one die may turn a robot's arrow (control.4, r.null-rotation, r.crash-rotation)."""
    now = state.arrows[robot]
    reach = HEADINGS if state.options["rotation"] == "any" else within_one_edge(now)
    return reach if state.options["null-rotation"] == "allowed" else tuple(toward for toward in reach if toward != now)


def _check_turn(state: State, action: Turn) -> Iterator[Refusal]:
    barred = _die_barred(state, action.robot, "turn")
    if barred:
        yield barred
        return
    now, turnings = state.arrows[state.own(action.robot)], _turnings(state, state.own(action.robot))
    if action.toward not in HEADINGS:
        yield Refusal("control.4", f"no side of a cell lies {action.toward}: an arrow points N, NE, SE, S, SW or NW")
    elif action.toward not in turnings and action.toward == now:
        yield Refusal("control.2", f"robot {action.robot} points {now} already")
    elif action.toward not in turnings:
        edges = listing([toward for toward in turnings if toward != now], "or")
        yield Refusal("variant.crash.3", f"one die turns robot {action.robot} by one edge: {edges}")


def _turn(state: State, _seat: Seat, action: Turn, _dice: Dice) -> Script[State]:
    state = yield Turned(state.own(action.robot), heading_of(action.toward))
    yield from _after_control(state)


TURN = Verb(
    Turn,
    ("control",),
    _offer_turn,
    in_turn(_check_turn),
    _turn,
    TURNING,
    lambda reader: Turn(reader.robot(), reader.direction()),
)


# Ending the phase


class Done(Action, frozen=True, tag="done"):
    """End the control phase and leave the other dice unspent (r.decline)."""

    says: ClassVar[str] = "done"


def _offer_done(state: State, _seat: Seat) -> Iterator[Choice]:
    if state.options["decline-die"] == "allowed":
        yield Choice(Done)


def _check_done(state: State, _action: Done) -> Iterator[Refusal]:
    if state.phase == "throw":
        yield not_thrown(state)
    elif state.phase == "rethrow":
        yield Refusal("dice.5", "the second throw is not optional")
    elif state.options["decline-die"] == "forbidden":
        yield Refusal("control.1", f"every usable die must be spent: {' '.join(map(str, state.dice))}")


def _done(state: State, _seat: Seat, _action: Done, _dice: Dice) -> Script[State]:
    state = yield Declined(state.dice)
    yield from end_phase(state)


DONE = Verb(Done, ("control",), _offer_done, in_turn(_check_done, "control"), _done)
