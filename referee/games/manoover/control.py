"""The control phase: every die buys a turn or a step of its robot (control.1), in any order (control.3)."""

from collections.abc import Iterator
from functools import cache
from typing import ClassVar

from msgspec.structs import replace

from referee.engine.action_fields import spoken
from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat, Told
from referee.engine.legal import Action, Choice, OneOf
from referee.engine.ruling import Refusal
from referee.engine.text import listing
from referee.engine.verb import Verb
from referee.games.manoover.board import HEADINGS, Heading, heading_of, within_one_edge
from referee.games.manoover.notation import GOING, TURNING, Arrow, Compass, Robot
from referee.games.manoover.order import end_phase, order_rule
from referee.games.manoover.pushing import Chain, RobotId, moved_by, push, tell_push
from referee.games.manoover.state import State, Use
from referee.games.manoover.throwing import Die

# What every use of a die has in common


class Lapsed(Event, frozen=True, tag="lapsed"):
    """Usable dice are lost because their robot left the game."""

    dice: tuple[Die, ...]

    def apply(self, state: State) -> State:
        """Take the dice off the table."""
        left = list(state.dice)
        for die in self.dice:
            left.remove(die)
        return replace(state, dice=tuple(left))

    def tell(self) -> str:
        """Which dice to put aside."""
        return f"Put aside {spoken(self.dice)}: the robot is gone."


def _no_die(state: State, robot: str, use: Use) -> Refusal | None:
    """Why no die can be spent on a robot; None when there is one for it."""
    if not robot.isdigit() or int(robot) > state.board.file.sides:
        return Refusal("dice.2", f"a die names one of {state.turn}'s own robots, and {robot} is none of them")
    return None if int(robot) in state.dice else _none_left(state, int(robot), use)


def _none_left(state: State, number: int, use: Use) -> Refusal:
    """No unspent die names the robot: the rule depends on how many did, and what they were spent on."""
    left = f"dice left: {spoken(state.dice)}" if state.dice else "no dice are left"
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


def _late(state: State, robot: str, use: Use) -> Iterator[Refusal]:
    """Why no die can be spent in the automatic phase."""
    if state.phase != "auto":
        return
    if state.moved or not (state.dice or state.spent or state.rethrown):
        yield Refusal("auto.2", "in the automatic phase no robot is controlled")
    elif not (state.dice or state.spent):
        yield Refusal("dice.9", "no die was usable, so the control phase is over")
    else:
        ended = Refusal(order_rule(state), "the control phase was ended; the automatic phase follows")
        yield _no_die(state, robot, use) or ended


def _spend(state: State, use: Use, die: int) -> tuple[tuple[int, ...], tuple[tuple[Use, int], ...]]:
    """Dice left on the table, and dice spent, after one use of one die."""
    at = state.dice.index(die)
    return state.dice[:at] + state.dice[at + 1 :], (*state.spent, (use, die))


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


class Advanced(Event, frozen=True, tag="advanced"):
    """A die was spent on moving a robot, and all that it pushed."""

    toward: Heading
    chain: Chain

    def apply(self, state: State) -> State:
        """Move the chain and spend the die."""
        dice, spent = _spend(state, "go", int(self.chain[0][0][1:]))
        return replace(state, cells=moved_by(state, self.chain), dice=dice, spent=spent)

    def tell(self) -> str:
        """What to move."""
        return tell_push(self.toward, self.chain)


def _offer_go(state: State, _seat: Seat) -> Iterator[Choice]:
    for die in dict.fromkeys(state.dice):
        yield _going(die, state.arrows[state.own(die)])


@cache  # the same few are offered again and again
def _going(die: int, toward: Heading) -> Choice:
    return Choice(Go, robot=str(die), toward=toward)


