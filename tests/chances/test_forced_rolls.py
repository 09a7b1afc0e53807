"""What forced rolls lead to, against full products over whole chains of rolls that are written here anew."""

from __future__ import annotations

from fractions import Fraction

import pytest
from enumerating import left_by_chains
from sample_positions import positions

import referee
from referee.chances.forced_rolls import _solve_chances, follow_forced_rolls, list_uncertain_results


@pytest.mark.parametrize("name", ["manoover", "mutants", "sheboygan", "zombies"])
def test_chances_equal_full_products_over_whole_chains(name):
    compared = 0
    for table, action in positions(name, {}, 24):
        left = left_by_chains(table, action)
        if left is None:
            continue
        missing, rolls_again = left
        assert missing == 0 or (rolls_again and missing < Fraction(1, 1000)), table.text(action)
        compared += 1
    assert compared > 8


def test_the_second_roll_of_a_turn_is_followed():
    table = referee.table("manoover", {"first": "red"}, seed="1" * 64)
    table.state = table.game.state_from(_three_robots_gone(table), table.options, table.state.board)
    found = follow_forced_rolls(table.game, table.view("red"), "red", table.read("throw"))
    assert found.rolls_again
    things = {thing.told: thing.chance for thing in list_uncertain_results(table.game, table.view("red"), "red", found)}
    one = Fraction(1, 6)
    # each of the three dice shows 4 at once, or a gone robot (half of all faces) and then 4
    assert things["4 can act"] == 1 - (1 - (one + one / 2)) ** 3


def _three_robots_gone(table):
    position = table.game.position_from(table.state)
    for robot in ("R1", "R2", "R3"):
        position = table.game.place_piece(position, robot, "off")
    return position


def test_a_circle_is_solved_and_not_unrolled():
    half = Fraction(1, 2)
    rows = {
        b"": {b"a": Fraction(1)},
        b"a": {b"a": half, b"hit": half / 2, b"b": half / 2},
        b"b": {b"a": half, b"miss": half},
    }
    assert _solve_chances(rows) == {b"hit": Fraction(2, 3), b"miss": Fraction(1, 3)}
