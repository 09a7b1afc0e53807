"""Ending the game before the last Turn, if both players agree (M25)."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Event, Script, Seat
from referee.engine.rulebook import Refusal
from referee.games.mutants.board import Side
from referee.games.mutants.order_of_play import ANY_TIME, ORDER, allow_any_seat, refuse_out_of_turn
from referee.games.mutants.state import State, find_side
from referee.games.mutants.victory import end_game


class StopProposed(Event, frozen=True, tag="stop-proposed"):
    """A player has proposed to end the game here (M25)."""

    told = "The {side} player proposes to end the game here. If the other player types stop too, the game is over."
    side: Side

    def apply(self, state: State) -> State:
        """Records the proposal. The other player may agree until somebody plays on."""
        return replace(state, stop=self.side)


class StopAgreed(Event, frozen=True, tag="stop-agreed"):
    """The other player has agreed to the end. Neither player alone can take that back (M25)."""

    told = "The {side} player agrees: the game ends here."
    settles = True
    side: Side

    def apply(self, state: State) -> State:
        """Clears the proposal."""
        return replace(state, stop=None)


class StopLapsed(Event, frozen=True, tag="stop-lapsed"):
    """A player has played on after an end was proposed (M25)."""

    told = "The game goes on, so the proposal to end it has lapsed."

    def apply(self, state: State) -> State:
        """Clears the proposal: it was made for another position."""
        return replace(state, stop=None)


def add_proposal_lapse(action: Action, script: Script[State]) -> Script[State]:
    """Yields the events of an action that follows a proposal to end the game.

    If the action is not `stop`, the first event says that the proposal lapses (M25).
    """
    if not isinstance(action, Stop):
        yield StopLapsed()
    return (yield from script)


class Stop(Action, frozen=True, tag="stop"):
    """Propose to end the game here, or agree to it. The victory check decides the result (M25)."""

    says = "stop"


def _offer_stop(state: State, seat: Seat) -> Iterator[Choice]:
    if next(_check_stop(state, seat, Stop()), None) is None:
        yield Choice(Stop, aside=True)


def _check_stop(state: State, seat: Seat, _action: Stop) -> Iterator[Refusal]:
    """Yields a refusal if this player has already proposed the end, or proposes it out of turn (M25).

    A player may agree to the other player's proposal whoever is to move.
    """
    if state.stop == seat:
        yield Refusal("M25", "you have already proposed to end the game; now the other player must agree")
    elif state.stop is None and seat != ORDER.to_act(state):
        yield refuse_out_of_turn(state)


def _propose_or_agree_to_stop(state: State, seat: Seat, _action: Stop, _dice: Dice) -> Script[State]:
    if state.stop:
        state = yield StopAgreed(find_side(seat))
        yield from end_game(state, seat)
    else:
        yield StopProposed(find_side(seat))


VERBS = (Verb(Stop, ANY_TIME, _offer_stop, _check_stop, _propose_or_agree_to_stop, may=allow_any_seat, gives_up=True),)
