"""The control phase: each die pays for one turn or one step of its robot (control.1), in any order (control.3)."""

from collections.abc import Iterator
from functools import cache
from typing import ClassVar

from msgspec.structs import replace

from referee.engine.action_fields import format_value
from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, MessageEvent, Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.slots import OneOf
from referee.engine.text import listing
from referee.games.manoover.board import HEADINGS, Heading, find_heading, list_heading_and_neighbours
from referee.games.manoover.notation import GO_WORDS, TURN_WORDS, TypedDirection, TypedDirectionOrEmpty, TypedRobot
from referee.games.manoover.order_of_play import end_phase, find_phase_order_rule
from referee.games.manoover.pushing import PushChain, RobotId, describe_push, find_cells_after_push, push_robots
from referee.games.manoover.state import DieUse, State
from referee.games.manoover.throwing import Die

# Common to all uses of a die


class DiceLapsed(Event, frozen=True, tag="lapsed"):
    """Usable dice are lost because their robot left the game."""

    dice: tuple[Die, ...]

    def apply(self, state: State) -> State:
        """Takes the dice off the table."""
        left = list(state.dice)
        for die in self.dice:
            left.remove(die)
        return replace(state, dice=tuple(left))

    def tell(self) -> str:
        """Tells the players which dice to put aside."""
        return f"Put aside {format_value(self.dice)}: the robot is gone."


def _refuse_die(state: State, robot: str, use: DieUse) -> Refusal | None:
    """Returns the refusal if no die can be spent on a robot; None if there is a die for it."""
    if not robot.isdigit() or int(robot) > state.board.file.sides:
        return Refusal("dice.2", f"a die names one of {state.turn}'s own robots, and {robot} is none of them")
    return None if int(robot) in state.dice else _refuse_spent_die(state, int(robot), use)


def _refuse_spent_die(state: State, number: int, use: DieUse) -> Refusal:
    """Returns the refusal when no unspent die names the robot. The rule depends on how many dice named it and what they
    were spent on.
    """
    left = f"dice left: {format_value(state.dice)}" if state.dice else "no dice are left"
    uses = [spent for spent, die in state.spent if die == number]
    if state.name_own_robot(number) not in state.cells:
        return Refusal("control.1", f"robot {number} is out of the game; {left}")
    if not uses:
        return Refusal("control.1", f"no die shows {number}; {left}")
    if len(uses) == 1:
        rule = "control.1" if uses == [use] else "control.7"
        return Refusal(rule, f'the one die that shows {number} was spent on "{number} {uses[0]}"; {left}')
    rule = {2: "control.8", 3: "control.9"}.get(len(uses), "plus.8")
    return Refusal(rule, f"all {len(uses)} dice that show {number} are spent; {left}")


def _refuse_outside_control_phase(state: State, robot: str, use: DieUse) -> Iterator[Refusal]:
    """Yields the refusal of spending a die in the automatic phase."""
    if state.phase != "auto":
        return
    if state.moved or not (state.dice or state.spent or state.rethrown):
        yield Refusal("auto.2", "in the automatic phase you cannot control robots")
    elif not (state.dice or state.spent):
        yield Refusal("dice.9", "you had no usable die, so the control phase is over")
    else:
        ended = Refusal(find_phase_order_rule(state), "the control phase has ended; the automatic phase is next")
        yield _refuse_die(state, robot, use) or ended


def _spend_die(state: State, use: DieUse, die: int) -> tuple[tuple[int, ...], tuple[tuple[DieUse, int], ...]]:
    """Returns the dice left on the table and the dice spent, after one use of one die."""
    index = state.dice.index(die)
    return state.dice[:index] + state.dice[index + 1 :], (*state.spent, (use, die))


def _close_control(state: State) -> Script[State]:
    """Drops dice whose robot is gone (r.lapse). Ends the phase when no die is left (control.7-control.9, plus.8)."""
    if state.outcome:  # end.5
        return
    lapsed = tuple(die for die in state.dice if state.name_own_robot(die) not in state.cells)
    if lapsed:
        state = yield DiceLapsed(lapsed)
    if not state.dice:
        yield from end_phase(state)


# Going


class MoveRobot(Action, frozen=True, tag="go"):
    """Spend a die to move the robot it names one cell along its arrow (control.5)."""

    says: ClassVar[str] = "{robot} go {toward}"
    robot: TypedRobot
    toward: TypedDirectionOrEmpty
    """The arrow's direction. Players may leave it out."""


class RobotAdvanced(Event, frozen=True, tag="advanced"):
    """A die was spent to move a robot and everything it pushed."""

    toward: Heading
    chain: PushChain

    def apply(self, state: State) -> State:
        """Moves the chain of robots and spends the die."""
        dice, spent = _spend_die(state, "go", int(self.chain[0][0][1:]))
        return replace(state, cells=find_cells_after_push(state, self.chain), dice=dice, spent=spent)

    def tell(self) -> str:
        """Tells the players which robots to move, and where to."""
        return describe_push(self.toward, self.chain)


def _offer_go(state: State, _seat: Seat) -> Iterator[Choice]:
    for die in dict.fromkeys(state.dice):
        yield _make_go_choice(die, state.arrows[state.name_own_robot(die)])


@cache  # the same few choices come up again and again
def _make_go_choice(die: int, toward: Heading) -> Choice:
    return Choice(MoveRobot, robot=str(die), toward=toward)


