"""The order of play: whose choice it is (III.A to III.F-a), and why nobody else may act."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.rulebook import Refusal
from referee.engine.text import spell_number
from referee.engine.turn_order import Obligation, Order
from referee.games.mutants.options import SEATS
from referee.games.mutants.phases import COMBAT_PHASES, PHASES_BEFORE_PLAY, TURN_PHASES, Phase
from referee.games.mutants.state import ALTERNATE_TURNS, BASIC_TURNS, State, find_other_side
from referee.games.mutants.status import PHASE_NAMES, describe_phase

SET_UP_PHASES = ("setup-human", "setup-mutant")
COMBAT_STAGES = ("fight", "lay", "pair", "resolve", "pursue")
"""The stages of a Combat Phase, from the choice of a room on."""
ANY_TIME = (*(phase for phase in TURN_PHASES if phase not in COMBAT_PHASES), *COMBAT_STAGES)
"""Every Phase and stage once the game has started, except an open question."""
HUMAN_PHASES = ("sides", "setup-human", "human-move", "record")
"""The Phases in which the Human player acts. In Combats both players do."""
BEFORE_START_RULES = {"sides": "II.A-a", "choose": "II.A-a", "setup-human": "III-a", "setup-mutant": "III-a"}
"""The rule to cite while the game waits for one of these Phases."""
OTHER_PLAYER_RULES = {"setup-human": "II.B.1", "setup-mutant": "II.B.2-a", "sides": "II.A-a"}
"""The rule to cite to the player who does not act in one of these Phases."""

SeatCheck = Callable[[State, Seat], Iterator[Refusal]]
"""A function that yields the refusals of a verb for a seat, whatever the action says."""
LateCheck = Callable[[State, Seat, Action], Iterator[Refusal]]
"""A function that yields the refusals of an action outside the Phases of its verb."""


def find_obligation(state: State) -> Obligation | None:
    """Returns the obligation now: an action, its seat and its rule; None when the game is over."""
    if state.outcome:
        return None
    if state.asked:
        return state.asked.make_obligation(state)
    if state.phase in COMBAT_PHASES:
        return _make_obligation(state.phase, state.next_side_in_combat, state.combat.stage if state.combat else "fight")
    if state.phase == "choose":
        return _make_obligation(state.phase, state.side_chooser, state.phase)
    if state.phase == "arrival":
        return Obligation("mutant", state.phase, find_arrival_rule(state.turn), "the roll for arrivals comes first")
    return _make_obligation(state.phase, "human" if state.phase in HUMAN_PHASES else "mutant", state.phase)


def find_arrival_rule(turn: int) -> str:
    """Returns the rule of the first arrivals, or of those in later Turns."""
    return "OPT.VI.B-a" if turn > 1 else "OPT.VI.A-c"


@cache
def _make_obligation(phase: Phase, seat: Seat, what: str) -> Obligation:
    """Returns what this seat must do in a Phase. `what` is the Phase, or the stage of its Combat."""
    if phase in PHASES_BEFORE_PLAY:
        return Obligation(
            seat, what, BEFORE_START_RULES[phase], f"the game has not started: this is {PHASE_NAMES[phase]}"
        )
    return Obligation(seat, what, "III-b", f"this is {PHASE_NAMES[phase]}")


def list_out_of_turn_seats(state: State) -> tuple[Seat, ...]:
    """Returns the seats that may act out of turn: to agree to an end (M25), or to hide units (OPT.V.C-e)."""
    if state.outcome or state.asked:
        return ()
    speakers = {find_other_side(state.stop)} if state.stop else set()
    return tuple(seat for seat in SEATS if seat in speakers or (seat == "human" and state.hideable_units))


def _refuse_player(state: State, seat: Seat) -> Iterator[Refusal]:
    """Yields a refusal for a seat that does not exist, or if the game is over."""
    if seat not in SEATS:
        yield Refusal("INTRO.II", f"there is no seat {seat!r} in this game, only {spell_number(len(SEATS))} players")
    elif state.outcome:
        yield Refusal("III.F-b", f"the game is over: {state.outcome.because}")
        if not state.is_alternate_scenario and state.turn == state.final_turn:
            yield Refusal("VII.B-a", f"the Basic Game has {spell_number(BASIC_TURNS)} Turns")
            yield Refusal("VII.B-b", f"boxes {BASIC_TURNS + 1} to {ALTERNATE_TURNS} belong to the Alternate Scenario")


def _refuse_other_player(state: State, due: Obligation) -> Iterator[Refusal]:
    yield Refusal(due.rule, due.words) if due.asks else refuse_out_of_turn(state)


def refuse_out_of_turn(state: State) -> Refusal:
    """Returns the refusal for the player who is not to move in this Phase."""
    rule = OTHER_PLAYER_RULES.get(state.phase, "III-b")
    return Refusal(rule, f"this is the other player's part of {PHASE_NAMES[state.phase]}")


ORDER = Order(find_obligation, _refuse_player, _refuse_other_player)


# Refusals of verbs in other Phases


def limit_check_to_turns(check: SeatCheck) -> LateCheck:
    """Returns a check that applies `check` once a Turn is under way. During the set-up and arrivals it yields nothing,
    because other refusals say more then.
    """
    return lambda state, seat, _action: (
        iter(()) if state.phase in (*PHASES_BEFORE_PLAY, "arrival") else check(state, seat)
    )


def make_phase_check(rule: str = "III-b", **rules: str) -> LateCheck:
    """Returns a check that refuses an action by the rule in `rules` for the current Phase, or else by `rule`."""
    return limit_check_to_turns(
        lambda state, _seat: iter((Refusal(rules.get(state.phase, rule), describe_phase(state)),))
    )


def allow_any_seat(_state: State, _seat: Seat) -> bool:
    """True for every seat, whoever is to move."""
    return True
