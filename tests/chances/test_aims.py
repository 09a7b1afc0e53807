"""Every throw has aims, or says that its dice are only read."""

import pytest
from support import FIXTURES

import referee
from referee.chances.checks import list_checks
from referee.chances.recorded_rolls import list_recorded_rolls
from referee.engine.dice import Need
from referee.engine.target_number import ONLY_READ, Target
from referee.testing.roll_laws import sum_luck_of_results

READ = {
    "manoover": {"throw", "rethrow", "throwoff"},
    "mutants": {"sides", "random", "arrive"},
    "sheboygan": {"wind"},
    "zombies": {"fill", "first", "pick", "draw", "move", "count"},
}
"""The actions of which some dice are only read: which robot obeys, how far one walks, which card comes, who begins."""


def throws(game):
    for log in sorted(FIXTURES.glob(f"{game}/games/*.jsonl")):
        yield from list_recorded_rolls(referee.open_log(log))


@pytest.mark.parametrize("game", READ)
def test_only_these_dice_are_read(game):
    assert {throw.kind for throw in throws(game) if throw.need.aims == ONLY_READ} == READ[game]


@pytest.mark.parametrize("game", READ)
def test_the_luck_of_all_that_can_fall_is_nothing(game):
    looked_at = 0
    for need in {throw.need for throw in throws(game) if throw.need.aims}:
        assert sum_luck_of_results(need) == 0
        looked_at += bool(list_checks(need))
    assert looked_at or game == "manoover"


def test_who_writes_rules_cannot_forget_to_say_it():
    with pytest.raises(TypeError, match="aims"):
        Need("a throw", 1, 6)


def test_a_die_may_be_good_for_one_and_another_for_the_other():
    mine, theirs = Target(most=2, whose="n1", good_for="red"), Target(most=4, whose="n2", good_for="blue")
    need = Need("a fight", 2, 6, each=("n1", "n2"), aims=(mine, theirs))
    assert [one.lucky_seat for one in list_checks(need)] == ["red", "blue"]


def test_one_die_may_be_looked_at_by_both():
    need = Need("an attack", 1, 6, aims=(Target(least=3), Target(most=2, good_for="blue")))
    assert [(one.lucky_seat, one.is_hit((2,))) for one in list_checks(need)] == [("", False), ("blue", True)]
    assert sum_luck_of_results(need) == 0
