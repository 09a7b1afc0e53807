"""Who wins: what stands in the Tech Room after Turn 10 (VIII), or who got out of the building (OPT.VI.E)."""

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event, Outcome, Script, Seat, ranked
from referee.games.mutants.board import HUMAN_UNITS, SMASHERS, Doors, Place, Side
from referee.games.mutants.options import SEATS
from referee.games.mutants.state import Question, State, UnitId, UnitIds, other_side
from referee.games.mutants.telling import Asked

MUTANTS = ("leader", *SMASHERS)


class Disclosed(Event, frozen=True, tag="disclosed"):
    """At the end of a game with Hidden Movement a side lays its notes open."""

    told = "The {side} player's notes lie open."
    tells = True
    side: Side
    units: Annotated[tuple[tuple[UnitId, Place], ...], Meta(max_length=100)]
    """Where all its units are."""
    walls: Doors = ()
    """All Walls, from the Human player."""
    gone: UnitIds = ()
    """From the Mutant player: all that have died."""
    pool: UnitIds = ()
    exited: UnitIds = ()
    escape: Literal["none", "mutant", "penny"] = "none"

    def apply(self, state: State) -> State:
        """Everybody knows it now."""
        state = replace(state, at=state.board.put(state.at, dict(self.units)), asked=None)
        if self.side == "human":
            return replace(state, walls=state.walls.union(self.walls))
        gone, exited = state.gone.union(self.gone), frozenset(self.exited)
        return replace(state, gone=gone, pool=self.pool, exited=exited, escape=self.escape)


class Ended(Event, frozen=True, tag="ended"):
    """The game is over."""

    told = "Game over: {outcome.because}."
    outcome: Outcome

    def apply(self, state: State) -> State:
        """Close the game; nothing more is played, and nothing is a secret any more (INTRO.IV.E, IV.A.7-b)."""
        if state.is_hidden:
            nobody: frozenset[str] = frozenset()
            state = replace(state, attempted=nobody, used=nobody, failed=nobody, opened=frozenset(), arrived=nobody)
            state = replace(state, moved={}, faded=nobody, asked=None, pending=None, unknown=None)
        return replace(state, phase="over", outcome=self.outcome, combat=None)


# The result


def outcome_of(state: State) -> Outcome:
    """The result if the game ended now (VIII-a)."""
    level = level_of(state)
    winners: tuple[Seat, ...] = () if level == "draw" else ("human",) if "Human" in level else ("mutant",)
    tech = state.board.tech
    scores = (("human", state.count(tech, *HUMAN_UNITS)), ("mutant", state.count(tech, *MUTANTS)))
    return Outcome(ranked(winners, SEATS), scores, f"{level}: {_because(state)}")


def level_of(state: State) -> str:
    """What the victory check would say now."""
    return _alternate_level(state) if state.alternate else _basic_level(state)


def end_if_decided(state: State) -> Script[State]:
    """A Mutant that has left with Penny has won for good, so the game ends at once (OPT.VI.E.1, M25, M54)."""
    if state.escape == "penny":
        state = yield from finish(state, "mutant")
    return state


def finish(state: State, side: Seat) -> Script[State]:
    """The game is over by a play of this side, and the result is what the victory check says.

    With Hidden Movement it takes the notes of both: this side lays its own open, and the other is asked for its.
    """
    if not state.is_hidden:
        return (yield Ended(outcome_of(state)))
    yield disclosed(state, side)
    return (yield Asked(Question(other_side(side), ending=True)))


def disclosed(state: State, side: Seat) -> Disclosed:
    """All that a side has noted in secret."""
    mine = state.board.of_side[side]
    units = tuple((unit, place) for unit, place in state.at.items() if unit in mine)
    if side == "human":
        return Disclosed("human", units, tuple(sorted(state.walls)))
    gone, exited = (state.board.sorted(each & mine) for each in (state.gone, state.exited))
    return Disclosed("mutant", units, (), gone, state.pool, exited, state.escape)


def _basic_level(state: State) -> str:
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


def _alternate_level(state: State) -> str:
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
    units = state.crowds.get(state.board.tech, ())
    return f"in the Tech Room: {' '.join(units) or 'nobody'}"
