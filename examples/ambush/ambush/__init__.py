"""Ambush: each of two players hides a chest on an island, and raids the other player's island."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from referee.engine import (
    Action,
    Choice,
    Component,
    Dice,
    Event,
    Game,
    Glyph,
    Layout,
    Obligation,
    OneOf,
    Option,
    Options,
    Order,
    Outcome,
    Refusal,
    RuleBook,
    Scene,
    ScenePage,
    Script,
    Seat,
    Secret,
    SecretEvent,
    Verb,
    rank_seats,
)

SEATS = ("red", "blue")
OPPONENT = {"red": "blue", "blue": "red"}
UpToThree = Annotated[int, Meta(ge=0, le=3)]
Cove = Annotated[str, Meta(pattern="^[a-z]{3,9}$")]


class Island(Struct, frozen=True, forbid_unknown_fields=True):
    """The board: both islands have these coves."""

    name: str
    """The name of the board."""
    coves: Annotated[tuple[Cove, ...], Meta(min_length=2, max_length=9)]
    """The names of the coves."""
    reconstruction: str | None = None
    """The part of the board that is a reconstruction, if any."""


class PublicFields(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The part of a game that everybody sees."""

    phase: Literal["hide", "raid", "answer", "fight", "lose"] = "hide"
    """The kind of thing that is due."""
    pen: Literal["red", "blue"] = "red"
    """The player to act."""
    night: Annotated[int, Meta(ge=0, le=21)] = 0
    """The number of the night; 0 before the first."""
    gold: tuple[UpToThree, UpToThree] = (3, 3)
    """The gold of red and of blue."""
    pirates: tuple[UpToThree, UpToThree] = (3, 3)
    """The pirates of red and of blue."""
    raided: str = ""
    """The cove that was raided tonight."""
    guards: UpToThree = 0
    """The pirates who guard the chest that was found tonight."""


