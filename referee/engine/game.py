"""The contract of a rule module: `Game` lists everything that a game provides.

A rule module is a package that makes one `Game`: a subclass with pure methods over immutable values. Anyone may write
one (see `registry`) and test it with `referee.testing`. Methods that most games leave alone have a default.

Some methods say "the same in every view". Their answer must not depend on secrets: every seat and every spectator gets
the same one.
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
from msgspec.structs import replace

from referee.engine.action_grammar import ParsedPhrase, Verbs, make_plain_reader, make_union_type
from referee.engine.choice import Action, Choice
from referee.engine.component import Board, Component
from referee.engine.dice import Dice
from referee.engine.event import REFEREE, Event, Outcome, Script, Seat, list_event_types
from referee.engine.legal import LegalActions
from referee.engine.old_names import adopt_old_hooks
from referee.engine.options import Option, Options
from referee.engine.palette import COLOURS, Colour
from referee.engine.rulebook import Invariant, Refusal, RuleBook, SeatRemoval
from referee.engine.secret import UnknownError, hide_secrets_from
from referee.engine.text import PhraseReader
from referee.engine.turn_order import Order
from referee.engine.versions import RulesVersion, Upcast, list_changed_rules

if TYPE_CHECKING:
    from random import Random

    from referee.engine.match_rules import MatchRules
    from referee.engine.scene import Overlay, Scene

S = TypeVar("S")
A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Event)
P = TypeVar("P", bound=Struct)
B = TypeVar("B", bound=Board)


class Game(ABC, Generic[S, A, E, P, B]):
    """A rule module: the types of its states, actions, events, positions and boards, and the rules that connect them.

    A *state* is the whole game between two actions. A *view* is a state without the secrets that one seat does not
    know. Methods that judge or describe take a view: the engine never passes them more than the seat may know.

    >>> import referee
    >>> play = referee.table(referee.game_names()[0])
    >>> game, seat = play.game, play.to_act
    >>> view = game.view(play.state, seat)
    >>> action = next(iter(game.legal(view, seat)))
    >>> list(game.check(view, seat, action))
    []
    >>> game.parse(game.format(action), view, seat) == action
    True
    """

    def __init_subclass__(cls) -> None:
        """Accepts methods that have an old name, and warns."""
        super().__init_subclass__()
        adopt_old_hooks(cls)

    name: ClassVar[str]
    """The short lower-case name, as typed on the command line. It is also the name of the entry point."""
    title: ClassVar[str]
    """The full name, for headings."""
    rules_version: ClassVar[int] = 1
    """The version of the rules, from 1.

    It goes up when the same actions and dice could lead to other events than before.
    """
    versions: ClassVar[tuple[RulesVersion, ...]] = ()
    """The changes that each version of the rules made. Every version from 2 on needs an item."""
    upcasts: ClassVar[tuple[Upcast, ...]] = ()
    """Functions that turn actions, events and positions written under older rules into the form they have today."""
    options: ClassVar[tuple[Option, ...]] = ()
    """The choices that players make before a game."""
    components: ClassVar[tuple[Component, ...]]
    """The files that the game is played with; the board comes first."""
    topics: ClassVar[tuple[str, ...]] = ()
    """The modules of the game's package that hold its rules, by name. Empty if all rules are in the game's own module.

    Verbs, actions and events are collected from these modules, and legal actions are listed in their order. A topic
    lists its verbs as `VERBS`, and defines its events.
    """
    order: ClassVar[Order[Any]]
    """The order of play: who has to do what, and by which rule."""
    reader: ClassVar[Callable[..., PhraseReader]] = make_plain_reader
    """Makes the reader of a phrase from the phrase, the view, and the seat that types the phrase."""
    begins: ClassVar[str] = ""
    """The beginnings that a phrase can have, for errors: "a number, throw or done".

    If empty, the error names a few verbs.
    """
    position: type[P]
    """The type of position files: everything in a state that options and components do not determine."""
    rulebook: ClassVar[RuleBook]
    """The rules and rulings that refusals cite."""
    examples: ClassVar[tuple[str, ...]] = ()
    """Phrases that show the notation, for help texts."""
    throw: ClassVar[str] = ""
    """The phrase with which a player rolls dice; "" if no single phrase does.

    When a player rolls dice that they may not roll, this phrase is judged, so that they are told the rule.
    """

    @property
    def match_rules(self) -> MatchRules[Any, Any, Any, Any] | None:
        """The rules for matches of this game; None if it is not played in matches."""
        return None

    def find_older_rules(self, rules: int) -> AnyGame | None:
        """Returns the game with the rules of an older version, for the same states.

        Returns this game itself if no rule by which actions are judged has changed since that version. Returns None if
        the old rules are no longer kept.
        """
        return None if list_changed_rules(self.versions, rules) else self

    # Before a game

    def derive_options(self, names: tuple[str, ...]) -> Options:  # noqa: ARG002 - names usually decide nothing
        """Returns options that follow from the players' names, such as the number of players.

        Players' own choices override them.
        """
        return {}

    def check_options(self, options: Options) -> Iterator[Refusal]:  # noqa: ARG002 - most options can be combined
        """Yields a refusal for every rule that these options break together."""
        return iter(())

    @abstractmethod
    def seats(self, options: Options, names: tuple[str, ...] = ()) -> tuple[Seat, ...]:
        """Returns the seats in playing order, 1 to 8. They depend on the options, or on the names of the players."""

    def list_secret_keepers(self, options: Options) -> tuple[Seat, ...]:  # noqa: ARG002 - most games have no secrets
        """Returns the seats that keep secrets under these options. Each of them gets a vault."""
        return ()

    def colours(self, seats: tuple[Seat, ...]) -> Mapping[Seat, Colour]:
        """Returns the colour of each seat.

        A seat named like a colour gets that colour; others get the next free one.
        """
        named: dict[Seat, Colour] = {colour: colour for colour in COLOURS if colour in seats}
        free = iter([colour for colour in COLOURS if colour not in seats])
        return {seat: named[seat] if seat in named else next(free) for seat in seats}

    def build_board(self, parts: Mapping[str, Any], options: Options) -> B:  # noqa: ARG002 - usually one file is the board
        """Returns the board, built from the decoded files of all components.

        Raises BoardError if nobody could play on it.
        """
        board = self.components[0]
        return board.read(parts[board.name])  # type: ignore[no-any-return]  # the component's type ensures it

    @abstractmethod
    def setup(self, options: Options, board: B) -> S:
        """Returns the state in which a game begins."""

    # Positions

    @property
    def invariants(self) -> tuple[Invariant[S], ...]:
        """The facts that hold in every state from which play goes on, in the order in which they are told."""
        return ()

    def check_position_names(self, position: P, options: Options, board: B) -> Iterator[Refusal]:  # noqa: ARG002
        """Yields a refusal for each name in a position that this game does not have, and for a phase in which no game
        can begin. No state is made of such a position.
        """
        return iter(())

    def check_position(self, position: P, options: Options, board: B) -> Iterator[Refusal]:
        """Yields a refusal for every rule that a position breaks.

        The invariants are only checked if `check_position_names` refuses nothing.
        """
        typed = tuple(self.check_position_names(position, options, board))
        yield from typed or self.check_invariants(self.state_from(position, options, board))

    def check_invariants(self, state: S) -> Iterator[Refusal]:
        """Yields a refusal for each breach of the invariants in a state or view."""
        for invariant in self.invariants:
            yield from invariant(state)

    def describe_added_facts(self, position: P) -> tuple[str, ...]:  # noqa: ARG002 - most positions are complete
        """Returns a sentence about each fact that `state_from` adds to a checked position although nobody typed it."""
        return ()

    @abstractmethod
    def state_from(self, position: P, options: Options, board: B) -> S:
        """Returns the state that a checked position describes."""

    @abstractmethod
    def position_from(self, state: S) -> P:
        """Returns the position that describes a state. `state_from` turns it back into an equal state."""

    def under_options(self, state: S, options: Options) -> S:
        """Returns a state or view as it goes on after the players switched options in mid-game.

        By default, the field `options` of the state is replaced. Only options for which that is enough may be
        switchable; the board stays the same.
        """
        after: S = replace(state, options=options)  # type: ignore[type-var]  # a game with such options has the field
        return after

    def typical_position(self, options: Options, board: B) -> P:
        """Returns a legal position from which a person can start typing. By default it is the start of a game."""
        return self.position_from(self.setup(options, board))

    piece_fields: ClassVar[tuple[str, ...]] = ()
    """The fields of a position that `pieces` describes, by the names that are typed."""

    def pieces(self, view: S) -> Mapping[str, str]:  # noqa: ARG002 - fields may be enough
        """Returns the pieces by name, each with its place in words that `place_piece` reads: {"R1": "c2 N"}."""
        return {}

    def place_piece(self, position: P, piece: str, where: str) -> P:
        """Returns the position with one piece of `pieces` moved to another place.

        Raises NotUnderstoodError if `where` is not a place for the piece.
        """
        raise NotImplementedError(f"{self.name} has `pieces`, but no `place_piece`")

    # A state

    def to_act(self, state: S) -> Seat | None:
        """Returns the seat that has to act; None when the game is over. The same in every view."""
        return self.order.to_act(state)

    def list_other_actors(self, state: S) -> tuple[Seat, ...]:  # noqa: ARG002 - usually only one seat may act
        """Returns the other seats that may act now, out of turn. The same in every view."""
        return ()

    def awaits_answer(self, state: S) -> bool:
        """True if `to_act` is asked for something that only that seat knows. The same in every view.

        Its answer is an action with exactly one legal form, so the seat does not have to decide anything.
        """
        return self.order.awaits_answer(state)

    def find_publicly_forced_action(self, state: S) -> A | None:  # noqa: ARG002
        """Returns the only action that `to_act` can take, if everybody can tell that from public facts; otherwise None.

        The same in every view. It may be unknown how many dice the action takes. An action taken in the open must lead
        to the same result in every view. In a game by mail, nobody waits for such an action.
        """
        return None

    def may_reveal(self, state: S, seat: Seat) -> bool:  # noqa: ARG002
        """True if a rule tells this seat to reveal secrets of its own now. The same in every view.

        The seat may then reveal them without the consent of the others.
        """
        return False

    def get_turn_number(self, state: S) -> int:  # noqa: ARG002
        """Returns the number of the current turn, from 1. The same in every view."""
        return 1

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Returns the result of a finished game; None while it goes on. The same in every view."""

    def scores(self, state: S) -> tuple[tuple[Seat, int], ...]:  # noqa: ARG002 - many games count no points
        """Returns the points of each seat so far, for a game that its players may end early. The same in every view."""
        return ()

    def view(self, state: S, seat: Seat | None) -> S:
        """Returns the state as a seat may know it; None stands for a spectator.

        A seat's view of its own view is that same view. By default the `Secret`s of other seats lose their values. A
        game overrides this method to hide what is derived from secrets.
        """
        if type(self).list_secret_keepers is Game.list_secret_keepers:
            return state
        return hide_secrets_from(state, seat)  # type: ignore[no-any-return]  # of the same type as the state

    def on_secret_play(self, before: S, after: S, seat: Seat, view: S) -> None:
        """Records that a secret play led from one state to another, for games that cache the views of a state.

        Only the seat that played has seen it, and `view` is that seat's new view. All others see what they saw before.
        """

    def find_current_names(self, view: S, names: Mapping[Seat, str]) -> Mapping[Seat, str]:  # noqa: ARG002 - players usually keep their seats
        """Returns the name of the player who now sits at each seat, given the names at the start.

        The same in every view.
        """
        return names

    def find_seat_removal(self, view: S, seat: Seat) -> SeatRemoval | None:  # noqa: ARG002 - few rulebooks speak of it
        """Returns the way in which the rulebook lets the others play on without the player of a seat.

        None if it says nothing about that.
        """
        return None

    def guess(self, view: S, seat: Seat | None, random: Random) -> S:  # noqa: ARG002 - without secrets, a view is the truth
        """Returns a random complete state that fits everything a seat knows; None stands for a spectator.

        The seat's view of that state must equal the view that was given, and the state must be playable to the end.
        Raises NotImplementedError if a game that keeps secrets does not override this method.
        """
        written: Any = next(kind for kind in type(self).__mro__ if "is_guarded" not in vars(kind))
        if written.list_secret_keepers is Game.list_secret_keepers:
            return view
        raise NotImplementedError(f"{self.name} keeps secrets, but has no `guess`")

    def worth(self, view: S, seat: Seat) -> float:
        """Returns a rough estimate of a view for a seat, for bots: 1 is won, -1 lost, 0 even.

        By default it compares the seat's score with the best score of the others. It is never called after the end.
        """
        scores = dict(self.scores(view))
        own, others = scores.pop(seat, 0), scores.values()
        ahead = own - max(others, default=0)
        return ahead / (abs(ahead) + 2 + max(own, *others, 0))

    def recommend_opening(self, view: S, seat: Seat) -> A | None:  # noqa: ARG002 - most games have no known openings
        """Returns the action that a known set-up or opening recommends here, for bots that plan; None if there is none.

        The action must be legal.
        """
        return None

    # The rules, judged on a view. By default they are collected from the topics.

    @cached_property
    def verbs(self) -> Verbs[S, A]:
        """All verbs of the game, in the order in which they are listed."""
        verbs = tuple(verb for topic in self._topics for verb in getattr(topic, "VERBS", ()))
        return Verbs(verbs, self.order, type(self).reader, self.begins)

    @cached_property
    def event_types(self) -> Any:
        """The union of the game's event types."""
        return make_union_type(event for topic in self._topics for event in list_event_types(topic))

    @property
    def action_types(self) -> Any:
        """The union of the game's action types."""
        return self.verbs.action_types

    @cached_property
    def _topics(self) -> tuple[ModuleType, ...]:
        home = import_module(_find_home_module(type(self)))
        return tuple(import_module(f"{home.__package__}.{name}") for name in self.topics) or (home,)

    def legal(self, view: S, seat: Seat) -> LegalActions:
        """Returns every action that the seat may take now. It is empty if the seat may not act."""
        may_speak = seat == self.to_act(view) or seat in self.list_other_actors(view)
        return self.verbs.legal(view, seat) if may_speak else LegalActions()

    def check(self, view: S, seat: Seat, action: A) -> Iterator[Refusal]:
        """Yields a refusal for every rule that the action breaks, in the rulebook's order.

        Yields nothing if the action is legal.
        """
        return self.verbs.check(view, seat, action)

    def resolve(self, view: S, seat: Seat, action: A, dice: Dice) -> Script[S]:
        """Yields the events that follow from a legal action of this seat."""
        return self.verbs.resolve(view, seat, action, dice)

    certain: ClassVar[bool] = False
    """True if the rules ask for the value of every secret that matters, so that their answers about a view are certain.

    They then raise UnknownError where a value is not known. False if a view may simply lack hidden things, such as a
    unit on the map.
    """

    def check_publicly(self, public: S, seat: Seat, action: A) -> Iterator[Refusal]:
        """Yields a refusal for every rule that an open action breaks, whatever the secrets are.

        Yields nothing where the secrets decide. `public` is the view of a spectator.
        """
        with suppress(UnknownError):
            yield from self.check(public, seat, action) if self.certain else ()

    def is_secret(self, view: S, action: A) -> bool:  # noqa: ARG002
        """True if the action itself is a secret of the seat that takes it. Nobody else sees the action or its dice."""
        return False

    def is_question(self, view: S, action: A) -> bool:  # noqa: ARG002 - few games ask questions
        """True if a legal action only puts a question to another seat.

        After the answer the action is taken again, if still legal. In a game by mail, the question and the action
        travel in one packet.
        """
        return False

    def caution(self, view: S, seat: Seat, action: A) -> str | None:  # noqa: ARG002 - few games warn
        """Returns a fact that a seat may have overlooked in a legal action, as a clause; None if there is nothing.

        The player is asked about it before the action is recorded.
        """
        return None

    # Words and pictures

    def parse(self, text: str, view: S, seat: Seat) -> A:
        """Returns the action that a phrase of this seat means.

        Raises NotUnderstoodError if it means none, or more than one.
        """
        return self.verbs.parse(text, view, seat)

    def read(self, text: str, view: S, seat: Seat, after: str = "") -> ParsedPhrase:
        """Returns the first action in a phrase of this seat, and the words that are left.

        `after` is the verb of the phrase before. Raises NotUnderstoodError if the phrase cannot be read.
        """
        return self.verbs.read(text, view, seat, after)

    def rules_of(self, view: S, action: A) -> tuple[str, ...]:
        """Returns the ids of the rules on which an action in this view is based, as far as the game names them."""
        return self.verbs.rules_of(view, action)

    def continues_phrase(self, text: str, view: S, seat: Seat) -> bool:
        """True if a phrase only continues the one before it. The comma then does not separate two actions."""
        return self.verbs.continues_phrase(text, view, seat)

    def format(self, action: A) -> str:
        """Returns the canonical words of an action; `parse` reads them back."""
        return self.verbs.format(action)

    def format_choice(self, choice: Choice) -> str:
        """Returns the words of a choice, with all values of each field: `6 turn N/NE/SE`."""
        return self.verbs.format_choice(choice)

    def tell(self, event: E) -> str:
        """Returns an event as one line that a person at the table can act on."""
        return event.tell()

    @abstractmethod
    def status(self, view: S) -> str:
        """Returns the state of play in one line: phase, dice, score."""

    @abstractmethod
    def draw(self, view: S) -> Scene:
        """Returns a picture of a view."""

    overlays: ClassVar[tuple[Overlay, ...]] = ()
    """The kinds of places that can be marked on the game's pictures."""

    def list_overlay_places(self, view: S, name: Overlay, of: str) -> tuple[str, ...]:
        """Returns the places to mark for one of `overlays`, as far as the view shows them.

        `of` is the place that is asked about, or the piece for "reach", in any case of letters. Raises NoPlaceError if
        there is no such place or piece.
        """
        raise NotImplementedError(f"{self.name} lists {name!r} in `overlays`, but has no `list_overlay_places`")

    def expand_word(self, view: S, word: str) -> tuple[str, ...]:  # noqa: ARG002 - most words stand only for themselves
        """Returns other words that a lower-case word stands for in this view, for filters.

        For example, a room stands for the units in it.
        """
        return ()

    def describe_thing(self, view: S, word: str) -> tuple[str, ...]:  # noqa: ARG002 - many games have only rules
        """Returns sentences about a card, an ability, a part of the board or the like, with the rules in brackets.

        `word` is its lower-case name. The result is empty if nothing has this name.
        """
        return ()

    def neighbours(self, view: S, place: str) -> Mapping[str, str]:  # noqa: ARG002 - many games have no board
        """Returns the places next to a place of the board, each with its direction or the door to it; "" for neither.

        The result is empty for a place without neighbours, and for a game that does not tell neighbours.
        """
        return {}

    def filter(self, legal: LegalActions, words: Iterable[str], view: S) -> LegalActions:
        """Returns the legal actions that have to do with all these words, such as `smash`, `D4` or `n1`.

        The words mean what they mean to a player who has this view.
        """
        small = [word.lower() for word in words]
        return legal.filter([{word, *self.expand_word(view, word)} for word in small])

    def allowing_rules(self, kind: type[A]) -> tuple[str, ...]:
        """Returns the ids of the rules that allow this kind of action.

        The rules named in the docstring of the action come first, then the rule of its verb.
        """
        verb = self.verbs.find_verb(kind)
        named = self.rulebook.find_cited_ids(kind.__doc__ or "")
        return tuple(dict.fromkeys((*named, *([verb.rule] if verb.rule else ()))))


def _find_home_module(kind: type[Any]) -> str:
    """Returns the module of a game. For a game that is derived from another game, it is the module of the other one."""
    return next(one.__module__ for one in reversed(kind.__mro__) if issubclass(one, Game) and one is not Game)


AnyGame = Game[Any, Any, Any, Any, Any]
"""Any game, for code that treats all games alike."""


def view_for(game: AnyGame, state: Any, seat: Seat | None) -> Any:
    """Returns the state as a seat may see it.

    None stands for a spectator, `REFEREE` for everything that is known here.
    """
    return state if seat == REFEREE else game.view(state, seat)
