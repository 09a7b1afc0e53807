"""The steps of a group of zombies towards a hero (zombie.group.2, zombie.group.3, ruling.group-move).

As many of the group step as can while it stays whole, that is connected by contact. Squares are sets with one bit each,
and a zombie is named by its square.

The search is exact: no limit ends it early. For the zombies that have still to step, all that matters of the others is
their front. That is their squares near those zombies, and which of these squares are connected. From a front that has
failed nothing is tried again, whichever steps led to it. There are few fronts, since a group steps in rings around the
hero. `MAX_PLANNED_TOGETHER` limits the number of zombies that are planned for at once, and is a part of the ruling.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from referee.games.zombies.ground import Ground, find_connected_squares, split_squares

MAX_PLANNED_TOGETHER = 30
"""The most zombies whose steps are planned together.

While more have still to step, each steps only if the group is whole with all the others where they are.
"""


class GroupMove(Struct, frozen=True):
    """The fixed facts of a group's move towards a hero: the ground, the hero's square and the allowed steps."""

    ground: Ground
    hero_square: str
    """The square of the hero."""
    is_diagonal: bool
    """True if zombies step diagonally too."""

    @property
    def squares_within_steps(self) -> tuple[int, ...]:
        """Growing sets: the squares within 0, 1, 2 and so on steps of the hero (ruling.zombie-distance)."""
        return self.ground.board.find_squares_within_steps(self.hero_square)

    def find_nearer_squares(self, zombie: int) -> int:
        """Returns the squares next to a zombie that are nearer to the hero, occupied or not (ruling.zombie-toward)."""
        return _find_nearer(self.ground, self.hero_square, self.is_diagonal, zombie)

    def find_nearest_squares(self, squares: int) -> int:
        """Returns the squares of a set that are nearest to the hero (zombie.move.5)."""
        return next((squares & near for near in self.squares_within_steps if squares & near), 0)

    def is_connected(self, group: int) -> bool:
        """True if all zombies of a group are connected by contact."""
        return find_connected_squares(self.ground.find_adjacent_squares, group & -group, group) == group


@lru_cache(maxsize=20_000)
def _find_nearer(ground: Ground, hero: str, diagonal: bool, zombie: int) -> int:
    """Returns the squares next to a zombie that are nearer to the hero.

    The result is cached, since no other figure matters.
    """
    steps = ground.find_adjacent_squares(zombie) if diagonal else ground.find_side_neighbours(zombie)
    within = ground.board.find_squares_within_steps(hero)
    away = next((away for away, squares in enumerate(within) if squares & zombie), 0)
    return steps & within[away - 1] if away else 0


def find_first_mover_steps(move: GroupMove, movers: tuple[int, ...], free: int, whole: int) -> int:
    """Returns the squares to which the first of `movers` may step, those nearest to the hero; none if it stays.

    `movers` are the zombies that have still to step, in order. `free` are the squares that a figure could enter.
    `whole` are the squares of all zombies connected with the group.
    """
    found = move.find_nearer_squares(movers[0]) & free
    if found and whole & ~movers[0]:
        found = _find_best_steps(move, movers, free, whole)
    return move.find_nearest_squares(found)


def _find_best_steps(move: GroupMove, movers: tuple[int, ...], free: int, whole: int) -> int:
    """Returns the squares to which the first mover can step so that the fewest of all movers stay.

    Returns none if even fewer stay when the first mover stays. With more than `MAX_PLANNED_TOGETHER` movers, returns
    the squares to which it can step so that the group is whole while the others have not moved.
    """
    mover, squares = movers[0], tuple(split_squares(move.find_nearer_squares(movers[0]) & free))
    if len(movers) > MAX_PLANNED_TOGETHER:
        return sum(square for square in squares if move.is_connected((whole | square) & ~mover))
    search = _Search(move, movers[1:], free, whole)
    for stays in range(search.least[0], len(movers) + 1):
        found = 0
        for square in squares:
            if search.has_solution((free | mover) & ~square, (whole | square) & ~mover, stays):
                found |= square
        if found or (stays and search.has_solution(free, whole, stays - 1)):
            return found
    return 0


Front = tuple[int, ...]
"""The squares of settled zombies, which have stepped or stay, that later zombies may touch.

