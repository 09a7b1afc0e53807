"""How a player sets up who plans, for bots: one action after another (II.B).

The Human player makes the ways to the Tech Room long with Walls, and puts the best Janibots where they end. The Mutant
player puts as many Mutants as he can where the way is shortest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf

from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.engine.once import latest
from referee.games.mutants.board import Board
from referee.games.mutants.filling import PutRest, Ready
from referee.games.mutants.setting_up import Put, empty_squares, free_rooms, led_sides, of_kind
from referee.games.mutants.state import State
from referee.games.mutants.walls import MOST_ADJACENT, PlaceWall, free_doors, linked
from referee.games.mutants.worth import counted_in, ways_to

LONGER = 1e-6
"""Rooms by which ways must be longer to be called so."""


def opening(view: State, seat: Seat) -> Action | None:
    """The next action of the set-up of a seat; None where nothing is set up, or not as planned."""
    match view.phase, seat:
        case "setup-human", "human":
            return next(_human_set_up(view))
        case "setup-mutant", "mutant":
            return next(_mutant_set_up(view), None)
    return None


# The Human side


def _human_set_up(view: State) -> Iterator[Action]:
    """Walls, then the Janibots, the best at the end of the ways that are left, then all others."""
    planned = wall_plan(view.board, len(view.walls) + view.walls_in_hand)
    yield from (PlaceWall(door) for door in free_doors(view, planned))
    hand, ways = view.unplaced("human"), _ways(view.board, view.walls)
    for unit in sorted(of_kind(view, hand, "janibot"), key=lambda unit: -view.board.units[unit].hit):
        yield Put((unit,), min(free_rooms(view, "janibot"), key=lambda room: ways.get(room, inf)))
    if hand:
        yield PutRest()
    if view.options["wall-count"] == "exactly":
        yield from map(PlaceWall, free_doors(view))
    yield Ready()


@latest
def wall_plan(board: Board, most: int) -> tuple[str, ...]:
    """Doors for so many Walls that make the ways to the Tech Room longest in all: two adjacent Walls at a time, then
    one more or one elsewhere, as long as that lengthens them.
    """

    def length(walls: frozenset[str]) -> float:
        return sum(_ways(board, walls).values())

    walls = _lengthened(frozenset(), lambda walls: _with_two_more(board, walls, most), length)
    walls = _lengthened(walls, lambda walls: _with_one_changed(board, walls, most), length)
    return tuple(sorted(walls))


def _ways(board: Board, walls: frozenset[str]) -> Mapping[str, float]:
    """Rooms from each place to the Tech Room for Mutants, doors counted in."""
    return ways_to(board.passages, (board.tech,), walls, frozenset(), Counter())


def _lengthened(
    walls: frozenset[str],
    changes: Callable[[frozenset[str]], Iterator[frozenset[str]]],
    length: Callable[[frozenset[str]], float],
) -> frozenset[str]:
    """Walls after every change that lengthens the ways, each the one that does so most."""
    while True:
        best = max(changes(walls), key=length, default=walls)
        if length(best) <= length(walls) + LONGER:
            return walls
        walls = best


def _with_two_more(board: Board, walls: frozenset[str], most: int) -> Iterator[frozenset[str]]:
    if len(walls) + 2 <= most:
        for door in _open_to_walls(board, walls, board.wallable):
            one, joined = walls | {door}, board.joined[door]
            beside = (other for other in board.wallable if other in joined and other > door)
            yield from (one | {other} for other in _open_to_walls(board, one, beside))


def _with_one_changed(board: Board, walls: frozenset[str], most: int) -> Iterator[frozenset[str]]:
    kept = [walls - {wall} for wall in sorted(walls)] + ([walls] if len(walls) < most else [])
    return (rest | {door} for rest in kept for door in _open_to_walls(board, rest, board.wallable))


def _open_to_walls(board: Board, walls: frozenset[str], among: Iterable[str]) -> Iterator[str]:
    """Those of some doors that can take a Wall however adjacency is read (II.B.1.a-f, M5): Walls in one line, or on
    doors of one room, are linked at their ends too.
    """
    free = (door for door in among if door not in walls)
    return (door for door in free if len(linked(board, door, walls | {door})) <= MOST_ADJACENT)


# The Mutants


def _mutant_set_up(view: State) -> Iterator[Action]:
    """All who are not needed elsewhere in the square with the shortest way, then one in each other square."""
    hand, counted = view.unplaced("mutant"), counted_in(view, {})
    target = max(view.board.squares, key=lambda square: counted[square].other if square in counted else 0.0)
    others = of_kind(view, hand, "normal") + of_kind(view, hand, "radioactive")
    elsewhere = len([square for square in empty_squares(view) if square != target])
    if len(others) > elsewhere:
        leaders = () if target[1] in led_sides(view) else of_kind(view, hand, "leader")[:1]
        yield Put(view.board.sorted((*leaders, *others[: len(others) - elsewhere])), target)
    if len(others) == elsewhere:
        yield PutRest() if hand else Ready()
