"""Game: what a rule module provides.

A rule module is a package that makes one `Game`, a class of its own with pure methods over immutable values. Anybody
may add one (see `registry`), and try it with `referee.testing`. What most games leave alone has a default.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from msgspec import Struct

from referee.engine.component import Board, Component
from referee.engine.dice import Dice
from referee.engine.event import REFEREE, Event, Outcome, Script, Seat
from referee.engine.legal import Action, Choice, Legal
from referee.engine.options import Option, Options
from referee.engine.order import Order
from referee.engine.palette import COLOURS, Colour
from referee.engine.ruling import Refusal, RuleBook
from referee.engine.secret import UnknownError, blinded
from referee.engine.text import PhraseReader
from referee.engine.verb import Reading, Verbs, read_plainly, union
from referee.engine.versions import RulesVersion, Upcast, changed_rules

if TYPE_CHECKING:
    from random import Random

    from referee.engine.scene import Overlay, Scene
    from referee.engine.series import Series

S = TypeVar("S")
A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Event)
P = TypeVar("P", bound=Struct)
B = TypeVar("B", bound=Board)


class Game(ABC, Generic[S, A, E, P, B]):
    """A rule module: its state, action, event, position and board types, and what it knows of them.

    Whatever is told of a *view* is told on what one seat may know; the engine sees to it that rules get no more.
    """

    name: ClassVar[str]
    """Short lower-case name, as typed on the command line; the name of its entry point too."""
    title: ClassVar[str]
    rules_version: ClassVar[int] = 1
    """Counts up when the same actions and dice could lead to other events than before."""
    versions: ClassVar[tuple[RulesVersion, ...]] = ()
    """What each version of the rules changed, from the second on."""
    upcasts: ClassVar[tuple[Upcast, ...]] = ()
    """How what was written under older rules is lifted to the form that it has today."""
    options: ClassVar[tuple[Option, ...]] = ()
    components: ClassVar[tuple[Component, ...]]
    """The files that it is played with, the board first."""
    topics: ClassVar[tuple[str, ...]] = ()
    """The modules of its package in which its rules stand, each by its name, in the order in which what can be said is
    listed; none: all stands in the module of the game. Verbs, actions and events are gathered from there: a topic lists
    its verbs as `VERBS`, and defines its events.
    """
    order: ClassVar[Order[Any]]
    """The order of play."""
    reader: ClassVar[Callable[..., PhraseReader]] = read_plainly
    """Makes the reader of a phrase: from its text, the view, and the seat that says it."""
    begins: ClassVar[str] = ""
    """What a phrase begins with, for who was not understood: "a number, throw or done"; empty: some verbs."""
    position: type[P]
    """What a position file holds: all of a state that options and components do not say already."""
    rulebook: ClassVar[RuleBook]
    examples: ClassVar[tuple[str, ...]] = ()
    """Phrases that show the notation, for help texts."""
    throw: ClassVar[str] = ""
    """What a player says who throws dice; "" where no one phrase does. It is judged where somebody throws who may not,
    so that he is told the rule.
    """

    @property
    def series(self) -> Series[Any, Any, Any, Any] | None:
        """How it is played in matches; None: it is not."""
        return None

    def under(self, rules: int) -> AnyGame | None:
        """The game by the rules of an older version, over the same states; None where they are kept no longer. It is
        this game itself where nothing that is judged has changed since.
        """
        return None if changed_rules(self.versions, rules) else self

    # Before a game

    def options_of(self, names: tuple[str, ...]) -> Options:  # noqa: ARG002 - mostly names tell nothing
        """Options that follow from the names of who plays, such as how many they are; what they choose comes first."""
        return {}

    def check_options(self, options: Options) -> Iterator[Refusal]:  # noqa: ARG002 - most options go together
        """Every rule that a set of options breaks by being combined."""
        return iter(())

    @abstractmethod
    def seats(self, options: Options, names: tuple[str, ...] = ()) -> tuple[Seat, ...]:
        """The seats in playing order, 1 to 8: under these options, or made from the names of those who play."""

    def keepers(self, options: Options) -> tuple[Seat, ...]:  # noqa: ARG002 - most games are played in plain view
        """The seats that keep secrets under these options: each has a vault."""
        return ()

    def colours(self, seats: tuple[Seat, ...]) -> Mapping[Seat, Colour]:
        """The colour of each seat: its own name where it is one, else the next that is free."""
        named: dict[Seat, Colour] = {colour: colour for colour in COLOURS if colour in seats}
        free = iter([colour for colour in COLOURS if colour not in seats])
        return {seat: named[seat] if seat in named else next(free) for seat in seats}

    def build(self, parts: Mapping[str, Any], options: Options) -> B:  # noqa: ARG002 - a file may be the board itself
        """The board from the decoded files of all components; BoardError when nobody could play on it."""
        board = self.components[0]
        return board.read(parts[board.name])  # type: ignore[no-any-return]  # what its type says

    @abstractmethod
    def setup(self, options: Options, board: B) -> S:
        """The state in which a game begins."""

    # Positions

    def check_position(self, position: P, options: Options, board: B) -> Iterator[Refusal]:  # noqa: ARG002
        """Every rule that a position breaks."""
        return iter(())

    def fills_in(self, position: P) -> tuple[str, ...]:  # noqa: ARG002 - mostly a position says everything
        """What follows from a checked position though nobody typed it, a sentence each; `place` fills it in."""
        return ()

    @abstractmethod
    def place(self, position: P, options: Options, board: B) -> S:
        """The state of a checked position."""

    @abstractmethod
    def position_of(self, state: S) -> P:
        """The position of a state; `place` of it is an equal state."""

    def typical(self, options: Options, board: B) -> P:
        """A position to begin typing from, which breaks no rule: by default the one in which a game begins."""
        return self.position_of(self.setup(options, board))

    piece_fields: ClassVar[tuple[str, ...]] = ()
    """The fields of a position that `pieces` tell, as they are typed."""

    def pieces(self, view: S) -> Mapping[str, str]:  # noqa: ARG002 - a game whose fields say it all needs none
        """Its counters, each with how it lies, in words that `put` reads: {"R1": "c2 N", "B4": "off"}."""
        return {}

    def put(self, position: P, piece: str, where: str) -> P:
        """The position with a counter of `pieces` lying otherwise; NotUnderstoodError when that is no way to lie."""
        raise NotImplementedError(f"{self.name} tells its pieces, but not how to put them")

    # A state

    def to_act(self, state: S) -> Seat | None:
        """Who has to act; None when the game is over. The same in every view."""
        return self.order.to_act(state)

    def may_act(self, state: S) -> tuple[Seat, ...]:  # noqa: ARG002 - in most games only who is on turn
        """Who else may speak now, out of turn. The same in every view."""
        return ()

    def asks(self, state: S) -> bool:
        """Whether `to_act` is asked for something that it knows and others do not. Its answer is an action with exactly
        one legal form, and needs no word from a person. The same in every view.
        """
        return self.order.asks(state)

    def sole(self, state: S) -> A | None:  # noqa: ARG002
        """All that `to_act` can do, where everybody knows it whatever is secret, though perhaps not how many dice it
        takes; None: there is a choice, or others cannot tell. The same in every view, and where it is done in the open
        it leads to the same in every view. By mail nobody waits for it.
        """
        return None

    def shows(self, state: S, seat: Seat) -> bool:  # noqa: ARG002
        """Whether a rule calls for this seat to open secrets of its own now: it may reveal them without being agreed
        with. The same in every view.
        """
        return False

    def turn_of(self, state: S) -> int:  # noqa: ARG002
        """Number of the turn being played, from 1. The same in every view."""
        return 1

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the game ended; None while it goes on. The same in every view."""

    def scores(self, state: S) -> tuple[tuple[Seat, int], ...]:  # noqa: ARG002 - many games count nothing on the way
        """What each seat has reached so far, for a game that its players end. The same in every view."""
        return ()

    def view(self, state: S, seat: Seat | None) -> S:
        """What a seat may know; None: a spectator. A view of one's own view is that view.

        Others' `Secret`s are shut already by what the base does; a game adds what is derived from them.
        """
        if type(self).keepers is Game.keepers:
            return state
        return blinded(state, seat)  # type: ignore[no-any-return]  # of the same type as the state

    def unseen(self, before: S, after: S, seat: Seat, view: S) -> None:
        """Told of a play of which nobody but its seat has seen anything, and which leads to this view of its own: all
        others see what they saw before. For a game that keeps the views of a state, because they take long to work out.
        """

    def names(self, view: S, names: Mapping[Seat, str]) -> Mapping[Seat, str]:  # noqa: ARG002 - mostly they stay
        """Who sits at each seat by now, of those who sat there at the start. The same in every view."""
        return names

    def guess(self, view: S, seat: Seat | None, random: Random) -> S:  # noqa: ARG002 - mostly a view is the truth
        """Some truth that fits all that a seat knows which has this view; None: a spectator. Drawn at random.

        Seen by that seat, it is the view that it came from, and it can be played to its end.
        """
        written: Any = next(kind for kind in type(self).__mro__ if "is_guarded" not in vars(kind))
        if written.keepers is Game.keepers:
            return view
        raise NotImplementedError(f"{self.name} keeps secrets, but does not guess them")

    def worth(self, view: S, seat: Seat) -> float:
        """What a view is worth to a seat by a rule of thumb, for bots: 1 won, -1 lost, 0 even. By default what the seat
        has scored beside the best of the others. Never asked after the end.
        """
        scores = dict(self.scores(view))
        own, others = scores.pop(seat, 0), scores.values()
        ahead = own - max(others, default=0)
        return ahead / (abs(ahead) + 2 + max(own, *others, 0))

    def opening(self, view: S, seat: Seat) -> A | None:  # noqa: ARG002 - most games have no book
        """What a seat does here that plays by the book, for bots that plan: a legal action of a set-up or an opening
        that somebody has thought about before. None: the book says nothing.
        """
        return None

    # Rules, judged on a view. By default they are put together from the topics.

    @cached_property
    def verbs(self) -> Verbs[S, A]:
        """Everything that can be said."""
        verbs = tuple(verb for topic in self._topics for verb in getattr(topic, "VERBS", ()))
        return Verbs(verbs, self.order, type(self).reader, self.begins)

    @cached_property
    def events(self) -> Any:
        """Union of the event types."""
        return union(event for topic in self._topics for event in events_in(topic))

    @property
    def actions(self) -> Any:
        """Union of the action types."""
        return self.verbs.actions

    @cached_property
    def _topics(self) -> tuple[ModuleType, ...]:
        home = import_module(_home(type(self)))
        return tuple(import_module(f"{home.__package__}.{name}") for name in self.topics) or (home,)

    def legal(self, view: S, seat: Seat) -> Legal:
        """Everything the seat may do now: nothing, unless it may speak."""
        may_speak = seat == self.to_act(view) or seat in self.may_act(view)
        return self.verbs.legal(view, seat) if may_speak else Legal()

    def check(self, view: S, seat: Seat, action: A) -> Iterator[Refusal]:
        """Every rule the action breaks when this seat says it, first in the rulebook's order; none exactly if legal."""
        return self.verbs.check(view, seat, action)

    def resolve(self, view: S, seat: Seat, action: A, dice: Dice) -> Script[S]:
        """What follows from a legal action of this seat."""
        return self.verbs.resolve(view, seat, action, dice)

    certain: ClassVar[bool] = False
    """Whether what the rules say of a view is certain: they ask for the value of every secret that matters, and get
    UnknownError where it is not known. Not so where a view only lacks what is hidden, such as a unit on the map.
    """

    def forbids(self, public: S, seat: Seat, action: A) -> Iterator[Refusal]:
        """Every rule that an action in the open breaks, whatever the secrets are; nothing where only they can tell.
        `public` is what everybody may know.
        """
        with suppress(UnknownError):
            yield from self.check(public, seat, action) if self.certain else ()

    def hides(self, view: S, action: A) -> bool:  # noqa: ARG002
        """Whether the very deed is a secret of who does it: the action and its dice are told to nobody."""
        return False

    def asks_first(self, view: S, action: A) -> bool:  # noqa: ARG002 - in most games what is asked follows from dice
        """Whether of a legal action nothing comes but a question to another seat, after whose answer it is said again,
        if it is still legal. By mail question and action travel together.
        """
        return False

    def caution(self, view: S, seat: Seat, action: A) -> str | None:  # noqa: ARG002 - in most games nothing is overlooked
        """What this seat may have overlooked who says something legal, as a clause; None: nothing. It is asked about
        before the action is recorded.
        """
        return None

    # Words and pictures

    def parse(self, text: str, view: S, seat: Seat) -> A:
        """The action that a phrase of this seat means here; NotUnderstoodError."""
        return self.verbs.parse(text, view, seat)

    def read(self, text: str, view: S, seat: Seat, after: str = "") -> Reading:
        """What a phrase of this seat means here that follows one with the verb `after`: its first action, and what is
        left to be said; NotUnderstoodError.
        """
        return self.verbs.read(text, view, seat, after)

    def rests_on(self, view: S, action: A) -> tuple[str, ...]:
        """The ids of the rules that an action rests on which was said in this view, as far as they are known."""
        return self.verbs.rests_on(view, action)

    def goes_on(self, text: str, view: S, seat: Seat) -> bool:
        """Whether a phrase only goes on with the one before it, so that the comma between them parts no actions."""
        return self.verbs.goes_on(text, view, seat)

    def format(self, action: A) -> str:
        """The canonical words of an action: what `parse` reads back."""
        return self.verbs.format(action)

    def format_choice(self, choice: Choice) -> str:
        """The words of a choice, each slot with all its values: `6 turn N/NE/SE`."""
        return self.verbs.format_choice(choice)

    def tell(self, event: E) -> str:
        """An event as one line that a person can act on at the table."""
        return event.tell()

    @abstractmethod
    def status(self, view: S) -> str:
        """The state in one line: phase, dice, score."""

    @abstractmethod
    def draw(self, view: S) -> Scene:
        """A view as a scene."""

    overlays: ClassVar[tuple[Overlay, ...]] = ()
    """What can be marked on its pictures."""

    def overlay(self, view: S, name: Overlay, of: str) -> tuple[str, ...]:
        """The places to mark for one of `overlays`, asked for with a place, or for its reach a piece, in any case;
        NoPlaceError. As far as who has this view may know.
        """
        raise NotImplementedError(f"{self.name} names {name!r} among its overlays, but does not tell it of {of}")

    def stands_for(self, view: S, word: str) -> tuple[str, ...]:  # noqa: ARG002 - in most games words mean themselves
        """What else a word in small letters means in this view, for filters: a room, those who stand in it."""
        return ()

    def describes(self, view: S, word: str) -> tuple[str, ...]:  # noqa: ARG002 - many games have nothing but rules
        """What a thing of this name in small letters is and does: a card, an ability, a stair; each as a sentence with
        its rule in brackets. Empty: nothing here is called so.
        """
        return ()

    def filter(self, legal: Legal, words: Iterable[str], view: S) -> Legal:
        """Only what has to do with all these words, as a player who has this view means them: `smash`, `D4`, `n1`."""
        small = [word.lower() for word in words]
        return legal.filtered([{word, *self.stands_for(view, word)} for word in small])

    def allowed_by(self, kind: type[A]) -> tuple[str, ...]:
        """Ids of the rules by which an action of this kind may be said: those of its description, and its verb's."""
        verb = self.verbs.of(kind)
        named = self.rulebook.cited_in(kind.__doc__ or "")
        return tuple(dict.fromkeys((*named, *([verb.rule] if verb.rule else ()))))

    def fixed_rulings(self) -> tuple[str, ...]:
        """Ids of the rulings that no option switches, sorted: they are in force in every game of this rules version."""
        rulings = self.rulebook.rulings.values()
        return tuple(sorted(ruling.id for ruling in rulings if ruling.option is None and not ruling.shorthand))


def _home(kind: type[Any]) -> str:
    """The module in which a game was written, from which others may have derived theirs."""
    return next(one.__module__ for one in reversed(kind.__mro__) if issubclass(one, Game) and one is not Game)


def events_in(topic: ModuleType) -> Iterator[type[Event]]:
    """The event types that a topic defines. A name that begins with "_" is a base that others share."""
    for name, value in vars(topic).items():
        is_event = isinstance(value, type) and issubclass(value, Event) and value.__module__ == topic.__name__
        if is_event and not name.startswith("_"):
            yield value


AnyGame = Game[Any, Any, Any, Any, Any]
"""Any game, where what is done is the same for all."""


def look(game: AnyGame, state: Any, seat: Seat | None) -> Any:
    """A state as a seat may see it; None: a spectator; `REFEREE`: everything that is known here."""
    return state if seat == REFEREE else game.view(state, seat)
