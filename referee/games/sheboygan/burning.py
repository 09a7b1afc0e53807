"""How fire spreads: which boxes it threatens, and what they need to catch it (11.22 to 11.25)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from referee.games.sheboygan.state import State
from referee.games.sheboygan.tables import Wind

HIGHEST = 6
"""A box next to one fire catches on this (11.22a)."""


def can_catch(state: State, box: str) -> bool:
    """Whether a box can be set on fire: a building or a park (11.25a) that is neither rubble (11.25b) nor on fire."""
    return box in state.board.burnable and box not in state.rubble and box not in state.flames


def threatened(state: State, wind: Wind) -> Mapping[str, int]:
    """The boxes that a die is rolled for, in the order of the map, and what each needs to catch fire.

    One less for every burning neighbour after the first (11.22b); one less downwind of one of them, however many
    (11.23a, C29); a fire straight across a street upwind counts as one more neighbour (11.24a, 11.24b, C28). Fires that
    were put out in this phase do not count, nor those that its rolls start (C54).
    """
    board, fires = state.board, Counter[str]()
    downwind: set[str] = set()
    for fire in state.flames:
        fires.update(board.neighbours[fire])
        if wind != "calm":
            downwind.update(board.on_side[wind][fire])
            fires.update(_across(state, fire, wind))
    exposed = sorted((box for box in fires if can_catch(state, box)), key=board.order.__getitem__)
    return {box: max(1, HIGHEST + 1 - fires[box] - (box in downwind)) for box in exposed}


def _across(state: State, fire: str, wind: Wind) -> tuple[str, ...]:
    """Boxes that a fire reaches across a street in this wind."""
    return () if wind == "calm" else state.board.boxes[fire].across(wind)
