"""The views of a game with Hidden Movement (OPT.V): what each player sees, and which actions are noted in secret.

The state is the truth, and a view is the part that one seat may know. Views replace the secret notes that players keep
on photocopies (OPT.V.A, M59), and hold the facts that both were told.
"""

from collections.abc import Container, Mapping
from typing import Any

from msgspec.structs import replace

from referee.engine.choice import Action
from referee.engine.event import Event, Seat
from referee.games.mutants.board import Side
from referee.games.mutants.options import SEATS
from referee.games.mutants.phases import MUTANT_MOVEMENT_STEPS
from referee.games.mutants.state import State, find_other_side, find_side

NO_UNITS: frozenset[str] = frozenset()
MUTANT_SECRETS: Mapping[str, Any] = {
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
"""The fields that only the Mutant player knows, with the values that others see. Failed attempts are not told (M58)."""
DISCLOSED_FIELDS = ("pool", "exited", "escape")
"""The fields of MUTANT_SECRETS that the Mutant player lays open when the game is about to end."""
UNDISCLOSED_SECRETS = {name: unseen for name, unseen in MUTANT_SECRETS.items() if name not in DISCLOSED_FIELDS}
"""The other fields of MUTANT_SECRETS. They stay secret even when the Mutant player lays notes open."""


# Views


def make_view(state: State, seat: Seat | None) -> State:
    """Returns what a seat may know of a state. `seat` is None for a spectator.

    Without Hidden Movement, and when the game is over, everything is in plain view (INTRO.IV.E, IV.A.7-b).
    """
    if not state.has_hidden_movement or state.outcome:
        return state
    if seat not in state.views:
        state.views[seat] = _make_partial_view(state, find_side(seat) if seat in SEATS else None)
    return state.views[seat]


def keep_other_views(before: State, after: State, seat: Seat, view: State) -> None:
    """Gives the state `after` a secret action of `seat` the views that the other seats had `before` it.

    The new view of `seat` itself is `view`.
    """
    after.views.update(before.views)
    after.views[seat] = view


def _make_partial_view(state: State, own: Side | None) -> State:
    """Returns the view of a side, or of a spectator if `own` is None.

    It holds what everybody knows, the side's own notes, and notes that the other side has laid open at the end.
    """
    disclosed = list_disclosed_sides(state)
    known, of_side = (own, *disclosed), state.board.units_by_side
    others = NO_UNITS.union(*[of_side[side] for side in of_side if side not in known])
    at = state.find_places_after_removing(others - state.units_in_plain_view)
    gone = state.gone if "mutant" in known or not state.faded else state.gone - state.faded
    secret = of_side[own] & state.unknown if own and state.unknown else NO_UNITS
    return replace(
        state,
        at=at,
        gone=gone,
        walls=state.walls if "human" in known else state.walls.intersection(state.told.walls),
        moved=_find_known_moves(state, own) if state.moved else state.moved,
        unknown=others.union(secret).difference(at, gone),
        **({} if own == "mutant" else UNDISCLOSED_SECRETS if "mutant" in disclosed else MUTANT_SECRETS),
    )


def list_disclosed_sides(state: State) -> tuple[Side, ...]:
    """Returns the side that has laid its notes open because the game is about to end; empty if none has."""
    return (find_other_side(state.asked.of),) if state.asked and state.asked.ending else ()


def find_visible_units(state: State, sides: Container[Side | None]) -> frozenset[str]:
    """Returns the units of these sides, and those that everybody sees."""
    of_side = state.board.units_by_side
    return state.units_in_plain_view.union(*[of_side[side] for side in of_side if side in sides])


def _find_known_moves(state: State, own: Side | None) -> Mapping[str, str]:
    """Returns the units of a side that have moved, each with the place it came from.

    While Mutants move, the captive Penny counts for both sides, because everybody sees her go.
    """
    led = own == "mutant" and state.captive and state.phase in MUTANT_MOVEMENT_STEPS
    movers = state.board.units_by_side[own] if own else NO_UNITS
    if led:
        movers |= {"penny"}
    if movers.issuperset(state.moved):
        return state.moved
    return {unit: place for unit, place in state.moved.items() if unit in movers}


# Secret actions


class SecretlyNotedAction(Action, frozen=True):
    """An action that is noted in secret: both set-ups (OPT.V.B-a, OPT.V.B-b, OPT.V.B-c), and moves out of sight.

    Everybody sees how many such actions a player makes (M65).
    """

    @property
    def is_noted_secretly(self) -> bool:
        """True if this action is noted in secret."""
        return True


class UnnoticedEvent(Event, frozen=True):
    """An event that the other player does not see. That player learns only its effects, by `FactsAnnounced`."""


def is_secret(action: Action) -> bool:
    """True if an action is noted in secret."""
    return isinstance(action, SecretlyNotedAction) and action.is_noted_secretly
