"""An end before the last Turn: one player proposes it, the other agrees (M25)."""

from __future__ import annotations

from collections.abc import Iterator

from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.legal import Action, Choice
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.mutants.events import StopProposed
from referee.games.mutants.state import IN_PLAY, SETTING_UP, State, side_of
from referee.games.mutants.timing import check_presence, not_yours, now
from referee.games.mutants.victory import finish


class Stop(Action, frozen=True, tag="stop"):
    """Propose to end the game here, or agree to it: the result is what the victory check says now (M25)."""

    says = "stop"


def _offers(state: State, seat: Seat) -> Iterator[Choice]:
    if next(_check(state, seat, Stop()), None) is None:
        yield Choice(Stop, aside=True)


def _check(state: State, seat: Seat, _action: Stop) -> Iterator[Refusal]:
    """Who holds the pen proposes it; the other may agree whenever he likes, until the Turn ends."""
    yield from check_presence(state, seat)
    if state.phase in SETTING_UP:
        yield Refusal("III-a", f"the game has not started: {now(state)}")
    elif state.stop == seat:
        yield Refusal("M25", "it is for the other player to agree")
    elif state.stop is None and seat != state.to_act and not state.outcome:
        yield not_yours(state)


def _resolve(state: State, seat: Seat, _action: Stop, _dice: Dice) -> Script[State]:
    if state.stop:
        yield from finish(state, side_of(seat))
    else:
        yield StopProposed(side_of(seat))


VERBS = (Verb(Stop, IN_PLAY, _offers, _check, _resolve),)