class Position(PublicFields, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position as a player may type it: everything that all see, and the secrets that the player knows."""

    chests: dict[Seat, str] = {}
    """The cove of each player's chest, where it is known."""
    away: dict[Seat, UpToThree] = {}
    """The number of each player's pirates on the last raid, where it is known."""


class State(PublicFields, frozen=True, kw_only=True):
    """A game between two actions."""

    island: Island
    """The board."""
    nights: int
    """The number of nights that are played."""
    chests: Mapping[Seat, Secret[str]]
    """The cove of each player's chest."""
    away: Mapping[Seat, Secret[int]]
    """The number of each player's pirates on the last raid."""

    @property
    def is_over(self) -> bool:
        """True if a player has lost, or if the last night is over (end, nights)."""
        return self.night > self.nights or 0 in self.gold + self.pirates

    def begin_next_night(self) -> "State":
        """Returns the state at the beginning of the next night (time)."""
        return replace(self, night=self.night + 1, phase="raid", pen=SEATS[self.night % 2])


# Hiding


class CoveNoted(Event, frozen=True, tag="hidden"):
    """A chest was hidden; only its owner sees where (hide)."""

    told = "Note in secret: {seat}'s chest is in the {cove}."
    seat: Seat
    cove: Cove

    def apply(self, state: State) -> State:
        return replace(state, chests={**state.chests, self.seat: Secret(self.seat, self.cove)})


class ChestHidden(Event, frozen=True, tag="buried"):
    """A chest was hidden, as everybody sees it (seen)."""

    told = "{seat} has hidden a chest."
    seat: Seat

    def apply(self, state: State) -> State:
        return state.begin_next_night() if state.night or self.seat == "blue" else replace(state, pen="blue")


class HideChest(Action, frozen=True, tag="hide"):
    """Hide the chest in secret in a cove, or adrift where a die sends it (hide)."""

    says = "hide {cove}"
    cove: Cove


def _hideouts(state: State, _seat: Seat) -> Iterator[Choice]:
    yield Choice(HideChest, cove=OneOf((*state.island.coves, "adrift")))


def _hide(state: State, seat: Seat, action: HideChest, dice: Dice) -> Script[State]:
    drifts = action.cove == "adrift"
    yield SecretEvent(CoveNoted(seat, dice.draw(state.island.coves, "where it drifts") if drifts else action.cove))
    yield ChestHidden(seat)


# Raiding


class PiratesLanded(Event, frozen=True, tag="raided"):
    """Pirates land; only their owner knows how many (raid)."""

    told = "{seat} lands in the {cove} of the other island."
    seat: Seat
    cove: Cove
    pirates: Secret[int]

    def apply(self, state: State) -> State:
        away = {**state.away, self.seat: self.pirates}
        return replace(state, away=away, raided=self.cove, phase="answer", pen=OPPONENT[self.seat])


class Raid(Action, frozen=True, tag="raid"):
    """Send pirates to a cove of the other island (raid)."""

    says = "raid {cove} {pirates}"
    cove: Cove
    pirates: Secret[int]


def _raids(state: State, seat: Seat) -> Iterator[Choice]:
    crews = tuple(Secret(seat, number) for number in range(1, state.pirates[SEATS.index(seat)] + 1))
    yield Choice(Raid, cove=OneOf(state.island.coves), pirates=OneOf(crews))


def _raid(_state: State, seat: Seat, action: Raid, _dice: Dice) -> Script[State]:
    yield PiratesLanded(seat, action.cove, action.pirates)


class RaidAnswered(Event, frozen=True, tag="answered"):
    """The raider finds the chest and its guards, or nothing (answer)."""

    told = "Is the chest there? {found}. Guards: {guards}."
    tells = True
    found: Literal["yes", "no"]
    guards: UpToThree

    def apply(self, state: State) -> State:
        met = replace(state, guards=self.guards, phase="fight", pen=OPPONENT[state.pen])
        return met if self.found == "yes" else state.begin_next_night()


class Answer(Action, frozen=True, tag="answer"):
    """Say truly whether the chest is there (answer)."""

    says = "answer {found}"
    found: Literal["yes", "no"]


def _truth(state: State, seat: Seat) -> Iterator[Choice]:
    yield Choice(Answer, found="yes" if state.chests[seat].value == state.raided else "no")


def _answer(state: State, seat: Seat, action: Answer, _dice: Dice) -> Script[State]:
    """Yields the answer. Pirates who are away guard nothing (guard)."""
    home = max(0, state.pirates[SEATS.index(seat)] - state.away[seat].value)
    yield RaidAnswered(action.found, home if action.found == "yes" else 0)


# Fighting


class SideBeaten(Event, frozen=True, tag="fought"):
    """One side is beaten (fight)."""

    told = "{beaten} is beaten."
    beaten: Seat

    def apply(self, state: State) -> State:
        return replace(state, phase="lose", pen=self.beaten)


class Fight(Action, frozen=True, tag="fight"):
    """Roll the dice of both sides (fight)."""

    says = "fight"


def _fight(state: State, seat: Seat, _action: Fight, dice: Dice) -> Script[State]:
    raiders, guards = state.away[seat].value, state.guards  # there may be no guard at all (empty)
    faces = dice.roll(raiders + guards, 6, "the fight", each=(seat,) * raiders + (OPPONENT[seat],) * guards)
    yield SideBeaten(OPPONENT[seat] if max(faces[:raiders]) > max(faces[raiders:], default=0) else seat)


class ThingLost(Event, frozen=True, tag="lost"):
    """One thing is lost, and the chest that was found must be hidden again (again)."""

    told = "Take away one of {seat}'s {what}."
    evident = True
    seat: Seat
    what: Literal["gold", "pirates"]

    def apply(self, state: State) -> State:
        left = tuple(have - (seat == self.seat) for seat, have in zip(SEATS, getattr(state, self.what), strict=True))
        return replace(state, phase="hide", pen=SEATS[state.night % 2], **{self.what: left})


class Lose(Action, frozen=True, tag="lose"):
    """Choose what is lost (lose)."""

    says = "lose {what}"
    what: Literal["gold", "pirates"]


def _lose(_state: State, seat: Seat, action: Lose, _dice: Dice) -> Script[State]:
    yield ThingLost(seat, action.what)


# Guesses at secrets


def _cove(view: State, owner: Seat, random: Random) -> str:
    """Returns a cove where a chest can be: where it was found tonight, or else any cove once it is hidden."""
    if not view.night and (owner, view.pen) != ("red", "blue"):
        return ""
    is_found = view.phase in ("fight", "lose") and owner == SEATS[view.night % 2]
    return view.raided if is_found else random.choice(view.island.coves)


def _crew(view: State, owner: Seat, random: Random) -> int:
    """Returns a possible number of pirates on a raid.

    If the chest was found tonight, its owner's pirates who did not guard it are away. Otherwise any number is possible.
    """
    at = SEATS.index(owner)
    if view.phase in ("fight", "lose") and at == view.night % 2:
        return view.pirates[at] - view.guards
    has_raided = (view.night, view.phase != "raid") > (1 + at, False)
    return random.randint(1, max(1, view.pirates[at])) if has_raided else 0


# The order of play


def _due(state: State) -> Obligation | None:
    """Returns what is due: the players act one after another until the end (time)."""
    words = f"{state.pen} has to {state.phase} first"
    return None if state.is_over else Obligation(state.pen, state.phase, "time", words, asks=state.phase == "answer")


def _barred(state: State, seat: Seat) -> Iterator[Refusal]:
    if state.is_over:
        yield Refusal("end", f"the game is over: {seat} can do nothing more")


VERBS: tuple[Verb[State, Any], ...] = (
    Verb(HideChest, ("hide",), _hideouts, resolve=_hide, rule="hide"),
    Verb(Raid, ("raid",), _raids, resolve=_raid, rule="raid"),
    Verb(Answer, ("answer",), _truth, resolve=_answer, rule="answer"),
    Verb(Fight, ("fight",), resolve=_fight, rule="fight"),
    Verb(Lose, ("lose",), lambda *_: iter([Choice(Lose, what=OneOf(("gold", "pirates")))]), resolve=_lose, rule="lose"),
)


class Ambush(Game[State, Action, Event, Position, Island]):
    """The game of ambush.

    Hiding is a secret action. The number of pirates on a raid is a secret value. The player who is raided must tell the
    truth.
    """

    name = "ambush"
    title = "Ambush"
    options = (Option("nights", ("12", "6", "20"), "how many nights are played", "nights"),)
    components = (Component("board", Island, lambda _: Path(__file__).with_name("island.toml")),)
    order = Order(_due, _barred)
    position = Position
    rulebook = RuleBook(Path(__file__).with_name("rules.toml"))
    examples = ("hide reef", "hide adrift", "raid cave 2", "fight", "lose gold")

    def seats(self, options: Options, names: tuple[str, ...] = ()) -> tuple[Seat, ...]:
        return SEATS

    def list_secret_keepers(self, options: Options) -> tuple[Seat, ...]:
        return SEATS

    def setup(self, options: Options, board: Island) -> State:
        return self.state_from(Position(), options, board)

    def check_position(self, position: Position, options: Options, board: Island) -> Iterator[Refusal]:
        phase, raider = position.phase, SEATS[(position.night + 1) % 2]
        if phase in ("answer", "fight") and not position.away.get(raider):
            yield Refusal("raid", "the raider must have sent at least one pirate")
        if phase in ("raid", "answer", "fight") and (position.pen == raider) == (phase == "answer"):
            yield Refusal("time", f"tonight the raider is {raider}")

    def state_from(self, position: Position, options: Options, board: Island) -> State:
        chests = {seat: Secret(seat, position.chests.get(seat, "")) for seat in SEATS}
        away = {seat: Secret(seat, position.away.get(seat, 0)) for seat in SEATS}
        secrets: dict[str, Any] = {"chests": chests, "away": away}
        return State(island=board, nights=int(options["nights"]), **asdict(position) | secrets)

    def position_from(self, state: State) -> Position:
        plain = {name: getattr(state, name) for name in PublicFields.__struct_fields__}
        chests = {seat: chest.value for seat, chest in state.chests.items() if chest.known and chest.value}
        away = {seat: crew.value for seat, crew in state.away.items() if crew.known and crew.value}
        return Position(chests=chests, away=away, **plain)

    def get_turn_number(self, state: State) -> int:
        return max(1, min(state.night, state.nights))

    def is_secret(self, view: State, action: Action) -> bool:
        return isinstance(action, HideChest)

    def guess(self, view: State, seat: Seat | None, random: Random) -> State:
        chests = {one: chest.with_guess(_cove(view, one, random)) for one, chest in view.chests.items()}
        away = {one: crew.with_guess(_crew(view, one, random)) for one, crew in view.away.items()}
        return replace(view, chests=chests, away=away)

    def outcome(self, state: State) -> Outcome | None:
        worth = {seat: gold * state.pirates[SEATS.index(seat)] for seat, gold in zip(SEATS, state.gold, strict=True)}
        best = tuple(seat for seat in SEATS if worth[seat] == max(worth.values()))
        end = Outcome(rank_seats(best, SEATS), tuple(worth.items()), f"{' and '.join(best)} came off best")
        return end if state.is_over else None

    def status(self, view: State) -> str:
        has = f"gold {view.gold[0]} : {view.gold[1]}, pirates {view.pirates[0]} : {view.pirates[1]}"
        return f"the game is over; {has}" if view.is_over else f"{view.pen} is to {view.phase}; {has}"

    def draw(self, view: State) -> Scene:
        known = {seat: chest.value for seat, chest in view.chests.items() if chest.known}
        lines = [f"{cove:10}{' '.join(seat for seat in known if known[seat] == cove)}" for cove in view.island.coves]
        glyphs = tuple(Glyph(0, row, line.rstrip()) for row, line in enumerate(lines))
        return Scene(self.status(view), (ScenePage("", (), (), (Layout(20, glyphs),)),), words=(self.status(view),))


GAME = Ambush()
