"""Invariants of every position that play can reach, each with its rule."""

from collections.abc import Iterator

from referee.engine.rulebook import Invariant, Refusal
from referee.games.sheboygan.counters import STACKING_LIMIT
from referee.games.sheboygan.state import BURNT_OUT_AGE, SETUP_PHASES, State
from referee.games.sheboygan.terrain import find_entry_cost
from referee.games.sheboygan.towing_carrying_fording import needs_fording


def _check_monster(state: State) -> Iterator[Refusal]:
    if state.monster and state.phase in SETUP_PHASES:
        yield Refusal("3.2g", f"the monster cannot be in {state.monster} yet: it enters in its first Player-Turn")
    if state.monster is None and state.edge and not state.edge.known:
        yield Refusal("3.2g", 'the monster is not on the map: say where it is, as monster = "H09", or its edge = "N"')
    if state.turn and state.defense == 0 and not state.due:
        yield Refusal("12.0e", "a monster without defense is dead")
    if (
        state.monster
        and find_entry_cost(state.board, state.get_terrain(state.monster), state.get_movement_mode("m")) is None
    ):
        yield Refusal("5.11a", f"the monster on the ground cannot be in {state.monster}")


def _check_scores(state: State) -> Iterator[Refusal]:
    if state.points > state.scenario.victory_level:
        yield Refusal("14.1c", f"{state.points} Victory Points exceed the level of {state.scenario.victory_level}")
    if state.turn and not any(True for _ in state.human_units) and not state.hand:
        yield Refusal("14.1b", "the human player has no unit")


def _check_boxes(state: State) -> Iterator[Refusal]:
    for box, units in state.units_by_box.items():
        shut = [unit for unit in units if not _can_stand(state, unit, box)]
        if shut:
            yield Refusal("5.4i", f"{shut[0]} cannot be in {box}: {state.get_terrain(box)}")
        if state.count_stacking_units(box) > STACKING_LIMIT and state.phase != "human-move":
            yield Refusal("5.21b", f"{box} holds more than {STACKING_LIMIT} units that count")
        if box == state.monster and not state.aloft and state.list_humans_in(box):
            yield Refusal("5.22d", f"the monster on the ground is in {box} with {' '.join(state.list_humans_in(box))}")


def _can_stand(state: State, unit: str, box: str) -> bool:
    if unit in state.fording:
        return True
    return (
        box not in state.ruins
        and find_entry_cost(state.board, state.get_terrain(box), state.get_movement_mode(unit)) is not None
    )


def _check_flames(state: State) -> Iterator[Refusal]:
    for box, age in state.flames.items():
        if box not in state.board.burnable_boxes:
            yield Refusal(
                "11.25a", f"only buildings and parks can burn; {box} is a {_find_printed_terrain(state, box)} box"
            )
        elif box in state.rubble and age != BURNT_OUT_AGE:
            yield Refusal("11.25b", f"{box} is rubble; it burns with R to the south, or not at all")


def _check_rubble(state: State) -> Iterator[Refusal]:
    for box in sorted(state.rubble):
        if _find_printed_terrain(state, box) == "bridge":
            yield Refusal("7.12a", f"{box} is a bridge and cannot be rubble; one that is gone stands among the ruins")
        elif _find_printed_terrain(state, box) in ("river", "tunnel"):
            yield Refusal("C61", f"{box} is a {_find_printed_terrain(state, box)} box and cannot be rubble")


def _check_ruins(state: State) -> Iterator[Refusal]:
    for box in sorted(state.ruins):
        if _find_printed_terrain(state, box) != "bridge":
            yield Refusal("7.12a", f"only a bridge ceases to exist; {box} is a {_find_printed_terrain(state, box)} box")


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
        if cost > state.get_unit_type(unit).movement:
            yield Refusal(
                "5.0g", f"{unit} cannot have spent {cost} of {state.get_unit_type(unit).movement} Movement Points"
            )


def _find_printed_terrain(state: State, box: str) -> str:
    """Returns the terrain of a box as printed on the map, even if it is rubble now."""
    return state.board.boxes[box].terrain


INVARIANTS: tuple[Invariant[State], ...] = (
    _check_monster,
    _check_scores,
    _check_boxes,
    _check_flames,
    _check_rubble,
    _check_ruins,
    _check_caught,
    _check_fording,
    _check_spent,
)
"""The facts about a position, in the order in which they are told."""
