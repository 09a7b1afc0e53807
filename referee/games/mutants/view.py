"""Who knows what in a game with Hidden Movement (OPT.V): what each player sees, and what is noted in secret.

The state is the truth, and a view is as much of it as one seat may know: the notes that each player keeps in secret in
place of the photocopies (OPT.V.A, M59), and what was told to both.
"""

from collections.abc import Container, Mapping
from typing import Any

from msgspec.structs import replace

from referee.engine.event import Event, Seat
from referee.engine.legal import Action
from referee.games.mutants.board import Side
from referee.games.mutants.options import SEATS
from referee.games.mutants.state import MUTANT_MOVEMENT, State, other_side, side_of

NOBODY: frozenset[str] = frozenset()
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
UNDISCLOSED = {name: unseen for name, unseen in OF_MUTANTS.items() if name not in DISCLOSED}
"""What he does not tell even then."""


# What a seat sees


def view(state: State, seat: Seat | None) -> State:
    """What a seat may know; None: a spectator.

    Without Hidden Movement, and when the game is over, everything is in plain view (INTRO.IV.E, IV.A.7-b).
    """
    if not state.is_hidden or state.outcome:
        return state
    if seat not in state.views:
        state.views[seat] = _partial(state, side_of(seat) if seat in SEATS else None)
    return state.views[seat]


def unseen(before: State, after: State, seat: Seat, view: State) -> None:
    """Keep what everybody sees after a play of which only this seat has seen anything, and which leads to this view."""
    after.views.update(before.views)
    after.views[seat] = view


def _partial(state: State, own: Side | None) -> State:
    """The notes of a side, and those that the other has laid open when the game is about to end."""
    disclosed = disclosed_by(state)
    known, of_side = (own, *disclosed), state.board.of_side
    others = NOBODY.union(*[of_side[side] for side in of_side if side not in known])
    at = state.take_off(others - state.in_plain_view)
    gone = state.gone if "mutant" in known or not state.faded else state.gone - state.faded
    secret = of_side[own] & state.unknown if own and state.unknown else NOBODY
    return replace(
        state,
        at=at,
        gone=gone,
        walls=state.walls if "human" in known else state.walls.intersection(state.told.walls),
        moved=_moved(state, own) if state.moved else state.moved,
        unknown=others.union(secret).difference(at, gone),
        **({} if own == "mutant" else UNDISCLOSED if "mutant" in disclosed else OF_MUTANTS),
    )


def disclosed_by(state: State) -> tuple[Side, ...]:
    """The side that has laid its notes open, because the game is about to end."""
    return (other_side(state.asked.of),) if state.asked and state.asked.ending else ()


def visible_to(state: State, sides: Container[Side | None]) -> frozenset[str]:
    """The units of these sides, and those that everybody sees."""
    of_side = state.board.of_side
    return state.in_plain_view.union(*[of_side[side] for side in of_side if side in sides])


def _moved(state: State, own: Side | None) -> Mapping[str, str]:
    """Units of which a side knows whether they have moved: its own; while they move, their captive goes with Mutants.

    Everybody sees her go, so the Human player knows it too.
    """
    led = own == "mutant" and state.captive and state.phase in MUTANT_MOVEMENT
    movers = state.board.of_side[own] if own else NOBODY
    if led:
        movers |= {"penny"}
    if movers.issuperset(state.moved):
        return state.moved
    return {unit: place for unit, place in state.moved.items() if unit in movers}


# What is noted in secret


class Noted(Action, frozen=True):
    """What is noted in secret: both set-ups (OPT.V.B-a, OPT.V.B-b, OPT.V.B-c), and what units do out of sight.

    How many such plays a player makes is in plain view (M65).
    """

    @property
    def is_noted(self) -> bool:
        """Whether this one is."""
        return True


class Unnoticed(Event, frozen=True):
    """What comes of it that the other player does not see: he is told of its effects only (`Announced`)."""


def is_secret(action: Action) -> bool:
    """Whether an action is noted in secret."""
    return isinstance(action, Noted) and action.is_noted