Each set of the tuple has the squares of one connected part.
"""
Failures = dict[Front, int]
"""For each front, the greatest number of zombies that may stay with which the search has failed."""


@lru_cache(maxsize=4)
def _find_failure_tables(move: GroupMove, room: int) -> dict[tuple[int, ...], Failures]:  # noqa: ARG001 - they are the key of the cache
    """Returns the tables of failed searches, one for each list of zombies that have still to step.

    A table holds each front (see `_make_front`) from which a search has failed, with the number of zombies that were
    allowed to stay. The tables are empty at first, and searches fill them. `room` are the squares of the group and the
    free ones.
    """
    return {}


class _Search:
    """A search for steps of some zombies of a group, the movers, after which the group is whole."""

    def __init__(self, move: GroupMove, movers: tuple[int, ...], free: int, whole: int) -> None:
        self.move, self.movers = move, movers
        self.nearer = tuple(map(move.find_nearer_squares, movers))
        """The squares nearer to the hero, for each mover."""
        self.ahead = self._ahead()
        self.least = _count_least_stays(movers, self.nearer, free | whole)
        """The least number of zombies that have to stay, from each mover on."""
        failures = _find_failure_tables(move, free | whole)
        self.failures = [failures.setdefault(movers[at:], {}) for at in range(len(movers))]
        """The failures from each mover on."""

    def _ahead(self) -> tuple[int, ...]:
        """Returns, for each mover, all squares on which it or a later mover can stand after the steps.

        One more element at the end stands for no mover, and is empty.
        """
        ahead = [0]
        for mover, nearer in zip(reversed(self.movers), reversed(self.nearer), strict=True):
            ahead.append(ahead[-1] | mover | nearer)
        return tuple(reversed(ahead))

    def has_solution(self, free: int, whole: int, stays: int) -> bool:
        """True if the movers can step so that at most `stays` of them stay and the group is whole."""
        return self._try_quickly(free, whole, stays) or self._search_from(0, free, whole, stays)

    def _try_quickly(self, free: int, whole: int, stays: int) -> bool:
        """True if a quick try succeeds: all movers stay, or each takes the first free square that it can.

        The group must be whole afterwards, with at most `stays` movers that stay.
        """
        if stays >= len(self.movers) and self.move.is_connected(whole):
            return True
        for mover, nearer in zip(self.movers, self.nearer, strict=True):
            if squares := nearer & free:
                square = squares & -squares
                free, whole = (free | mover) & ~square, (whole | square) & ~mover
            else:
                stays -= 1
        return stays >= 0 and self.move.is_connected(whole)

    def _search_from(self, at: int, free: int, whole: int, stays: int) -> bool:
        """True if the movers from number `at` on can step so that at most `stays` of them stay and the group is whole.

        A front from which a search has failed is not searched again, unless more zombies may stay now.
        """
        if stays < self.least[at] or not self._can_be_whole(at, whole):
            return False
        if at == len(self.movers):
            return True
        front, failures = self._make_front(at, whole), self.failures[at]
        if failures.get(front, -1) >= stays:
            return False
        if self._try_mover(at, free, whole, stays):
            return True
        failures[front] = stays
        return False

    def _try_mover(self, at: int, free: int, whole: int, stays: int) -> bool:
        """True if a step of mover number `at`, or its staying, lets the later movers succeed."""
        mover = self.movers[at]
        for square in split_squares(self.nearer[at] & free):
            if self._search_from(at + 1, (free | mover) & ~square, (whole | square) & ~mover, stays):
                return True
        return stays > 0 and self._search_from(at + 1, free, whole, stays - 1)

    def _can_be_whole(self, at: int, whole: int) -> bool:
        """True if the group can still become whole.

        All its squares must be connected by squares where the movers from number `at` on can be.
        """
        return not whole & ~find_connected_squares(
            self.move.ground.find_adjacent_squares, whole & -whole, whole | self.ahead[at]
        )

    def _make_front(self, at: int, whole: int) -> Front:
        """Returns the front of the movers from number `at` on: the settled zombies that these movers may touch.

        Settled zombies step no more. Each element of the result holds those that are connected with one another.
        """
        touching, ahead = self.move.ground.find_adjacent_squares, self.ahead[at]
        settled = whole & ~sum(self.movers[at:])
        near = settled & (touching(ahead) | ahead)
        parts = []
        while near:
            part = find_connected_squares(touching, near & -near, settled)
            parts.append(part & near)
            near &= ~part
        return tuple(parts)


def _count_least_stays(movers: tuple[int, ...], nearer: tuple[int, ...], room: int) -> tuple[int, ...]:
    """Returns, for each mover, how many of the zombies from this mover on have to stay at least.

    These zombies find no square of their own, even if all movers before them leave their squares. One more element at
    the end is 0.
    """
    least, taken = [0], dict[int, int]()
    room_of = {
        mover: near & (room & ~sum(movers[at:])) for at, (mover, near) in enumerate(zip(movers, nearer, strict=True))
    }
    for mover in reversed(movers):
        least.append(least[-1] + (not _can_find_square(mover, room_of, taken, set())))
    return tuple(reversed(least))


def _can_find_square(mover: int, room: dict[int, int], taken: dict[int, int], tried: set[int]) -> bool:
    """True if a mover finds a square. `taken` notes the mover of each square that is taken.

    A mover that has taken a square may have to change to another one. `tried` are the squares that were looked at.
    """
    for square in split_squares(room[mover]):
        if square not in tried:
            tried.add(square)
            if square not in taken or _can_find_square(taken[square], room, taken, tried):
                taken[square] = mover
                return True
    return False
