"""How a group of zombies steps so that it stays whole and as many as can go (zombie.group.2, zombie.group.3,
ruling.group-move). Squares are bits here, and zombies are the squares they stand on.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from referee.games.zombies.ground import Ground, each, linked

TRIES = 300
"""Positions that are looked at for one step at the most: a large group could have more ways than anybody can look at.
One that has found none by then is taken for one that has none.
"""
MORE = 2
"""So many zombies more than need be may stay, before all that are left do."""


class Hunt(Struct, frozen=True):
    """A group on its way to a hero."""

    ground: Ground
    hero: str
    """Where the hero stands."""
    diagonal: bool
    """Whether they step diagonally too."""

    @property
    def within(self) -> tuple[int, ...]:
        """Squares up to 0, 1, 2 and so on steps from the hero (ruling.zombie-distance)."""
        return self.ground.board.diamonds(self.hero)

    def nearer(self, zombie: int) -> int:
        """Squares next to a zombie that are nearer to the hero, whoever stands there (ruling.zombie-toward)."""
        return _nearer(self.ground, self.hero, self.diagonal, zombie)

    def nearest(self, squares: int) -> int:
        """Of some squares those that are nearest to the hero (zombie.move.5)."""
        return next((squares & near for near in self.within if squares & near), 0)

    def is_whole(self, group: int) -> bool:
        """Whether a group hangs together."""
        return linked(self.ground.touching, group & -group, group) == group


@lru_cache(maxsize=20_000)
def _nearer(ground: Ground, hero: str, diagonal: bool, zombie: int) -> int:
    """Cached, since it is the same whoever else stands where."""
    steps = ground.touching(zombie) if diagonal else ground.beside(zombie)
    within = ground.board.diamonds(hero)
    away = next((away for away, squares in enumerate(within) if squares & zombie), 0)
    return steps & within[away - 1] if away else 0


def steps_of(hunt: Hunt, movers: tuple[int, ...], free: int, whole: int) -> int:
    """The squares among which the first of those who have still to step may step, in their order; none: it stays.

    `free` are squares where somebody could be put, `whole` is all that hangs together with the group.
    """
    found = hunt.nearer(movers[0]) & free
    if found and whole & ~movers[0]:
        found = _steps_of(hunt, movers, free, whole)
    return hunt.nearest(found)


def _steps_of(hunt: Hunt, movers: tuple[int, ...], free: int, whole: int) -> int:
    """Those after which the fewest of the others have to stay; none where it is better that this one stays."""
    mover, rest = movers[0], movers[1:]
    squares = tuple(each(hunt.nearer(mover) & free))
    least = _stuck(hunt, movers, free)
    for stays in (*range(least, min(least + MORE, len(movers)) + 1), len(movers)):
        found = 0
        for square in squares:
            after = (free | mover) & ~square, (whole | square) & ~mover
            if _Search(hunt, rest).is_possible(*after, stays):
                found |= square
        if found or (stays and _Search(hunt, rest).is_possible(free, whole, stays - 1)):
            return found
    return 0


def _stuck(hunt: Hunt, movers: tuple[int, ...], free: int) -> int:
    """How many cannot step whatever the others do: all squares nearer to the hero are taken for good."""
    count = 0
    for mover in movers:
        if hunt.nearer(mover) & free:
            free |= mover
        else:
            count += 1
    return count


class _Search:
    """Looks for a way in which the rest of a group can step, and be whole afterwards."""

    def __init__(self, hunt: Hunt, movers: tuple[int, ...]) -> None:
        self.hunt, self.movers, self.tries = hunt, movers, TRIES
        self.nearer = tuple(map(hunt.nearer, movers))

    def is_possible(self, free: int, whole: int, stays: int) -> bool:
        """Whether there is one in which so many stay at the most."""
        return self._at_once(free, whole, stays) or self._from(0, free, whole, stays)

    def _at_once(self, free: int, whole: int, stays: int) -> bool:
        """Whether it goes well when everybody takes his first square, or when all stay."""
        if stays >= len(self.movers) and self.hunt.is_whole(whole):
            return True
        for mover, nearer in zip(self.movers, self.nearer, strict=True):
            if squares := nearer & free:
                square = squares & -squares
                free, whole = (free | mover) & ~square, (whole | square) & ~mover
            else:
                stays -= 1
        return stays >= 0 and self.hunt.is_whole(whole)

    def _from(self, at: int, free: int, whole: int, stays: int) -> bool:
        """The same for those from one of them on, by trying."""
        self.tries -= 1
        if self.tries < 0 or not self._may_be_whole(at, whole):
            return False
        if at == len(self.movers):
            return True
        mover = self.movers[at]
        for square in each(self.nearer[at] & free):
            if self._from(at + 1, (free | mover) & ~square, (whole | square) & ~mover, stays):
                return True
        return stays > 0 and self._from(at + 1, free, whole, stays - 1)

    def _may_be_whole(self, at: int, whole: int) -> bool:
        """Whether those who have stepped hang together, wherever the others go."""
        within = whole
        for nearer in self.nearer[at:]:
            within |= nearer
        return not whole & ~linked(self.hunt.ground.touching, whole & -whole, within)
