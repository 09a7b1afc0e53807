"""Adjudication: an action and dice become events; events become state.

A verdict is one of three values: the action was *played*; it is *refused*, by rules; or something is *awaited* before
anybody can say: dice that nobody has typed yet, or another seat's answer about what only it knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Any

from msgspec import Struct

from referee.engine.blame import GameError, game_at_fault
from referee.engine.dice import Dice, DiceError, DiceNeededError, Need, Roll, Source
from referee.engine.event import Script, Seat, Unseen
from referee.engine.game import AnyGame, look
from referee.engine.legal import Action
from referee.engine.ruling import Refusal
from referee.engine.secret import UnknownError
from referee.engine.source import TypedSource


class Played(Struct, frozen=True, gc=False):
    """The verdict on a legal action: what was thrown, what happened, and the state after it."""

    rolls: tuple[Roll, ...]
    events: tuple[Any, ...]
    """Everything that happened, as the seat knows it that acted."""
    state: Any
    hidden: bool = False
    """Whether the deed itself is a secret of that seat, its dice included."""
    open_events: tuple[Any, ...] = ()
    """What everybody may see of the events."""
    is_open: bool = True
    """Whether everybody may see all of it."""

    def __repr__(self) -> str:
        """What was thrown and what happened; the state would fill screens."""
        return f"Played(rolls={self.rolls}, events={self.events})"


class Refused(Struct, frozen=True):
    """The verdict on an illegal action: every rule it breaks."""

    refusals: tuple[Refusal, ...]


class Awaiting(Struct, frozen=True):
    """No verdict yet: dice have to be thrown, or a seat has to answer first."""

    need: Need | None = None
    """The dice that are missing."""
    typed: int = 0
    """How many of them were typed."""
    answer: Seat | None = None
    """The seat that owes an answer."""


Verdict = Played | Refused | Awaiting


def adjudicate(game: AnyGame, state: Any, seat: Seat, action: Action, source: Source) -> Verdict:
    """Judge an action on what its seat may know and, if it is legal, play it out. DiceError for impossible dice.

    `state` is as much as is known here; at the least, what the seat knows.
    """
    view = look(game, state, seat)
    if game.asks(view) and game.to_act(view) != seat:
        return Awaiting(answer=game.to_act(view))
    refusals = tuple(game.check(view, seat, action))
    if refusals:
        return Refused(refusals)
    hidden = game.hides(view, action)
    dice = Dice(source, seat, hidden=hidden)
    try:
        after, events, seen = _play_out(view, game.resolve(view, seat, action, dice))
    except DiceNeededError as missing:
        return Awaiting(missing.need, missing.typed)
    except (DiceError, UnknownError, GameError):
        raise
    except Exception as error:
        fault = game_at_fault(error)  # in an event of somebody else's game
        if fault:
            raise fault from error
        raise
    is_open = seen is None and not hidden and not dice.unseen
    then = after if view is state else fold(state, events)
    if seen == [] and then is not after:
        game.unseen(state, then, seat, after)
    return Played(tuple(dice.rolls), events, then, hidden, events if seen is None else tuple(seen), is_open)


def first_need(game: AnyGame, view: Any, seat: Seat, action: Action) -> Need | None:
    """The first dice that an action throws, if it throws any."""
    verdict = adjudicate(game, view, seat, action, TypedSource(()))
    return verdict.need if isinstance(verdict, Awaiting) else None


def _play_out(view: Any, script: Script[Any]) -> tuple[Any, tuple[Any, ...], list[Any] | None]:
    """The view after a script, all events, and those that everybody may see; None: they are all."""
    events: list[Any] = []
    seen: list[Any] | None = None
    event: Any = next(script, None)
    while event is not None:
        if type(event) is Unseen:
            event, seen = event.event, list(events) if seen is None else seen
        elif seen is not None:
            seen.append(event)
        events.append(event)
        view = event.apply(view)
        try:
            event = script.send(view)
        except StopIteration:
            break
    return view, tuple(events), seen


class Evident(Struct, frozen=True):
    """What everybody can tell that a legal action must lead to."""

    events: tuple[Any, ...]
    """Its events, as far as no secret is needed."""
    is_all: bool = False
    """Whether nothing else happens, and no other dice are thrown."""
    rolls: tuple[Roll, ...] = ()
    """What was thrown so far."""


def evident_of(game: AnyGame, public: Any, seat: Seat, action: Action, source: Source) -> Evident:
    """What everybody can tell that a legal action in the open must lead to. `public` is what everybody may know.

    In a game whose views are `certain` that is all that follows before a secret is needed; DiceError when other dice
    are recorded. In others it is what is `evident`; what is refused there may be legal all the same.
    """
    if game.certain:
        dice = Dice(source, seat)
        events, is_all = _followed(public, game.resolve(public, seat, action, dice))
        return Evident(events, is_all, tuple(dice.rolls))
    try:
        verdict = adjudicate(game, public, seat, action, source)
    except (LookupError, ValueError, TypeError, AttributeError, GameError):
        return Evident(())  # a secret is asked for, or what it has led to
    events = verdict.open_events if isinstance(verdict, Played) else ()
    return Evident(tuple(takewhile(lambda event: type(event).evident, events)))


def _followed(public: Any, script: Script[Any]) -> tuple[tuple[Any, ...], bool]:
    """What follows up to where a secret is asked for, or dice that nobody has thrown; and whether that is all."""
    events: list[Any] = []
    try:
        event: Any = next(script, None)
        while event is not None:
            if type(event) is Unseen:
                event = event.event
            else:
                events.append(event)
            public = event.apply(public)
            event = script.send(public)
    except StopIteration:
        pass
    except (UnknownError, DiceNeededError):
        return tuple(events), False
    return tuple(events), True


def answer_to(game: AnyGame, view: Any, seat: Seat) -> Action:
    """The one answer that a seat can give to what it is asked, from its own view; GameError when there is no one."""
    answer: Action | None = game.legal(view, seat).only()
    if answer is None:
        raise GameError(game.name, "asks", f"{seat} is asked something that has no single answer")
    return answer


def fold(state: Any, events: Iterable[Any]) -> Any:
    """Apply events one after another: how a log becomes a state. Runs no rules."""
    for event in events:
        state = event.apply(state)
    return state
