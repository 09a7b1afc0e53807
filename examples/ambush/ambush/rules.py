"""The islands, the state of a game, what can happen to it, and what can be said in it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat, Unseen
from referee.engine.legal import Action, Choice, OneOf
from referee.engine.order import Due, Order
from referee.engine.ruling import Refusal
from referee.engine.secret import Secret
from referee.engine.verb import Verb

SEATS = ("red", "blue")
OTHER = {"red": "blue", "blue": "red"}
Few = Annotated[int, Meta(ge=0, le=3)]
Cove = Annotated[str, Meta(pattern="^[a-z]{3,9}$")]
Phase = Literal["hide", "raid", "answer", "fight", "lose"]


class Island(Struct, frozen=True, forbid_unknown_fields=True):
    """The board: both islands have these coves."""

    name: str
    coves: Annotated[tuple[Cove, ...], Meta(min_length=2, max_length=9)]
    reconstruction: str | None = None


class Open(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What everybody sees of a game."""

    phase: Phase = "hide"
    pen: Literal["red", "blue"] = "red"
    night: Annotated[int, Meta(ge=0, le=21)] = 0
    gold: tuple[Few, Few] = (3, 3)
    pirates: tuple[Few, Few] = (3, 3)
    raided: str = ""
    guards: Few = 0


class State(Open, frozen=True, kw_only=True):
    """A game between two actions."""

    island: Island
    nights: int
    chests: Mapping[Seat, Secret[str]]
    away: Mapping[Seat, Secret[int]]

    @property
    def is_over(self) -> bool:
        """Whether somebody has lost, or the last night is over (end, nights)."""
        return self.night > self.nights or 0 in self.gold + self.pirates

    def next_night(self) -> "State":
        """The state when another night begins (time)."""
        return replace(self, night=self.night + 1, phase="raid", pen=SEATS[self.night % 2])


class Hidden(Event, frozen=True, tag="hidden"):
    """Seen by its owner alone (hide)."""

    told = "Note in secret: {seat}'s chest is in the {cove}."
    seat: Seat
    cove: Cove

    def apply(self, state: State) -> State:
        return replace(state, chests={**state.chests, self.seat: Secret(self.seat, self.cove)})


class Buried(Event, frozen=True, tag="buried"):
    """What everybody sees of that (seen)."""

    told = "{seat} has hidden a chest."
    seat: Seat

    def apply(self, state: State) -> State:
        return state.next_night() if state.night or self.seat == "blue" else replace(state, pen="blue")


class Raided(Event, frozen=True, tag="raided"):
    """Pirates land; only their owner knows how many (raid)."""

    told = "{seat} lands in the {cove} of the other island."
    seat: Seat
    cove: Cove
    pirates: Secret[int]

    def apply(self, state: State) -> State:
        away = {**state.away, self.seat: self.pirates}
        return replace(state, away=away, raided=self.cove, phase="answer", pen=OTHER[self.seat])


class Answered(Event, frozen=True, tag="answered"):
    """The raider finds the chest and its guards, or nothing (answer)."""

    told = "Is the chest there? {found}. Guards: {guards}."
    tells = True
    found: Literal["yes", "no"]
    guards: Few

    def apply(self, state: State) -> State:
        met = replace(state, guards=self.guards, phase="fight", pen=OTHER[state.pen])
        return met if self.found == "yes" else state.next_night()


class Fought(Event, frozen=True, tag="fought"):
    """One side is beaten (fight)."""

    told = "{beaten} is beaten."
    beaten: Seat

    def apply(self, state: State) -> State:
        return replace(state, phase="lose", pen=self.beaten)


class Lost(Event, frozen=True, tag="lost"):
    """What was lost; now the chest that was found must be hidden anew (again)."""

    told = "Take away one of {seat}'s {what}."
    evident = True
    seat: Seat
    what: Literal["gold", "pirates"]

    def apply(self, state: State) -> State:
        left = tuple(have - (seat == self.seat) for seat, have in zip(SEATS, getattr(state, self.what), strict=True))
        return replace(state, phase="hide", pen=SEATS[state.night % 2], **{self.what: left})


