"""Decides who wins: by units in the Tech Room after Turn 10 (VIII), or by Mutants out of the building (OPT.VI.E)."""

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from referee.engine.event import Event, Outcome, Script, Seat, rank_seats
from referee.games.mutants.announcements import QuestionAsked
from referee.games.mutants.board import HUMAN_KINDS, SMASHER_KINDS, DoorNames, Place, Side
from referee.games.mutants.options import SEATS
from referee.games.mutants.state import Question, State, UnitId, UnitIds, find_other_side

MUTANT_KINDS = ("leader", *SMASHER_KINDS)


class NotesDisclosed(Event, frozen=True, tag="disclosed"):
    """At the end of a game with Hidden Movement, a side has laid its notes open."""

    told = "The {side} player's notes are open to everybody now."
    tells = True
    side: Side
    units: Annotated[tuple[tuple[UnitId, Place], ...], Meta(max_length=100)]
    """The places of all units of the side."""
    walls: DoorNames = ()
    """All Walls, from the Human player."""
    gone: UnitIds = ()
    """From the Mutant player: all Mutants that have died."""
    pool: UnitIds = ()
    exited: UnitIds = ()
    escape: Literal["none", "mutant", "penny"] = "none"

    def apply(self, state: State) -> State:
        """Makes the notes public."""
        state = replace(state, at=state.board.find_places_after_move(state.at, dict(self.units)), asked=None)
        if self.side == "human":
            return replace(state, walls=state.walls.union(self.walls))
        gone, exited = state.gone.union(self.gone), frozenset(self.exited)
        return replace(state, gone=gone, pool=self.pool, exited=exited, escape=self.escape)


class GameEnded(Event, frozen=True, tag="ended"):
    """The game is over."""

    told = "Game over: {outcome.because}."
    outcome: Outcome

    def apply(self, state: State) -> State:
        """Closes the game. Nothing is secret any more (INTRO.IV.E, IV.A.7-b)."""
        if state.has_hidden_movement:
            nobody: frozenset[str] = frozenset()
            state = replace(state, attempted=nobody, used=nobody, failed=nobody, opened=frozenset(), arrived=nobody)
            state = replace(state, moved={}, faded=nobody, asked=None, pending=None, unknown=None)
        return replace(state, phase="over", outcome=self.outcome, combat=None)


# The result


def decide_outcome(state: State) -> Outcome:
    """Returns the result if the game ended now (VIII-a)."""
    level = find_victory_level(state)
    winners: tuple[Seat, ...] = () if level == "draw" else ("human",) if "Human" in level else ("mutant",)
    tech = state.board.tech_room
    scores = (("human", state.count_units(tech, *HUMAN_KINDS)), ("mutant", state.count_units(tech, *MUTANT_KINDS)))
    return Outcome(rank_seats(winners, SEATS), scores, f"{level}: {_describe_reason(state)}")


def find_victory_level(state: State) -> str:
    """Returns the level of victory that the victory check would give now."""
    return _find_alternate_level(state) if state.is_alternate_scenario else _find_basic_level(state)


def end_game_if_decided(state: State) -> Script[State]:
    """Ends the game at once if a Mutant has left with Penny, because that victory is final (OPT.VI.E.1, M25, M54)."""
    if state.escape == "penny":
        state = yield from end_game(state, "mutant")
    return state


def end_game(state: State, side: Seat) -> Script[State]:
    """Ends the game by an action of this side. The victory check gives the result.

    With Hidden Movement the result needs the notes of both sides: this side lays its own open, and the other is asked.
    """
    if not state.has_hidden_movement:
        return (yield GameEnded(decide_outcome(state)))
    yield make_disclosure(state, side)
    return (yield QuestionAsked(Question(find_other_side(side), ending=True)))


def make_disclosure(state: State, side: Seat) -> NotesDisclosed:
    """Returns the event that lays open everything a side has noted in secret."""
    mine = state.board.units_by_side[side]
    units = tuple((unit, place) for unit, place in state.at.items() if unit in mine)
    if side == "human":
        return NotesDisclosed("human", units, tuple(sorted(state.walls)))
    gone, exited = (state.board.sort_units(each & mine) for each in (state.gone, state.exited))
    return NotesDisclosed("mutant", units, (), gone, state.pool, exited, state.escape)


def _find_basic_level(state: State) -> str:
    """Returns the highest level that is met (M39). Only control of the Tech Room counts (VIII-b, INTRO.III-b)."""
    tech = state.board.tech_room
    if state.count_units(tech, "tech") >= 1 and state.count_units(tech, "guard") >= 3:
        return "decisive Human victory"  # VIII.A
    if state.count_units(tech, *HUMAN_KINDS) >= 2:
        return "marginal Human victory"  # VIII.B
    if state.count_units(tech, "leader") >= 1 and state.count_units(tech, *SMASHER_KINDS) >= 3:
        return "decisive Mutant victory"  # VIII.C
    if state.count_units(tech, *MUTANT_KINDS) >= 2:
        return "marginal Mutant victory"  # VIII.D
    return "draw"  # VIII.E, and for a lone unit too (M17)


def _find_alternate_level(state: State) -> str:
    """Returns the result of the Alternate Scenario. The draw is a special case of a Human victory (M18)."""
    if state.escape == "penny":
        return "decisive Mutant victory"  # OPT.VI.E.1
    if state.escape == "mutant":
        return "marginal Mutant victory"  # OPT.VI.E.2, OPT.VI.E.NOTE-b
    return "draw" if state.captive else "Human victory"  # OPT.VI.E.4, OPT.VI.E.3


def _describe_reason(state: State) -> str:
    if state.is_alternate_scenario:
        out = {"none": "no Mutant has left the building", "mutant": "a Mutant has left the building"}
        held = ", Penny is a captive" if state.captive else ""
        return out.get(state.escape, "a Mutant has left the building with Penny") + held
    units = state.units_by_place.get(state.board.tech_room, ())
    return f"in the Tech Room: {' '.join(units) or 'nobody'}"
