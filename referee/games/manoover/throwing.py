"""Rolls of dice: for the first turn, at the start of a control phase, and a second time for picked-up dice."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.action_fields import format_value
from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice, Need
from referee.engine.event import Event, MessageEvent, Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.target_number import ONLY_READ
from referee.engine.text import listing
from referee.games.manoover.options import SeatName
from referee.games.manoover.order_of_play import end_phase, find_first_turn_rule, refuse_unknown_seat
from referee.games.manoover.state import Phase, State

Die = Annotated[int, Meta(ge=1, le=9)]


# Who goes first


class RollForFirstTurn(Action, frozen=True, tag="throw-off"):
    """Roll one die for each of these seats, for the first turn (setup.5)."""

    says: ClassVar[str] = "throwoff {seats}"
    seats: Annotated[tuple[SeatName, ...], Meta(max_length=3)]


class FirstTurnRolled(MessageEvent, frozen=True, tag="threw-off"):
    """Each contender rolled a die for the first turn. The next event says who goes first."""

    faces: tuple[tuple[Seat, Die], ...]

    def tell(self) -> str:
        """Tells the players what each contender rolled."""
        return f"Roll for the first turn: {listing([f'{seat} {face}' for seat, face in self.faces])}."


class FirstTurnRollTied(Event, frozen=True, tag="tied"):
    """Several seats rolled the same highest number; only they roll again."""

    seats: tuple[Seat, ...]

    def apply(self, state: State) -> State:
        """Keeps only the tied seats as contenders."""
        return replace(state, contenders=self.seats, turn=self.seats[0], tied=True)

    def tell(self) -> str:
        """Tells the players who rolls again."""
        return f"{listing(self.seats).capitalize()} rolled the same and roll again."


class FirstPlayerDecided(Event, frozen=True, tag="first-chosen"):
    """It is settled who takes the first turn."""

    seat: Seat
    phase: Phase

    def apply(self, state: State) -> State:
        """Opens the first turn."""
        return replace(state, contenders=(), tied=False, turn=self.seat, phase=self.phase)

    def tell(self) -> str:
        """Tells the players who goes first."""
        return f"{self.seat.capitalize()} goes first."


def _make_throw_off_need(state: State) -> Need:
    """Returns the roll for the first turn, with the game's own dice (r.throwoff-die)."""
    seats = state.contenders
    purpose = f"who goes first: {', '.join(seats)}"
    rule = find_first_turn_rule(state)
    return Need(purpose, len(seats), state.board.file.sides, throwers=seats, aims=ONLY_READ, rule=rule)


def _check_throw_off(state: State, _seat: Seat, action: RollForFirstTurn) -> Iterator[Refusal]:
    yield from (refuse_unknown_seat(state, name) for name in action.seats if name not in state.board.seats)
    if action.seats != state.contenders:
        reason = f"exactly these seats roll one die each: {listing(state.contenders)}"
        yield Refusal(find_first_turn_rule(state), reason)


def _refuse_late_throw_off(state: State, _seat: Seat, _action: RollForFirstTurn) -> Iterator[Refusal]:
    yield Refusal(find_first_turn_rule(state), f"the first turn is already settled; it is {state.turn}'s turn")


def _refuse_others(state: State) -> Iterator[Refusal]:
    yield Refusal(find_first_turn_rule(state), f"{state.turn} rolls for all, or types what everybody rolled")


def _resolve_throw_off(state: State, _seat: Seat, action: RollForFirstTurn, dice: Dice) -> Script[State]:
    """Rolls one die for each seat. The highest goes first, and tied seats roll again (setup.5, setup.6, three.4,
    three.5).
    """
    faces = tuple(zip(action.seats, dice.throw(_make_throw_off_need(state)), strict=True))
    yield FirstTurnRolled(faces)
    most = max(face for _, face in faces)
    highest = tuple(seat for seat, face in faces if face == most)
    if len(highest) > 1:
        yield FirstTurnRollTied(highest)
    else:
        yield FirstPlayerDecided(highest[0], state.find_opening_phase(highest[0]))


# The first roll


class RollDice(Action, frozen=True, tag="throw"):
    """Roll all dice: the control phase begins (dice.1)."""

    says: ClassVar[str] = "throw"


class DiceRolled(Event, frozen=True, tag="thrown"):
    """The mover made the first roll."""

    kept: tuple[Die, ...]
    """Dice that name a robot in the game."""
    picked_up: tuple[Die, ...]
    """Dice that name a robot out of the game."""

    def apply(self, state: State) -> State:
        """Lays the usable dice on the table."""
        phase: Phase = "rethrow" if self.picked_up else "control"
        return replace(state, dice=tuple(sorted(self.kept)), dead=len(self.picked_up), phase=phase)

    def tell(self) -> str:
        """Tells the players what was rolled, and what to roll again."""
        return f"Rolled: {_describe_roll(self.kept, self.picked_up)}{_describe_pick_up(self.picked_up)}"


