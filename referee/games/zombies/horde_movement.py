"""The movement of a zombie hero with their horde (zhero.move.1 to zhero.move.5, zhero.horde.3, zhero.horde.4,
ruling.horde-move).

The horde moves as a block if it can. If not, each zombie goes to its place in the block, or as near to the zombie hero
as there is room. If that would part the horde, the zombies go wherever they are one unit. No zombie goes farther than
the zombie hero has moved. Figures of the horde may pass each other, and are one unit afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import pairwise
from operator import or_

from msgspec import Struct

from referee.engine.caching import cache_latest, cached
from referee.games.zombies.arrangement import find_horde_arrangement
from referee.games.zombies.ground import find_connected_squares, is_connected_set, shift_squares, split_squares
from referee.games.zombies.horde_reach import (
    ReachBySteps,
    can_step_diagonally,
    compute_reach_by_steps,
    compute_reach_for_each_start,
    find_squares_passable_for_horde,
    find_zombie_hero_stop_squares,
    make_step_function,
)
from referee.games.zombies.player import Player
from referee.games.zombies.state import State

ALL_SQUARES = -1
"""The set of all squares, as bits."""


class MoveWithHorde(Struct, frozen=True):
    """A move of a zombie hero to a square, and the moves of their horde with it."""

    steps: int
    """The number of steps that the zombie hero takes."""
    new_squares: Mapping[str, str]
    """The new square of each zombie of the horde, by its old one; empty if nobody follows."""


# Where a zombie hero can go


def find_zombie_hero_goals(state: State, player: Player, steps: int) -> int:
    """Returns the squares to which a zombie hero can go in at most `steps` steps so that their horde can follow.

    The square where the zombie hero stands is included.
    """
    herd = _find_herd(state, player, steps)
    found = herd.hero | (herd.block_spread[-1] if player.horde else herd.spread[-1])
    for formation in herd.list_formations() if player.horde else ():
        found |= formation.hero_squares
        left = herd.spread[-1] & ~found
        if not left or not left & ~herd.sure_goals:
            return found | left
    return found | sum(goal for goal in split_squares(herd.spread[-1] & ~found) if herd.can_follow(goal))


@cache_latest
def find_move_with_horde(state: State, player: Player, steps: int, square: str) -> MoveWithHorde | None:
    """Returns the moves of a zombie hero and their horde if the zombie hero goes to a square; None if they cannot.

    The result is kept, since the check and the move both need it.
    """
    bit, herd = state.board.square_bits[square], _find_herd(state, player, steps)
    if square == player.at or not player.horde:
        return MoveWithHorde(0, {}) if bit & herd.spread[-1] else None
    if bit & herd.block_spread[-1]:
        return MoveWithHorde(_count_steps(herd.block_spread, bit), dict(_list_block_moves(state, player, square)))
    if not bit & herd.spread[-1]:
        return None
    away = _count_steps(herd.spread, bit)
    places = herd.arrange(bit, away) or _find_places_from_formation(herd, bit) or herd.arrange_in_any_way(bit)
    if places is None:
        return None
    return MoveWithHorde(
        away, {state.board.square_by_bit[zombie]: state.board.square_by_bit[to] for zombie, to in places.items()}
    )


def _find_places_from_formation(herd: _Herd, square: int) -> Mapping[int, int] | None:
    """Returns the new squares of a horde whose zombie hero goes to this square, for use where `arrange` finds none.

    The squares come from the first formation in which the zombie hero can stand on this square. Returns None if there
    is no such formation.
    """
    found = next((formation for formation in herd.list_formations() if formation.hero_squares & square), None)
    return None if found is None else found.find_places(square)


def _count_steps(spread: ReachBySteps, square: int) -> int:
    """Returns the number of steps to a square, which must be within reach."""
    return next(away for away, squares in enumerate(spread) if squares & square)


def _list_block_moves(state: State, player: Player, square: str) -> Iterator[tuple[str, str]]:
    """Yields each zombie of a horde that moves as a block, and its new square. The zombie hero goes to `square`."""
    index, bit = state.board.square_numbers, state.board.square_bits
    shift = index[square] - index[player.at]
    for zombie in player.horde:
        yield zombie, state.board.square_by_bit[shift_squares(bit[zombie], shift)]


class HordePlacement(Struct, frozen=True):
    """New squares for all zombies of a horde, and the squares where their zombie hero can then stand."""

    new_squares: Mapping[int, int]
    """The new square of each zombie, by its old one."""
    hero_squares: int
    """The squares where the zombie hero can stand."""
    old_hero_square: int
    """The old square of the zombie hero."""

    def find_places(self, square: int) -> Mapping[int, int]:
        """Returns the new squares of the zombies if the zombie hero goes to `square`.

        If `square` would be the new square of a zombie, this zombie goes to the old square of the zombie hero instead.
        """
        return {zombie: self.old_hero_square if to == square else to for zombie, to in self.new_squares.items()}


@cache_latest
def _find_herd(state: State, player: Player, steps: int) -> _Herd:
    """Returns the herd for this number of steps. It is kept, since the list of goals, the check and the move all need
    it.
    """
    return _Herd(state, player, steps)


class _Herd:
    """A zombie hero and their horde with a number of steps. It keeps results that are needed for several goals."""

    def __init__(self, state: State, player: Player, steps: int) -> None:
        self._state, self._player, self._steps = state, player, steps
        self._ground, self._board = state.ground, state.board
        self.hero, self._horde = state.board.square_bits[player.at], state.find_horde_squares(player)
        self._halts, self._entered = (
            find_zombie_hero_stop_squares(state, player),
            find_squares_passable_for_horde(state, player),
        )
        self.spread = compute_reach_by_steps(state, player, player.at, steps, self._halts)
        """The squares that the zombie hero can reach alone."""
        self._known: dict[int, dict[int, int] | None] = {}
        """The results of `arrange`, by the goal."""
        self._others: dict[int, Mapping[int, int] | None] = {}
        """The results of `arrange_in_any_way`, by the goal."""

    @cached
    def block_spread(self) -> ReachBySteps:
        """The squares that the zombie hero can reach if the horde moves as a block and is one unit at the end.

        A block takes only steps that every figure in it can take.
        """
        found = fresh = self.hero
        sets, ways = [found], self._list_ways_together()
        for _ in range(self._steps):
            fresh = reduce(or_, [shift_squares(fresh & open_, way) for way, open_ in ways]) & ~found
            found |= fresh
            fresh &= ~self._halts
            sets.append(found)
        parted = self._find_parted_squares(found)
        return tuple(squares & ~parted for squares in sets)

    def _list_ways_together(self) -> list[tuple[int, int]]:
        """Returns the steps of a block: the shift in bits, and the zombie hero's squares from which everybody can take
        it.

        No step leads over a stair.
        """
        is_diagonal = all(can_step_diagonally(self._state, start) for start in (self._player.at, *self._player.horde))
        found = []
        for way, open_ in self._ground.directions if is_diagonal else self._ground.directions[:4]:
            room, begins = ALL_SQUARES, open_ & shift_squares(self._entered, -way)
            for shift in self._shifts:
                room &= shift_squares(begins, -shift)
            found.append((way, room))
        return found

    @cached
    def _shifts(self) -> tuple[int, ...]:
        """The shift in bits from the zombie hero to each figure of the unit, the zombie hero included."""
        return tuple(member.bit_length() - self.hero.bit_length() for member in split_squares(self.hero | self._horde))

    def _find_parted_squares(self, squares: int) -> int:
        """Returns those of the zombie hero's `squares` on which the block would not be one unit.

        That happens only beside a thin wall, a ledge or a corner. But if a stair holds the horde together now, all
        squares are looked at.
        """
        joins, near = self._ground.adjacent_squares_with_stairs_by_length, 0
        for shift in self._shifts:
            near |= shift_squares(self._ground.squares_beside_barriers, -shift)
        doubtful = (
            squares & near
            if is_connected_set(self._ground.adjacent_squares_by_length, self.hero | self._horde)
            else squares
        )
        return sum(
            square
            for square in split_squares(doubtful & ~self.hero)
            if not is_connected_set(joins, self._find_unit(square))
        )

    def _find_unit(self, square: int) -> int:
        """Returns the squares of the zombie hero and the horde after a move as one block.

        The zombie hero ends on `square`.
        """
        return shift_squares(self.hero | self._horde, square.bit_length() - self.hero.bit_length())

    # Each zombie by itself

    @cached
    def _spreads(self) -> Mapping[int, ReachBySteps]:
        """The squares that each zombie can reach by itself."""
        zombies = map(self._board.square_bits.__getitem__, self._player.horde)
        spreads = compute_reach_for_each_start(self._state, self._player, self._player.horde, self._steps)
        return dict(zip(zombies, spreads, strict=True))

    @cached
    def sure_goals(self) -> int:
        """Squares of the zombie hero to which the horde can surely follow, found without placing any zombie.

        `arrange` places zombies one by one, each next to the figures placed before. It fails only if none of the
        zombies left gets next to them. A zombie can follow a figure that was one step away from it. So a whole part of
        the horde can follow once one of its zombies gets next to the goal. A zombie surely has room if it reaches more
        squares than the zombies take.
        """
        if len({can_step_diagonally(self._state, start) for start in (self._player.at, *self._player.horde)}) > 1:
            return 0
        parts, found = tuple(self._list_separate_parts()), 0
        for away, (nearer, squares) in enumerate(pairwise(self.spread), 1):
            if all(spread[away].bit_count() > len(self._spreads) for spread in self._spreads.values()):
                goals = squares & ~nearer
                for part in parts:
                    near = reduce(or_, [self._spreads[zombie][away] for zombie in part])
                    goals &= near | self._ground.find_adjacent_squares_with_stairs(near)
                found |= goals
        return found

    def _list_separate_parts(self) -> Iterator[list[int]]:
        """Yields the parts of the horde that no single step joins to another part or to the zombie hero.

        The part around the zombie hero is left out.
        """
        step = make_step_function(self._state, self._player.at)
        left = self._horde & ~find_connected_squares(step, self.hero, self.hero | self._horde)
        while left:
            part = find_connected_squares(step, left & -left, left)
            left ^= part
            yield list(split_squares(part))

    def list_formations(self) -> Iterator[HordePlacement]:
        """Yields formations that let the zombie hero reach squares to which the horde cannot go as a block.

        The first is the horde as it stands. Each later one is arranged around the nearest square that no formation has
        reached. If the horde is connected, the zombie hero can use the other squares that touch it, too.
        """
        ground, spread = self._ground, self.spread
        beside = ground.find_neighbours_if_connected(self._horde) | self._horde
        stays = HordePlacement(
            {zombie: zombie for zombie in split_squares(self._horde)}, beside & spread[-1], self.hero
        )
        yield stays
        found = self.block_spread[-1] | stays.hero_squares
        for away, (nearer, squares) in enumerate(pairwise(spread), 1):
            left = squares & ~nearer & ~found
            while left:
                goal = left & -left
                left ^= goal
                if places := self.arrange(goal, away):
                    unit = sum(places.values())
                    beside = goal | ground.find_neighbours_if_connected(unit) & spread[-1] & ~(nearer | unit)
                    yield HordePlacement(places, beside, self.hero)
                    found |= beside
                    left &= ~beside

    def arrange(self, goal: int, away: int) -> dict[int, int] | None:
        """Returns the new squares of the horde if the zombie hero takes `away` steps to `goal` (ruling.horde-move).

        Each zombie goes to its place in the block, or as near to the zombie hero as there is room, the nearest zombies
        first. If that leaves a zombie behind, the zombies are placed again. Only those that are already connected with
        the goal stay where they are. Returns None if that fails too.
        """
        if goal not in self._known:
            found = self._fill_squares({}, goal, away)
            if found is None:
                staying = (
                    find_connected_squares(self._ground.find_adjacent_squares_with_stairs, goal, goal | self._horde)
                    & self._horde
                    & ~goal
                )
                found = self._fill_squares({zombie: zombie for zombie in split_squares(staying)}, goal, away)
            self._known[goal] = found
        return self._known[goal]

    def can_follow(self, goal: int) -> bool:
        """True if the horde can follow its zombie hero to a square to which no formation leads."""
        return bool(goal & self.sure_goals) or self.arrange_in_any_way(goal) is not None

    def arrange_in_any_way(self, goal: int) -> Mapping[int, int] | None:
        """Returns new squares of the horde for a goal where `arrange` fails; None if no squares are possible.

        The zombies then stand in any way that makes the horde one unit, though perhaps not as near as there is room.
        """
        if goal not in self._others:
            away = _count_steps(self.spread, goal)
            reach = {zombie: spread[away] for zombie, spread in self._spreads.items()}
            self._others[goal] = find_horde_arrangement(self._ground.find_adjacent_squares_with_stairs, goal, reach)
        return self._others[goal]

    def _fill_squares(self, placed: dict[int, int], goal: int, away: int) -> dict[int, int] | None:
        """Returns `placed` with a square for every other zombie.

        Returns None if a zombie finds no square that touches the unit.

        A zombie takes its place in the block, else the square nearest to the goal.
        """
        spreads, joins = self._spreads, self._ground.adjacent_squares_with_stairs_by_length
        rings = self._board.find_rings(self._board.square_by_bit[goal])
        shift = goal.bit_length() - self.hero.bit_length()
        unit = goal | sum(placed.values())
        room = self._entered & ~unit
        beside = self._ground.find_adjacent_squares_with_stairs(unit) & room
        left = [(zombie, spreads[zombie][away]) for zombie in _sort_nearest_first(rings, self._horde ^ sum(placed))]
        while left:
            for one in left:
                if open_ := one[1] & beside:
                    break
            else:
                return None
            left.remove(one)
            zombie = one[0]
            place = placed[zombie] = (open_ & shift_squares(zombie, shift)) or _find_nearest_square(
                open_, zombie, rings
            )
            room ^= place
            beside = (beside | joins[place.bit_length()]) & room
        return placed


def _find_nearest_square(squares: int, zombie: int, rings: tuple[int, ...]) -> int:
    """Returns the square of a set that is nearest to the middle of the rings; squares of other levels come last.

    Among equally near squares, it is the zombie's own one, else the first in reading order.
    """
    for ring in rings:
        if near := squares & ring:
            return near & zombie or near & -near
    return squares & zombie or squares & -squares


def _sort_nearest_first(rings: tuple[int, ...], zombies: int) -> list[int]:
    """Returns zombies by their distance from the middle of the rings, those of other levels last.

    Ties are in reading order.
    """
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
    return [*found, *split_squares(zombies)]
