"""The automatic phase: the mover's robots go by rising number, one step each along their arrows."""

from collections.abc import Iterator
from functools import cache
from typing import ClassVar

from msgspec.structs import replace

from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat
from referee.engine.legal import Action, Choice
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.manoover.board import Heading
from referee.games.manoover.notation import Arrow, Reader, Robot
from referee.games.manoover.order import end_phase, order_rule, phase_now
from referee.games.manoover.pushing import Chain, moved_by, push, tell_push
from referee.games.manoover.state import State, is_spared


class Stepped(Event, frozen=True, tag="stepped"):
    """A robot made its automatic move, pushing what stood in its way."""

    toward: Heading
    chain: Chain

    def apply(self, state: State) -> State:
        """Move the chain and note that this robot has moved."""
        return replace(state, cells=moved_by(state, self.chain), moved=int(self.chain[0][0][1:]))

    def tell(self) -> str:
        """What to move."""
        return tell_push(self.toward, self.chain)


def _next_robot(state: State) -> str | None:
    """The mover's robot whose automatic move comes next: the lowest number left (auto.3, auto.4, auto.11)."""
    waiting = state.board.crews[state.turn][state.moved :]
    return next((robot for robot in waiting if robot in state.cells), None)


def _late(state: State, _seat: Seat, _action: Action) -> Iterator[Refusal]:
    """The control phase is not over, and a first turn may have no other."""
    if state.phase != "throw-off":
        none = "; a first turn has no automatic phase" if is_spared(state) else ""
        yield Refusal(order_rule(state), f"{phase_now(state)}{none}")


# All at once


class Auto(Action, frozen=True, tag="auto"):
    """Play the automatic phase, or what is left of it (auto.1)."""

    says: ClassVar[str] = "auto"


def _auto(state: State, _seat: Seat, _action: Auto, _dice: Dice) -> Script[State]:
    """The mover's robots go by rising number, one step each, from wherever they stand by then.

    One that was pushed before its own move still makes it (auto.9), one pushed after it does not move again
    (auto.10), one that has left the game does not (auto.11), and other players' robots never do (auto.1, auto.12,
    variant.crash.4).
    """
    robot = _next_robot(state)
    while robot and not state.outcome:
        state = yield from push(state, robot, Stepped)
        robot = _next_robot(state)
    if not state.outcome:
        yield from end_phase(state)


# One robot after another


class AutoOne(Action, frozen=True, tag="auto-one"):
    """Make the automatic move of one robot, the next by number (auto.3)."""

    says: ClassVar[str] = "auto {robot} {toward}"
    robot: Robot
    toward: Arrow
    """The arrow's direction, which the player may leave unsaid."""


def _offer_auto_one(state: State, _seat: Seat) -> Iterator[Choice]:
    robot = _next_robot(state)
    if robot:
        yield _stepping(robot[1:], state.arrows[robot])


@cache  # the same few are offered again and again
def _stepping(number: str, toward: Heading) -> Choice:
    return Choice(AutoOne, aside=True, robot=number, toward=toward)


def _check_auto_one(state: State, _seat: Seat, action: AutoOne) -> Iterator[Refusal]:
    robot, due = state.own(action.robot), _next_robot(state)
    if not action.robot.isdigit():
        yield Refusal("auto.12", f"only {state.turn}'s robots move in this phase, and {action.robot} is not his")
    elif robot not in state.cells:
        yield Refusal("auto.4", f"robot {action.robot} is out of the game and passed over")
    elif int(action.robot) <= state.moved:
        yield Refusal("auto.1", f"robot {action.robot} has had its turn in this phase")
    elif robot != due:
        yield Refusal("auto.3", f"robot {due[1:] if due else '-'} comes first: robots go by rising number")
    elif action.toward != state.arrows[robot]:
        yield Refusal("auto.5", f"robot {action.robot} points {state.arrows[robot]} and goes only there")


def _auto_one(state: State, _seat: Seat, action: AutoOne, _dice: Dice) -> Script[State]:
    state = yield from push(state, state.own(action.robot), Stepped)
    if not state.outcome and not _next_robot(state):
        yield from end_phase(state)


def _read_auto(reader: Reader) -> Auto | AutoOne:
    """All at once, unless a robot is named."""
    return AutoOne(*reader.robot_and_arrow()) if reader.words else Auto()


# None


class Skip(Action, frozen=True, tag="skip"):
    """Ask to leave out a robot's automatic move. Players ask; it is never legal (auto.2), and so in no phase."""

    says: ClassVar[str] = "skip {robot}"
    robot: Robot


def _never(state: State, seat: Seat, action: Skip) -> Iterator[Refusal]:
    if state.phase == "auto":
        yield Refusal("auto.2", "every robot of the mover moves; none is left out")
    else:
        yield from _late(state, seat, action)


VERBS = (
    Verb(Auto, ("auto",), resolve=_auto, read=_read_auto, late=_late),
    Verb(AutoOne, ("auto",), _offer_auto_one, _check_auto_one, _auto_one, read=_read_auto, late=_late),
    Verb(Skip, (), read=lambda reader: Skip(reader.robot()), late=_never),
)
