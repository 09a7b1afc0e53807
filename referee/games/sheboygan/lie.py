"""The map as it lies at a moment, and where human units can go on it (5.0 to 5.2, 8.0).

Where a unit can go depends on nothing else but where it stands and what it has left: so it is worked out once for all
states in which the map lies the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from referee.engine.legal import OneOf
from referee.games.sheboygan.ground import NOWHERE, Gait, costs_on, reach_on

if TYPE_CHECKING:
    from referee.games.sheboygan.board import Board

LATELY = 8
"""Lies that a map remembers: those of a turn."""


class Lie:
    """What bars the way of human units."""

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
        """`control` is the box of the unit under the monster's control."""
        self._ground = board, rubble, ruins
        self.beside = board.neighbours
        enemies = frozenset((control,)) if control else NOWHERE
        self.monster = frozenset((monster,)) if monster else NOWHERE
        self.grounded = NOWHERE if aloft else self.monster
        """The box of the monster, if it is on the ground."""
        self._closed = (
            webs | enemies | self.grounded,
            webs | enemies | (self.monster if aloft else NOWHERE),
        )
        self._costs: dict[Gait, Mapping[str, int]] = {}
        self.memo: dict[Any, Any] = {}
        """What rules have worked out from it, under keys of their own."""
        self._destinations: dict[tuple[Gait, str, int, bool], Mapping[str, int]] = {}
        self._around: dict[tuple[str, int], Mapping[str, int]] = {}

    def costs(self, gait: Gait) -> Mapping[str, int]:
        """What each box costs that is passable."""
        found = self._costs.get(gait)
        if found is None:
            found = self._costs[gait] = costs_on(*self._ground, gait)
        return found

    def closed(self, flies: bool) -> frozenset[str]:
        """Boxes that a unit may not go through, whatever their terrain.

        Webs are closed to all of them (13.22b). The monster's box is closed (5.22c); to others than helicopters it is
        open while the monster is in flight (5.23f, 8.0e, 13.28h), to helicopters while it is on the ground (8.0b). A
        unit under its control is an enemy (C60).
        """
        return self._closed[flies]

    def boxes(self, gait: Gait, here: str, left: int, fresh: bool) -> OneOf:
        """The boxes to which a unit can move."""
        return OneOf(tuple(self.destinations(gait, here, left, fresh)))

    def destinations(self, gait: Gait, here: str, left: int, fresh: bool) -> Mapping[str, int]:
        """The same, and what each costs a unit with so many Movement Points left; `fresh`: it has not moved."""
        key = gait, here, left, fresh
        found = self._destinations.get(key)
        if found is None:
            found = self._destinations[key] = self._work_out(*key)
        return found

    def can_leave(self, gait: Gait, here: str, left: int, fresh: bool) -> bool:
        """Whether there are any, of which mostly a look at the next boxes can tell."""
        entry, flies = self.costs(gait), gait == "helicopter"
        shut = self.closed(flies) | self.grounded if flies else self.closed(flies)
        any_price = fresh and left > 0
        for box in self.beside[here]:
            if box in entry and box not in shut and (any_price or entry[box] <= left):
                return True
        return flies and bool(self.destinations(gait, here, left, fresh))

    def _work_out(self, gait: Gait, here: str, left: int, fresh: bool) -> Mapping[str, int]:
        if gait == "helicopter":
            return self._flights(here, left)
        found = reach_on(*self._ground, self.closed(False), gait, here, left)
        first = self.first_step(gait, here, left, self.closed(False)) if fresh else {}
        return {**found, **first} if first else found

    def first_step(self, gait: Gait, here: str, left: int, shut: frozenset[str]) -> Mapping[str, int]:
        """Adjacent boxes that are too expensive, for all of the allowance (5.15a, 5.15b); terrain stays (C74)."""
        entry = self.costs(gait)
        return {box: left for box in self.beside[here] if entry.get(box, 0) > left > 0 and box not in shut}

    def around(self, here: str, left: int) -> Mapping[str, int]:
        """Boxes to which a helicopter can fly without going through the box of a monster on the ground."""
        found = self._around.get((here, left))
        if found is None:
            shut = self.closed(True) | self.grounded
            found = self._around[here, left] = reach_on(*self._ground, shut, "helicopter", here, left)
        return found

    def _flights(self, here: str, left: int) -> Mapping[str, int]:
        """It goes round the monster on the ground if it can, else through its box, but not into it (8.0c)."""
        around = self.around(here, left)
        if not any(near in around or near == here for box in self.grounded for near in self.beside[box]):
            return around
        through = reach_on(*self._ground, self.closed(True), "helicopter", here, left)
        return {**{box: cost for box, cost in through.items() if box not in self.grounded}, **around}


def remember(board: Board, key: tuple[Any, ...]) -> Lie:
    """A lie that this map has not had lately, by all that is in it but the map."""
    if len(board.lies) >= LATELY:
        board.lies.clear()
    found = board.lies[key] = Lie(board, *key)
    return found
