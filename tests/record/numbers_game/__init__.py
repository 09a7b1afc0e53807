"""A game as small as a game with secrets can be, for testing the record without the rules of a real one.

Red thinks of a number from 1 to 6, or lets a secret die choose; Blue has three guesses.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.engine.game import REFEREE, Event, Game, Option, Outcome
from referee.engine.legal import Action, Between, Choice, Legal
from referee.engine.ruling import Refusal, RuleBook
from referee.engine.scene import Scene
from referee.engine.text import PhraseReader

HERE = Path(__file__).parent
Number = Annotated[int, Meta(ge=1, le=6)]


class BoardFile(Struct, frozen=True):
    name: str
    seats: tuple[str, ...] = ("red", "blue")
    reconstruction: str | None = None


class State(Struct, frozen=True):
    secrets: bool
    phase: Literal["think", "ready", "guess", "over"] = "think"
    number: int | None = None
    guesses: tuple[int, ...] = ()
    outcome: Outcome | None = None


class Think(Action, frozen=True, tag="think"):
    number: Number


class Draw(Action, frozen=True, tag="draw"):
    pass


class Ready(Action, frozen=True, tag="ready"):
    pass


class Guess(Action, frozen=True, tag="guess"):
    number: Number


class Thought(Event, frozen=True, tag="thought"):
    number: Number

    def apply(self, state):
        return replace(state, number=self.number, phase="ready")


class Told(Event, frozen=True, tag="told"):
    def apply(self, state):
        return replace(state, phase="ready")


class Opened(Event, frozen=True, tag="opened"):
    def apply(self, state):
        return replace(state, phase="guess")


class Guessed(Event, frozen=True, tag="guessed"):
    number: Number
    right: bool

    def apply(self, state):
        return replace(state, guesses=(*state.guesses, self.number))


class Ended(Event, frozen=True, tag="ended"):
    outcome: Outcome

    def apply(self, state):
        return replace(state, phase="over", outcome=self.outcome)


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    number: int | None = None
    guesses: tuple[int, ...] = ()
    phase: Literal["think", "ready", "guess", "over"] = "think"


TIMES = {Think: "think", Draw: "think", Ready: "ready", Guess: "guess"}


def to_act(state):
    if state.outcome:
        return None
    return "blue" if state.phase == "guess" else "red"


def legal(state, seat):
    if seat != to_act(state):
        return Legal()
    choices = {
        "think": (Choice(Think, number=Between(1, 6)), Choice(Draw)),
        "ready": (Choice(Ready),),
        "guess": (Choice(Guess, number=Between(1, 6)),),
    }
    return Legal(choices[state.phase])


def check(state, seat, action):
    if TIMES[type(action)] != state.phase:
        yield Refusal("time", f"this is the time to {state.phase}")
    elif seat != to_act(state):
        yield Refusal("turn", f"it is {to_act(state)}'s turn")


def resolve(state, action, dice):
    match action:
        case Think(number):
            yield Thought(number)
            yield Told()
        case Draw():
            yield Thought(dice.roll(1, 6, "the number")[0])
            yield Told()
        case Ready():
            yield Opened()
        case Guess(number):
            right = number == state.number
            state = yield Guessed(number, right)
            if right or len(state.guesses) == 3:
                winner = "blue" if right else "red"
                yield Ended(Outcome((winner,), (), f"{winner} wins"))


def view(state, seat):
    open_to_all = not state.secrets or state.outcome
    return state if open_to_all or seat in ("red", REFEREE) else replace(state, number=None)


def disclose(state, action, events):
    if not state.secrets or not isinstance(action, Think | Draw):
        return None
    return tuple(event for event in events if not isinstance(event, Thought))


def parse(text, state, seat):
    reader = PhraseReader(text)
    verb = reader.next("a verb")
    kinds = {"draw": Draw, "ready": Ready}
    if verb.text in kinds:
        return reader.finish(kinds[verb.text]())
    return reader.finish({"think": Think, "guess": Guess}[verb.text](int(reader.next("a number").text)))


def place(position, options, board):
    return State(options["secrets"] == "yes", position.phase, position.number, position.guesses)


GAME = Game(
    name="numbers",
    title="Numbers",
    rules_version=1,
    seats=lambda options: ("red", "blue"),
    options=(Option("secrets", ("yes", "no"), "whether the number is a secret", "secret"),),
    check_options=lambda options: iter(()),
    board_file=lambda options: HERE / "table.toml",
    board_type=BoardFile,
    parse_board=lambda document: BoardFile("table"),
    actions=Think | Draw | Ready | Guess,
    events=Thought | Told | Opened | Guessed | Ended,
    position=Position,
    setup=lambda options, board: State(options["secrets"] == "yes"),
    check_position=lambda position, options, board: iter(()),
    place=place,
    position_of=lambda state: Position(state.number, state.guesses, state.phase),
    to_act=to_act,
    turn_of=lambda state: 1 + len(state.guesses),
    legal=legal,
    check=check,
    resolve=resolve,
    view=view,
    outcome=lambda state: state.outcome,
    parse=parse,
    phrases={Think: "think {number}", Draw: "draw", Ready: "ready", Guess: "guess {number}"},
    tell=lambda event: f"{type(event).__name__.lower()} {getattr(event, 'number', '')}".strip(),
    standing=lambda state: f"{state.phase}, the number is {state.number or 'unknown'}",
    draw=lambda state: Scene(str(state.number), (), (), (), (), (f"number {state.number}",)),
    rulebook=RuleBook(HERE / "rules.toml"),
    keeps_secrets=lambda options: options["secrets"] == "yes",
    disclose=disclose,
)
