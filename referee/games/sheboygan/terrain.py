"""The boxes where pieces can stand and go: terrain and its costs (5.0, 5.1, chart 5.4), and the ways open to units now.

On a map with given obstacles, a unit's destinations depend only on its box and its Movement Points. So they are
computed once for all states with the same obstacles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

from referee.engine.slots import OneOf
from referee.games.sheboygan.board import Board
from referee.games.sheboygan.counters import MONSTER

T = TypeVar("T")
MovementMode = Literal["ground", "armour", "helicopter", "fireboat", "monster", "digger", "flier"]
"""The way in which a piece moves. A digger is a monster on the ground that may not go through the tunnel (C22)."""
MOVEMENT_MODES: Mapping[str, MovementMode] = {"t": "armour", "g": "armour", "h": "helicopter", "b": "fireboat"}
"""The movement modes of units by their letters; all others go over the ground."""
FLYING_MODES: tuple[MovementMode, ...] = ("helicopter", "flier")
"""The movement modes that pay 1 Movement Point for any box."""
NO_BOXES: frozenset[str] = frozenset()
MAX_CACHED_RESULTS = 4_000
"""The most results in the cache of a map. A full cache is emptied."""
MAX_CACHED_PATHFINDERS = 8
"""The most pathfinders in the cache of a map: about as many as one turn needs."""


# What boxes cost


def find_entry_cost(board: Board, terrain: str, mode: MovementMode) -> int | None:
    """Returns the Movement Points for entering this terrain (5.0f); None if it is impassable (5.11a to 5.13b, 5.4i).

    Rubble is open to all on the ground (5.11d, 7.11b). Helicopters and fliers pay 1 for any box (5.12a, 8.0f, 13.28b),
    the tunnel included (C66), whether it burns or not (5.12b).
    """
    effect = board.tables.terrain[terrain]
    if mode in FLYING_MODES:
        return 1
    if mode == "digger":
        return None if terrain == "tunnel" or not effect.monster else effect.mp
    return effect.mp if getattr(effect, mode) else None


def compute_once_for_board(work: Callable[..., Mapping[str, T]], board: Board, *given: Any) -> Mapping[str, T]:
    """Returns the result of `work` for a map and other arguments, from the cache of the map if it is there."""
    key = (work, *given)
    found: Mapping[str, T] | None = board.rule_cache.get(key)
    return _store_result(board, key, work(board, *given)) if found is None else found


def _store_result(board: Board, key: Any, found: Mapping[str, T]) -> Mapping[str, T]:
    """Puts a result into the cache of a map, and returns it."""
    if len(board.rule_cache) > MAX_CACHED_RESULTS:
        board.rule_cache.clear()
    board.rule_cache[key] = found
    return found


def find_entry_costs(
    board: Board, rubble: frozenset[str], ruins: frozenset[str], mode: MovementMode
) -> Mapping[str, int]:
    """Returns the passable boxes for a movement mode, each with its cost, on a map with this rubble.

    The bridges `ruins` are gone. They are passable for nobody (7.12a). The river boxes below them remain (5.14i).
    """
    return compute_once_for_board(_compute_costs, board, rubble, ruins, mode)


def _compute_costs(
    board: Board, rubble: frozenset[str], ruins: frozenset[str], mode: MovementMode
) -> Mapping[str, int]:
    prices = {terrain: find_entry_cost(board, terrain, mode) for terrain in board.tables.terrain}
    found = {
        box: prices["rubble" if box in rubble else place.terrain]
        for box, place in board.boxes.items()
        if box not in ruins
    }
    return {box: cost for box, cost in found.items() if cost is not None}


def explain_impassable(piece: str, box: str, terrain: str, *, gone: bool) -> tuple[str, str]:
    """Returns the rule by which a box is closed to a piece, and the reason as a clause.

    `gone` is True for a bridge that does not exist any more.
    """
    closed = f"closed to {'the monster' if piece == MONSTER else piece}"
    if gone:
        rule = "7.12a" if piece[0] == "i" or piece == MONSTER else "5.14h"
        return rule, f"the bridge {box} does not exist any more"
    if terrain in ("low", "high"):
        rule = {MONSTER: "5.11a", "t": "5.11b", "g": "5.11c", "b": "5.13b"}[piece[0]]
        return rule, f"{box} is a {terrain} building, {closed}"
    if terrain == "river":
        return ("5.4i" if piece[0] in "tg" else "5.13a"), f"{box} is a river box, {closed}"
    if piece[0] == "b":
        return "5.13b", f"{box} is not a river box, so it is {closed}"
    return "C22", f"{box} is the tunnel, {closed}"


# How far a piece gets


class _Steps(dict[str, tuple[tuple[str, int], ...]]):
    """For each box, the boxes one step away and their costs. They are computed when the box is first looked up."""

    def __init__(self, board: Board, rubble: frozenset[str], ruins: frozenset[str], mode: MovementMode) -> None:
        self._neighbours = board.neighbours
        self._entry = find_entry_costs(board, rubble, ruins, mode)

    def __missing__(self, box: str) -> tuple[tuple[str, int], ...]:
        entry = self._entry
        found = self[box] = tuple([(beside, entry[beside]) for beside in self._neighbours[box] if beside in entry])
        return found


def find_reach(
    board: Board,
    rubble: frozenset[str],
    ruins: frozenset[str],
    closed: frozenset[str],
    mode: MovementMode,
    start: str,
    points: int,
    last: frozenset[str] = NO_BOXES,
) -> Mapping[str, int]:
    """Returns the boxes that a piece can reach with some Movement Points, each with its least cost; not its own box.

    `last` are boxes that the piece may enter but not leave. Every box costs at least a point, so the piece cannot go
    farther than its number of points. The cached result ignores changes of the map beyond that.
    """
    if mode in FLYING_MODES and not last:  # faster to compute than to look up
        return _compute_flight(board, ruins | closed, start, points)
    near = board.find_boxes_within(start, points)
    key = (find_reach, rubble & near, ruins & near, closed & near, mode, start, points, last & near)
    found: Mapping[str, int] | None = board.rule_cache.get(key)
    if found is None:
        found = _store_result(board, key, _compute_reach(board, rubble, ruins, closed, mode, start, points, last))
    return found


UNLIMITED_POINTS = 200
"""More Movement Points than any way across the map takes."""


def find_unaffordable_cost(found: Mapping[str, int], box: str, left: int) -> int | None:
    """Returns the Movement Points that the way to a box takes.

    `found` has the boxes that are in reach with `UNLIMITED_POINTS` Movement Points.
    Returns None if no way leads there, or if `left` points are enough, so that the cost does not bar the move.
    """
    cost = found.get(box, 0)
    return cost if cost > left else None


def _compute_reach(
    board: Board,
    rubble: frozenset[str],
    ruins: frozenset[str],
    closed: frozenset[str],
    mode: MovementMode,
    start: str,
    points: int,
    last: frozenset[str],
) -> Mapping[str, int]:
    """Computes the result of `find_reach`, going through the boxes in the order of their costs."""
    steps = compute_once_for_board(_Steps, board, rubble, ruins, mode)
    found: dict[str, int] = {start: 0}
    rings: list[list[str]] = [[] for _ in range(max(0, points) + 1)]
    rings[0].append(start)
    far, rank = points + 1, board.box_sort_order.__getitem__
    for cost, ring in enumerate(rings[:-1]):
        for box in sorted(ring, key=rank):
            if cost > found[box] or (last and box in last and box != start):
                continue
            for beside, price in steps[box]:
                total = cost + price
                if total < found.get(beside, far) and beside not in closed:
                    found[beside] = total
                    rings[total].append(beside)
    del found[start]
    return found


def _compute_flight(board: Board, closed: frozenset[str], start: str, points: int) -> Mapping[str, int]:
    """Returns the boxes that a flier can reach, at 1 point for each box.

    Up to the first ring with a closed box, the rings are those of the open map, which are cached.
    """
    rings = board.list_rings_around(start, points)
    first = next((cost for cost, ring in enumerate(rings) if cost and not closed.isdisjoint(ring)), len(rings))
    barred = {start, *closed}
    found = dict.fromkeys(barred, 0)
    for cost in range(1, first):
        found.update(dict.fromkeys(rings[cost], cost))
    ring: Iterable[str] = rings[first - 1]
    for cost in range(first, points + 1):
        ring = dict.fromkeys([box for box in board.list_neighbours_of_ring(ring) if box not in found], cost)
        found.update(ring)
    for box in barred:
        del found[box]
    return found


# The ways of units, given the obstacles


class Pathfinder:
    """A finder of the ways that are open to human units, given the obstacles on the map."""

    def __init__(
        self,
        board: Board,
        rubble: frozenset[str],
        ruins: frozenset[str],
        webs: frozenset[str],
        monster: str | None,
        aloft: bool,
        control: str | None,
    ) -> None:
        """Stores the obstacles. `control` is the box of the unit under the monster's control; None if there is none."""
        self._ground = board, rubble, ruins
        self.neighbours = board.neighbours
        enemies = frozenset((control,)) if control else NO_BOXES
        self.monster_boxes = frozenset((monster,)) if monster else NO_BOXES
        self.grounded_monster_boxes = NO_BOXES if aloft else self.monster_boxes
        """The box of the monster, if it is on the ground."""
        self._closed = (
            webs | enemies | self.grounded_monster_boxes,
            webs | enemies | (self.monster_boxes if aloft else NO_BOXES),
        )
        self._shut = self._closed[False], self._closed[True] | self.grounded_monster_boxes
        """The closed boxes, with the box of a monster on the ground for helicopters, which fly round it if they can."""
        self._costs: dict[MovementMode, Mapping[str, int]] = {}
        self._destinations: dict[tuple[MovementMode, str, int, bool], Mapping[str, int]] = {}
        self._around: dict[tuple[str, int], Mapping[str, int]] = {}

    def get_entry_costs(self, mode: MovementMode) -> Mapping[str, int]:
        """Returns the passable boxes for a movement mode, each with its cost."""
        found = self._costs.get(mode)
        if found is None:
            found = self._costs[mode] = find_entry_costs(*self._ground, mode)
        return found

    def get_closed_boxes(self, flies: bool) -> frozenset[str]:
        """Returns the boxes that a unit may not enter, whatever their terrain. `flies` means a helicopter.

        Webs are closed to all units (13.22b), and so is the box of a unit under control, an enemy (C60). The monster's
        box is closed too (5.22c). But helicopters may fly through it while the monster is on the ground (8.0b). Other
        units may enter it while the monster is in flight, but helicopters may not (5.23f, 8.0e, 13.28h).
        """
        return self._closed[flies]

    def make_destination_choice(self, mode: MovementMode, here: str, left: int, fresh: bool) -> OneOf:
        """Returns the boxes to which a unit can move, as a choice."""
        return OneOf(tuple(self.find_destinations(mode, here, left, fresh)))

    def find_destinations(self, mode: MovementMode, here: str, left: int, fresh: bool) -> Mapping[str, int]:
        """Returns the boxes to which a unit can move, each with its cost.

        `left` is the number of its Movement Points. `fresh` means that it has not moved in this phase.
        """
        key = mode, here, left, fresh
        found = self._destinations.get(key)
        if found is None:
            found = self._destinations[key] = self._compute_destinations(*key)
        return found

    def can_leave(self, mode: MovementMode, here: str, left: int, fresh: bool) -> bool:
        """True if a unit has any destination. Usually a look at the adjacent boxes is enough to tell."""
        entry, flies = self.get_entry_costs(mode), mode == "helicopter"
        shut = self._shut[flies]
        any_price = fresh and left > 0
        for box in self.neighbours[here]:
            if box in entry and box not in shut and (any_price or entry[box] <= left):
                return True
        return flies and bool(self.find_destinations(mode, here, left, fresh))

    def _compute_destinations(self, mode: MovementMode, here: str, left: int, fresh: bool) -> Mapping[str, int]:
        if mode == "helicopter":
            return self._find_flights(here, left)
        found = find_reach(*self._ground, self.get_closed_boxes(False), mode, here, left)
        first = self.find_too_costly_boxes(mode, here, left, self.get_closed_boxes(False)) if fresh else {}
        return {**found, **first} if first else found

    def find_too_costly_boxes(
        self, mode: MovementMode, here: str, left: int, shut: frozenset[str]
    ) -> Mapping[str, int]:
        """Returns the adjacent boxes that cost more Movement Points than a unit has.

        The unit may enter one of them for all its points (5.15a, 5.15b). Impassable boxes are left out (C74).
        """
        entry = self.get_entry_costs(mode)
        return {box: left for box in self.neighbours[here] if entry.get(box, 0) > left > 0 and box not in shut}

    def find_reach_avoiding_monster(self, here: str, left: int) -> Mapping[str, int]:
        """Returns the boxes to which a helicopter can fly without going through the box of a monster on the ground."""
        found = self._around.get((here, left))
        if found is None:
            found = self._around[here, left] = find_reach(*self._ground, self._shut[True], "helicopter", here, left)
        return found

    def _find_flights(self, here: str, left: int) -> Mapping[str, int]:
        """Returns the boxes that a helicopter can reach: round a monster on the ground, or else through its box.

        It cannot end its move in that box (8.0c).
        """
        around = self.find_reach_avoiding_monster(here, left)
        if not any(
            near in around or near == here for box in self.grounded_monster_boxes for near in self.neighbours[box]
        ):
            return around
        through = find_reach(*self._ground, self.get_closed_boxes(True), "helicopter", here, left)
        found = {**through, **around}
        for box in self.grounded_monster_boxes:
            found.pop(box, None)
        return found


def find_pathfinder(board: Board, *barred: Any) -> tuple[Pathfinder, dict[Any, Any]]:
    """Returns the pathfinder for this map, and a cache for results that rules compute with its help.

    `barred` holds the obstacles, in the order in which `Pathfinder` takes them. The results may refer to the
    pathfinder, but the pathfinder never refers to the results. So Python frees both once nobody needs them.
    """
    found: tuple[Pathfinder, dict[Any, Any]] | None = board.pathfinder_cache.get(barred)
    if found is None:
        if len(board.pathfinder_cache) >= MAX_CACHED_PATHFINDERS:
            board.pathfinder_cache.clear()
        found = board.pathfinder_cache[barred] = Pathfinder(board, *barred), {}
    return found
