"""Invariants of every position that play can reach, each with its rule."""

from collections.abc import Callable, Iterator

from referee.engine.rulebook import Refusal
from referee.games.sheboygan.escorting import needs_fording
from referee.games.sheboygan.state import BURNT_OUT, State


def check_invariants(state: State) -> Iterator[Refusal]:
    """Yields a refusal for every rule by which play could not have led to a position."""
    for invariant in INVARIANTS:
        yield from invariant(state)


def _check_flames(state: State) -> Iterator[Refusal]:
    for box, age in state.flames.items():
        if box not in state.board.burnable_boxes:
            yield Refusal("11.25a", f"only buildings and parks can burn; {box} is a {_printed_terrain(state, box)} box")
        elif box in state.rubble and age != BURNT_OUT:
            yield Refusal("11.25b", f"{box} is rubble; it burns with R to the south, or not at all")


def _check_rubble(state: State) -> Iterator[Refusal]:
    for box in sorted(state.rubble):
        if _printed_terrain(state, box) == "bridge":
            yield Refusal("7.12a", f"{box} is a bridge and cannot be rubble; one that is gone stands among the ruins")
        elif _printed_terrain(state, box) in ("river", "tunnel"):
            yield Refusal("C61", f"{box} is a {_printed_terrain(state, box)} box and cannot be rubble")


def _check_ruins(state: State) -> Iterator[Refusal]:
    for box in sorted(state.ruins):
        if _printed_terrain(state, box) != "bridge":
            yield Refusal("7.12a", f"only a bridge ceases to exist; {box} is a {_printed_terrain(state, box)} box")


def _check_caught(state: State) -> Iterator[Refusal]:
    for unit in state.caught:
        if state.at[unit] not in state.webs:
            yield Refusal("13.22c", f"{unit} is caught in a web, but there is no web in {state.at[unit]}")


def _check_fording(state: State) -> Iterator[Refusal]:
    for unit in state.fording:
        if unit[0] != "i":
            yield Refusal("9.1a", f"only infantry fords, not {unit}")
        elif not needs_fording(state, state.at[unit]):
            yield Refusal("9.1a", f"{unit} is fording, and {state.at[unit]} is not a river box")


def _check_spent(state: State) -> Iterator[Refusal]:
    for unit, cost in state.spent.items():
        if cost > state.kind(unit).movement:
            yield Refusal("5.0g", f"{unit} cannot have spent {cost} of {state.kind(unit).movement} Movement Points")


def _printed_terrain(state: State, box: str) -> str:
    """Returns the terrain of a box as printed on the map, even if it is rubble now."""
    return state.board.boxes[box].terrain


INVARIANTS: tuple[Callable[[State], Iterator[Refusal]], ...] = (
    _check_flames,
    _check_rubble,
    _check_ruins,
    _check_caught,
    _check_fording,
    _check_spent,
)
"""The checks of a position, in order."""
