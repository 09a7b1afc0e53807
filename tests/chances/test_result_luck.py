"""Luck in results, against products over whole chains of rolls that are written in `test_forced_rolls`."""

from fractions import Fraction

import pytest
from enumerating import plainly
from sample_positions import positions
from support import FIXTURES

import referee
from referee.chances.forced_rolls import find_forced_roll
from referee.chances.outcome_enumeration import TooManyError, enumerate_outcomes
from referee.chances.result_luck import find_result_luck
from referee.engine.adjudication import LegalVerdict

ROBOTS = str(FIXTURES / "manoover" / "games" / "01-base.jsonl")


def robots_with_a_die(view):
    """The robots that a usable die of a control phase shows, from the fields of the state alone."""
    own = {die for die in view.dice if f"{view.turn[0].upper()}{die}" in view.cells}
    return own if view.phase == "control" else set()


def played_out(table, action):
    """The state after an action and all rolls that must follow, with dice of the table."""
    seat, turn = table.to_act, table.turn
    while action is not None:
        assert isinstance(table.do(action), LegalVerdict)
        action = None if table.result else find_forced_roll(table.game, table.view(seat), seat, turn)
    return table.view(seat)


def test_robots_that_can_act_equal_full_products_over_both_rolls():
    compared = 0
    for table, action in positions("manoover", {"goal-cells": "third"}, 30):
        game, seat, turn, view = table.game, table.to_act, table.turn, table.view(table.to_act)
        if view.phase not in ("throw", "rethrow"):
            continue
        after = played_out(table.copy(), action)
        found = find_result_luck(game, view, seat, action, after)
        try:
            ways = plainly(game, view, seat, turn, action)
        except TooManyError:
            continue
        plain = [(chance, len(robots_with_a_die(state))) for chance, state in ways]
        mean = sum(chance * number for chance, number in plain)
        variance = sum(chance * number**2 for chance, number in plain) - mean**2
        assert found is not None
        if variance == 0:
            assert found.able is None
            continue
        assert (found.able.expected, found.able.variance) == (mean, variance)
        assert found.able.hits == len(robots_with_a_die(after))
        compared += 1
    assert compared > 8


@pytest.mark.parametrize("name", ["manoover", "mutants", "sheboygan", "zombies"])
def test_the_luck_of_all_results_adds_up_to_nothing(name):
    tried = 0
    for table, action in positions(name, {}, 40):
        game, seat, view = table.game, table.to_act, table.view(table.to_act)
        total = Fraction(0)
        try:
            ways = list(enumerate_outcomes(game, view, seat, action, 60))
        except (TooManyError, referee.engine.secret.UnknownError):
            continue
        if any(find_forced_roll(game, way.played.state, seat, table.turn) for way in ways):
            continue  # its chains are compared above
        for chance, played in ways:
            found = find_result_luck(game, view, seat, action, played.state)
            total += chance * found.able.hits_above_expected if found and found.able else 0
        assert total == 0
        tried += 1
    assert tried
