"""Whose turn it is, the order of its phases, and how it passes to the next player."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeVar

from referee.engine.event import Script, Seat
from referee.engine.ruling import Refusal
from referee.engine.text import listing
from referee.games.manoover.events import PhaseBegun, TurnPassed
from referee.games.manoover.state import Phase, State, is_spared

A = TypeVar("A")


def in_turn(
    check: Callable[[State, A], Iterator[Refusal]], during: Literal["control", "auto"] | None = None
) -> Callable[[State, Seat, A], Iterator[Refusal]]:
    """The check of something that only the player on turn may say, from one that need not ask who says it.

    It need not ask about the phase either where that is given.
    """

    def checked(state: State, seat: Seat, action: A) -> Iterator[Refusal]:
        barred = _barred(state, seat)
        if barred:
            yield barred
        elif during and (during == "auto") != (state.phase == "auto"):
            phase = "automatic" if state.phase == "auto" else "control"
            none = "; a first turn has no automatic phase" if during == "auto" and is_spared(state) else ""
            yield Refusal(order_rule(state), f"this is the {phase} phase of {state.turn}'s turn{none}")
        else:
            yield from check(state, action)

    return checked


def _barred(state: State, seat: Seat) -> Refusal | None:
    """Why this seat may say nothing at all now."""
    if state.outcome:
        return over()
    if state.phase == "throw-off":
        return Refusal(
            throw_off_rule(state), f"nobody has the first turn yet: {listing(state.contenders)} throw one die each"
        )
    if seat == state.turn:
        return None
    if seat not in state.board.seats:
        return unknown(state, seat)
    if state.board.three and not state.in_game(seat):
        return Refusal("three.12", f"{seat} has no robots left and takes no more turns; it is {state.turn}'s turn")
    return Refusal("three.6" if state.board.three else "turn.2", f"it is {state.turn}'s turn, not {seat}'s")


def over() -> Refusal:
    """Why nothing can be done when the game has ended."""
    return Refusal("end.5", "the game is over: nothing more is played")


def unknown(state: State, name: str) -> Refusal:
    """Why this name means nobody."""
    return Refusal("three.2" if state.board.three else "setup.1", f"nobody is called {name!r} in this game")


def throw_off_rule(state: State) -> str:
    """The rule by which it is settled who goes first."""
    if state.board.three:
        return "three.5" if state.tied else "three.4"
    return "setup.6" if state.tied else "setup.5"


def order_rule(state: State) -> str:
    """The rule that fixes the order of the phases in this turn."""
    if state.options["order"] == "auto-control":
        return "variant.crash.1"
    if state.options["order"] == "alternate":
        return "variant.alt.2" if state.taken[state.turn] else "variant.alt.1"
    return "three.8" if state.board.three else "turn.1"


def end_phase(state: State) -> Script[State]:
    """Go on to the other phase, or to the next player (turn.1, three.8, variant.alt.1-variant.alt.3, variant.crash.1).

    With the automatic phase first the dice are thrown after it (r.alt-throw), and the alternate order spares each
    player his own first automatic phase, in every game (r.alt-first). Who has lost his last robot has no other phase
    (r.eliminated-mover).
    """
    closing: Phase = "auto" if state.opening(state.turn) == "throw" else "throw"
    now = "auto" if state.phase == "auto" else "throw"
    if not is_spared(state) and now != closing and state.in_game(state.turn):
        yield PhaseBegun(closing)
    else:
        yield from _pass_turn(state)


def _pass_turn(state: State) -> Script[State]:
    """The next player clockwise who has robots takes his turn (turn.2, three.6, three.12, r.table-order)."""
    seats = state.board.seats
    at = seats.index(state.turn)
    following = seats[at + 1 :] + seats[: at + 1]
    seat = next(seat for seat in following if state.in_game(seat))
    yield TurnPassed(seat, state.opening(seat))