def _check_go(state: State, _seat: Seat, action: Go) -> Iterator[Refusal]:
    no_die = _no_die(state, action.robot, "go")
    if no_die:
        yield no_die
        return
    arrow = state.arrows[state.own(action.robot)]
    if action.toward != arrow:
        yield Refusal("control.5", f"robot {action.robot} points {arrow} and goes only {arrow}, not {action.toward}")


def _go(state: State, _seat: Seat, action: Go, _dice: Dice) -> Script[State]:
    state = yield from push(state, state.own(action.robot), Advanced)
    yield from _after_control(state)


# Turning


class Turn(Action, frozen=True, tag="turn"):
    """Spend a die on turning the arrow of the robot it names (control.4)."""

    says: ClassVar[str] = "{robot} turn {toward}"
    robot: Robot
    toward: Compass


class Turned(Event, frozen=True, tag="turned"):
    """A die was spent on an arrow."""

    told = "Turn {robot} to face {toward}."
    robot: RobotId
    toward: Heading

    def apply(self, state: State) -> State:
        """Turn the arrow and spend the die."""
        dice, spent = _spend(state, "turn", int(self.robot[1:]))
        return replace(state, arrows={**state.arrows, self.robot: self.toward}, dice=dice, spent=spent)


def _offer_turn(state: State, _seat: Seat) -> Iterator[Choice]:
    """Where the arrow points already is a direction too (control.2)."""
    for die in dict.fromkeys(state.dice):
        yield _turning(die, _turnings(state, state.own(die)))


@cache
def _turning(die: int, turnings: tuple[Heading, ...]) -> Choice:
    return Choice(Turn, robot=str(die), toward=OneOf(turnings))


def _turnings(state: State, robot: str) -> tuple[Heading, ...]:
    """Directions to which one die may turn a robot's arrow (control.4, r.null-rotation, r.crash-rotation)."""
    now = state.arrows[robot]
    reach = HEADINGS if state.options["rotation"] == "any" else within_one_edge(now)
    return reach if state.options["null-rotation"] == "allowed" else tuple(toward for toward in reach if toward != now)


def _check_turn(state: State, _seat: Seat, action: Turn) -> Iterator[Refusal]:
    no_die = _no_die(state, action.robot, "turn")
    if no_die:
        yield no_die
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


# Ending the phase


class Done(Action, frozen=True, tag="done"):
    """End the control phase and leave the other dice unspent (r.decline)."""

    says: ClassVar[str] = "done"


class Declined(Told, frozen=True, tag="declined"):
    """The mover ended the control phase with dice unspent; they lie on the table until the turn is over."""

    dice: tuple[Die, ...]

    def tell(self) -> str:
        """Which dice are not used."""
        return f"Control phase ended, unused: {spoken(self.dice)}."


def _check_done(state: State, _seat: Seat, _action: Done) -> Iterator[Refusal]:
    if state.options["decline-die"] == "forbidden":
        yield Refusal("control.1", f"every usable die must be spent: {spoken(state.dice)}")


def _late_done(state: State, _seat: Seat, _action: Done) -> Iterator[Refusal]:
    if state.phase == "rethrow":
        yield Refusal("dice.5", "the second throw is not optional")


def _done(state: State, _seat: Seat, _action: Done, _dice: Dice) -> Script[State]:
    state = yield Declined(state.dice)
    yield from end_phase(state)


VERBS = (
    Verb(
        Go,
        ("control",),
        _offer_go,
        _check_go,
        _go,
        GOING,
        lambda reader: Go(*reader.robot_and_arrow()),
        late=lambda state, _, action: _late(state, action.robot, "go"),
    ),
    Verb(
        Turn,
        ("control",),
        _offer_turn,
        _check_turn,
        _turn,
        TURNING,
        lambda reader: Turn(reader.robot(), reader.direction()),
        late=lambda state, _, action: _late(state, action.robot, "turn"),
    ),
    Verb(
        Done,
        ("control",),
        check=_check_done,
        resolve=_done,
        late=_late_done,
        words=("done", "end"),
        closes=lambda state: (state.turn, state.phase),
    ),
)
