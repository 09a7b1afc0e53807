"""Dice: the throw for the first turn, the throw of a control phase, and the second throw."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.action_fields import spoken
from referee.engine.aim import ONLY_READ
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, Script, Seat, Told
from referee.engine.legal import Action, Choice
from referee.engine.ruling import Refusal
from referee.engine.text import listing
from referee.engine.verb import Verb
from referee.games.manoover.options import SeatName
from referee.games.manoover.order import end_phase, throw_off_rule, unknown
from referee.games.manoover.state import Phase, State

Die = Annotated[int, Meta(ge=1, le=9)]


# Who goes first


class ThrowOff(Action, frozen=True, tag="throw-off"):
    """Each of these seats throws one die for the first turn (setup.5)."""

    says: ClassVar[str] = "throwoff {seats}"
    seats: Annotated[tuple[SeatName, ...], Meta(max_length=3)]


class ThrewOff(Told, frozen=True, tag="threw-off"):
    """Each contender threw a die for the first turn; who goes first, the next event tells."""

    faces: tuple[tuple[Seat, Die], ...]

    def tell(self) -> str:
        """What everybody threw."""
        return f"Throw for the first turn: {listing([f'{seat} {face}' for seat, face in self.faces])}."


class Tied(Event, frozen=True, tag="tied"):
    """Several threw the same highest number; they alone throw again."""

    seats: tuple[Seat, ...]

    def apply(self, state: State) -> State:
        """Narrow the contenders."""
        return replace(state, contenders=self.seats, turn=self.seats[0], tied=True)

    def tell(self) -> str:
        """Who throws again."""
        return f"{listing(self.seats).capitalize()} threw the same and throw again."


class FirstChosen(Event, frozen=True, tag="first-chosen"):
    """It is settled who takes the first turn."""

    seat: Seat
    phase: Phase

    def apply(self, state: State) -> State:
        """Open the first turn."""
        return replace(state, contenders=(), tied=False, turn=self.seat, phase=self.phase)

    def tell(self) -> str:
        """Who goes first."""
        return f"{self.seat.capitalize()} goes first."


def _throw_off_need(state: State) -> Need:
    """It is one of the game's own dice (r.throwoff-die)."""
    seats = state.contenders
    who = f"who goes first: {', '.join(seats)}"
    rule = throw_off_rule(state)
    return Need(who, len(seats), state.board.file.sides, throwers=seats, aims=ONLY_READ, rule=rule)


def _check_throw_off(state: State, _seat: Seat, action: ThrowOff) -> Iterator[Refusal]:
    yield from (unknown(state, name) for name in action.seats if name not in state.board.seats)
    if action.seats != state.contenders:
        told = f"{listing(state.contenders)} throw one die each, nobody else and nobody twice"
        yield Refusal(throw_off_rule(state), told)


def _late_throw_off(state: State, _seat: Seat, _action: ThrowOff) -> Iterator[Refusal]:
    yield Refusal(throw_off_rule(state), f"the first turn is settled, and it is {state.turn}'s turn")


def _others_throw_off(state: State) -> Iterator[Refusal]:
    yield Refusal(throw_off_rule(state), f"{state.turn} throws for all, or types in what everybody threw")


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


# The first throw


class Throw(Action, frozen=True, tag="throw"):
    """Throw all dice: the control phase begins (dice.1)."""

    says: ClassVar[str] = "throw"


class Thrown(Event, frozen=True, tag="thrown"):
    """The mover made the first throw."""

    kept: tuple[Die, ...]
    """Dice that name a robot in the game."""
    picked_up: tuple[Die, ...]
    """Dice that name a robot out of the game."""

    def apply(self, state: State) -> State:
        """Lay the usable dice on the table."""
        phase: Phase = "rethrow" if self.picked_up else "control"
        return replace(state, dice=tuple(sorted(self.kept)), dead=len(self.picked_up), phase=phase)

    def tell(self) -> str:
        """What fell, and what to throw again."""
        return f"Thrown: {_fallen(self.kept, self.picked_up)}{_pick_up(self.picked_up)}"


def _fallen(usable: tuple[int, ...], gone: tuple[int, ...]) -> str:
    """Dice as they fell: the usable ones apart where others are not, since nobody knows in which order they lay."""
    return f"{spoken(usable)} on the table." if usable and gone else f"{spoken(usable or gone)}."


def _pick_up(dice: tuple[int, ...]) -> str:
    if not dice:
        return ""
    return f" Pick up {spoken(dice)} and throw {'it' if len(dice) == 1 else 'them'} again: no such robot in the game."


def _throw_need(state: State) -> Need:
    return Need(
        f"{state.turn}'s throw",
        state.board.file.dice,
        state.board.file.sides,
        aims=ONLY_READ,
        rule=state.board.dice_rule,
    )


def _late_throw(state: State, _seat: Seat, _action: Throw) -> Iterator[Refusal]:
    if state.phase in ("rethrow", "control"):
        yield Refusal("dice.6", "the dice were thrown in this turn already")


def _throw(state: State, _seat: Seat, _action: Throw, dice: Dice) -> Script[State]:
    """All dice are thrown; those that name lost robots are picked up (dice.1, dice.2, dice.3, dice.4, plus.3)."""
    yield Thrown(*_sort_out(state, dice.throw(_throw_need(state))))


def _sort_out(state: State, faces: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Dice that name a robot in the game, and dice that do not (dice.10, goal.8)."""
    usable = tuple(face for face in faces if state.own(face) in state.cells)
    return usable, tuple(face for face in faces if face not in usable)


# The second throw


class Rethrow(Action, frozen=True, tag="rethrow"):
    """Throw the picked-up dice a second time (dice.5)."""

    says: ClassVar[str] = "rethrow"


class Rethrown(Event, frozen=True, tag="rethrown"):
    """The mover made the second throw."""

    kept: tuple[Die, ...]
    aside: tuple[Die, ...]
    """Dice that name a robot out of the game once more, and give nothing."""

    def apply(self, state: State) -> State:
        """Add the usable dice to those on the table."""
        dice = tuple(sorted(state.dice + self.kept))
        return replace(state, dice=dice, dead=0, rethrown=True, phase="control")

    def tell(self) -> str:
        """What fell, and what to put aside."""
        gone = f" Put aside {spoken(self.aside)}: no such robot in the game." if self.aside else ""
        return f"Thrown again: {_fallen(self.kept, self.aside)}{gone}"


def _rethrow_need(state: State) -> Need:
    return Need(f"{state.turn}'s second throw", state.dead, state.board.file.sides, aims=ONLY_READ, rule="dice.5")


def _late_rethrow(state: State, _seat: Seat, _action: Rethrow) -> Iterator[Refusal]:
    if state.rethrown and state.phase == "control":
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


VERBS = (
    Verb(
        ThrowOff,
        ("throw-off",),
        lambda state, _: iter((Choice(ThrowOff, _throw_off_need(state), seats=state.contenders),)),
        _check_throw_off,
        _throw_off,
        read=lambda reader: ThrowOff(reader.seats()),
        late=_late_throw_off,
        theirs=_others_throw_off,
    ),
    Verb(
        Throw,
        ("throw",),
        lambda state, _: iter((Choice(Throw, _throw_need(state)),)),
        resolve=_throw,
        late=_late_throw,
    ),
    Verb(
        Rethrow,
        ("rethrow",),
        lambda state, _: iter((Choice(Rethrow, _rethrow_need(state)),)),
        resolve=_rethrow,
        late=_late_rethrow,
    ),
)
