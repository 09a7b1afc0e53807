"""Plans the set-up for bots, one action after another (II.B).

The Human player makes the ways to the Tech Room long with Walls, and puts the best Janibots where the ways end. The
Mutant player puts as many Mutants as possible where the way is shortest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf

from referee.engine.caching import cache_latest
from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.games.mutants.board import Board
from referee.games.mutants.set_up_completion import PutRestByPlan, Ready
from referee.games.mutants.setting_up import (
    Put,
    list_rooms_without,
    list_squares_to_fill,
    map_leaders_by_direction,
    pick_units_of_kinds,
)
from referee.games.mutants.state import State
from referee.games.mutants.walls import MAX_ADJACENT_WALLS, PlaceWall, find_linked_walls, iterate_doors_free_for_walls
from referee.games.mutants.worth import measure_mutant_distances, rate_places_for_mutants

MIN_LENGTH_GAIN = 1e-6
"""The least gain in length, in rooms, for which ways count as longer."""


def find_planned_action(view: State, seat: Seat) -> Action | None:
    """Returns the next action of a seat's set-up; None if there is none, or if the set-up departs from the plan."""
    match view.phase, seat:
        case "setup-human", "human":
            return next(_plan_human_set_up(view))
        case "setup-mutant", "mutant":
            return next(_plan_mutant_set_up(view), None)
    return None


# The Human side


def _plan_human_set_up(view: State) -> Iterator[Action]:
    """Yields actions that place Walls, then Janibots, then all other units.

    The best Janibots go to the rooms from which Mutants have the shortest way to the Tech Room.
    """
    planned = plan_walls(view.board, len(view.walls) + view.wall_count_in_hand)
    yield from (PlaceWall(door) for door in iterate_doors_free_for_walls(view, planned))
    hand, ways = view.list_units_in_hand("human"), _measure_ways(view.board, view.walls)
    for unit in sorted(pick_units_of_kinds(view, hand, "janibot"), key=lambda unit: -view.board.units[unit].hit_number):
        yield Put((unit,), min(list_rooms_without(view, "janibot"), key=lambda room: ways.get(room, inf)))
    if hand:
        yield PutRestByPlan()
    if view.options["wall-count"] == "exactly":
        yield from map(PlaceWall, iterate_doors_free_for_walls(view))
    yield Ready()


@cache_latest
def plan_walls(board: Board, most: int) -> tuple[str, ...]:
    """Returns at most `most` doors for Walls, chosen to make the sum of all ways to the Tech Room long.

    The plan adds two adjacent Walls at a time, then adds or moves single ones, as long as that lengthens the ways.
    """

    def length(walls: frozenset[str]) -> float:
        return sum(_measure_ways(board, walls).values())

    walls = _lengthen_ways(frozenset(), lambda walls: _list_pairs_added(board, walls, most), length)
    walls = _lengthen_ways(walls, lambda walls: _list_walls_exchanged(board, walls, most), length)
    return tuple(sorted(walls))


def _measure_ways(board: Board, walls: frozenset[str]) -> Mapping[str, float]:
    """Returns the distance from each place to the Tech Room for Mutants, in rooms, if no door is smashed yet."""
    return measure_mutant_distances(board.passages, (board.tech_room,), walls, frozenset(), Counter())


def _lengthen_ways(
    walls: frozenset[str],
    changes: Callable[[frozenset[str]], Iterator[frozenset[str]]],
    length: Callable[[frozenset[str]], float],
) -> frozenset[str]:
    """Makes the best of the `changes` again and again, until none lengthens the ways. Returns the Walls after that."""
    while True:
        best = max(changes(walls), key=length, default=walls)
        if length(best) <= length(walls) + MIN_LENGTH_GAIN:
            return walls
        walls = best


def _list_pairs_added(board: Board, walls: frozenset[str], most: int) -> Iterator[frozenset[str]]:
    if len(walls) + 2 <= most:
        for door in _list_doors_open_to_walls(board, walls, board.doors_for_walls):
            one, joined = walls | {door}, board.adjoining_doors[door]
            beside = (other for other in board.doors_for_walls if other in joined and other > door)
            yield from (one | {other} for other in _list_doors_open_to_walls(board, one, beside))


def _list_walls_exchanged(board: Board, walls: frozenset[str], most: int) -> Iterator[frozenset[str]]:
    kept = [walls - {wall} for wall in sorted(walls)] + ([walls] if len(walls) < most else [])
    return (rest | {door} for rest in kept for door in _list_doors_open_to_walls(board, rest, board.doors_for_walls))


def _list_doors_open_to_walls(board: Board, walls: frozenset[str], among: Iterable[str]) -> Iterator[str]:
    """Yields the doors that can take a Wall under every reading of adjacency (II.B.1.a-f, M5).

    It is enough to check Walls that are joined through shared ends. Walls in one line, or on doors of one room, are
    always joined in this way too.
    """
    free = (door for door in among if door not in walls)
    return (door for door in free if len(find_linked_walls(board, door, walls | {door})) <= MAX_ADJACENT_WALLS)


# The Mutants


def _plan_mutant_set_up(view: State) -> Iterator[Action]:
    """Yields actions that put all spare Mutants in one square, then one Mutant in each other square.

    The spare Mutants go to the square with the shortest way to their goal.
    """
    hand, counted = view.list_units_in_hand("mutant"), rate_places_for_mutants(view, {})
    target = max(view.board.squares, key=lambda square: counted[square].other if square in counted else 0.0)
    others = pick_units_of_kinds(view, hand, "normal") + pick_units_of_kinds(view, hand, "radioactive")
    elsewhere = len([square for square in list_squares_to_fill(view) if square != target])
    if len(others) > elsewhere:
        leaders = () if target[1] in map_leaders_by_direction(view) else pick_units_of_kinds(view, hand, "leader")[:1]
        yield Put(view.board.sort_units((*leaders, *others[: len(others) - elsewhere])), target)
    if len(others) == elsewhere:
        yield PutRestByPlan() if hand else Ready()
