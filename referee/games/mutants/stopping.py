"""An end before the last Turn, on which both players agree (M25)."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat
from referee.engine.legal import Action, Choice
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.mutants.board import Side
from referee.games.mutants.order import ANY_TIME, ORDER, anybody, not_yours
from referee.games.mutants.state import State, side_of
from referee.games.mutants.victory import finish


class StopProposed(Event, frozen=True, tag="stop-proposed"):
    """A player would end the game here (M25)."""

    told = "The {side} player would end the game here, as it stands; if the other says stop too, it is over."
    side: Side

    def apply(self, state: State) -> State:
        """It is for the other player to agree, until somebody plays."""
        return replace(state, stop=self.side)


class StopAgreed(Event, frozen=True, tag="stop-agreed"):
    """The other player would end it, too; nobody takes that back alone (M25)."""

    told = "The {side} player agrees: the game ends here."
    settles = True
    side: Side

    def apply(self, state: State) -> State:
        """Nothing is proposed any more."""
        return replace(state, stop=None)


class StopLapsed(Event, frozen=True, tag="stop-lapsed"):
    """Somebody has played on after an end was proposed (M25)."""

    told = "The game goes on: the end that was proposed is so no more."

    def apply(self, state: State) -> State:
        """Nobody can agree any more to what was proposed on another position."""
        return replace(state, stop=None)


def lapsing(action: Action, script: Script[State]) -> Script[State]:
    """What follows from an action once an end was proposed: it lapses, unless it is agreed to (M25)."""
    if not isinstance(action, Stop):
        yield StopLapsed()
    return (yield from script)


class Stop(Action, frozen=True, tag="stop"):
    """Propose to end the game here, or agree to it: the result is what the victory check says now (M25)."""

    says = "stop"


def _stop_offers(state: State, seat: Seat) -> Iterator[Choice]:
    if next(_check_stop(state, seat, Stop()), None) is None:
        yield Choice(Stop, aside=True)


def _check_stop(state: State, seat: Seat, _action: Stop) -> Iterator[Refusal]:
    """Who is to move proposes it; the other may agree until somebody plays."""
    if state.stop == seat:
        yield Refusal("M25", "it is for the other player to agree")
    elif state.stop is None and seat != ORDER.to_act(state):
        yield not_yours(state)


def _stop(state: State, seat: Seat, _action: Stop, _dice: Dice) -> Script[State]:
    if state.stop:
        state = yield StopAgreed(side_of(seat))
        yield from finish(state, seat)
    else:
        yield StopProposed(side_of(seat))


VERBS = (Verb(Stop, ANY_TIME, _stop_offers, _check_stop, _stop, may=anybody),)
