"""Adjudication: an action and dice become events; events become state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from referee.engine.dice import Dice, Roll, Source
from referee.engine.game import Game, Seat
from referee.engine.legal import Action
from referee.engine.ruling import Refusal


class Played(Struct, frozen=True):
    """The verdict on a legal action: what was thrown, what happened, and the state after it."""

    rolls: tuple[Roll, ...]
    events: tuple[Any, ...]
    state: Any


class Refused(Struct, frozen=True):
    """The verdict on an illegal action: every rule it breaks."""

    refusals: tuple[Refusal, ...]


Verdict = Played | Refused


def adjudicate(game: Game, state: Any, seat: Seat, action: Action, source: Source) -> Verdict:
    """Judge an action and, if it is legal, play it out. Raises DiceError when the dice are not to be had."""
    refusals = tuple(game.check(state, seat, action))
    if refusals:
        return Refused(refusals)
    dice = Dice(source)
    events = []
    script = game.resolve(state, action, dice)
    event = next(script, None)
    while event is not None:
        state = event.apply(state)
        events.append(event)
        try:
            event = script.send(state)
        except StopIteration:
            break
    return Played(tuple(dice.rolls), tuple(events), state)


def fold(state: Any, events: Iterable[Any]) -> Any:
    """Apply events one after another: how a log becomes a state. Runs no rules."""
    for event in events:
        state = event.apply(state)
    return state
