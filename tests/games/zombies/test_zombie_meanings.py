"""Hordes may stand just where the sentences of the rulebook let them (zhero.horde.3, zhero.horde.4), on disturbed
positions: beside walls, ledges, stairs, tokens and tiles, and on a board of one's own.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest
from slow_crowds import blocks, elsewhere
from zombie_play import BOARD, CITY, GAME, built

from referee.engine.option_resolution import fill_options
from referee.games.zombies import herding
from referee.games.zombies.horde_turn import FollowTo
from referee.games.zombies.position import Position, Seated
from referee.games.zombies.tasks import FollowTask, GoTask

TRIES = 40


def thin_walled(seed):
    """The city with thin walls between many squares that are open."""
    random, city = Random(seed), {**CITY, "level": [dict(level) for level in CITY["level"]]}
    for level in city["level"]:
        open_ = [
            square for square in BOARD.squares_in(BOARD.levels[level["id"]] & BOARD.open_squares) if square not in "Sc7"
        ]
        pairs = [[one, two] for one, two in product(open_, open_) if one < two and BOARD.square_bits[two] & beside(one)]
        level["thin-walls"] = random.sample(pairs, len(pairs) // 8)
    return built(city)


def beside(square):
    bit, width = BOARD.square_bits[square], BOARD.width
    return bit << 1 | bit >> 1 | bit << width | bit >> width


BOARDS = {"city": BOARD, "thin walls": thin_walled(1)}


def crowd(random, ground, start, size, free):
    """So many squares that hang together, from one on, at random."""
    found = start
    while found.bit_count() < size and (near := ground.joined(found) & free & ~found):
        found |= ground.board.square_bits[random.choice(ground.board.squares_in(near))]
    return found & ~start


def herd(random, board):
    """A zombie hero and a horde at random, with a movement die thrown."""
    options = fill_options(GAME, {})
    mutations = {"crab-gait": random.choice("SA")} if random.random() < 0.2 else {}
    at = random.choice(board.squares_in(board.open_squares))
    players = {
        "LEE": Seated(seat="red", at="Wg8" if at != "Wg8" else "Wh8"),
        "AUG": Seated(seat="blue", at=at, zombie=True),
    }
    tiles = " ".join(
        random.sample(board.squares_in(board.open_squares & ~board.square_bits[at] & ~board.levels["W"]), 12)
    )
    bare = GAME.state_from(Position(players=players, tiles=tiles, turn="blue", phase="horde"), options, board)
    horde = board.squares_in(
        crowd(random, bare.ground, board.square_bits[at], random.randint(2, 9), bare.empty_squares)
    )
    steps = random.randint(1, 6)
    players["AUG"] = Seated(seat="blue", at=at, zombie=True, horde=" ".join(horde))
    tokens = [square for square, kind in board.tokens.items() if kind != "star"]
    used = dict.fromkeys(random.sample(tokens, min(len(tokens), board.components.blank_tiles)), "blank")
    given = Position(
        players=players,
        tiles=tiles,
        turn="blue",
        phase="horde",
        mutations=mutations,
        zombies={"l1": " ".join(horde)},
        used=used,
        agenda=(GoTask(by="AUG", steps=steps),),
    )
    return GAME.state_from(given, options, board)


def followed(random, state):
    """The same after the zombie hero has gone somewhere; None if nobody may be put elsewhere then."""
    player, steps = state.players["AUG"], state.task.steps
    square = random.choice(state.board.squares_in(herding.horde_goals(state, player, steps)))
    course = herding.course_to(state, player, steps, square)
    state = state.with_player("AUG", at=square)
    zombies = {course.following.get(zombie, zombie): level for zombie, level in state.zombies.items()}
    horde = state.board.sort_squares(zombies)
    origins = tuple((course.following.get(zombie, zombie), zombie) for zombie in player.horde)
    task = FollowTask(by="AUG", steps=max(course.steps, 1), origins=origins)
    return state.__class__(**{**fields(state), "zombies": zombies, "agenda": (task,)}).with_player("AUG", horde=horde)


def fields(state):
    return {name: getattr(state, name) for name in state.__struct_fields__}


@pytest.mark.parametrize("board", BOARDS)
def test_zombies_that_have_followed_may_go_wherever_the_horde_is_one_unit_afterwards(board):
    random, seen = Random(3), Counter()
    for _ in range(TRIES):
        state = followed(random, herd(random, BOARDS[board]))
        wanted = elsewhere(state, state.players["AUG"])
        choices = [choice for choice in GAME.legal(state, "blue").choices if choice.kind is FollowTo]
        listed = {(action.origin, action.to) for choice in choices for action in choice}
        assert listed == wanted, (state.players, state.tiles, state.task)
        said = {pair for pair in product(dict(state.task.origins), state.board.square_bits) if is_allowed(state, *pair)}
        assert said == wanted
        seen[bool(wanted)] += 1
    assert seen[True] > TRIES / 2


def is_allowed(state, origin, to):
    return FollowTo(origin, to) in GAME.legal(state, "blue")


@pytest.mark.parametrize("board", BOARDS)
def test_a_horde_goes_as_a_block_wherever_all_of_it_can_take_the_same_steps(board):
    random, seen = Random(4), Counter()
    for _ in range(TRIES):
        state = herd(random, BOARDS[board])
        player, steps = state.players["AUG"], state.task.steps
        wanted = blocks(state, player, steps)
        goals = herding.horde_goals(state, player, steps)
        for square, unit in wanted.items():
            course = herding.course_to(state, player, steps, state.board.square_at[square])
            assert square & goals, (player, state.tiles, steps)
            assert square == unit[0]
            if square != state.board.square_bits[player.at]:
                assert state.board.bits_of(course.following.values()) == sum(unit[1:])
        seen["edged"] += bool(len(wanted) > 1 and state.units["AUG"] & state.ground.edged)
    assert seen["edged"] > 2
