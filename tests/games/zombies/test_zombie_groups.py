"""Groups of zombies step as many as can, whatever the hunted player chooses (ruling.group-move)."""

from __future__ import annotations

from random import Random

import pytest
from slow_crowds import is_unit, most_steps
from zombie_play import BOARD, GAME

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.dice_source import SeededSource
from referee.engine.option_resolution import fill_options
from referee.games.zombies.group_steps import MAX_PLANNED_TOGETHER
from referee.games.zombies.marching import MarchTask, ZombieStepped
from referee.games.zombies.position import PlayerPosition, Position

TRIES = 60


def group_of(random, size, start):
    """A group of so many zombies that touch, at random on the Street."""
    ground, free = (
        start.ground,
        start.empty_squares & BOARD.squares_by_level["S"] & ~start.ground.find_adjacent_squares(start.hero_squares),
    )
    found = BOARD.square_bits[random.choice(BOARD.list_squares(free))]
    while found.bit_count() < size:
        near = ground.find_adjacent_squares(found) & free & ~found
        if not near:
            return 0
        found |= BOARD.square_bits[random.choice(BOARD.list_squares(near))]
    return found


def situation(random, options, least=2, most=8):
    """A group that goes for a hero in its turn, just when the zombies begin to act; None: it does not see him."""
    hero = random.choice(
        BOARD.list_squares(BOARD.squares_by_level["S"] & BOARD.initially_open_squares & ~BOARD.tanker_squares)
    )
    players = {"LEE": PlayerPosition(at=hero), "JAK": PlayerPosition(at="Ac7")}
    tiles = " ".join(
        random.sample(
            BOARD.list_squares(BOARD.squares_by_level["S"] & BOARD.initially_open_squares & ~BOARD.square_bits[hero]),
            random.choice((0, 9)),
        )
    )
    empty = GAME.state_from(Position(players=players, tiles=tiles), options, BOARD)
    group = BOARD.list_squares(group_of(random, random.randint(least, most), empty))
    return GAME.state_from(Position(players=players, tiles=tiles, zombies=by_level(group)), options, BOARD)


def by_level(group):
    """A group of any size: there are 36 figures of level 1 and 30 of level 2."""
    return {"l1": " ".join(group[:36]), "l2": " ".join(group[36:])}


def march_of(state, random, *, auto=False):
    """How the zombies step when everybody chooses at random: each step, and the state in which the group began."""
    source, steps, began = SeededSource({None: "00" * 32}), [], None
    action = GAME.parse("done", state, "red")
    while True:
        verdict = adjudicate(GAME, state, "red", action, source)
        assert isinstance(verdict, LegalVerdict)
        for event in verdict.events:
            if isinstance(state.task, MarchTask) and state.task.target and began is None:
                began = state
            steps += [event] if isinstance(event, ZombieStepped) else []
            state = event.apply(state)
        if not isinstance(state.task, MarchTask):
            return began, steps, state
        action = GAME.parse("auto", state, "red") if auto else random.choice(list(GAME.legal(state, "red").choices[0]))


@pytest.mark.parametrize("choice", ["token-owner", "long-axis", "compass", "auto"])
def test_as_many_of_a_group_step_as_can_whatever_is_chosen(choice):
    auto = choice == "auto"
    options = fill_options(GAME, {} if auto else {"zombie-step-choice": choice})
    random, seen = Random(7), 0
    for _ in range(TRIES):
        began, steps, after = march_of(situation(random, options), random, auto=auto)
        if began is None or after.phase == "over":
            continue
        assert len(steps) == most_steps(began), (began.zombies, began.players["LEE"].at, began.tiles)
        seen += len(steps) > 1
    assert seen > TRIES / 6


def test_a_group_of_more_than_are_planned_for_together_steps_and_stays_whole():
    options, random, seen = fill_options(GAME, {}), Random(8), 0
    for _ in range(8):
        began, steps, after = march_of(
            situation(random, options, MAX_PLANNED_TOGETHER + 2, MAX_PLANNED_TOGETHER + 12), random
        )
        if began is None or after.phase == "over":
            continue
        assert is_unit(after.ground.find_adjacent_squares, set(map(BOARD.square_bits.__getitem__, after.zombies)))
        seen += len(steps) > MAX_PLANNED_TOGETHER / 2
    assert seen > 2
