"""What who says something legal may have overlooked: it is asked about before it is recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.engine.event import Seat
from referee.engine.legal import Action, each_of
from referee.engine.text import count_of, listing
from referee.games.mutants.board import compact
from referee.games.mutants.doors import smash_offers
from referee.games.mutants.filling import Ready
from referee.games.mutants.moving import through_new_doors
from referee.games.mutants.sequence import End
from referee.games.mutants.state import State
from referee.games.mutants.status import PHASES
from referee.games.mutants.stopping import Stop

FEW = 4
"""Doors that are told by name."""
OPENS_NOTES = (
    "once both have said it, the notes of both stand in the log for everybody to read; referee resign, or referee "
    "finish with the other's consent, ends the game and keeps them sealed"
)


def overlooked(view: State, seat: Seat, action: Action) -> str | None:
    """What is left undone by who ends a Step, or his set-up; and what an end opens. None: nothing."""
    if isinstance(action, Stop) and view.is_hidden:
        return OPENS_NOTES
    if isinstance(action, Ready):
        return _not_walled(view, seat)
    look = _ENDS.get(view.phase) if isinstance(action, End) else None
    return look(view, seat) if look else None


def _not_walled(state: State, seat: Seat) -> str | None:
    """A few Walls that are left, where most are placed (II.B.1.a-a)."""
    left = state.walls_in_hand
    if seat != "human" or not 0 < left < len(state.walls):
        return None
    return f"{count_of(left, 'Wall is', 'Walls are')} not placed, and none can be later"


def _not_smashed(state: State, _seat: Seat) -> str | None:
    """A Step in which nobody attacks a door, though some could; and a few doors that nobody attacks from outside,
    where most were attacked (IV.B.2).
    """
    doors = dict.fromkeys(
        str(door) for choice in each_of(smash_offers(state, "mutant")) for door in choice.slots["door"]
    )
    if doors and not state.attempted:
        return f"nobody has attacked a door, though {_some(tuple(doors))} could be"
    outside = [door for door in doors if door.startswith("x")]
    if not 0 < len(outside) < len(state.attempted):
        return None
    return f"nobody has attacked {listing(outside, 'or')} from outside"


def _some(doors: tuple[str, ...]) -> str:
    """Doors by name while they are few."""
    return listing(doors) if len(doors) <= FEW else count_of(len(doors), "door")


def _not_moved(state: State, seat: Seat) -> str | None:
    """A movement in which nobody has moved: perhaps the Step before it was meant, which was passed over. And Mutants
    who stay before a door of this Turn, with a room beyond it.
    """
    mine = state.board.of_side[seat]
    if not any(unit in mine and not state.is_captive(unit) for unit in state.moved):
        return f"nobody has moved in {PHASES[state.phase]}, though somebody could"
    groups = through_new_doors(state) if state.phase == "move" else {}
    left = [f"{compact(units)} to {to}" for to, units in groups.items()]
    return f"through the doors of this Turn could still go {listing(left)}" if left else None


_ENDS: Mapping[str, Callable[[State, Seat], str | None]] = {
    "smash": _not_smashed,
    "move": _not_moved,
    "human-move": _not_moved,
}
