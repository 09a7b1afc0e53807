"""When an action may be said, and by whom: judged before anything else that could be wrong with it.

Each verb brings its rules for the wrong Phase and the wrong player; what all verbs have in common stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.legal import Action, Choice, Ordered, Slot, Subset
from referee.engine.ruling import Refusal
from referee.engine.verb import Verb
from referee.games.mutants.board import SEATS, Side
from referee.games.mutants.notation import Reader
from referee.games.mutants.state import COMBATS, NAMES, SETTING_UP, State, side_of

A = TypeVar("A", bound=Action)
SET_UP = ("setup-human", "setup-mutant")
ASKED = "asked"
"""In place of a Phase: while a player has to tell something, nothing else may be said."""


def now(state: State) -> str:
    """The Phase, as a clause."""
    return f"this is {NAMES[state.phase]}"


def by_phase(rule: str = "III-b", **rules: str) -> Callable[[State, Seat], Iterator[Refusal]]:
    """What keeps a verb out of other Phases: the rule for each, or else that they follow one another (III-b)."""
    return lambda state, _seat: iter((Refusal(rules.get(state.phase, rule), now(state)),))


out_of_order = by_phase()
"""For verbs to which no other rule applies."""


def not_yours(state: State) -> Refusal:
    """The Phase is right, but the other player's."""
    rule = {"setup-human": "II.B.1", "setup-mutant": "II.B.2-a", "sides": "II.A-a"}.get(state.phase, "III-b")
    return Refusal(rule, f"this is the other player's part of {NAMES[state.phase]}")


def timed(
    action: type[A],
    phases: tuple[str, ...],
    resolve: Callable[[State, Side, A, Dice], Script[State]],
    *,
    offers: Callable[[State, Side], Iterator[Choice]] | None = None,
    check: Callable[[State, Side, A], Iterator[Refusal]] = lambda _state, _side, _action: iter(()),
    late: Callable[[State, Seat], Iterator[Refusal]] = out_of_order,
    theirs: Callable[[State], Refusal] = not_yours,
    ended: tuple[Refusal, ...] = (),
    words: tuple[str, ...] = (),
    read: Callable[[Reader], Any] | None = None,
    carries: bool = False,
) -> Verb[State, A]:
    """A verb of whoever holds the pen, for these Phases: out of time, and for others, nothing else is judged.

    Without `offers` it has no fields, and is offered where nothing forbids it. `late` tells the rules that keep it out
    of another Phase, `theirs` the one that keeps the other player from it, `ended` what it breaks besides after the end
    of a Basic Game.
    """

    def offered(view: State, seat: Seat) -> Iterator[Choice]:
        if seat != view.to_act:
            return iter(())
        if offers:
            return offers(view, side_of(seat))
        return iter(() if next(check(view, side_of(seat), action()), None) else (Choice(action),))

    def checked(view: State, seat: Seat, said: A) -> Iterator[Refusal]:
        untimely = tuple(check_presence(view, seat, ended) or _check_phase(view, seat))
        return iter(untimely) if untimely else check(view, side_of(seat), said)

    def _check_phase(view: State, seat: Seat) -> Iterator[Refusal]:
        if view.phase not in phases:
            yield from _too_early(view, phases) or late(view, seat)
        elif seat != view.to_act and view.phase not in COMBATS:  # in Combat the choices alternate: see combat.py
            yield theirs(view)

    def resolved(view: State, seat: Seat, said: A, dice: Dice) -> Script[State]:
        return resolve(view, side_of(seat), said, dice)

    def able(view: State, seat: Seat, fields: Mapping[str, Any]) -> tuple[str, ...]:
        slots = [choice.slots for choice in offered(view, seat) if choice.kind is action]
        fitting = [slot for slot in slots if all(value in slot[name] for name, value in fields.items())]
        return view.board.sorted({unit for slot in fitting for unit in _members(slot["units"])})

    return Verb(
        action, phases, offered, checked, resolved, words, read or (lambda reader: reader.action(action, able)), carries
    )


def _members(slot: Slot) -> tuple[str, ...]:
    """All who may be in a group."""
    return slot.values if isinstance(slot, Subset | Ordered) else ()


def check_presence(state: State, seat: Seat, ended: tuple[Refusal, ...] = ()) -> tuple[Refusal, ...]:
    """Only two play, and only until the end."""
    if seat not in SEATS:
        return (Refusal("INTRO.II", f"nobody is called {seat!r} in this game; there are two players"),)
    if state.asked:
        return (Refusal(state.asked.rule, f"the {state.asked.of} player tells {state.asked.about} first"),)
    if state.outcome is None:
        return ()
    over = Refusal("III.F-b", f"the game is over: {state.outcome.because}")
    return (over,) if state.alternate else (*ended, over, Refusal("VII.B-a", "the Basic Game has ten Turns"))


def _too_early(state: State, phases: tuple[str, ...]) -> tuple[Refusal, ...]:
    """What comes before the other Phases; a set-up tells by itself what it is too late or too early for."""
    if set(phases) <= set(SET_UP):
        return ()
    if state.phase in SETTING_UP:
        rule = "III-a" if state.phase in SET_UP else "II.A-a"
        return (Refusal(rule, f"the game has not started: {now(state)}"),)
    if state.phase == "arrival":
        return (Refusal("OPT.VI.B-a", "the roll for arrivals comes first"),)
    return ()