def _check_go(state: State, _seat: Seat, action: MoveRobot) -> Iterator[Refusal]:
    no_die = _refuse_die(state, action.robot, "go")
    if no_die:
        yield no_die
        return
    arrow = state.arrows[state.name_own_robot(action.robot)]
    if action.toward != arrow:
        yield Refusal("control.5", f"robot {action.robot} points {arrow} and can go only {arrow}, not {action.toward}")


def _move_robot(state: State, _seat: Seat, action: MoveRobot, _dice: Dice) -> Script[State]:
    state = yield from push_robots(state, state.name_own_robot(action.robot), RobotAdvanced)
    yield from _close_control(state)


# Turning


class TurnRobot(Action, frozen=True, tag="turn"):
    """Spend a die to turn the arrow of the robot it names (control.4)."""

    says: ClassVar[str] = "{robot} turn {toward}"
    robot: TypedRobot
    toward: TypedDirection


class RobotTurned(Event, frozen=True, tag="turned"):
    """A die was spent to turn an arrow."""

    told = "Turn {robot} to face {toward}."
    robot: RobotId
    toward: Heading

    def apply(self, state: State) -> State:
        """Turns the arrow and spends the die."""
        dice, spent = _spend_die(state, "turn", int(self.robot[1:]))
        return replace(state, arrows={**state.arrows, self.robot: self.toward}, dice=dice, spent=spent)


def _offer_turn(state: State, _seat: Seat) -> Iterator[Choice]:
    """Offers turns for each die. Turning to where the arrow already points counts as a turn too (control.2)."""
    for die in dict.fromkeys(state.dice):
        yield _make_turn_choice(die, _list_headings_in_reach(state, state.name_own_robot(die)))


@cache
def _make_turn_choice(die: int, turnings: tuple[Heading, ...]) -> Choice:
    return Choice(TurnRobot, robot=str(die), toward=OneOf(turnings))


def _list_headings_in_reach(state: State, robot: str) -> tuple[Heading, ...]:
    """Returns the headings to which one die may turn a robot (control.4, r.null-rotation, r.crash-rotation)."""
    heading = state.arrows[robot]
    reach = HEADINGS if state.options["rotation"] == "any" else list_heading_and_neighbours(heading)
    return (
        reach if state.options["null-rotation"] == "allowed" else tuple(toward for toward in reach if toward != heading)
    )


def _check_turn(state: State, _seat: Seat, action: TurnRobot) -> Iterator[Refusal]:
    no_die = _refuse_die(state, action.robot, "turn")
    if no_die:
        yield no_die
        return
    now, turnings = (
        state.arrows[state.name_own_robot(action.robot)],
        _list_headings_in_reach(state, state.name_own_robot(action.robot)),
    )
    if action.toward not in HEADINGS:
        yield Refusal("control.4", f"cells have no side to the {action.toward}: an arrow points N, NE, SE, S, SW or NW")
    elif action.toward not in turnings and action.toward == now:
        yield Refusal("control.2", f"robot {action.robot} already points {now}")
    elif action.toward not in turnings:
        edges = listing([toward for toward in turnings if toward != now], "or")
        yield Refusal("variant.crash.3", f"one die turns robot {action.robot} by one edge: {edges}")


def _turn_robot(state: State, _seat: Seat, action: TurnRobot, _dice: Dice) -> Script[State]:
    state = yield RobotTurned(state.name_own_robot(action.robot), find_heading(action.toward))
    yield from _close_control(state)


# Ending the phase


class EndControlPhase(Action, frozen=True, tag="done"):
    """End the control phase and leave the other dice unspent (r.decline)."""

    says: ClassVar[str] = "done"


class DiceDeclined(MessageEvent, frozen=True, tag="declined"):
    """The mover ended the control phase with dice unspent. They stay on the table until the turn is over."""

    dice: tuple[Die, ...]

    def tell(self) -> str:
        """Tells the players which dice are not used."""
        return f"Control phase ended, unused: {format_value(self.dice)}."


def _check_done(state: State, _seat: Seat, _action: EndControlPhase) -> Iterator[Refusal]:
    if state.options["decline-die"] == "forbidden":
        yield Refusal("control.1", f"you must spend every usable die: {format_value(state.dice)}")


def _refuse_late_done(state: State, _seat: Seat, _action: EndControlPhase) -> Iterator[Refusal]:
    if state.phase == "rethrow":
        yield Refusal("dice.5", "you cannot skip the second roll")


def _decline_dice(state: State, _seat: Seat, _action: EndControlPhase, _dice: Dice) -> Script[State]:
    state = yield DiceDeclined(state.dice)
    yield from end_phase(state)


VERBS = (
    Verb(
        MoveRobot,
        ("control",),
        _offer_go,
        _check_go,
        _move_robot,
        GO_WORDS,
        lambda reader: MoveRobot(*reader.read_robot_and_arrow()),
        late=lambda state, _, action: _refuse_outside_control_phase(state, action.robot, "go"),
    ),
    Verb(
        TurnRobot,
        ("control",),
        _offer_turn,
        _check_turn,
        _turn_robot,
        TURN_WORDS,
        lambda reader: TurnRobot(reader.read_robot(), reader.read_direction()),
        late=lambda state, _, action: _refuse_outside_control_phase(state, action.robot, "turn"),
    ),
    Verb(
        EndControlPhase,
        ("control",),
        check=_check_done,
        resolve=_decline_dice,
        late=_refuse_late_done,
        words=("done", "end"),
        closes=lambda state: (state.turn, state.phase),
    ),
)
