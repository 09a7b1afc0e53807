"""How hordes and groups may stand, as the rulebook's sentences say it: everything is enumerated, then filtered.

Slow on purpose, and made of steps between two squares alone. The quick lists of the game are compared with these.
"""

from __future__ import annotations

from itertools import product

from referee.games.zombies.board import side_steps
from referee.games.zombies.ground import split_squares
from referee.games.zombies.herding import halting_squares, passable_squares, steps_diagonally

WAYS = [(x, y) for x, y in product((-1, 0, 1), repeat=2) if x or y]


def is_unit(near, squares):
    """True if all of these squares hang together."""
    left, fresh = set(squares), {min(squares)}
    while fresh:
        left -= fresh
        fresh = {other for other in left for one in fresh if near(one) & other}
    return not left


def reach(state, player, start, steps):
    """Squares up to so many steps from a bit, through the horde's own ranks."""
    step = state.ground.joined if steps_diagonally(state, state.board.square_at[start]) else state.ground.next_to
    found = {start}
    for _ in range(steps):
        found |= {to for one in found for to in split_squares(step(one) & passable_squares(state, player))}
    return found


def elsewhere(state, player):
    """Where each zombie that has followed may still be put: the horde is one unit afterwards (zhero.horde.4)."""
    bit, task = state.board.square_bits, state.task
    unit = {bit[square] for square in (player.at, *player.horde)}
    return {
        (at, state.board.square_at[to])
        for at, origin in task.origins
        for to in reach(state, player, bit[origin], task.steps)
        if to & state.empty_squares and is_unit(state.ground.joined, unit - {bit[at]} | {to})
    }


def blocks(state, player, steps):
    """Where a zombie hero gets to when every zombie of his horde takes each step with him, and all are one unit
    afterwards (zhero.horde.3, zhero.horde.4, ruling.horde-move); with each square the unit that stands then.
    """
    start = tuple(state.board.square_bits[square] for square in (player.at, *player.horde))
    found, fresh = {start}, {start}
    for _ in range(steps):
        going = {unit for unit in fresh if unit == start or not unit[0] & halting_squares(state, player)}
        fresh = {moved for unit in going for way in WAYS if (moved := together(state, player, unit, way))} - found
        found |= fresh
    return {unit[0]: unit for unit in found if is_unit(state.ground.joined, unit)}


def together(state, player, unit, way):
    """A unit after everybody in it has taken the same step; None if somebody cannot."""
    shift = way[0] + way[1] * state.board.width
    moved = tuple(one << shift if shift > 0 else one >> -shift for one in unit)
    if all(to & steps(state, one) & passable_squares(state, player) for one, to in zip(unit, moved, strict=True)):
        return moved
    return None


def steps(state, one):
    diagonal = steps_diagonally(state, state.board.square_at[one])
    return state.ground.touching(one) if diagonal else state.ground.beside(one)


def most_steps(state):
    """The most of a group that can step, nearest first, so that it is whole afterwards (zombie.group.2,
    zombie.group.3): every plan is looked at.
    """
    task, hero = state.task, state.players[state.task.target].at
    plans = {frozenset(state.board.square_bits[square] for square in task.whole): 0}
    taken = set(split_squares(state.board.bits_of(state.board.square_bits) & ~state.empty_squares)).difference(*plans)
    for zombie in task.movers:
        later: dict[frozenset[int], int] = {}
        for plan, count in plans.items():
            for after, more in [(plan, 0), *((after, 1) for after in stepped(state, zombie, hero, plan, taken))]:
                later[after] = max(later.get(after, 0), count + more)
        plans = later
    most_first = sorted(plans.items(), key=lambda item: -item[1])
    return next((count for plan, count in most_first if is_unit(state.ground.touching, plan)), 0)


def stepped(state, zombie, hero, plan, taken):
    bit = state.board.square_bits[zombie]
    for to in split_squares(state.ground.beside(bit)):
        if (
            to not in plan
            and to not in taken
            and side_steps(state.board.square_at[to], hero) < side_steps(zombie, hero)
        ):
            yield plan - {bit} | {to}
