"""Places for a horde round its zombie hero, found by an exact search (zhero.horde.3, zhero.horde.4).

Squares are sets with one bit each, and a zombie is named by its square. The search goes on until it has found places or
knows that there are none. It leaves out what cannot matter. A zombie for which there is room however the others stand
is placed last. Of the squares beside the unit, it tries only squares that lead on to the zombie hardest to place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from operator import or_

from referee.games.zombies.ground import split_squares

ZombieBits = tuple[int, ...]


def find_horde_arrangement(joined: Callable[[int], int], goal: int, reach: Mapping[int, int]) -> dict[int, int] | None:
    """Returns a square for each zombie so that these squares and `goal` are all connected; None if there are no such
    squares.

    `joined` returns the squares that touch a set of squares or are joined to it by a stair. `reach` has the squares
    where each zombie can go.
    """
    rooms = {zombie: squares & ~goal for zombie, squares in reach.items()}
    return _Search(joined, rooms).place(goal, tuple(sorted(rooms)))


class _Search:
    """A search for places of some zombies. It begins with a square and adds one zombie after another.

    The unit is the set of the squares taken so far. If the search has failed once from a unit, it does not try this
    unit again with the same zombies.
    """

    def __init__(self, joined: Callable[[int], int], reach: Mapping[int, int]) -> None:
        self._joined, self._reach = joined, reach
        self._failed: set[tuple[int, ZombieBits]] = set()

    def place(self, unit: int, left: ZombieBits) -> dict[int, int] | None:
        """Returns squares for the zombies `left`, so that these squares and those of `unit` are all connected.

        Returns None if there are no such squares.
        """
        near, many = self._joined(unit) & ~unit, len(left)
        hard = [zombie for zombie in left if (self._reach[zombie] & near).bit_count() < many]
        if not hard:  # each has more squares beside the unit than the others can take
            return self._place_freely(near, left)
        if (unit, left) in self._failed or not self._has_squares(unit, left):
            return None
        for square, zombie in self._list_steps(unit, near, left, hard):
            others = tuple(other for other in left if other != zombie)
            found = self.place(unit | square, others)
            if found is not None:
                return {zombie: square, **found}
        self._failed.add((unit, left))
        return None

    def _has_squares(self, unit: int, left: ZombieBits) -> bool:
        """True if each zombie can have a square of its own that is connected with the unit through squares which
        zombies can reach.
        """
        room = reduce(or_, map(self._reach.__getitem__, left), 0) & ~unit
        found = fresh = self._joined(unit) & room
        while fresh:
            fresh = self._joined(fresh) & room & ~found
            found |= fresh
        taken: dict[int, int] = {}
        return all(self._take_square(zombie, found, taken, set()) for zombie in left)

    def _take_square(self, zombie: int, free: int, taken: dict[int, int], tried: set[int]) -> bool:
        """Gives a zombie a square, noted in `taken`. Zombies that have one already may have to take another.

        Returns False if there is no square for this zombie. `tried` are the squares that were looked at.
        """
        for square in split_squares(self._reach[zombie] & free):
            if square not in tried:
                tried.add(square)
                if square not in taken or self._take_square(taken[square], free, taken, tried):
                    taken[square] = zombie
                    return True
        return False

    def _place_freely(self, near: int, left: ZombieBits) -> dict[int, int]:
        found: dict[int, int] = {}
        for zombie in left:
            square = self._reach[zombie] & near
            found[zombie] = square & -square
            near ^= found[zombie]
        return found

    def _list_steps(self, unit: int, near: int, left: ZombieBits, hard: list[int]) -> Iterator[tuple[int, int]]:
        """Yields squares beside the unit, each with a zombie for it. Every solution has at least one of these pairs.

        A chain of zombies from `left` has to join the unit and the zombie that is hardest to place. So one zombie of
        the chain stands beside the unit, on a square from which the rest of the chain is long enough.
        """
        room = reduce(or_, map(self._reach.__getitem__, left), 0) & ~unit
        chains = {zombie: self._measure_chains(zombie, near, room, len(left)) for zombie in hard}
        hardest = max(hard, key=lambda zombie: min(chains[zombie], default=len(left) + 1))
        for length in sorted(chains[hardest]):
            for square in split_squares(chains[hardest][length]):
                for zombie in (hardest, *(other for other in left if other != hardest)):
                    if square & self._reach[zombie]:
                        yield square, zombie

    def _measure_chains(self, zombie: int, near: int, room: int, most: int) -> dict[int, int]:
        """Returns the squares of `near`, grouped by the length of the shortest chain from each to a square that the
        zombie can reach.

        A chain is a row of connected squares in `room`. Its length counts both ends, and is at most `most`. The result
        is empty if there is no such chain.
        """
        chains = {}
        found = fresh = self._reach[zombie] & room
        for length in range(1, most + 1):
            if fresh & near:
                chains[length] = fresh & near
            fresh = self._joined(fresh) & room & ~found
            found |= fresh
        return chains
