"""The order of play: duties come first, then one phase after another (4.0a, 4.0b, 6.0e)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any, TypeVar

from referee.engine.action_grammar import Verb
from referee.engine.choice import Action, Choice
from referee.engine.dice import Dice
from referee.engine.event import Script, Seat
from referee.engine.rulebook import Refusal
from referee.engine.turn_order import Obligation, Order
from referee.games.sheboygan.options import HUMAN_SEAT, MONSTER_SEAT, SEATS
from referee.games.sheboygan.state import MONSTER_PHASES, Phase, State
from referee.games.sheboygan.status import PHASE_NAMES, describe_due

A = TypeVar("A", bound=Action)
SETUP_PHASE_RULES: Mapping[Phase, str] = {
    "abilities": "13.0a",
    "record": "12.0a",
    "edge": "3.2a",
    "buy": "3.1b",
    "place": "3.2f",
}
"""The phases before the first Game-Turn, each with the rule that puts it there."""
PLAY_PHASES: tuple[Phase, ...] = tuple(phase for phase in PHASE_NAMES if phase not in SETUP_PHASE_RULES)
"""The phases of a Game-Turn (4.0b)."""

PHASES_ENDED_BY_HUMAN: tuple[Phase, ...] = ("buy", "place", "human-move")
"""The phases that the human player has to end, even if nothing is left to do in them.

The Human Combat Phase is not one of them: it then ends by itself (C85).
"""


def _make_obligation(phase: Phase) -> Obligation:
    """Returns what is due in a phase in which no duty has to be done first."""
    seat, words = MONSTER_SEAT if phase in MONSTER_PHASES else HUMAN_SEAT, f"this is {PHASE_NAMES[phase]}"
    if phase in SETUP_PHASE_RULES:
        return Obligation(seat, phase, SETUP_PHASE_RULES[phase], f"the first turn has not begun: {words}")
    return Obligation(seat, phase, "4.0b", words)


_DUE = {phase: _make_obligation(phase) for phase in PHASE_NAMES}


def _find_obligation(state: State) -> Obligation | None:
    if state.outcome:
        return None
    return state.due[0].make_obligation(state) if state.due else _DUE[state.phase]


def _refuse_player(state: State, seat: Seat) -> Iterator[Refusal]:
    """Yields a refusal for a seat that does not exist, or if the game is over."""
    if seat not in SEATS:
        yield Refusal("4.0b", f"nobody is called {seat!r} in this game; there are the human and the monster player")
    elif state.outcome:
        yield Refusal("14.1a", f"the game is over: {state.outcome.because}")


def _refuse_other_player(state: State, due: Obligation) -> Iterator[Refusal]:
    yield Refusal("4.0b", f"this is for the {due.seat} player: {describe_due(state)}")


ORDER: Order[State] = Order(_find_obligation, _refuse_player, _refuse_other_player)


# Verbs


def make_verb(
    action: type[A],
    phases: tuple[str, ...],
    resolve: Callable[[State, A, Dice], Script[State]],
    *,
    offers: Callable[[State], Iterator[Choice]] | None = None,
    check: Callable[[State, A], Iterator[Refusal]] | None = None,
    late: Callable[[State, Seat, A], Iterator[Refusal]] | None = None,
    words: tuple[str, ...] = (),
    read: Callable[[Any], Any] | None = None,
    carries: bool = False,
    closes: Callable[[State], object] | None = None,
) -> Verb[State, A]:
    """Returns a verb for the player who has to act.

    The functions given here take no seat, because the state tells which seat has to act.
    """
    return Verb(
        action,
        phases,
        offers and (lambda state, _seat: offers(state)),
        check and (lambda state, _seat, said: check(state, said)),
        lambda state, _seat, said, dice: resolve(state, said, dice),
        words,
        read,
        carries,
        late=late,
        closes=closes,
    )


def make_late_check(rule: str, phases: Container[Phase] = PLAY_PHASES) -> Callable[[State, Seat, A], Iterator[Refusal]]:
    """Returns a check that refuses a verb in these phases by this rule, unless a duty must be done first (6.0e).

    Before the first Game-Turn, the rule of the current phase is cited too.
    """

    def refused(state: State, _seat: Seat, _said: A) -> Iterator[Refusal]:
        if state.due or state.phase not in phases:
            return
        if state.phase in SETUP_PHASE_RULES:
            yield from ORDER.refuse_not_due(state)
        yield Refusal(rule, describe_due(state))

    return refused