class Hide(Action, frozen=True, tag="hide"):
    """Hide the chest in secret in a cove, or adrift: where a die says (hide)."""

    says = "hide {cove}"
    cove: Cove


def _hide(state: State, seat: Seat, action: Hide, dice: Dice) -> Script[State]:
    drifts = action.cove == "adrift"
    yield Unseen(Hidden(seat, dice.draw(state.island.coves, "where it drifts") if drifts else action.cove))
    yield Buried(seat)


class Raid(Action, frozen=True, tag="raid"):
    """Send so many pirates to a cove of the other island (raid)."""

    says = "raid {cove} {pirates}"
    cove: Cove
    pirates: Secret[int]


def _raids(state: State, seat: Seat) -> Choice:
    crews = tuple(Secret(seat, number) for number in range(1, state.pirates[SEATS.index(seat)] + 1))
    return Choice(Raid, cove=OneOf(state.island.coves), pirates=OneOf(crews))


def _raid(_state: State, seat: Seat, action: Raid, _dice: Dice) -> Script[State]:
    yield Raided(seat, action.cove, action.pirates)


class Answer(Action, frozen=True, tag="answer"):
    """Say whether the chest is there: the truth (answer)."""

    says = "answer {found}"
    found: Literal["yes", "no"]


def _truth(state: State, seat: Seat) -> Choice:
    return Choice(Answer, found="yes" if state.chests[seat].value == state.raided else "no")


def _answer(state: State, seat: Seat, action: Answer, _dice: Dice) -> Script[State]:
    """Pirates who are out guard nothing (guard)."""
    home = max(0, state.pirates[SEATS.index(seat)] - state.away[seat].value)
    yield Answered(action.found, home if action.found == "yes" else 0)


class Fight(Action, frozen=True, tag="fight"):
    """Throw the dice of both sides (fight)."""

    says = "fight"


def _fight(state: State, seat: Seat, _action: Fight, dice: Dice) -> Script[State]:
    raiders, guards = state.away[seat].value, state.guards  # there may be no guard at all (empty)
    faces = dice.roll(raiders + guards, 6, "the fight", each=(seat,) * raiders + (OTHER[seat],) * guards)
    yield Fought(OTHER[seat] if max(faces[:raiders]) > max(faces[raiders:], default=0) else seat)


class Lose(Action, frozen=True, tag="lose"):
    """Choose what is lost (lose)."""

    says = "lose {what}"
    what: Literal["gold", "pirates"]


def _lose(_state: State, seat: Seat, action: Lose, _dice: Dice) -> Script[State]:
    yield Lost(seat, action.what)


def _due(state: State) -> Due | None:
    """One player after another has something to do, until the end (time)."""
    words = f"{state.pen} has to {state.phase} first"
    return None if state.is_over else Due(state.pen, state.phase, "time", words, asks=state.phase == "answer")


def _barred(state: State, seat: Seat) -> Iterator[Refusal]:
    if state.is_over:
        yield Refusal("end", f"the game is over: {seat} can do nothing more")


def _verb(action: Any, choice: Callable[[State, Seat], Choice], resolve: Any) -> Verb[State, Any]:
    """A verb of the phase that is called as it is: just what is offered is legal."""
    phase = action.says.split()[0]
    return Verb(action, (phase,), lambda state, seat: iter([choice(state, seat)]), resolve=resolve, rule=phase)


ORDER = Order(_due, _barred)
VERBS = (
    _verb(Hide, lambda state, _: Choice(Hide, cove=OneOf((*state.island.coves, "adrift"))), _hide),
    _verb(Raid, _raids, _raid),
    _verb(Answer, _truth, _answer),
    _verb(Fight, lambda *_: Choice(Fight), _fight),
    _verb(Lose, lambda *_: Choice(Lose, what=OneOf(("gold", "pirates"))), _lose),
)
