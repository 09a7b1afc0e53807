"""How a group of zombies steps so that it stays whole and as many as can go (zombie.group.2, zombie.group.3,
ruling.group-move). Squares are bits here, and zombies are the squares they stand on.

The search is exact: no limit ends it. All that matters of those who have stepped is where they stand beside those who
have still to, and which of them hang together; what failed from such a front fails however they came to stand so. A
group has few fronts, since it steps in rings about the hero. How many are planned for together has a bound, which is a
part of the ruling.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from referee.games.zombies.ground import Ground, each, linked

TOGETHER = 30
"""So many who have still to step are planned for together. Of more, each steps where all others may stay."""


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
    mover, squares = movers[0], tuple(each(hunt.nearer(movers[0]) & free))
    if len(movers) > TOGETHER:
        return sum(square for square in squares if hunt.is_whole((whole | square) & ~mover))
    search = _Search(hunt, movers[1:], free, whole)
    for stays in range(search.least[0], len(movers) + 1):
        found = 0
        for square in squares:
            if search.is_possible((free | mover) & ~square, (whole | square) & ~mover, stays):
                found |= square
        if found or (stays and search.is_possible(free, whole, stays - 1)):
            return found
    return 0


Front = tuple[int, ...]
"""Of those who stand for good and hang together by now the squares that others may touch, part by part."""
Failures = dict[Front, int]
"""How many may stay in vain, by the front from which the others step."""


@lru_cache(maxsize=4)
def _failures(hunt: Hunt, room: int) -> dict[tuple[int, ...], Failures]:  # noqa: ARG001 - for what they are kept
    """What failed for those who were still to step in `room`, the squares of the group and those that are free."""
    return {}


class _Search:
    """Looks for a way in which the rest of a group can step, and be whole afterwards."""

    def __init__(self, hunt: Hunt, movers: tuple[int, ...], free: int, whole: int) -> None:
        self.hunt, self.movers = hunt, movers
        self.nearer = tuple(map(hunt.nearer, movers))
        self.ahead = self._ahead()
        self.least = _least_stays(movers, self.nearer, free | whole)
        failures = _failures(hunt, free | whole)
        self.failures = [failures.setdefault(movers[at:], {}) for at in range(len(movers))]
        """For those from each of them on."""

    def _ahead(self) -> tuple[int, ...]:
        """Squares where those from one of them on can be afterwards, for each of them and for nobody."""
        ahead = [0]
        for mover, nearer in zip(reversed(self.movers), reversed(self.nearer), strict=True):
            ahead.append(ahead[-1] | mover | nearer)
        return tuple(reversed(ahead))

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
        """The same for those from one of them on, by trying what was not tried from such a front before."""
        if stays < self.least[at] or not self._may_be_whole(at, whole):
            return False
        if at == len(self.movers):
            return True
        front, failures = self._front(at, whole), self.failures[at]
        if failures.get(front, -1) >= stays:
            return False
        if self._tries(at, free, whole, stays):
            return True
        failures[front] = stays
        return False

    def _tries(self, at: int, free: int, whole: int, stays: int) -> bool:
        mover = self.movers[at]
        for square in each(self.nearer[at] & free):
            if self._from(at + 1, (free | mover) & ~square, (whole | square) & ~mover, stays):
                return True
        return stays > 0 and self._from(at + 1, free, whole, stays - 1)

    def _may_be_whole(self, at: int, whole: int) -> bool:
        """Whether those who have stepped hang together, wherever the others go."""
        return not whole & ~linked(self.hunt.ground.touching, whole & -whole, whole | self.ahead[at])

    def _front(self, at: int, whole: int) -> Front:
        """What of those who stand for good matters to those from one of them on."""
        touching, ahead = self.hunt.ground.touching, self.ahead[at]
        settled = whole & ~sum(self.movers[at:])
        near = settled & (touching(ahead) | ahead)
        parts = []
        while near:
            part = linked(touching, near & -near, settled)
            parts.append(part & near)
            near &= ~part
        return tuple(parts)


def _least_stays(movers: tuple[int, ...], nearer: tuple[int, ...], room: int) -> tuple[int, ...]:
    """Returns how many of those from each mover on have to stay at least, and 0 for nobody: so many find no square for
    each, even if all before them go out of their way.
    """
    least, taken = [0], dict[int, int]()
    room_of = {
        mover: near & (room & ~sum(movers[at:])) for at, (mover, near) in enumerate(zip(movers, nearer, strict=True))
    }
    for mover in reversed(movers):
        least.append(least[-1] + (not _finds_square(mover, room_of, taken, set())))
    return tuple(reversed(least))


def _finds_square(mover: int, room: dict[int, int], taken: dict[int, int], tried: set[int]) -> bool:
    """Gives a mover a square, if need be that of one who finds another; `taken` says whose each is."""
    for square in each(room[mover]):
        if square not in tried:
            tried.add(square)
            if square not in taken or _finds_square(taken[square], room, taken, tried):
                taken[square] = mover
                return True
    return False
