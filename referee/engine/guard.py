"""Games that somebody else has written: what they raise or return wrongly is told as that game's fault, with the place.

An installed game is guarded once, when it is found. Games that come along are not: what is wrong there is our own bug.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from referee.engine.blame import GameError, fault_of
from referee.engine.component import BoardError
from referee.engine.dice import DiceError
from referee.engine.event import Event, Outcome, Script, Unseen
from referee.engine.game import AnyGame, Game
from referee.engine.legal import Action, Legal
from referee.engine.options import OptionError
from referee.engine.ruling import Refusal
from referee.engine.scene import NoPlaceError
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, listing

RETURNS: Mapping[str, tuple[type, ...]] = {
    "under": (Game, type(None)),
    "options_of": (Mapping,),
    "seats": (tuple,),
    "keepers": (tuple,),
    "colours": (Mapping,),
    "pieces": (Mapping,),
    "to_act": (str, type(None)),
    "may_act": (tuple,),
    "asks": (bool,),
    "shows": (bool,),
    "turn_of": (int,),
    "outcome": (Outcome, type(None)),
    "scores": (tuple,),
    "names": (Mapping,),
    "legal": (Legal,),
    "opening": (Action, type(None)),
    "hides": (bool,),
    "caution": (str, type(None)),
    "format": (str,),
    "format_choice": (str,),
    "tell": (str,),
    "status": (str,),
    "overlay": (tuple,),
    "stands_for": (tuple,),
}
"""What the methods of a game return, where that is looked at."""
CALLED = (
    "build",
    "setup",
    "place",
    "position_of",
    "typical",
    "put",
    "view",
    "guess",
    "parse",
    "read",
    "goes_on",
    "draw",
)
"""Methods whose results are of the game's own types."""
YIELD = ("check_options", "check_position", "check", "forbids")
"""Methods that yield refusals."""


MEANT = (GameError, NotUnderstoodError, DiceError, UnknownError, OptionError, BoardError, NoPlaceError)
"""What a game may raise: it is told to players as it is."""


def guarded(game: AnyGame) -> AnyGame:
    """A game of somebody else's, each of whose methods is looked at from now on; GameError when it lacks something."""
    kind = type(game)
    if not getattr(kind, "is_guarded", False):
        body: dict[str, Any] = {"__module__": kind.__module__, "is_guarded": True}
        body |= {name: _returning(kind, name, RETURNS.get(name)) for name in (*RETURNS, *CALLED)}
        body |= {name: _yielding(kind, name) for name in YIELD}
        body["resolve"] = _resolving(kind)
        game.__class__ = type(kind.__name__, (kind,), body)
    with blaming(game):
        for needed in ("title", "options", "components", "rulebook", "verbs", "events"):
            getattr(game, needed)
    return game


@contextmanager
def blaming(game: AnyGame) -> Iterator[None]:
    """Tell what goes wrong inside as this game's fault, unless it is meant for players."""
    try:
        yield
    except MEANT:
        raise
    except Exception as error:
        raise fault_of(game, error) from error


def _method(kind: type[AnyGame], game: AnyGame, name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = (
        getattr(super(type(game), game), name) if type(game) is not kind else getattr(game, name)
    )
    return found


def _returning(kind: type[AnyGame], name: str, due: tuple[type, ...] | None) -> Callable[..., Any]:
    def call(self: AnyGame, *given: Any, **named: Any) -> Any:
        with blaming(self):
            result = _method(kind, self, name)(*given, **named)
        if due and not isinstance(result, due):
            raise _wrong(self, name, f"it returns {_what(result)}, not {listing([one.__name__ for one in due], 'or')}")
        return result

    return call


def _yielding(kind: type[AnyGame], name: str) -> Callable[..., Iterator[Refusal]]:
    def call(self: AnyGame, *given: Any) -> Iterator[Refusal]:
        with blaming(self):
            for refusal in _method(kind, self, name)(*given):
                if not isinstance(refusal, Refusal):
                    raise _wrong(self, name, f"it yields {_what(refusal)}, not a Refusal")
                yield refusal

    return call


def _resolving(kind: type[AnyGame]) -> Callable[..., Script[Any]]:
    def resolve(self: AnyGame, *given: Any) -> Script[Any]:
        with blaming(self):
            script = _method(kind, self, "resolve")(*given)
            event = next(script, None)
        while event is not None:
            if not isinstance(event, Event | Unseen):
                raise _wrong(self, "resolve", f"it yields {_what(event)}, not an Event")
            state = yield event
            with blaming(self):
                try:
                    event = script.send(state)
                except StopIteration:
                    return

    return resolve


def _what(value: Any) -> str:
    return "None" if value is None else type(value).__name__


def _wrong(game: AnyGame, name: str, what: str) -> GameError:
    return GameError(game.name, f"{type(game).__module__}.{name}", what)
