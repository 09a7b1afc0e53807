"""How a zombie hero moves, and his horde with him: as a block where it can, else each as near to him as there is room;
as far as he has moved and no farther, through their own ranks, and one unit afterwards (zhero.move.1 to zhero.move.5,
zhero.horde.3, zhero.horde.4, ruling.horde-move).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import pairwise
from operator import or_

from msgspec import Struct

from referee.engine.once import cached, latest
from referee.games.zombies.ground import Ground, each, is_linked, linked, shifted
from referee.games.zombies.player import Player
from referee.games.zombies.state import State
from referee.games.zombies.tokens import drawable

ANYWHERE = -1
"""The set of all squares."""
Spread = tuple[int, ...]
"""The squares that can be got to in 0, 1, 2 and so on steps, each with those before."""


class Course(Struct, frozen=True):
    """A zombie hero's way to a square, and his horde's with him."""

    steps: int
    """How far he has moved."""
    following: Mapping[str, str]
    """Where each zombie of the horde goes."""


# How far one gets


def passable(state: State, player: Player) -> int:
    """Squares that a zombie hero and his horde can pass: free ones, and those of their own ranks."""
    return state.free | state.units[player.hero]


def reached(state: State, player: Player, start: str, steps: int, halts: int = 0) -> int:
    """Squares up to so many steps away; on `halts` a way ends."""
    return _spread_from(state, player, start, steps, halts)[-1]


def reaches(state: State, player: Player, start: str, steps: int, room: int) -> bool:
    """Whether some free squares have one up to so many steps away: mostly the first step leads there."""
    near = state.ground.joined if steps_diagonally(state, start) else state.ground.next_to
    return bool((steps and near(state.board.bit[start]) & room) or reached(state, player, start, steps) & room)


def _spread_from(state: State, player: Player, start: str, steps: int, halts: int = 0) -> Spread:
    diagonal = steps_diagonally(state, start)
    return _spread(state.ground, state.board.bit[start], steps, passable(state, player), halts, diagonal)


def steps_diagonally(state: State, start: str) -> bool:
    """Whether a movement mutation is in force on the level of a square (mutation.6)."""
    return bool(state.mutations and state.mutated(start[0], "diagonal"))


def reached_by(state: State, player: Player, starts: Iterable[str], steps: int) -> Iterator[Spread]:
    """How far each zombie of a horde gets that starts on one of these squares."""
    ground, bit, entered = state.ground, state.board.bit, passable(state, player)
    for start in starts:
        yield _spread(ground, bit[start], steps, entered, 0, steps_diagonally(state, start))


def _spread(ground: Ground, start: int, steps: int, entered: int, halts: int, diagonal: bool) -> Spread:
    """Step by step: sideways, up or down, or by a stair; under a movement mutation diagonally too (zhero.move.4,
    zhero.move.5, mutation.6, ruling.level-links).
    """
    spread = ground.joined if diagonal else ground.next_to
    found = fresh = start
    sets = [found]
    for _ in range(steps):
        fresh = spread(fresh) & entered & ~found
        found |= fresh
        fresh &= ~halts
        sets.append(found)
    return tuple(sets)


def halts(state: State, player: Player) -> int:
    """Squares on which the zombie hero stops: next to or on tokens that he draws for; his zombies stop for none
    (zhero.token.1, zhero.token.2, ruling.horde-tokens).
    """
    tokens = drawable(state, player)
    return tokens | state.ground.touching(tokens)


# Where a zombie hero can go


def goals(state: State, player: Player, steps: int) -> int:
    """Squares to which the zombie hero can go so that his horde can follow; his own one, where he stays, included."""
    herd = _herd(state, player, steps)
    found = herd.hero | (herd.block[-1] if player.horde else herd.spread[-1])
    for formation in herd.formations() if player.horde else ():
        found |= formation.squares
        left = herd.spread[-1] & ~found
        if not left or not left & ~herd.followed:
            return found | left
    return found


@latest
def course(state: State, player: Player, steps: int, square: str) -> Course | None:
    """How the zombie hero and his horde get to a square; None: they cannot. The same for the verdict and the move."""
    bit, herd = state.board.bit[square], _herd(state, player, steps)
    if square == player.at or not player.horde:
        return Course(0, {}) if bit & herd.spread[-1] else None
    if bit & herd.block[-1]:
        return Course(_first(herd.block, bit), dict(_in_formation(state, player, square)))
    if not bit & herd.spread[-1]:
        return None
    away = _first(herd.spread, bit)
    places = herd.arranged(bit, away) or _others_places(herd, bit)
    if places is None:
        return None
    return Course(away, {state.board.square_at[zombie]: state.board.square_at[to] for zombie, to in places.items()})


def _others_places(herd: _Herd, square: int) -> Mapping[int, int] | None:
    """Where the horde goes that cannot follow to this square: as it would stand for another; None: he cannot go."""
    found = next((formation for formation in herd.formations() if formation.squares & square), None)
    return None if found is None else found.places_with(square)


def _first(spread: Spread, square: int) -> int:
    """After how many steps a square is got to that can be."""
    return next(away for away, squares in enumerate(spread) if squares & square)


def _in_formation(state: State, player: Player, square: str) -> Iterator[tuple[str, str]]:
    """Where the zombies of a horde stand that has moved as a block."""
    index, bit = state.board.index, state.board.bit
    shift = index[square] - index[player.at]
    for zombie in player.horde:
        yield zombie, state.board.square_at[shifted(bit[zombie], shift)]


class Formation(Struct, frozen=True):
    """How a horde can stand, and where its zombie hero then can."""

    places: Mapping[int, int]
    """Where each of its zombies goes."""
    squares: int
    hero: int
    """Where the zombie hero came from."""

    def places_with(self, square: int) -> Mapping[int, int]:
        """Where they go when he goes to this square: whoever was to stand there changes places with him."""
        return {zombie: self.hero if to == square else to for zombie, to in self.places.items()}


@latest
def _herd(state: State, player: Player, steps: int) -> _Herd:
    """The same for the list, the verdict and the move."""
    return _Herd(state, player, steps)


class _Herd:
    """A zombie hero and his horde who can move so many steps, and what is the same wherever they go."""

    def __init__(self, state: State, player: Player, steps: int) -> None:
        self._state, self._player, self._steps = state, player, steps
        self._ground, self._board = state.ground, state.board
        self.hero, self._horde = state.board.bit[player.at], state.horde_of(player)
        self._halts, self._entered = halts(state, player), passable(state, player)
        self.spread = _spread_from(state, player, player.at, steps, self._halts)
        """How far the zombie hero gets by himself."""
        self._known: dict[int, dict[int, int] | None] = {}

    @cached
    def block(self) -> Spread:
        """The squares that he can get to with the horde in formation, so that it is one unit there: wherever one of
        them cannot step with the others, nobody steps.
        """
        found = fresh = self.hero
        sets, ways = [found], self._ways_together()
        for _ in range(self._steps):
            fresh = reduce(or_, [shifted(fresh & open_, way) for way, open_ in ways]) & ~found
            found |= fresh
            fresh &= ~self._halts
            sets.append(found)
        parted = self._parted(found)
        return tuple(squares & ~parted for squares in sets)

    def _ways_together(self) -> list[tuple[int, int]]:
        """The steps that all may take, and from which squares of the zombie hero nothing keeps any of them from it.
        None leads over a stair.
        """
        diagonal = all(steps_diagonally(self._state, start) for start in (self._player.at, *self._player.horde))
        found = []
        for way, open_ in self._ground.ways if diagonal else self._ground.ways[:4]:
            room, begins = ANYWHERE, open_ & shifted(self._entered, -way)
            for shift in self._shifts:
                room &= shifted(begins, -shift)
            found.append((way, room))
        return found

    @cached
    def _shifts(self) -> tuple[int, ...]:
        """How many bits on from the zombie hero each of them stands."""
        return tuple(member.bit_length() - self.hero.bit_length() for member in each(self.hero | self._horde))

    def _parted(self, squares: int) -> int:
        """Of squares for the zombie hero those on which a horde in formation is not one unit: beside a thin wall, a
        ledge or a corner, or if a stair holds it together now.
        """
        joins, near = self._ground.joins, 0
        for shift in self._shifts:
            near |= shifted(self._ground.edged, -shift)
        doubtful = squares & near if is_linked(self._ground.touches, self.hero | self._horde) else squares
        return sum(square for square in each(doubtful & ~self.hero) if not is_linked(joins, self._unit_at(square)))

    def _unit_at(self, square: int) -> int:
        """Everybody's square when they stand in formation with the zombie hero there."""
        return shifted(self.hero | self._horde, square.bit_length() - self.hero.bit_length())

    # Each for himself

    @cached
    def _spreads(self) -> Mapping[int, Spread]:
        """How far each zombie gets."""
        zombies = map(self._board.bit.__getitem__, self._player.horde)
        spreads = reached_by(self._state, self._player, self._player.horde, self._steps)
        return dict(zip(zombies, spreads, strict=True))

    @cached
    def followed(self) -> int:
        """Squares to which the horde surely can follow: nobody has to be put anywhere to know it.

        One after another is put next to the others, so nobody fits in only when none of those left gets next to them.
        But who was a step away from one who is there, or from the zombie hero, goes after him; so the first of a part
        of the horde that was not, if it gets next to the goal, and the others of the part after that. And there is room
        for who gets to more squares than they all take.
        """
        if len({steps_diagonally(self._state, start) for start in (self._player.at, *self._player.horde)}) > 1:
            return 0
        parts, found = tuple(self._apart()), 0
        for away, (nearer, squares) in enumerate(pairwise(self.spread), 1):
            if all(spread[away].bit_count() > len(self._spreads) for spread in self._spreads.values()):
                goals = squares & ~nearer
                for part in parts:
                    near = reduce(or_, [self._spreads[zombie][away] for zombie in part])
                    goals &= near | self._ground.joined(near)
                found |= goals
        return found

    def _apart(self) -> Iterator[list[int]]:
        """Parts of the horde between which, and from the zombie hero, no single step leads."""
        diagonal = steps_diagonally(self._state, self._player.at)
        step = self._ground.joined if diagonal else self._ground.next_to
        left = self._horde & ~linked(step, self.hero, self.hero | self._horde)
        while left:
            part = linked(step, left & -left, left)
            left ^= part
            yield list(each(part))

    def formations(self) -> Iterator[Formation]:
        """Ways for the horde to stand that let the zombie hero get to squares to which it cannot go as a block: as it
        stands, then as near as can be to the nearest square that is left, and so on. With each he can stand wherever he
        touches it.
        """
        ground, spread = self._ground, self.spread
        beside = ground.around(self._horde) | self._horde
        stays = Formation({zombie: zombie for zombie in each(self._horde)}, beside & spread[-1], self.hero)
        yield stays
        found = self.block[-1] | stays.squares
        for away, (nearer, squares) in enumerate(pairwise(spread), 1):
            left = squares & ~nearer & ~found
            while left:
                goal = left & -left
                left ^= goal
                if places := self.arranged(goal, away):
                    unit = sum(places.values())
                    beside = goal | ground.around(unit) & spread[-1] & ~(nearer | unit)
                    yield Formation(places, beside, self.hero)
                    found |= beside
                    left &= ~beside

    def arranged(self, goal: int, away: int) -> dict[int, int] | None:
        """Where the horde follows to when its zombie hero goes so far, up to this square (ruling.horde-move): everybody
        to his place in the block, or as near to the zombie hero as there is room, the nearest first; where that leaves
        somebody behind, those who still hang together with him stay. None: it cannot follow so.
        """
        if goal not in self._known:
            found = self._filled({}, goal, away)
            if found is None:
                staying = linked(self._ground.joined, goal, goal | self._horde) & self._horde & ~goal
                found = self._filled({zombie: zombie for zombie in each(staying)}, goal, away)
            self._known[goal] = found
        return self._known[goal]

    def _filled(self, placed: dict[int, int], goal: int, away: int) -> dict[int, int] | None:
        """Put every zombie that has no place yet on a square that touches the unit: its place in the block, else the
        one nearest to the goal.
        """
        spreads, joins = self._spreads, self._ground.joins
        rings = self._board.rings(self._board.square_at[goal])
        shift = goal.bit_length() - self.hero.bit_length()
        unit = goal | sum(placed.values())
        room = self._entered & ~unit
        beside = self._ground.joined(unit) & room
        left = [(zombie, spreads[zombie][away]) for zombie in _nearest_first(rings, self._horde ^ sum(placed))]
        while left:
            for one in left:
                if open_ := one[1] & beside:
                    break
            else:
                return None
            left.remove(one)
            zombie = one[0]
            place = placed[zombie] = (open_ & shifted(zombie, shift)) or _nearest(open_, zombie, rings)
            room ^= place
            beside = (beside | joins[place.bit_length()]) & room
        return placed


def _nearest(squares: int, zombie: int, rings: tuple[int, ...]) -> int:
    """Of some squares one in the nearest of these rings, or on another level: where the zombie stands, else the first
    in reading order.
    """
    for ring in rings:
        if near := squares & ring:
            return near & zombie or near & -near
    return squares & zombie or squares & -squares


def _nearest_first(rings: tuple[int, ...], zombies: int) -> list[int]:
    """Zombies by how far they are from the middle of some rings, those of another level last; ties in reading order."""
    found: list[int] = []
    for ring in rings:
        near = zombies & ring
        zombies ^= near
        while near:
            zombie = near & -near
            found.append(zombie)
            near ^= zombie
        if not zombies:
            return found
    return [*found, *each(zombies)]
