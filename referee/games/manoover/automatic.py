"""The automatic phase: the mover's robots go by rising number, one step each along their arrows."""

from collections.abc import Iterator
from typing import ClassVar

from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.legal import Action, Choice
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.manoover.events import Stepped
from referee.games.manoover.notation import Arrow, Reader, Robot
from referee.games.manoover.pushing import push
from referee.games.manoover.state import State
from referee.games.manoover.turns import end_phase, in_turn


def _next_robot(state: State) -> str | None:
    """The mover's robot whose automatic move comes next: the lowest number left (auto.3, auto.4, auto.11)."""
    for number in range(state.moved + 1, state.board.file.sides + 1):
        robot = state.own(number)
        if robot in state.cells:
            return robot
    return None


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
        yield Choice(AutoOne, aside=True, robot=robot[1:], toward=state.arrows[robot])


def _check_auto_one(state: State, action: AutoOne) -> Iterator[Refusal]:
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


AUTO = Verb(
    Auto,
    ("auto",),
    lambda _state, _seat: iter((Choice(Auto),)),
    in_turn(lambda _state, _action: iter(()), "auto"),
    _auto,
    read=_read_auto,
)
AUTO_ONE = Verb(AutoOne, ("auto",), _offer_auto_one, in_turn(_check_auto_one, "auto"), _auto_one, read=_read_auto)


# None


class Skip(Action, frozen=True, tag="skip"):
    """Ask to leave out a robot's automatic move. Players ask; it is never legal (auto.2), and so in no phase."""

    says: ClassVar[str] = "skip {robot}"
    robot: Robot


def _check_skip(_state: State, _action: Skip) -> Iterator[Refusal]:
    yield Refusal("auto.2", "every robot of the mover moves; none is left out")


def _skip(_state: State, _seat: Seat, _action: Skip, _dice: Dice) -> Script[State]:
    """Nothing, since it is never legal."""
    yield from ()


SKIP = Verb(
    Skip,
    (),
    lambda _state, _seat: iter(()),
    in_turn(_check_skip, "auto"),
    _skip,
    read=lambda reader: Skip(reader.robot()),
)
