"""The order of play: whose choice it is (III.A to III.F-a), and what keeps the players from all else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.engine.order import Due, Order
from referee.engine.ruling import Refusal
from referee.engine.text import spelled
from referee.games.mutants.options import SEATS
from referee.games.mutants.state import (
    ALTERNATE_TURNS,
    BASIC_TURNS,
    COMBATS,
    IN_PLAY,
    SETTING_UP,
    Phase,
    State,
    other_side,
)
from referee.games.mutants.status import PHASES, now

SET_UP = ("setup-human", "setup-mutant")
STAGES = ("fight", "lay", "pair", "resolve", "pursue")
"""In place of a Combat Phase: what the Combat waits for, first the choice of its room."""
ANY_TIME = (*(phase for phase in IN_PLAY if phase not in COMBATS), *STAGES)
"""Whatever is due once the game has started, but for an answer."""
OF_HUMAN = ("sides", "setup-human", "human-move", "record")
"""Phases in which the Human player acts; in Combats both do."""
NOT_STARTED = {"sides": "II.A-a", "choose": "II.A-a", "setup-human": "III-a", "setup-mutant": "III-a"}
OTHERS_PART = {"setup-human": "II.B.1", "setup-mutant": "II.B.2-a", "sides": "II.A-a"}

Rules = Callable[[State, Seat], Iterator[Refusal]]
Late = Callable[[State, Seat, Action], Iterator[Refusal]]


def due(state: State) -> Due | None:
    """What has to be done now; None when the game is over."""
    if state.outcome:
        return None
    if state.asked:
        return state.asked.due(state)
    if state.phase in COMBATS:
        return _due(state.phase, state.next_in_combat, state.combat.stage if state.combat else "fight")
    if state.phase == "choose":
        return _due(state.phase, state.chooser, state.phase)
    if state.phase == "arrival":
        return Due("mutant", state.phase, arrival_rule(state.turn), "the roll for arrivals comes first")
    return _due(state.phase, "human" if state.phase in OF_HUMAN else "mutant", state.phase)


def arrival_rule(turn: int) -> str:
    """Returns the rule of the first arrivals, or of those in later Turns."""
    return "OPT.VI.B-a" if turn > 1 else "OPT.VI.A-c"


@cache
def _due(phase: Phase, seat: Seat, what: str) -> Due:
    """What comes before all else: the set-up, then one Phase after another."""
    if phase in SETTING_UP:
        return Due(seat, what, NOT_STARTED[phase], f"the game has not started: this is {PHASES[phase]}")
    return Due(seat, what, "III-b", f"this is {PHASES[phase]}")


def may_act(state: State) -> tuple[Seat, ...]:
    """Who may agree to end the game here (M25), and the Human player while he may hide units (OPT.V.C-e)."""
    if state.outcome or state.asked:
        return ()
    speakers = {other_side(state.stop)} if state.stop else set()
    return tuple(seat for seat in SEATS if seat in speakers or (seat == "human" and state.can_hide))


def _barred(state: State, seat: Seat) -> Iterator[Refusal]:
    """Only two play, and only until the end."""
    if seat not in SEATS:
        yield Refusal("INTRO.II", f"nobody is called {seat!r} in this game; there are {spelled(len(SEATS))} players")
    elif state.outcome:
        yield Refusal("III.F-b", f"the game is over: {state.outcome.because}")
        if not state.alternate and state.turn == state.last_turn:
            yield Refusal("VII.B-a", f"the Basic Game has {spelled(BASIC_TURNS)} Turns")
            yield Refusal("VII.B-b", f"boxes {BASIC_TURNS + 1} to {ALTERNATE_TURNS} belong to the Alternate Scenario")


def _theirs(state: State, due: Due) -> Iterator[Refusal]:
    yield Refusal(due.rule, due.words) if due.asks else not_yours(state)


def not_yours(state: State) -> Refusal:
    """The Phase is right, but the other player's."""
    rule = OTHERS_PART.get(state.phase, "III-b")
    return Refusal(rule, f"this is the other player's part of {PHASES[state.phase]}")


ORDER = Order(due, _barred, _theirs)


# What keeps a verb out of other Phases


def once_begun(rules: Rules) -> Late:
    """Rules of its own, once a Turn is under way: the set-up and the arrivals come before anything."""
    return lambda state, seat, _action: iter(()) if state.phase in (*SETTING_UP, "arrival") else rules(state, seat)


def by_phase(rule: str = "III-b", **rules: str) -> Late:
    """The rule for each Phase, or else another one."""
    return once_begun(lambda state, _seat: iter((Refusal(rules.get(state.phase, rule), now(state)),)))


def anybody(_state: State, _seat: Seat) -> bool:
    """Who may say what both may, whoever is to move."""
    return True
