"""The order of play: a task that has to be done first, else what this part of the game is for (turn.1, zhero.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.legal import Action, Choice
from referee.engine.order import Due, Order
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.zombies.notation import Reader
from referee.games.zombies.player import Player
from referee.games.zombies.state import SETTING_UP, State

A = TypeVar("A", bound=Action)


def _barred(state: State, seat: Seat) -> Iterator[Refusal]:
    if seat not in state.seats:
        yield Refusal("setup.10", f"nobody called {seat} plays")
    elif state.outcome:
        yield Refusal("win.1", f"the game is over: {state.outcome.because}")


def _theirs(state: State, due: Due) -> Iterator[Refusal]:
    if due.phase in SETTING_UP:
        yield Refusal("setup.12", f"this is {due.seat}'s part")
    else:
        yield Refusal("turn.1", f"it is {state.by_seat[due.seat].hero}'s part")


ORDER: Order[State] = Order(lambda state: state.due, _barred, _theirs)


def anybody(view: State, seat: Seat) -> bool:
    """Everybody who has a hero."""
    return seat in view.by_seat


def verb(
    action: type[A],
    phases: tuple[str, ...],
    offers: Callable[[State, Player], Iterator[Choice]] | None,
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
) -> Verb[State, A]:
    """A verb of players who have heroes: its functions are asked about the player, not about his seat."""
    return Verb(
        action,
        phases,
        offers and _listed_once(action, offers),
        check and (lambda view, seat, said: check(view, view.by_seat[seat], said)),
        lambda view, seat, said, dice: resolve(view, view.by_seat[seat], said, dice),
        words,
        read or (lambda reader: reader.action(action)),
        carries,
        rule,
        allows and _looked_up(action, allows),
        late and (lambda view, _seat, _said: iter(()) if view.phase in SETTING_UP else late(view)),
        may,
    )


def _looked_up(action: type[A], allows: Callable[[State, Player, A], bool]) -> Callable[[State, Seat, A], bool]:
    """Whether something is offered: it is looked for in the list, if that was worked out already."""

    def allowed(view: State, seat: Seat, said: A) -> bool:
        found = view.offered.get((action, seat))
        return allows(view, view.by_seat[seat], said) if found is None else any(said in choice for choice in found)

    return allowed


def _listed_once(
    action: type[A], offers: Callable[[State, Player], Iterator[Choice]]
) -> Callable[[State, Seat], Iterator[Choice]]:
    """What a verb offers, worked out once for each state: what is listed is then looked for in the list."""

    def offered(view: State, seat: Seat) -> Iterator[Choice]:
        found = view.offered.get((action, seat))
        if found is None:
            found = view.offered[action, seat] = tuple(offers(view, view.by_seat[seat]))
        return iter(found)

    return offered
