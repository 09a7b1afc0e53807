"""Games that somebody else has written: what they raise or return wrongly is told as that game's fault, with the place.

An installed game is guarded once, when it is found. Games that come along are not: what is wrong there is our own bug.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial, wraps
from typing import Any, get_args

from referee.engine.blame import GameError, fault_of
from referee.engine.component import BoardError
from referee.engine.dice import DiceError
from referee.engine.event import Event, Outcome, Script, Unseen
from referee.engine.foreign import Fence
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
    "fills_in": (tuple,),
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
_END: Any = object()
"""What stands after the last value of an iterator."""

MEANT = (GameError, NotUnderstoodError, DiceError, UnknownError, OptionError, BoardError, NoPlaceError)
"""What a game may raise: it is told to players as it is."""


def guarded(game: AnyGame) -> AnyGame:
    """A game of somebody else's, each of whose methods is looked at from now on; GameError when it lacks something."""
    kind = type(game)
    if not getattr(kind, "is_guarded", False):
        body: dict[str, Any] = {"__module__": kind.__module__, "is_guarded": True}
        body |= {name: _returning(kind, name, RETURNS.get(name)) for name in (*RETURNS, *CALLED)}
        if kind.keepers is Game.keepers:  # by which the game itself asks whether it keeps secrets
            del body["keepers"]
        body |= {name: _yielding(kind, name) for name in YIELD}
        body["resolve"] = _resolving(kind)
        game.__class__ = type(kind.__name__, (kind,), body)
    with blaming(game):
        for needed in ("title", "options", "components", "rulebook", "verbs", "events"):
            getattr(game, needed)
        for event in get_args(game.events) or (game.events,):
            _fence_off(game, event)
    return game


def blaming(game: AnyGame) -> Fence:
    """Tells what goes wrong inside as this game's fault, unless it is meant for players."""
    return Fence(partial(fault_of, game), MEANT)


def _fence_off(game: AnyGame, event: type[Event]) -> None:
    """Fences in how an event applies itself. What it raises goes on: it may be the fault of the log that holds it."""
    apply = event.apply
    if getattr(apply, "is_fenced", False):
        return

    @wraps(apply)
    def fenced(self: Event, state: Any) -> Any:
        with Fence(partial(fault_of, game), (Exception,)):
            return apply(self, state)

    fenced.is_fenced = True  # type: ignore[attr-defined]  # for the next time that the game is found
    event.apply = fenced  # type: ignore[method-assign]  # the one place from which it is called everywhere


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
            found = iter(_method(kind, self, name)(*given))
            refusal = next(found, _END)
        while refusal is not _END:
            if not isinstance(refusal, Refusal):
                raise _wrong(self, name, f"it yields {_what(refusal)}, not a Refusal")
            yield refusal
            with blaming(self):
                refusal = next(found, _END)

    return call


def _resolving(kind: type[AnyGame]) -> Callable[..., Script[Any]]:
    def resolve(self: AnyGame, *given: Any) -> Script[Any]:
        with blaming(self):
            script = _method(kind, self, "resolve")(*given)
            event = next(script, _END)
        while event is not _END:
            if not isinstance(event, Event | Unseen):
                raise _wrong(self, "resolve", f"it yields {_what(event)}, not an Event")
            state = yield event
            with blaming(self):
                event = _sent(script, state)

    return resolve


def _sent(script: Script[Any], state: Any) -> Any:
    """The next event of a script that is sent the state after the last one."""
    try:
        return script.send(state)
    except StopIteration:
        return _END


def _what(value: Any) -> str:
    return "None" if value is None else type(value).__name__


def _wrong(game: AnyGame, name: str, what: str) -> GameError:
    return GameError(game.name, f"{type(game).__module__}.{name}", what)
