"""Warnings about legal actions that look like a slip. The referee asks before it records such an action."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.legal import expand_choices
from referee.engine.text import count_of, listing
from referee.games.mutants.agreed_end import Stop
from referee.games.mutants.board import compact_names
from referee.games.mutants.doors import offer_doors_to_smash
from referee.games.mutants.moving import find_moves_through_new_doors
from referee.games.mutants.sequence import EndStep
from referee.games.mutants.set_up_completion import Ready
from referee.games.mutants.state import State
from referee.games.mutants.status import PHASE_NAMES

MAX_DOORS_NAMED = 4
"""The most doors that a warning names one by one."""
NOTES_WARNING = (
    "after both players type stop, everybody can read their secret notes in the log; to keep them sealed, type "
    "referee resign, or referee finish with the other player's consent"
)


def find_slip_warning(view: State, seat: Seat, action: Action) -> str | None:
    """Returns a warning about a likely slip at the end of a Step or of the set-up, or before notes are laid open. None
    if there is none.
    """
    if isinstance(action, Stop) and view.has_hidden_movement:
        return NOTES_WARNING
    if isinstance(action, Ready):
        return _find_walls_left(view, seat)
    look = _ENDS.get(view.phase) if isinstance(action, EndStep) else None
    return look(view, seat) if look else None


def _find_walls_left(state: State, seat: Seat) -> str | None:
    """Returns a warning if a few Walls are left although most are placed (II.B.1.a-a)."""
    left = state.wall_count_in_hand
    if seat != "human" or not 0 < left < len(state.walls):
        return None
    return f"{count_of(left, 'Wall is', 'Walls are')} not placed, and you cannot place them later"


def _find_doors_left(state: State, _seat: Seat) -> str | None:
    """Returns a warning if no door was attacked though one could be, or if a few outer doors were left out (IV.B.2)."""
    doors = dict.fromkeys(
        str(door) for choice in expand_choices(offer_doors_to_smash(state, "mutant")) for door in choice.slots["door"]
    )
    if doors and not state.attempted:
        return f"you have attacked no door, though you could attack {_describe_doors(tuple(doors))}"
    outside = [door for door in doors if door.startswith("x")]
    if not 0 < len(outside) < len(state.attempted):
        return None
    return f"you have not attacked {listing(outside, 'or')} from outside"


def _describe_doors(doors: tuple[str, ...]) -> str:
    """Returns doors by name if they are few, else their number."""
    return listing(doors) if len(doors) <= MAX_DOORS_NAMED else count_of(len(doors), "door")


def _find_units_left(state: State, seat: Seat) -> str | None:
    """Returns a warning if no unit has moved, or if Mutants could still go through a door of this Turn.

    A player who has moved nothing may have meant to end the Step before, which was skipped because nothing could be
    done.
    """
    mine = state.board.units_by_side[seat]
    if not any(unit in mine and not state.is_captive(unit) for unit in state.moved):
        return f"you have moved nobody in {PHASE_NAMES[state.phase]}, though you could"
    groups = find_moves_through_new_doors(state) if state.phase == "move" else {}
    left = [f"{compact_names(units)} to {to}" for to, units in groups.items()]
    return f"these units could still go through the doors of this Turn: {listing(left)}" if left else None


_ENDS: Mapping[str, Callable[[State, Seat], str | None]] = {
    "smash": _find_doors_left,
    "move": _find_units_left,
    "human-move": _find_units_left,
}
