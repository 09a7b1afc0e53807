"""Adjudication: an action and dice become events; events become state.

A verdict is one of three values: the action was *played*; it is *refused*, by rules; or something is *awaited* before
anybody can say: dice that nobody has typed yet, or another seat's answer about what only it knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from referee.engine.dice import Dice, DiceNeededError, Need, Roll, Source
from referee.engine.event import Seat, Unseen
from referee.engine.game import AnyGame, look
from referee.engine.legal import Action
from referee.engine.ruling import Refusal


class Played(Struct, frozen=True):
    """The verdict on a legal action: what was thrown, what happened, and the state after it."""

    rolls: tuple[Roll, ...]
    events: tuple[Any, ...]
    """Everything that happened, as the seat knows it that acted."""
    state: Any
    hidden: bool = False
    """Whether the deed itself is a secret of that seat, its dice included."""
    open_events: tuple[Any, ...] = ()
    """What everybody may see of the events."""

    @property
    def is_open(self) -> bool:
        """Whether everybody may see all of it."""
        return not self.hidden and len(self.open_events) == len(self.events) and not any(r.to for r in self.rolls)


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
    if game.asks(state) and game.to_act(state) != seat:
        return Awaiting(answer=game.to_act(state))
    view = look(game, state, seat)
    refusals = tuple(game.check(view, seat, action))
    if refusals:
        return Refused(refusals)
    hidden = game.hides(view, action)
    dice = Dice(source, seat, hidden=hidden)
    try:
        after, events, seen = _play_out(game, view, seat, action, dice)
    except DiceNeededError as missing:
        return Awaiting(missing.need, missing.typed)
    return Played(tuple(dice.rolls), events, after if view is state else fold(state, events), hidden, seen)


def _play_out(
    game: AnyGame, view: Any, seat: Seat, action: Action, dice: Dice
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """The view after an action, all events, and those that everybody may see."""
    events, seen = [], []
    script = game.resolve(view, seat, action, dice)
    happened = next(script, None)
    while happened is not None:
        if isinstance(happened, Unseen):
            event = happened.event
        else:
            event = happened
            seen.append(event)
        events.append(event)
        view = event.apply(view)
        try:
            happened = script.send(view)
        except StopIteration:
            break
    return view, tuple(events), tuple(seen)


def answer_to(game: AnyGame, view: Any, seat: Seat) -> Action:
    """The one answer that a seat can give to what it is asked, from its own view."""
    answer: Action | None = game.legal(view, seat).only()
    if answer is None:
        raise ValueError(f"{seat} is asked something that has no single answer")
    return answer


def fold(state: Any, events: Iterable[Any]) -> Any:
    """Apply events one after another: how a log becomes a state. Runs no rules."""
    for event in events:
        state = event.apply(state)
    return state