def _describe_roll(usable: tuple[int, ...], gone: tuple[int, ...]) -> str:
    """Returns the rolled dice in words.

    If some dice are usable and others are not, names only the usable dice, because the order of the whole roll is not
    known.
    """
    return f"{format_value(usable)} on the table." if usable and gone else f"{format_value(usable or gone)}."


def _describe_pick_up(dice: tuple[int, ...]) -> str:
    if not dice:
        return ""
    return (
        f" Pick up {format_value(dice)} and roll {'it' if len(dice) == 1 else 'them'} again: no such robot in the game."
    )


def _make_throw_need(state: State) -> Need:
    return Need(
        f"{state.turn}'s throw",
        state.board.file.dice,
        state.board.file.sides,
        aims=ONLY_READ,
        rule=state.board.dice_rule,
    )


def _refuse_late_throw(state: State, _seat: Seat, _action: RollDice) -> Iterator[Refusal]:
    if state.phase in ("rethrow", "control"):
        yield Refusal("dice.6", "you have already rolled in this turn")


def _throw_dice(state: State, _seat: Seat, _action: RollDice, dice: Dice) -> Script[State]:
    """Rolls all dice. Dice that name robots out of the game are picked up (dice.1, dice.2, dice.3, dice.4, plus.3)."""
    yield DiceRolled(*_sort_usable_dice(state, dice.throw(_make_throw_need(state))))


def _sort_usable_dice(state: State, faces: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns the dice that name a robot in the game, and those that do not (dice.10, goal.8)."""
    usable = tuple(face for face in faces if state.name_own_robot(face) in state.cells)
    return usable, tuple(face for face in faces if face not in usable)


# The second roll


class RerollDice(Action, frozen=True, tag="rethrow"):
    """Roll the picked-up dice a second time (dice.5)."""

    says: ClassVar[str] = "rethrow"


class DiceRerolled(Event, frozen=True, tag="rethrown"):
    """The mover made the second roll."""

    kept: tuple[Die, ...]
    aside: tuple[Die, ...]
    """Dice that again name a robot out of the game; they are worth nothing."""

    def apply(self, state: State) -> State:
        """Adds the usable dice to those on the table."""
        dice = tuple(sorted(state.dice + self.kept))
        return replace(state, dice=dice, dead=0, rethrown=True, phase="control")

    def tell(self) -> str:
        """Tells the players what was rolled, and which dice to put aside."""
        gone = f" Put aside {format_value(self.aside)}: no such robot in the game." if self.aside else ""
        return f"Rolled again: {_describe_roll(self.kept, self.aside)}{gone}"


def _make_rethrow_need(state: State) -> Need:
    return Need(f"{state.turn}'s second throw", state.dead, state.board.file.sides, aims=ONLY_READ, rule="dice.5")


def _refuse_late_rethrow(state: State, _seat: Seat, _action: RerollDice) -> Iterator[Refusal]:
    if state.rethrown and state.phase == "control":
        yield Refusal("dice.6", "the second roll was already made, and there is no third")
    elif state.phase == "control":
        yield Refusal("dice.3", "every die names a robot in the game and stays on the table")


def _rethrow_dice(state: State, _seat: Seat, _action: RerollDice, dice: Dice) -> Script[State]:
    """Rolls the picked-up dice once more, for the last time (dice.5, dice.6, dice.7, dice.8, dice.11).

    No action comes between the two rolls, and the second is not optional (r.throws-first).
    """
    state = yield DiceRerolled(*_sort_usable_dice(state, dice.throw(_make_rethrow_need(state))))
    if not state.dice:  # dice.9
        yield from end_phase(state)


VERBS = (
    Verb(
        RollForFirstTurn,
        ("throw-off",),
        lambda state, _: iter((Choice(RollForFirstTurn, _make_throw_off_need(state), seats=state.contenders),)),
        _check_throw_off,
        _resolve_throw_off,
        read=lambda reader: RollForFirstTurn(reader.read_seats()),
        late=_refuse_late_throw_off,
        theirs=_refuse_others,
    ),
    Verb(
        RollDice,
        ("throw",),
        lambda state, _: iter((Choice(RollDice, _make_throw_need(state)),)),
        resolve=_throw_dice,
        late=_refuse_late_throw,
    ),
    Verb(
        RerollDice,
        ("rethrow",),
        lambda state, _: iter((Choice(RerollDice, _make_rethrow_need(state)),)),
        resolve=_rethrow_dice,
        late=_refuse_late_rethrow,
    ),
)
