"""Where pieces can stand and go: terrain, webs, costs, reach (5.0, 5.1, chart 5.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from referee.games.sheboygan.counters import MONSTER
from referee.games.sheboygan.state import State

if TYPE_CHECKING:
    from referee.games.sheboygan.board import Board

T = TypeVar("T")
Gait = Literal["ground", "armour", "helicopter", "fireboat", "monster", "digger", "flier"]
"""How a piece moves; a digger is a monster on the ground that may not go through the tunnel (C22)."""
GAITS: Mapping[str, Gait] = {"t": "armour", "g": "armour", "h": "helicopter", "b": "fireboat"}
FLIERS: tuple[Gait, ...] = ("helicopter", "flier")
"""Who pays 1 for any box."""
NOWHERE: frozenset[str] = frozenset()
MANY = 4_000
"""Results that a map keeps before it begins anew."""


def gait_of(state: State, piece: str) -> Gait:
    """How a piece moves now."""
    if piece != MONSTER:
        return GAITS.get(piece[0], "ground")
    if state.aloft:
        return "flier"
    return "monster" if state.options["monster-in-tunnel"] == "yes" else "digger"


def cost_of(board: Board, terrain: str, gait: Gait) -> int | None:
    """Movement Points for entering such a box (5.0f); None: it is impassable (5.11a to 5.13b, 5.4i).

    Rubble is open to all on the ground (5.11d, 7.11b). Helicopters and fliers pay 1 for any box (5.12a, 8.0f, 13.28b),
    the tunnel included (C66), whether it burns or not (5.12b).
    """
    effect = board.tables.terrain[terrain]
    if gait in FLIERS:
        return 1
    if gait == "digger":
        return None if terrain == "tunnel" or not effect.monster else effect.mp
    return effect.mp if getattr(effect, gait) else None


def _kept(work: Callable[..., Mapping[str, T]], board: Board, *given: Any) -> Mapping[str, T]:
    """What was worked out of the map and the same things before."""
    key = (work, *given)
    found: Mapping[str, T] | None = board.memo.get(key)
    if found is None:
        if len(board.memo) > MANY:
            board.memo.clear()
        found = board.memo[key] = work(board, *given)
    return found


def costs(state: State, piece: str) -> Mapping[str, int]:
    """What each box that is passable for a piece costs; bridges that are gone are in no list (7.12a), the river boxes
    below them still are (5.14i).
    """
    return state.lie.costs(gait_of(state, piece))


def costs_on(board: Board, rubble: frozenset[str], ruins: frozenset[str], gait: Gait) -> Mapping[str, int]:
    """The same for who moves so, on a map with this rubble and these bridges gone."""
    return _kept(_priced, board, rubble, ruins, gait)


def _priced(board: Board, rubble: frozenset[str], ruins: frozenset[str], gait: Gait) -> Mapping[str, int]:
    found = {
        box: cost_of(board, "rubble" if box in rubble else place.terrain, gait) for box, place in board.boxes.items()
    }
    return {box: cost for box, cost in found.items() if cost is not None and box not in ruins}


class _Steps(dict[str, tuple[tuple[str, int], ...]]):
    """The boxes to which one step leads from each box, and what each costs; of a box when it is first asked for."""

    def __init__(self, board: Board, rubble: frozenset[str], ruins: frozenset[str], gait: Gait) -> None:
        self._neighbours = board.neighbours
        self._entry = costs_on(board, rubble, ruins, gait)

    def __missing__(self, box: str) -> tuple[tuple[str, int], ...]:
        entry = self._entry
        found = self[box] = tuple((beside, entry[beside]) for beside in self._neighbours[box] if beside in entry)
        return found


def closed_to_humans(state: State, unit: str) -> frozenset[str]:
    """Boxes that a human unit may not go through, whatever their terrain."""
    return state.lie.closed(unit[0] == "h")


def reach_on(
    board: Board,
    rubble: frozenset[str],
    ruins: frozenset[str],
    closed: frozenset[str],
    gait: Gait,
    start: str,
    points: int,
    last: frozenset[str] = NOWHERE,
) -> Mapping[str, int]:
    """Boxes that so many Movement Points take a piece to, and the least that each costs; without its own.

    `last`: boxes that it goes into, but not on from. Boxes are gone through ring by ring of what they cost.
    """
    if gait in FLIERS and not last:
        return _flight(board, ruins | closed, start, points)
    steps = _kept(_Steps, board, rubble, ruins, gait)
    found: dict[str, int] = {start: 0}
    rings: list[list[str]] = [[] for _ in range(max(0, points) + 1)]
    rings[0].append(start)
    far, rank = points + 1, board.order.__getitem__
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


def _flight(board: Board, closed: frozenset[str], start: str, points: int) -> Mapping[str, int]:
    """The same where every box costs 1."""
    neighbours, rank = board.neighbours.__getitem__, board.order.__getitem__
    found, seen, ring = dict[str, int](), {start, *closed}, [start]
    for cost in range(1, points + 1):
        beside = dict.fromkeys(chain.from_iterable(map(neighbours, sorted(ring, key=rank))))
        ring = [box for box in beside if box not in seen]
        seen.update(ring)
        found.update(dict.fromkeys(ring, cost))
    return found


def reach_of(
    state: State, piece: str, start: str, points: int, closed: frozenset[str], last: frozenset[str] = NOWHERE
) -> Mapping[str, int]:
    """The same for a piece of this game."""
    gait = gait_of(state, piece)
    return _kept(reach_on, state.board, state.rubble, state.ruins, closed, gait, start, points, last)


def why_impassable(state: State, piece: str, box: str) -> tuple[str, str]:
    """The rule by which the terrain of a box is closed to a piece, and why, as a clause."""
    terrain = state.terrain(box)
    if box in state.ruins:
        rule = "7.12a" if piece[0] == "i" or piece == MONSTER else "5.14h"
        return rule, f"the bridge {box} does not exist any more"
    if terrain in ("low", "high"):
        rule = {MONSTER: "5.11a", "t": "5.11b", "g": "5.11c", "b": "5.13b"}[piece[0]]
        return rule, f"{box} is a {terrain} building"
    if terrain == "river":
        return ("5.4i" if piece[0] in "tg" else "5.13a"), f"{box} is a river box"
    if piece[0] == "b":
        return "5.13b", f"{box} is no river box"
    return "C22", f"{box} is the tunnel"


def retreats_of(state: State, unit: str, away: str) -> tuple[str, ...]:
    """Boxes to which a unit may retreat from a piece in box `away` (6.33c to 6.33f, C12).

    A box must be farther from it than the unit is, and not beside the monster. A unit below a flier has none (C46).
    """
    return tuple(_retreats(state, unit, away))


def _retreats(state: State, unit: str, away: str) -> Iterator[str]:
    board, entry, here = state.board, costs(state, unit), state.at[unit]
    shut = closed_to_humans(state, unit) | ({state.monster} if state.monster else NOWHERE)
    lenient = state.options["retreat-under-flier"] == "neighbour" and state.flies_over(here)
    near = board.beside[state.monster] if state.monster and not lenient else NOWHERE
    for box in board.neighbours[here]:
        if box not in entry or box in shut or box in near or board.range(away, box) <= board.range(away, here):
            continue
        if not _is_full(state, unit, box):
            yield box


def _is_full(state: State, unit: str, box: str) -> bool:
    return state.kind(unit).stacks and state.counting(box) >= 2


def withdrawals_of(state: State) -> tuple[str, ...]:
    """Boxes to which the monster may retreat: never off the map (6.33i, 6.33j, C11)."""
    entry = costs(state, MONSTER)
    return tuple(
        box for box in state.board.neighbours[state.monster or ""] if box in entry and not state.humans_in(box)
    )
