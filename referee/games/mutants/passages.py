"""Where units can go from place to place, worked out once for as long as no door changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

Beside = Mapping[str, str | None]
"""Places next to a place, each with the door that leads there; None between Set Up squares (IV.B.4-c)."""
Ways = Mapping[str, tuple[str, ...]]
"""Where units can go from every place."""
KEPT = 16
"""Sets of doors for which ways are kept: a view has others than the state."""


class Passages:
    """Which places touch, and who passes between them while certain doors have Walls, are smashed or held open."""

    def __init__(self, beside: Mapping[str, Beside], rooms: frozenset[str]) -> None:
        self.beside = beside
        """Places next to every place."""
        self._rooms = rooms
        self.of_humans = lru_cache(maxsize=KEPT)(self._of_humans)
        self.of_mutants = lru_cache(maxsize=KEPT)(self._of_mutants)

    def _of_humans(self, walls: frozenset[str]) -> Ways:
        """The Human side needs neither smashing nor opening (IV.B, IV.C-a), but a square is nothing for it (M61)."""
        rooms = self._rooms
        return _Ways(self.beside, lambda place, to, door: door not in walls and place in rooms and to in rooms)

    def _of_mutants(
        self, walls: frozenset[str], smashed: frozenset[str], held_open: frozenset[tuple[str, str]]
    ) -> Ways:
        """Squares lie open (INTRO.IV.B.1-b, IV.B.4-b); else it takes a smashed (IV.B.2.f-c) or an opened door.

        In this a square is a room, and doors lead in and out of the building (M3).
        """

        def is_way(place: str, to: str, door: str | None) -> bool:
            return door is None or (door not in walls and (door in smashed or (place, to) in held_open))

        return _Ways(self.beside, is_way)


class _Ways(dict[str, tuple[str, ...]]):
    """Where units can go from a place, worked out when that is first asked for."""

    def __init__(self, beside: Mapping[str, Beside], is_way: Callable[[str, str, str | None], bool]) -> None:
        super().__init__()
        self._beside, self._is_way = beside, is_way

    def __missing__(self, place: str) -> tuple[str, ...]:
        beside = self._beside[place].items()
        found = self[place] = tuple(to for to, door in beside if self._is_way(place, to, door))
        return found
