"""Luck: hits against what had to be expected."""

from fractions import Fraction
from random import Random

import pytest
from support import FIXTURES

import referee
from referee.chances.checks import list_checks
from referee.chances.luck import compute_luck, compute_rarity, make_luck_account
from referee.chances.outcome_enumeration import enumerate_outcomes
from referee.chances.recorded_rolls import RecordedRoll, count_plays_left_out, list_recorded_rolls
from referee.engine.dice import Need, Roll
from referee.engine.dice_source import TypedSource
from referee.engine.target_number import Target

GAMES = ("manoover", "mutants", "sheboygan", "zombies")


class Noting(TypedSource):
    def __init__(self, faces):
        super().__init__(faces)
        self.needs = []

    def draw(self, need):
        roll = super().draw(need)
        self.needs.append((need, roll))
        return roll


@pytest.mark.parametrize("name", ["mutants", "sheboygan", "zombies"])
def test_luck_of_all_outcomes_adds_up_to_nothing(name):
    """Weighed by their chance, over all that an action can come to."""
    random, tried = Random(2), 0
    game = referee.table(name, seed="7" * 64)
    while tried < 12 and not game.result:
        action, seat = game.legal().pick(random), game.to_act
        rolls = game.copy().do(action).rolls
        if 0 < len(rolls) < 3 and sum(len(roll.faces) for roll in rolls) < 5:
            total, aimed = Fraction(0), False
            for chance, played in enumerate_outcomes(game.game, game.state, seat, action, 3_000):
                source = Noting(face for roll in played.rolls for face in roll.faces)
                referee.engine.adjudication.adjudicate(game.game, game.state, seat, action, source)
                total += chance * sum(compute_luck(need, roll.faces) for need, roll in source.needs)
                aimed |= any(list_checks(need) for need, _ in source.needs)
            assert total == 0, game.text(action)
            tried += aimed
        game.do(action)


def thrown(aims, *faces, sides=6, each=()):
    need = Need("a try", len(faces), sides, each=each, aims=aims)
    return RecordedRoll(1, 1, "red", {}, "try", need, Roll(0, "a try", sides, faces, "open", each, (), None), True)


def test_each_die_is_looked_at_by_itself_or_all_together():
    assert compute_luck(thrown((Target(most=2),), 1, 3).need, (1, 3)) == 1 - Fraction(2, 3)
    assert compute_luck(thrown((Target(least=12, of="sum"),), 6, 6).need, (6, 6)) == 1 - Fraction(1, 36)
    assert compute_luck(thrown((Target(of="alike"),), 2, 3).need, (2, 3)) == -Fraction(1, 6)


def test_a_die_aims_at_what_it_is_thrown_for():
    need = thrown((Target(most=2, whose="n1"), Target(most=4, whose="n2")), 3, 3, each=("n1", "n2")).need
    assert [one.chance for one in list_checks(need)] == [Fraction(2, 6), Fraction(4, 6)]
    assert [one.is_hit((3, 3)) for one in list_checks(need)] == [False, True]


def test_dice_that_are_only_read_are_no_luck():
    assert not list_checks(thrown((), 3, 4).need)
    assert not list_checks(thrown((Target(least=1),), 3).need)


def test_how_rare_a_throw_was():
    assert compute_rarity(thrown((Target(least=6),), 6, 6, 6)) == Fraction(1, 216)
    assert compute_rarity(thrown((Target(most=3),), 1)) == Fraction(1, 2)


@pytest.mark.parametrize("log", sorted(FIXTURES.glob("*/games/*.jsonl")), ids=lambda log: log.stem)
def test_every_throw_of_a_log_is_found(log):
    session = referee.open_log(log)
    plays = [session.entries[n] for n in session.in_force()]
    known = [entry for entry in plays if hasattr(entry, "rolls") and entry.is_fully_known and entry.by]
    rolls = sum(len(entry.known_rolls) for entry in known)
    lots = sum(any("seed of the lots" in roll.purpose for roll in entry.known_rolls) for entry in known)
    found = [throw for throw in list_recorded_rolls(session) if throw.is_in_force]
    assert rolls - 100 * lots <= len(found) <= rolls


@pytest.mark.parametrize("log", sorted(FIXTURES.glob("*/games/*.jsonl")), ids=lambda log: log.stem)
def test_what_is_not_told_is_counted(log):
    session = referee.open_log(log)
    throws = list(list_recorded_rolls(session))
    assert count_plays_left_out(session, throws) == 0
    left_out = {throw.n for throw in throws if throw.is_in_force and not (throw.need.names or throw.need.lots)}
    assert count_plays_left_out(session, [throw for throw in throws if throw.n not in left_out]) >= bool(left_out)


def test_an_account_is_a_sum():
    account = make_luck_account([thrown((Target(most=3),), 1, 5), thrown((Target(most=3),), 2), thrown((), 4)])
    total = account.luck_by_seat["red"]
    assert (total.dice, total.hits, total.expected) == (3, 2, Fraction(3, 2))
    assert account.untargeted_count == 1
    assert [point.luck for point in account.list_luck_points()] == [0.0, 0.5]
