"""Dice: the throw for the first turn, the throw of a control phase, and the second throw."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta

from referee.engine.dice import Dice, Need
from referee.engine.event import Script, Seat
from referee.engine.legal import Action, Choice
from referee.engine.ruling import Refusal
from referee.engine.text import listing
from referee.engine.verb import Verb
from referee.games.manoover.events import FirstChosen, Rethrown, ThrewOff, Thrown, Tied
from referee.games.manoover.options import SeatName
from referee.games.manoover.state import State
from referee.games.manoover.turns import end_phase, in_turn, over, throw_off_rule, unknown


def not_thrown(state: State) -> Refusal:
    """Why no die can be used yet."""
    return Refusal(state.board.dice_rule, "the dice have to be thrown first")


# Who goes first


class ThrowOff(Action, frozen=True, tag="throw-off"):
    """Each of these seats throws one die for the first turn (setup.5)."""

    says: ClassVar[str] = "throwoff {seats}"
    seats: Annotated[tuple[SeatName, ...], Meta(max_length=3)]


def _throw_off_need(state: State) -> Need:
    """It is one of the game's own dice (r.throwoff-die)."""
    who = f"who goes first: {', '.join(state.contenders)}"
    return Need(who, len(state.contenders), state.board.file.sides, rule=throw_off_rule(state))


def _check_throw_off(state: State, seat: Seat, action: ThrowOff) -> Iterator[Refusal]:
    if state.outcome:
        yield over()
        return
    yield from (unknown(state, name) for name in action.seats if name not in state.board.seats)
    rule = throw_off_rule(state)
    if state.phase != "throw-off":
        yield Refusal(rule, f"the first turn is settled, and it is {state.turn}'s turn")
    elif action.seats != state.contenders:
        yield Refusal(rule, f"{listing(state.contenders)} throw one die each, nobody else and nobody twice")
    elif seat != state.turn:
        yield Refusal(rule, f"{state.turn} throws for all, or types in what everybody threw")


def _throw_off(state: State, _seat: Seat, action: ThrowOff, dice: Dice) -> Script[State]:
    """One die each; the highest goes first, and those who tie throw again (setup.5, setup.6, three.4, three.5)."""
    faces = tuple(zip(action.seats, dice.throw(_throw_off_need(state)), strict=True))
    yield ThrewOff(faces)
    most = max(face for _, face in faces)
    highest = tuple(seat for seat, face in faces if face == most)
    if len(highest) > 1:
        yield Tied(highest)
    else:
        yield FirstChosen(highest[0], state.opening(highest[0]))


THROW_OFF = Verb(
    ThrowOff,
    ("throw-off",),
    lambda state, _: iter((Choice(ThrowOff, _throw_off_need(state), seats=state.contenders),)),
    _check_throw_off,
    _throw_off,
    read=lambda reader: ThrowOff(reader.seats()),
)


# The first throw


class Throw(Action, frozen=True, tag="throw"):
    """Throw all dice: the control phase begins (dice.1)."""

    says: ClassVar[str] = "throw"


def _throw_need(state: State) -> Need:
    return Need(f"{state.turn}'s throw", state.board.file.dice, state.board.file.sides, rule=state.board.dice_rule)


def _check_throw(state: State, _action: Throw) -> Iterator[Refusal]:
    if state.phase != "throw":
        yield Refusal("dice.6", "the dice were thrown in this turn already")


def _throw(state: State, _seat: Seat, _action: Throw, dice: Dice) -> Script[State]:
    """All dice are thrown; those that name lost robots are picked up (dice.1, dice.2, dice.3, dice.4, plus.3)."""
    yield Thrown(*_sort_out(state, dice.throw(_throw_need(state))))


def _sort_out(state: State, faces: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Dice that name a robot in the game, and dice that do not (dice.10, goal.8)."""
    kept = tuple(face for face in faces if state.own(face) in state.cells)
    return kept, tuple(face for face in faces if face not in kept)


THROW = Verb(
    Throw,
    ("throw",),
    lambda state, _: iter((Choice(Throw, _throw_need(state)),)),
    in_turn(_check_throw, "control"),
    _throw,
)


# The second throw


class Rethrow(Action, frozen=True, tag="rethrow"):
    """Throw the picked-up dice a second time (dice.5)."""

    says: ClassVar[str] = "rethrow"


def _rethrow_need(state: State) -> Need:
    return Need(f"{state.turn}'s second throw", state.dead, state.board.file.sides, rule="dice.5")


def _check_rethrow(state: State, _action: Rethrow) -> Iterator[Refusal]:
    if state.phase == "throw":
        yield Refusal(state.board.dice_rule, "the first throw comes first")
    elif state.rethrown:
        yield Refusal("dice.6", "the second throw was made already, and there is no third")
    elif state.phase == "control":
        yield Refusal("dice.3", "every die names a robot in the game and stays on the table")


def _rethrow(state: State, _seat: Seat, _action: Rethrow, dice: Dice) -> Script[State]:
    """The dice picked up are thrown once more, and then never again (dice.5, dice.6, dice.7, dice.8, dice.11).

    No action comes between the two throws, and the second is not optional (r.throws-first).
    """
    state = yield Rethrown(*_sort_out(state, dice.throw(_rethrow_need(state))))
    if not state.dice:  # dice.9
        yield from end_phase(state)


RETHROW = Verb(
    Rethrow,
    ("rethrow",),
    lambda state, _: iter((Choice(Rethrow, _rethrow_need(state)),)),
    in_turn(_check_rethrow, "control"),
    _rethrow,
)
