"""The squares that a zombie hero and each zombie of their horde can reach (zhero.move.4, zhero.move.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from referee.games.zombies.player import Player
from referee.games.zombies.state import State
from referee.games.zombies.tokens import find_tokens_to_draw_for

ReachBySteps = tuple[int, ...]
"""Growing sets of squares: those within 0 steps, within 1 step, within 2 steps and so on."""


def find_squares_passable_for_horde(state: State, player: Player) -> int:
    """Returns the squares that a zombie hero and their horde can pass: free ones, and those of their own figures."""
    return state.empty_squares | state.unit_squares_by_hero[player.hero]


def find_reachable_squares(state: State, player: Player, start: str, steps: int, stop_squares: int = 0) -> int:
    """Returns the squares that a figure of the horde can reach from `start` in at most `steps` steps, `start` included.

    It can go no farther from a square of `stop_squares`.
    """
    return compute_reach_by_steps(state, player, start, steps, stop_squares)[-1]


def can_reach_any_square(state: State, player: Player, start: str, steps: int, room: int) -> bool:
    """True if a figure of the horde can reach one of the free squares `room` from `start` in at most `steps` steps.

    Usually its first step already leads there, so that is looked at first.
    """
    step = make_step_function(state, start)
    return bool(
        (steps and step(state.board.square_bits[start]) & room)
        or find_reachable_squares(state, player, start, steps) & room
    )


def compute_reach_by_steps(state: State, player: Player, start: str, steps: int, stop_squares: int = 0) -> ReachBySteps:
    """Returns a set of squares for each number of steps from 0 to `steps`: those that a figure can reach from `start`.

    The figure can go no farther from a square of `stop_squares`.
    """
    step, bit = make_step_function(state, start), state.board.square_bits[start]
    return _compute_steps(step, bit, steps, find_squares_passable_for_horde(state, player), stop_squares)


def make_step_function(state: State, start: str) -> Callable[[int], int]:
    """Returns the function that returns the squares one step from a set of squares, for a move that begins at `start`.

    A step goes sideways, up or down, or over a stair; under a movement mutation also diagonally (zhero.move.4,
    zhero.move.5, ruling.level-links).
    """
    return (
        state.ground.find_adjacent_squares_with_stairs
        if can_step_diagonally(state, start)
        else state.ground.find_side_neighbours_with_stairs
    )


def can_step_diagonally(state: State, start: str) -> bool:
    """True if a movement mutation is in force on the level where a move begins, so that its steps may be diagonal
    (mutation.6, ruling.horde-move).
    """
    return bool(state.mutations and state.list_mutations(start[0], "diagonal"))


def compute_reach_for_each_start(
    state: State, player: Player, starts: Iterable[str], steps: int
) -> Iterator[ReachBySteps]:
    """Yields, for each square of `starts`, the squares that a zombie of the horde can reach in 0, 1, 2 ... steps."""
    entered = find_squares_passable_for_horde(state, player)
    for start in starts:
        yield _compute_steps(make_step_function(state, start), state.board.square_bits[start], steps, entered)


def _compute_steps(
    step: Callable[[int], int], start: int, steps: int, entered: int, stop_squares: int = 0
) -> ReachBySteps:
    """Returns the squares within 0, 1, 2 and so on steps from `start`, through squares of `entered`.

    No way leads beyond a square of `stop_squares`.
    """
    found = fresh = start
    sets = [found]
    for _ in range(steps):
        fresh = step(fresh) & entered & ~found
        found |= fresh
        fresh &= ~stop_squares
        sets.append(found)
    return tuple(sets)


def find_zombie_hero_stop_squares(state: State, player: Player) -> int:
    """Returns the squares where a zombie hero has to stop: on or next to tokens that they draw for.

    Zombies of the horde stop for no token (zhero.token.1, zhero.token.2, ruling.horde-tokens).
    """
    tokens = find_tokens_to_draw_for(state, player)
    return tokens | state.ground.find_adjacent_squares(tokens)
