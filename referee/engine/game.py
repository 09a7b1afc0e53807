"""Game: what a rule module provides, and finding the games that are installed.

A rule module is a package that makes one `Game` out of pure functions over immutable values. Anybody may add one:
a distribution that declares the entry point `[project.entry-points."referee.games"] name = "package:GAME"` is found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Protocol

import msgspec
from msgspec import Struct

from referee.engine.dice import Dice
from referee.engine.legal import SHORT, Action, Choice, Legal, OneOf
from referee.engine.ruling import Refusal, RuleBook
from referee.engine.scene import Scene
from referee.engine.series import Series
from referee.engine.text import listing, nearest

Seat = str
"""A player's place: a lower-case word such as "red". `REFEREE` stands for entries that no player made."""

REFEREE = "referee"

SHIPPED = "referee.games"
"""Both the package that holds the games that come along and the name of the entry point group for all others."""


class Event(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", gc=False):
    """Something that happened, as the log keeps it for ever. Every game's events derive from it.

    Events hold values only and so can form no cycle: the garbage collector need not look at them.
    """

    tells: ClassVar[bool] = False
    """Whether players learn a secret by it: then nobody may take it back alone and choose again, knowing more."""

    def apply(self, state: Any) -> Any:
        """Return the state after the event. The one place where state changes; it knows no rules."""
        raise NotImplementedError


class Outcome(Struct, frozen=True):
    """How a game ended."""

    winners: tuple[Seat, ...]
    """One seat for a win, several for a tie, none when nobody won."""
    scores: tuple[tuple[Seat, int], ...]
    """What each seat reached, in the game's own unit."""
    because: str
    """The end in one clause, as a person would tell it."""


class Option(Struct, frozen=True):
    """A choice that players make before a game."""

    name: str
    values: tuple[str, ...]
    meaning: str
    rule: str
    """The rule or ruling that it switches."""
    presets: Mapping[str, Mapping[str, str]] = {}
    """For each value, other options it sets unless the players set them themselves."""

    @property
    def default(self) -> str:
        """The value that holds when nobody chooses: the first."""
        return self.values[0]


class OptionError(ValueError):
    """An option that does not exist, or a value it does not take."""


class BoardError(ValueError):
    """A board file that cannot be played on; the message says what is wrong and where."""


class Board(Protocol):
    """What every game's board has."""

    @property
    def name(self) -> str:
        """Short name, as options and logs use it."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats it is made for, in playing order."""

    @property
    def reconstruction(self) -> str | None:
        """What on this board is reconstructed because the source is lost; None when all is known."""


Script = Generator[Event, Any, Any]
"""Rule code: yields each event as it happens and is sent the state after it."""


def _never(options: Mapping[str, str]) -> bool:  # noqa: ARG001 - most games are played in plain view
    return False


def _nothing(state: Any, word: str) -> tuple[str, ...]:  # noqa: ARG001 - in most games words mean just themselves
    return ()


def _all(state: Any, action: Any, events: tuple[Any, ...]) -> None:  # noqa: ARG001
    return None


class Game(Struct, frozen=True, kw_only=True, eq=False):
    """What a rule module provides. All functions are pure; states, actions and events are frozen msgspec structs."""

    name: str
    """Short lower-case name, as typed on the command line."""
    title: str
    rules_version: int
    """Counts up when the same actions and dice could lead to other events than before."""
    seats: Callable[[Mapping[str, str]], tuple[Seat, ...]]
    """The seats under these options, in playing order."""
    options: tuple[Option, ...]
    check_options: Callable[[Mapping[str, str]], Iterator[Refusal]]
    """Every rule that a set of options breaks by being combined."""
    board_file: Callable[[Mapping[str, str]], Path]
    """The shipped board file that these options call for."""
    board_type: Any
    """What a board file holds."""
    parse_board: Callable[[Any], Board]
    """A board from a decoded board file; BoardError when nobody could play on it."""
    actions: Any
    """Union of the action types."""
    events: Any
    """Union of the event types."""
    position: type[Struct]
    """What a position file holds: all of a state that options and board do not say already."""
    setup: Callable[[Mapping[str, str], Any], Any]
    """The state in which a game begins."""
    check_position: Callable[[Any, Mapping[str, str], Any], Iterator[Refusal]]
    """Every rule that a position breaks."""
    place: Callable[[Any, Mapping[str, str], Any], Any]
    """The state of a checked position."""
    position_of: Callable[[Any], Any]
    """The position of a state; `place` of it is an equal state."""
    to_act: Callable[[Any], Seat | None]
    """Who holds the pen; None when the game is over."""
    turn_of: Callable[[Any], int]
    """Number of the turn being played, from 1."""
    legal: Callable[[Any, Seat], Legal]
    """Everything the seat may do now."""
    check: Callable[[Any, Seat, Any], Iterator[Refusal]]
    """Every rule the action breaks when this seat says it, first in the rulebook's order. Empty exactly if legal."""
    resolve: Callable[[Any, Any, Dice], Script]
    """What follows from a legal action."""
    view: Callable[[Any, Seat | None], Any]
    """What a seat may know; None: a spectator; `REFEREE`: everything."""
    outcome: Callable[[Any], Outcome | None]
    parse: Callable[[str, Any, Seat], Action]
    """The action that a phrase of this seat means here; NotUnderstoodError."""
    phrases: Mapping[type[Action], str]
    """The canonical words of each action, with its fields in braces."""
    tell: Callable[[Any], str]
    """An event as one line that a person can act on at the table."""
    standing: Callable[[Any], str]
    """The state in one line: phase, dice, score."""
    draw: Callable[[Any], Scene]
    """A view as a scene."""
    rulebook: RuleBook
    stands_for: Callable[[Any, str], tuple[str, ...]] = _nothing
    """What else a word in small letters means in this view, for filters: a room, those who stand in it."""
    keeps_secrets: Callable[[Mapping[str, str]], bool] = _never
    """Whether under these options something is kept from a seat."""
    disclose: Callable[[Any, Any, tuple[Any, ...]], tuple[Any, ...] | None] = _all
    """Of a play in this state, by its action and events: the events that everybody may see if the play is a secret;
    None if everybody may see all of it. Whoever folds these alone and takes the spectator's view after each play
    comes to the spectator's view of the true state.
    """
    series: Series | None = None
    """How it is played in matches; None: it is not."""
    examples: tuple[str, ...] = ()
    """Phrases that show the notation, for help texts."""

    def filter(self, legal: Legal, words: Iterable[str], view: Any) -> Legal:
        """Only what has to do with all these words, as a player who has this view means them: `smash`, `D4`, `n1`."""
        small = [word.lower() for word in words]
        return legal.filtered([{word, *self.stands_for(view, word)} for word in small], self.phrases)

    def fixed_rulings(self) -> tuple[str, ...]:
        """Ids of the rulings that no option switches, sorted: they are in force in every game of this rules version."""
        return tuple(sorted(ruling.id for ruling in self.rulebook.rulings.values() if ruling.option is None))

    def format(self, action: Action) -> str:
        """The canonical words of an action: what `parse` reads back."""
        return self._words(type(action), {name: getattr(action, name) for name in action.__struct_fields__})

    def format_choice(self, choice: Choice) -> str:
        """The words of a choice, each slot with all its values: `6 turn N/NE/SE`."""
        return self._words(choice.kind, choice.slots)

    def _words(self, kind: type[Action], fields: Mapping[str, Any]) -> str:
        words = {name: _spoken(value) for name, value in fields.items()}
        return " ".join(self.phrases[kind].format(**words).split())


def _spoken(value: Any) -> str:
    """A field, or all values of a slot, as a person types them."""
    if isinstance(value, OneOf):
        return (" / " if len(value) > SHORT else "/").join(map(_spoken, value))
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def settle_options(game: Game, given: Mapping[str, str]) -> dict[str, str]:
    """All options of a game with the values in force: given, else preset by another, else default."""
    known = {option.name: option for option in game.options}
    for name, value in given.items():
        if name not in known:
            raise OptionError(f"{game.name} has no option {name!r}{_guess(name, list(known))}")
        if value not in known[name].values:
            raise OptionError(f"option {name} is {listing(known[name].values, 'or')}, not {value!r}")
    settled = {option.name: given.get(option.name, option.default) for option in game.options}
    for option in game.options:
        preset = option.presets.get(settled[option.name], {})
        settled.update({name: value for name, value in preset.items() if name not in given})
    return settled


def choose_options(game: Game, given: Mapping[str, str]) -> dict[str, str]:
    """The same, if they go together; OptionError cites the rule when they do not."""
    settled = settle_options(game, given)
    refusal = next(game.check_options(settled), None)
    if refusal:
        raise OptionError(f"{refusal.because} ({refusal.rule})")
    return settled


def _guess(word: str, choices: list[str]) -> str:
    found = nearest(word, choices)
    return f"; did you mean {found[0]!r}?" if found else f"; it has {listing(choices)}"


class UnknownGameError(LookupError):
    """No installed game has this name."""


def find_game(name: str) -> Game:
    """The installed game of this name, the ones that come along first; UnknownGameError."""
    if not re.fullmatch("[a-z][a-z0-9_-]{0,31}", name):
        raise UnknownGameError("a game's name is a word of small letters")
    if find_spec(f"{SHIPPED}.{name}"):  # much faster than reading the metadata of everything that is installed
        return _game_of(import_module(f"{SHIPPED}.{name}").GAME)
    points = {point.name: point for point in _entry_points()}
    if name not in points:
        raise UnknownGameError(f"no game {name!r} is installed{_guess(name, sorted(points))}")
    return _game_of(points[name].load())


def game_names() -> list[str]:
    """Names of all installed games."""
    return sorted({point.name for point in _entry_points()})


def _entry_points() -> Any:
    from importlib.metadata import entry_points

    return entry_points(group=SHIPPED)


def _game_of(value: object) -> Game:
    if not isinstance(value, Game):
        raise UnknownGameError(f"the entry point names no Game but {type(value).__name__}")
    return value


def late(home: str) -> Callable[..., Any]:
    """A function by its address, "package.module:name", imported when it is first called.

    Looking at a board needs no rules, and a command is felt to be slow long before it has done anything.
    """
    module, _, name = home.partition(":")
    function: Callable[..., Any] | None = None

    def call(*arguments: Any) -> Any:
        nonlocal function
        if function is None:
            function = getattr(import_module(module), name)
        return function(*arguments)

    return call


def decode_position(game: Game, document: Any) -> Any:
    """A position from a decoded file; msgspec.ValidationError names the field that is wrong."""
    try:
        return msgspec.convert(document, game.position)
    except msgspec.ValidationError as error:
        raise msgspec.ValidationError(_plainly(error, game.position)) from error


def _plainly(error: msgspec.ValidationError, position: type) -> str:
    """What is wrong with a position, without patterns; of a field that does not exist, which one may be meant."""
    what, _, place = str(error).partition(" - at ")
    at = f" at {place}" if place else ""
    if "matching regex" in what:
        return f"a name is not written as the referee writes it{at}; compare: referee show --as json"
    unknown = what.partition("unknown field `")[2].rstrip("`")
    if unknown and not place:
        fields = [field.encode_name for field in msgspec.structs.fields(position)]
        return f"there is no field {unknown!r}{_guess(unknown, fields)}"
    return str(error)
