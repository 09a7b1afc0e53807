"""The automatic phase: the mover's robots each go one step along their arrow, by rising number."""

from collections.abc import Iterator
from functools import cache
from typing import ClassVar

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Refusal
from referee.games.manoover.board import Heading
from referee.games.manoover.notation import Reader, TypedDirectionOrEmpty, TypedRobot
from referee.games.manoover.order_of_play import describe_phase, end_phase, find_phase_order_rule
from referee.games.manoover.pushing import PushChain, describe_push, find_cells_after_push, push_robots
from referee.games.manoover.state import State, skips_automatic_phase


class RobotMovedAutomatically(Event, frozen=True, tag="stepped"):
    """A robot made its automatic move and pushed whatever stood in its way."""

    toward: Heading
    chain: PushChain

    def apply(self, state: State) -> State:
        """Moves the chain of robots and records the number of the robot that moved first."""
        return replace(state, cells=find_cells_after_push(state, self.chain), moved=int(self.chain[0][0][1:]))

    def tell(self) -> str:
        """Tells the players which robots to move, and where to."""
        return describe_push(self.toward, self.chain)


def _find_next_robot(state: State) -> str | None:
    """Returns the mover's lowest robot that has not moved yet (auto.3, auto.4, auto.11); None if none is left."""
    waiting = state.board.robots_by_seat[state.turn][state.moved :]
    return next((robot for robot in waiting if robot in state.cells), None)


def _refuse_outside_automatic_phase(state: State, _seat: Seat, _action: Action) -> Iterator[Refusal]:
    """Yields the refusal of an automatic move outside the automatic phase."""
    if state.phase != "throw-off":
        none = ", and a first turn has no automatic phase" if skips_automatic_phase(state) else ""
        yield Refusal(find_phase_order_rule(state), f"{describe_phase(state)}{none}")


# All at once


class CompleteAutomaticPhase(Action, frozen=True, tag="auto"):
    """Play the automatic phase, or the rest of it (auto.1)."""

    says: ClassVar[str] = "auto"


def _play_phase(state: State, _seat: Seat, _action: CompleteAutomaticPhase, _dice: Dice) -> Script[State]:
    """Moves the mover's robots one after another, one step each, by rising number.

    A robot that was pushed before its own move still makes that move (auto.9). A robot pushed after its move does not
    move again (auto.10). A robot that has left the game does not move (auto.11). Other players' robots make no move of
    their own (auto.1, auto.12, variant.crash.4).
    """
    robot = _find_next_robot(state)
    while robot and not state.outcome:
        state = yield from push_robots(state, robot, RobotMovedAutomatically)
        robot = _find_next_robot(state)
    if not state.outcome:
        yield from end_phase(state)


# One robot after another


class MakeAutomaticMove(Action, frozen=True, tag="auto-one"):
    """Make the automatic move of one robot: the next by number (auto.3)."""

    says: ClassVar[str] = "auto {robot} {toward}"
    robot: TypedRobot
    toward: TypedDirectionOrEmpty
    """The arrow's direction. Players may leave it out."""


def _offer_auto_one(state: State, _seat: Seat) -> Iterator[Choice]:
    robot = _find_next_robot(state)
    if robot:
        yield _make_step_choice(robot[1:], state.arrows[robot])


@cache  # the same few choices come up again and again
def _make_step_choice(number: str, toward: Heading) -> Choice:
    return Choice(MakeAutomaticMove, aside=True, robot=number, toward=toward)


def _check_auto_one(state: State, _seat: Seat, action: MakeAutomaticMove) -> Iterator[Refusal]:
    robot, due = state.name_own_robot(action.robot), _find_next_robot(state)
    if not action.robot.isdigit():
        yield Refusal(
            "auto.12", f"only {state.turn}'s robots move in this phase; {action.robot} belongs to another player"
        )
    elif robot not in state.cells:
        yield Refusal("auto.4", f"robot {action.robot} is out of the game, so it makes no move")
    elif int(action.robot) <= state.moved:
        yield Refusal("auto.1", f"robot {action.robot} has already moved in this phase")
    elif robot != due:
        yield Refusal("auto.3", f"robot {due[1:] if due else '-'} comes first: robots move by rising number")
    elif action.toward != state.arrows[robot]:
        yield Refusal("auto.5", f"robot {action.robot} points {state.arrows[robot]} and can go only that way")


def _move_named_robot(state: State, _seat: Seat, action: MakeAutomaticMove, _dice: Dice) -> Script[State]:
    state = yield from push_robots(state, state.name_own_robot(action.robot), RobotMovedAutomatically)
    if not state.outcome and not _find_next_robot(state):
        yield from end_phase(state)


def _read_auto(reader: Reader) -> CompleteAutomaticPhase | MakeAutomaticMove:
    """Reads `auto`: the whole phase, or one robot's move if a robot is named."""
    return MakeAutomaticMove(*reader.read_robot_and_arrow()) if reader.words else CompleteAutomaticPhase()


# None


class SkipRobot(Action, frozen=True, tag="skip"):
    """Leave out a robot's automatic move. This is never legal; the referee tells you the rule (auto.2)."""

    says: ClassVar[str] = "skip {robot}"
    robot: TypedRobot


def _refuse_skip(state: State, seat: Seat, action: SkipRobot) -> Iterator[Refusal]:
    if state.phase == "auto":
        yield Refusal("auto.2", "every robot of the mover must move; you cannot leave one out")
    else:
        yield from _refuse_outside_automatic_phase(state, seat, action)


VERBS = (
    Verb(CompleteAutomaticPhase, ("auto",), resolve=_play_phase, read=_read_auto, late=_refuse_outside_automatic_phase),
    Verb(
        MakeAutomaticMove,
        ("auto",),
        _offer_auto_one,
        _check_auto_one,
        _move_named_robot,
        read=_read_auto,
        late=_refuse_outside_automatic_phase,
    ),
    Verb(SkipRobot, (), read=lambda reader: SkipRobot(reader.read_robot()), late=_refuse_skip),
)
