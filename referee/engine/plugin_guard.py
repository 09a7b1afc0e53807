"""A guard around games that other people wrote: wrong results and errors are reported as that game's fault.

An installed game is guarded once, when it is found. Games that ship with this program are not: their errors are our
own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial, wraps
from typing import Any, get_args

from referee.engine.choice import Action
from referee.engine.component import BoardError
from referee.engine.dice import DiceError
from referee.engine.event import Event, Outcome, Script, SecretEvent
from referee.engine.foreign_code import ErrorBoundary
from referee.engine.game import AnyGame, Game
from referee.engine.legal import LegalActions
from referee.engine.options import OptionError
from referee.engine.plugin_errors import GameError, make_game_error
from referee.engine.rulebook import Refusal
from referee.engine.scene import NoPlaceError
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, listing

RETURN_TYPES: Mapping[str, tuple[type, ...]] = {
    "find_older_rules": (Game, type(None)),
    "derive_options": (Mapping,),
    "seats": (tuple,),
    "list_secret_keepers": (tuple,),
    "colours": (Mapping,),
    "pieces": (Mapping,),
    "to_act": (str, type(None)),
    "list_other_actors": (tuple,),
    "awaits_answer": (bool,),
    "may_reveal": (bool,),
    "get_turn_number": (int,),
    "outcome": (Outcome, type(None)),
    "scores": (tuple,),
    "find_current_names": (Mapping,),
    "find_seat_removal": (tuple, type(None)),
    "legal": (LegalActions,),
    "recommend_opening": (Action, type(None)),
    "is_secret": (bool,),
    "caution": (str, type(None)),
    "format": (str,),
    "format_choice": (str,),
    "tell": (str,),
    "status": (str,),
    "list_overlay_places": (tuple,),
    "expand_word": (tuple,),
    "describe_added_facts": (tuple,),
}
"""The types that a game's methods must return, where results are checked."""
METHODS_WITH_UNCHECKED_RESULTS = (
    "build_board",
    "setup",
    "state_from",
    "position_from",
    "under_options",
    "typical_position",
    "place_piece",
    "view",
    "guess",
    "parse",
    "read",
    "continues_phrase",
    "draw",
)
"""Methods whose results have types of the game's own, so that only their errors are checked."""
METHODS_THAT_YIELD_REFUSALS = (
    "check_options",
    "check_position_names",
    "check_position",
    "check_invariants",
    "check",
    "check_publicly",
)
"""Methods that yield refusals."""
_END: Any = object()
"""A marker for the end of an iterator."""

ALLOWED_ERRORS = (GameError, NotUnderstoodError, DiceError, UnknownError, OptionError, BoardError, NoPlaceError)
"""Errors that a game may raise on purpose. Players see their text unchanged."""


def guard_game(game: AnyGame) -> AnyGame:
    """Makes the methods of somebody else's game report their errors as faults of that game. Returns the same game.

    The types of most results are checked, too. Raises GameError if something that every game needs is missing.
    """
    kind = type(game)
    if not getattr(kind, "is_guarded", False):
        body: dict[str, Any] = {"__module__": kind.__module__, "is_guarded": True}
        body |= {
            name: _guard_method(kind, name, RETURN_TYPES.get(name))
            for name in (*RETURN_TYPES, *METHODS_WITH_UNCHECKED_RESULTS)
        }
        if (
            kind.list_secret_keepers is Game.list_secret_keepers
        ):  # the game itself asks by this method whether it keeps secrets
            del body["list_secret_keepers"]
        body |= {name: _guard_generator(kind, name) for name in METHODS_THAT_YIELD_REFUSALS}
        body["resolve"] = _guard_resolve(kind)
        game.__class__ = type(kind.__name__, (kind,), body)
    with make_game_boundary(game):
        for needed in ("title", "options", "components", "rulebook", "verbs", "event_types"):
            getattr(game, needed)
        for event in get_args(game.event_types) or (game.event_types,):
            _guard_event(game, event)
    return game


def make_game_boundary(game: AnyGame) -> ErrorBoundary:
    """Returns a boundary that reports errors inside it as this game's fault, except for errors meant for players."""
    return ErrorBoundary(partial(make_game_error, game), ALLOWED_ERRORS)


def _guard_event(game: AnyGame, event: type[Event]) -> None:
    """Puts an error boundary around the method by which an event changes state.

    The boundary lets ordinary errors pass unchanged, because the log that holds the event may be at fault. Attempts to
    end the program become faults of the game.
    """
    apply = event.apply
    if getattr(apply, "is_guarded", False):
        return

    @wraps(apply)
    def guarded(self: Event, state: Any) -> Any:
        with ErrorBoundary(partial(make_game_error, game), (Exception,)):
            return apply(self, state)

    guarded.is_guarded = True  # type: ignore[attr-defined]  # so that the event is not guarded again
    event.apply = guarded  # type: ignore[method-assign]  # all code calls it from here


def _find_unguarded_method(kind: type[AnyGame], game: AnyGame, name: str) -> Callable[..., Any]:
    """Returns the game's own method, without the guard."""
    found: Callable[..., Any] = (
        getattr(super(type(game), game), name) if type(game) is not kind else getattr(game, name)
    )
    return found


def _guard_method(kind: type[AnyGame], name: str, due: tuple[type, ...] | None) -> Callable[..., Any]:
    """Returns a method that calls the game's own method, and checks that the result has one of the types in `due`.

    If `due` is None, the result is not checked.
    """

    def call(self: AnyGame, *given: Any, **named: Any) -> Any:
        with make_game_boundary(self):
            result = _find_unguarded_method(kind, self, name)(*given, **named)
        if due and not isinstance(result, due):
            raise _make_wrong_result_error(
                self, name, f"it returns {_describe_type(result)}, not {listing([one.__name__ for one in due], 'or')}"
            )
        return result

    return call


def _guard_generator(kind: type[AnyGame], name: str) -> Callable[..., Iterator[Refusal]]:
    """Returns a method that calls the game's own method, and checks that it yields refusals only."""

    def call(self: AnyGame, *given: Any) -> Iterator[Refusal]:
        with make_game_boundary(self):
            found = iter(_find_unguarded_method(kind, self, name)(*given))
            refusal = next(found, _END)
        while refusal is not _END:
            if not isinstance(refusal, Refusal):
                raise _make_wrong_result_error(self, name, f"it yields {_describe_type(refusal)}, not a Refusal")
            yield refusal
            with make_game_boundary(self):
                refusal = next(found, _END)

    return call


def _guard_resolve(kind: type[AnyGame]) -> Callable[..., Script[Any]]:
    """Returns a `resolve` that calls the game's own `resolve`, and checks that it yields events only."""

    def resolve(self: AnyGame, *given: Any) -> Script[Any]:
        with make_game_boundary(self):
            script = _find_unguarded_method(kind, self, "resolve")(*given)
            event = next(script, _END)
        while event is not _END:
            if not isinstance(event, Event | SecretEvent):
                raise _make_wrong_result_error(self, "resolve", f"it yields {_describe_type(event)}, not an Event")
            state = yield event
            with make_game_boundary(self):
                event = _send(script, state)

    return resolve


def _send(script: Script[Any], state: Any) -> Any:
    """Returns the next event of a script, after sending it the state."""
    try:
        return script.send(state)
    except StopIteration:
        return _END


def _describe_type(value: Any) -> str:
    return "None" if value is None else type(value).__name__


def _make_wrong_result_error(game: AnyGame, name: str, what: str) -> GameError:
    return GameError(game.name, f"{type(game).__module__}.{name}", what)
