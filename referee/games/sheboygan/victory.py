"""Victory Points, and how a game ends (14.1); what boxes score stands in the Terrain Effects Chart (14.1g)."""

from __future__ import annotations

from collections.abc import Iterable

from referee.engine.event import Outcome, Seat, ranked
from referee.games.sheboygan.options import CREATURE, HUMAN, SEATS
from referee.games.sheboygan.state import Cause, Fall, State

POPULACE = 5
"""Victory Points for a populace unit (14.1e)."""
BY_MONSTER: frozenset[Cause] = frozenset(("attack", "treason", "overrun", "bridge", "grabbed", "flames", "crushed"))
"""What the monster destroys units by, as far as a group holds it to that (C6)."""


def worth(state: State, units: Iterable[str], cause: Cause) -> int:
    """Victory Points for eliminated units (14.1e, 14.1f), whatever removed them, once each (C6, C7, C33)."""
    option = state.options["losses-score"]
    if (option == "no-suicide" and cause == "suicide") or (option == "by-monster" and cause not in BY_MONSTER):
        return 0
    return sum(POPULACE if unit[0] == "c" else state.kind(unit).strength for unit in units)


def ending(state: State) -> Outcome | None:
    """How the game ends now, if it does (14.1a to 14.1d, C8, C72)."""
    if not state.turn:
        return None
    if not state.hand and not any(True for _ in state.humans):
        return _won(state, CREATURE, "no human unit is left")
    level = state.scenario.level
    if state.points > level:
        return _won(state, CREATURE, f"{state.points} Victory Points are more than {level}")
    if state.defense == 0 and not any(isinstance(due, Fall) for due in state.due):
        return _dead(state, level)
    return None


def _dead(state: State, level: int) -> Outcome:
    """The monster is dead: its points are compared with the level (14.1d)."""
    if state.points == level and state.options["dead-monster"] == "compared":
        because = f"a draw: the monster is dead and has {level} Victory Points, the monster victory level"
        return Outcome((SEATS,), (), because)
    return _won(state, HUMAN, f"the monster is dead, and {state.points} Victory Points are not more than {level}")


def given_up(state: State, seat: Seat) -> Outcome:
    """The result when a player gives up (C81)."""
    other = CREATURE if seat == HUMAN else HUMAN
    return _won(state, other, f"the {seat} player gives up")


def _won(state: State, seat: Seat, why: str) -> Outcome:
    scores = ((CREATURE, state.points),)
    return Outcome(ranked((seat,), SEATS), scores, f"the {seat} player wins: {why}")
