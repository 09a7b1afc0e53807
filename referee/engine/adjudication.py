"""Adjudication: judging an action, and applying the events that follow to the state.

A verdict is one of three values. The action was *played*, or it is *refused* by rules. Or something is *awaited* first:
dice that nobody has typed, or another seat's answer to a question that only it can answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Any

from msgspec import Struct

from referee.engine.choice import Action
from referee.engine.dice import Dice, DiceError, DiceNeededError, Need, Roll, Source
from referee.engine.dice_source import TypedSource
from referee.engine.event import Script, Seat, SecretEvent
from referee.engine.game import AnyGame, view_for
from referee.engine.plugin_errors import GameError, find_game_error
from referee.engine.rulebook import Refusal
from referee.engine.secret import UnknownError


class LegalVerdict(Struct, frozen=True, gc=False):
    """The verdict on a legal action: the dice rolled, the events, and the state after them."""

    rolls: tuple[Roll, ...]
    """The dice rolled, in order."""
    events: tuple[Any, ...]
    """All events, as the seat that acted knows them."""
    state: Any
    """The state after the action."""
    hidden: bool = False
    """True if the action itself is a secret of the seat that acted, with all its dice."""
    open_events: tuple[Any, ...] = ()
    """The events that everybody may see."""
    is_public: bool = True
    """True if everybody may see the action, all its dice and all its events."""

    def __repr__(self) -> str:
        """Returns the dice and the events as text, without the state, which would fill screens."""
        return f"Played(rolls={self.rolls}, events={self.events})"


class IllegalVerdict(Struct, frozen=True):
    """The verdict on an illegal action: every rule that it breaks."""

    refusals: tuple[Refusal, ...]
    """The rules, in the order of the rulebook."""


class PendingVerdict(Struct, frozen=True):
    """No verdict yet: dice have to be rolled first, or a seat has to answer first."""

    need: Need | None = None
    """The roll whose dice are missing; None if an answer is missing."""
    typed_count: int = 0
    """The number of dice of that roll that were typed already."""
    answer: Seat | None = None
    """The seat that owes an answer; None if dice are missing."""


Verdict = LegalVerdict | IllegalVerdict | PendingVerdict


def adjudicate(game: AnyGame, state: Any, seat: Seat, action: Action, source: Source) -> Verdict:
    """Judges an action and, if it is legal, plays it out.

    The action is judged on what its seat may know. `state` holds everything that is known here, and at least what the
    seat knows. Raises DiceError if the dice are impossible, and UnknownError if a secret that is not known here is
    needed. Raises GameError if the game is faulty.
    """
    view = view_for(game, state, seat)
    if game.awaits_answer(view) and game.to_act(view) != seat:
        return PendingVerdict(answer=game.to_act(view))
    refusals = tuple(game.check(view, seat, action))
    if refusals:
        return IllegalVerdict(refusals)
    hidden = game.is_secret(view, action)
    dice = Dice(source, seat, hidden=hidden)
    try:
        after, events, seen = _play_out(view, game.resolve(view, seat, action, dice))
    except DiceNeededError as missing:
        return PendingVerdict(missing.need, missing.typed)
    except (DiceError, UnknownError, GameError):
        raise
    except Exception as error:
        fault = find_game_error(error)  # an event of somebody else's game has failed
        if fault:
            raise fault from error
        raise
    is_open = seen is None and not hidden and not dice.unseen
    then = after if view is state else apply_events(state, events)
    if seen == [] and then is not after:
        game.on_secret_play(state, then, seat, after)
    return LegalVerdict(tuple(dice.rolls), events, then, hidden, events if seen is None else tuple(seen), is_open)


def find_first_need(game: AnyGame, view: Any, seat: Seat, action: Action) -> Need | None:
    """Returns the first roll that an action needs.

    Returns None if the action rolls no dice, is illegal, or must wait for another seat's answer.
    """
    verdict = adjudicate(game, view, seat, action, TypedSource(()))
    return verdict.need if isinstance(verdict, PendingVerdict) else None


def _play_out(view: Any, script: Script[Any]) -> tuple[Any, tuple[Any, ...], list[Any] | None]:
    """Returns the view after a script, all its events, and the events that everybody may see; None means all."""
    events: list[Any] = []
    seen: list[Any] | None = None
    event: Any = next(script, None)
    while event is not None:
        if type(event) is SecretEvent:
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


class PublicOutcome(Struct, frozen=True):
    """The public part of a legal action's result: everything that all players can predict."""

    events: tuple[Any, ...]
    """The events that can be predicted without secrets."""
    is_complete: bool = False
    """True if the action has no other events than `events`, and rolls no more dice."""
    rolls: tuple[Roll, ...] = ()
    """The dice rolled so far."""


def find_public_outcome(game: AnyGame, public: Any, seat: Seat, action: Action, source: Source) -> PublicOutcome:
    """Returns everything that all players can predict about a legal action that is no secret.

    `public` is the view of a spectator. In a game that is `certain`, the result has all events until a secret is
    needed, and DiceError is raised if `source` holds other dice. In other games, the result has the first events, as
    long as they are `evident`. In those games, an action that is refused in the public view may still be legal.
    """
    if game.certain:
        dice = Dice(source, seat)
        events, is_complete = _follow_publicly(public, game.resolve(public, seat, action, dice))
        return PublicOutcome(events, is_complete, tuple(dice.rolls))
    try:
        verdict = adjudicate(game, public, seat, action, source)
    except (LookupError, ValueError, TypeError, AttributeError, GameError):
        return PublicOutcome(())  # a secret is asked for, or something that depends on one
    events = verdict.open_events if isinstance(verdict, LegalVerdict) else ()
    return PublicOutcome(tuple(takewhile(lambda event: type(event).evident, events)))


def _follow_publicly(public: Any, script: Script[Any]) -> tuple[tuple[Any, ...], bool]:
    """Returns the open events until a secret or unrolled dice are needed, and True if the script ended before that.

    Secret events are left out.
    """
    events: list[Any] = []
    try:
        event: Any = next(script, None)
        while event is not None:
            if type(event) is SecretEvent:
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


def find_forced_answer(game: AnyGame, view: Any, seat: Seat) -> Action:
    """Returns the only answer that a seat can give to a question. Raises GameError if there is no single answer."""
    answer: Action | None = game.legal(view, seat).only_action()
    if answer is None:
        raise GameError(game.name, "awaits_answer", f"the question to {seat} has no single answer")
    return answer


def apply_events(state: Any, events: Iterable[Any]) -> Any:
    """Applies events one after another, and returns the last state. No rules are checked."""
    for event in events:
        state = event.apply(state)
    return state
