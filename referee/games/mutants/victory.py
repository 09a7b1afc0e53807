"""Who wins: what stands in the Tech Room after Turn 10 (VIII), or who got out of the building (OPT.VI.E)."""

from __future__ import annotations

from referee.engine.game import Outcome, Seat
from referee.games.mutants.board import HUMAN_UNITS, SMASHERS
from referee.games.mutants.state import State

MUTANTS = ("leader", *SMASHERS)


def outcome_of(state: State) -> Outcome:
    """The result if the game ended now (VIII-a)."""
    level = alternate_level(state) if state.alternate else basic_level(state)
    winners: tuple[Seat, ...] = () if level == "draw" else ("human",) if "Human" in level else ("mutant",)
    tech = state.board.tech
    scores = (("human", state.count(tech, *HUMAN_UNITS)), ("mutant", state.count(tech, *MUTANTS)))
    return Outcome(winners, scores, f"{level}: {_because(state)}")


def basic_level(state: State) -> str:
    """The highest level that is met (M39): control of the Tech Room is all that counts (VIII-b, INTRO.III-b)."""
    tech = state.board.tech
    if state.count(tech, "tech") >= 1 and state.count(tech, "guard") >= 3:
        return "decisive Human victory"  # VIII.A
    if state.count(tech, *HUMAN_UNITS) >= 2:
        return "marginal Human victory"  # VIII.B
    if state.count(tech, "leader") >= 1 and state.count(tech, *SMASHERS) >= 3:
        return "decisive Mutant victory"  # VIII.C
    if state.count(tech, *MUTANTS) >= 2:
        return "marginal Mutant victory"  # VIII.D
    return "draw"  # VIII.E, and for a lone unit too (M17)


def alternate_level(state: State) -> str:
    """The result of the Alternate Scenario; the draw is the special case of a Human victory (M18)."""
    if state.escape == "penny":
        return "decisive Mutant victory"  # OPT.VI.E.1
    if state.escape == "mutant":
        return "marginal Mutant victory"  # OPT.VI.E.2, OPT.VI.E.NOTE-b
    return "draw" if state.captive else "Human victory"  # OPT.VI.E.4, OPT.VI.E.3


def _because(state: State) -> str:
    if state.alternate:
        out = {"none": "no Mutant has left the building", "mutant": "a Mutant has left the building"}
        held = ", Penny is a captive" if state.captive else ""
        return out.get(state.escape, "a Mutant has left the building with Penny") + held
    units = state.standing.get(state.board.tech, ())
    return f"in the Tech Room: {' '.join(units) or 'nobody'}"
