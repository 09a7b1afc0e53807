"""When an action may be said, and by whom: judged before anything else that could be wrong with it (4.0b)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.legal import Action, Choice
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.sheboygan.options import CREATURE, HUMAN, SEATS
from referee.games.sheboygan.state import State

A = TypeVar("A", bound=Action)

PHASES: Mapping[str, str] = {
    "abilities": "the choice of abilities",
    "record": "the writing of the record",
    "edge": "the choice of the entry edge",
    "buy": "the purchase of units",
    "place": "the placement of units",
    "monster-move": "the Monster Movement Phase",
    "monster-combat": "the Monster Combat Phase",
    "arrival": "the arrival of the firemen",
    "human-move": "the Human Movement Phase",
    "human-combat": "the Human Combat Phase",
    "fire": "the Fire Phase",
}
"""The phases in words."""
DUES: Mapping[str, tuple[str, str]] = {
    "hurt": ("12.0b", "the monster's damage is to be struck off first"),
    "withdraw": ("6.33h", "the monster has to retreat first"),
    "lose": ("6.32a", "losses are to be named first"),
    "retreat": ("6.33a", "units have to retreat first"),
    "grow": ("14.25b", "the monster's growth is to be noted first"),
    "fall": ("13.21a", "the dead monster has to fall first"),
    "answer": ("12.0g", "the monster player has to tell something first"),
}
"""What is due in place of a phase, and the rule that asks for it."""
SETTING_UP: Mapping[str, str] = {
    "abilities": "13.0a",
    "record": "12.0a",
    "edge": "3.2a",
    "buy": "3.1b",
    "place": "3.2f",
}
"""The phases before the first Game-Turn, and the rule that puts each there."""


def now(state: State) -> str:
    """What is being done, as a clause."""
    return DUES[state.now][1] if state.due else f"this is {PHASES[state.phase]}"


def timed(
    action: type[A],
    phases: tuple[str, ...],
    resolve: Callable[[State, A, Dice], Script[State]],
    *,
    offers: Callable[[State], Iterator[Choice]] | None = None,
    check: Callable[[State, A], Iterator[Refusal]] = lambda _state, _action: iter(()),
    late: str | Mapping[str, str] = "4.0b",
    words: tuple[str, ...] = (),
    read: Callable[[Any], Any] | None = None,
) -> Verb[State, A]:
    """A verb of whoever holds the pen, for these phases: out of time, and for others, nothing else is judged.

    Without `offers` it has no fields, and is offered where nothing forbids it. `late`: the rule that keeps it out of
    other phases, for all of them or for some.
    """

    def offered(view: State, seat: Seat) -> Iterator[Choice]:
        if seat != view.holder:
            return iter(())
        if offers:
            return offers(view)
        return iter(() if next(check(view, action()), None) else (Choice(action),))

    def checked(view: State, seat: Seat, said: A) -> Iterator[Refusal]:
        absent = _absent(view, seat)
        untimely = (absent,) if absent else tuple(_untimely(view, seat, phases, late))
        return iter(untimely) if untimely else check(view, said)

    def resolved(view: State, _seat: Seat, said: A, dice: Dice) -> Script[State]:
        return resolve(view, said, dice)

    return Verb(action, phases, offered, checked, resolved, words, read)


def _absent(state: State, seat: Seat) -> Refusal | None:
    """Only two play, and only until the end."""
    if seat not in SEATS:
        return Refusal("4.0b", f"nobody is called {seat!r} in this game; there are the human and the monster player")
    if state.outcome:
        return Refusal("14.1a", f"the game is over: {state.outcome.because}")
    return None


def _untimely(state: State, seat: Seat, phases: tuple[str, ...], late: str | Mapping[str, str]) -> Iterator[Refusal]:
    """What is due comes first (6.0e), then each phase in its order."""
    rule = late if isinstance(late, str) else late.get(state.phase, "4.0b")
    if state.now not in phases:
        if state.due:
            yield Refusal("6.0e", now(state))
        elif state.phase in SETTING_UP:
            yield Refusal(SETTING_UP[state.phase], f"the first Game-Turn has not begun: {now(state)}")
        if not state.due and (state.phase not in SETTING_UP or phases[0] in SETTING_UP):
            yield Refusal(rule, now(state))
    elif seat != state.holder:
        other = "human" if state.holder == HUMAN else CREATURE
        yield Refusal("4.0b", f"this is for the {other} player: {now(state)}")
