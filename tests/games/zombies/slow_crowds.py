"""How groups may stand, as the rulebook's sentences say it: everything is enumerated, then filtered.

Slow on purpose, and made of steps between two squares alone. The quick lists of the game are compared with these.
"""

from __future__ import annotations

from referee.games.zombies.board import measure_manhattan_distance
from referee.games.zombies.ground import split_squares


def is_unit(near, squares):
    """True if all of these squares hang together."""
    left, fresh = set(squares), {min(squares)}
    while fresh:
        left -= fresh
        fresh = {other for other in left for one in fresh if near(one) & other}
    return not left


def most_steps(state):
    """The most of a group that can step, nearest first, so that it is whole afterwards (zombie.group.2,
    zombie.group.3): every plan is looked at.
    """
    task, hero = state.task, state.players[state.task.target].at
    plans = {frozenset(state.board.square_bits[square] for square in task.whole): 0}
    taken = set(split_squares(state.board.make_set(state.board.square_bits) & ~state.empty_squares)).difference(*plans)
    for zombie in task.movers:
        later: dict[frozenset[int], int] = {}
        for plan, count in plans.items():
            for after, more in [(plan, 0), *((after, 1) for after in stepped(state, zombie, hero, plan, taken))]:
                later[after] = max(later.get(after, 0), count + more)
        plans = later
    most_first = sorted(plans.items(), key=lambda item: -item[1])
    return next((count for plan, count in most_first if is_unit(state.ground.find_adjacent_squares, plan)), 0)


def stepped(state, zombie, hero, plan, taken):
    bit = state.board.square_bits[zombie]
    for to in split_squares(state.ground.find_side_neighbours(bit)):
        if (
            to not in plan
            and to not in taken
            and measure_manhattan_distance(state.board.square_by_bit[to], hero)
            < measure_manhattan_distance(zombie, hero)
        ):
            yield plan - {bit} | {to}
