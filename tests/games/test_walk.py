"""Walking a small game whole: counts that can be worked out by hand, and what is wrong on the way."""

from __future__ import annotations

import pytest
from third_party import installed

from race import GAME as RACE
from race import Lanes, Race
from referee.engine import LegalActions
from referee.testing import perft
from referee.testing.state_walk import StateWalk, WalkLevel

TINY = RACE.setup({}, Lanes("tiny", (), (), 1))
"""A step from the start to the home of each runner."""


def walked(game, plays=1_000):
    walk = StateWalk(game, TINY, plays)
    return walk, list(walk)


def test_a_small_game_is_walked_to_its_end():
    walk, wrong = walked(RACE)
    assert (wrong, walk.is_complete) == ([], True)
    going_on = 3 * 3 * 2 * 2  # runners at home of each, whose turn it is, whether a 1 was thrown
    won = 2 * 3
    assert sum(level.states for level in walk.levels) == going_on + won
    assert sum(level.ended for level in walk.levels) == won
    assert walk.levels[:2] == [WalkLevel(1, 0, 4), WalkLevel(2, 0, 1 + 4)]  # a 1 must run; else blue throws


def test_the_budget_ends_a_walk():
    walk, wrong = walked(RACE, plays=4)
    assert (wrong, walk.is_complete) == ([], False)
    assert walk.levels == [WalkLevel(1, 0, 4)]


class Stalling(Race):
    """Who has two runners at home can do nothing."""

    def legal(self, view, seat):
        return LegalActions() if view.red.count(1) == 2 else super().legal(view, seat)


class Refusing(Race):
    """What is listed is refused at the end."""

    def check(self, view, seat, action):
        return RACE.check(view.move_runner("red", 0, 9), seat, action) if view.red.count(1) == 2 else iter(())


@pytest.mark.parametrize(("kind", "told"), [(Stalling, "nobody can do anything"), (Refusing, "is listed and refused")])
def test_what_is_wrong_far_from_the_beginning_is_found(kind, told):
    _, wrong = walked(kind())
    assert wrong
    assert any(told in one for one in wrong)
    assert all(told in one or "breaks no rule and is not listed" in one for one in wrong)


def test_counts_are_printed(capsys):
    with installed("race"):
        assert perft.main(["race", "--plays", "40"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[:4] == [["level", "states", "over", "plays"], ["0", "1", "0", "4"], ["1", "4", "0", "4"],
                        ["2", "4", "0", "16"]]  # fmt: skip
