"""Views: what each player may know in a game with Hidden Movement (OPT.V).

The state is the truth, and a view is as much of it as one seat may know: the notes that each player keeps in secret in
place of the photocopies (OPT.V.A, M59), and what was told to both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from referee.engine.event import Seat
from referee.games.mutants.board import Side
from referee.games.mutants.state import MUTANT_MOVEMENT, State, other_side

OF_MUTANTS: Mapping[str, Any] = {
    "pool": (),
    "attempted": frozenset(),
    "used": frozenset(),
    "failed": frozenset(),
    "opened": frozenset(),
    "arrived": frozenset(),
    "exited": frozenset(),
    "escape": "none",
    "faded": frozenset(),
    "pending": None,
}
"""What only the Mutant player knows, as all others see it: nothing is told of attempts that fail (M58)."""
DISCLOSED = ("pool", "exited", "escape")
"""What of this the Mutant player tells when the game is about to end."""


def view(state: State, seat: Seat | None) -> State:
    """What a seat may know; None: a spectator.

    Without Hidden Movement, and when the game is over, everything is in plain view (INTRO.IV.E, IV.A.7-b).
    """
    if not state.is_hidden or state.outcome:
        return state
    side: Side | None = "human" if seat == "human" else "mutant" if seat == "mutant" else None
    return _partial(state, side)


def _partial(state: State, own: Side | None) -> State:
    """The notes of a side, and those that the other has laid open when the game is about to end."""
    disclosed = other_side(state.asked.of) if state.asked and state.asked.ending else None
    known, board = {own, disclosed}, state.board
    mine: frozenset[str] = board.of_side[own] if own else frozenset()
    opened: frozenset[str] = board.of_side[disclosed] if disclosed else frozenset()
    visible = mine | opened | state.in_plain_view
    at = {unit: place for unit, place in state.at.items() if unit in visible}
    gone = state.gone if "mutant" in known else state.gone - state.faded
    missing = board.units.keys() - at.keys() - gone
    movers = _movers(state, own)
    told = DISCLOSED if disclosed == "mutant" else ()
    return replace(
        state,
        at=at,
        gone=gone,
        walls=state.walls if "human" in known else state.walls.intersection(state.told.walls),
        moved={unit: place for unit, place in state.moved.items() if unit in movers},
        unknown=frozenset((missing - mine) | (missing & (state.unknown or frozenset()))) - opened,
        **({} if own == "mutant" else {name: OF_MUTANTS[name] for name in OF_MUTANTS if name not in told}),
    )


def _movers(state: State, own: Side | None) -> frozenset[str]:
    """Units of which a side knows whether they have moved: its own; while they move, their captive goes with Mutants.

    Everybody sees her go, so the Human player knows it too.
    """
    if own is None:
        return frozenset()
    led = own == "mutant" and state.captive and state.phase in MUTANT_MOVEMENT
    return state.board.of_side[own] | {"penny"} if led else state.board.of_side[own]
