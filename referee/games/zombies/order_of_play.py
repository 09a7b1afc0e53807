"""The order of play: a task that is due first, else the actions of the phase (turn.1, zhero.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action
from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.legal import ChoiceSource
from referee.engine.rulebook import Refusal
from referee.engine.turn_order import Obligation, Order
from referee.games.zombies.notation import Reader
from referee.games.zombies.player import Player
from referee.games.zombies.state import SET_UP_PHASES, State

A = TypeVar("A", bound=Action)


def _refuse_player(state: State, seat: Seat) -> Iterator[Refusal]:
    if seat not in state.seats:
        yield Refusal("setup.10", f"nobody called {seat} plays")
    elif state.outcome:
        yield Refusal("win.1", f"the game is over: {state.outcome.because}")


def _refuse_other_player(state: State, due: Obligation) -> Iterator[Refusal]:
    if due.phase in SET_UP_PHASES:
        yield Refusal("setup.12", f"this is {due.seat}'s part")
    else:
        yield Refusal("turn.1", f"it is {state.players_by_seat[due.seat].hero}'s part")


ORDER: Order[State] = Order(lambda state: state.due, _refuse_player, _refuse_other_player)


def has_hero(view: State, seat: Seat) -> bool:
    """True if this seat has a hero."""
    return seat in view.players_by_seat


def make_verb(
    action: type[A],
    phases: tuple[str, ...],
    offers: Callable[[State, Player], Iterator[ChoiceSource]] | None,
    resolve: Callable[[State, Player, A, Dice], Script[State]],
    *,
    rule: str = "",
    check: Callable[[State, Player, A], Iterator[Refusal]] | None = None,
    allows: Callable[[State, Player, A], bool] | None = None,
    late: Callable[[State], Iterator[Refusal]] | None = None,
    may: Callable[[State, Seat], bool] | None = None,
    words: tuple[str, ...] = (),
    read: Callable[[Reader], Any] | None = None,
    carries: bool = False,
    closes: Callable[[State], object] | None = None,
) -> Verb[State, A]:
    """Returns a verb for players who have heroes.

    Its functions are given the player instead of the seat, and `late` is not called during the set-up.
    """
    return Verb(
        action,
        phases,
        offers and (lambda view, seat: offers(view, view.players_by_seat[seat])),
        check and (lambda view, seat, said: check(view, view.players_by_seat[seat], said)),
        lambda view, seat, said, dice: resolve(view, view.players_by_seat[seat], said, dice),
        words,
        read or (lambda reader: reader.read_action(action)),
        carries,
        rule,
        allows and (lambda view, seat, said: allows(view, view.players_by_seat[seat], said)),
        late and (lambda view, _seat, _said: iter(()) if view.phase in SET_UP_PHASES else late(view)),
        may,
        closes=closes,
    )
