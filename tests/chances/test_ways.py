"""Every way in which an action may come out."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from enumerating import by_faces, told_of

import referee
from referee.chances.odds import compute_odds
from referee.chances.outcome_enumeration import TooManyError, enumerate_outcomes, list_distinct_rolls

GAMES = {
    "manoover": {},
    "mutants": {},
    "sheboygan": {},
    "zombies": {},
}
SEED = "1" * 64


def throwing(name, options, wanted, seed=0):
    """Positions of random games, with an action each that may throw dice."""
    random, found = Random(seed), 0
    while found < wanted:
        game = referee.table(name, options, seed=f"{random.getrandbits(256):064x}")
        while not game.result and found < wanted:
            action = game.legal().pick(random)
            verdict = game.copy().do(action)
            if verdict.rolls and len(verdict.rolls) < 4:
                found += 1
                yield game, action
            game.do(action)


@pytest.mark.parametrize("name", GAMES)
def test_chances_are_those_of_all_faces(name):
    compared = 0
    for game, action in throwing(name, GAMES[name], 25):
        plain = by_faces(game.game, game.state, game.to_act, action)
        if plain is None:
            continue
        told: Counter = Counter()
        for chance, played in enumerate_outcomes(game.game, game.state, game.to_act, action):
            told[tuple(sorted(told_of(game.game, played)))] += chance
        assert told == plain, game.text(action)
        compared += 1
    assert compared > 15


def test_dice_that_nothing_tells_apart_are_taken_together():
    assert len(list_distinct_rolls(6, (2,))) == 21
    assert len(list_distinct_rolls(6, (1, 1))) == 36
    assert sum(fall.ways for fall in list_distinct_rolls(6, (3,))) == 216


def test_outcomes_are_games_that_go_on():
    game = referee.table("manoover", {"first": "red"}, seed=SEED)
    found = list(referee.outcomes(game, "throw"))
    assert sum(chance for chance, _ in found) == Fraction(1)
    assert all(after.legal() for _, after in found)
    assert game.legal().awaited_roll, "the game itself has not moved"


def test_what_is_not_legal_comes_to_nothing():
    assert not list(referee.outcomes(referee.table("manoover", {"first": "red"}), "done"))


def test_too_many_ways_are_told():
    game = referee.table("mutants", seed=SEED)
    with pytest.raises(TooManyError, match="random can come out in more than"):
        list(referee.outcomes(game, "random"))


def test_what_is_too_much_is_sampled_with_its_error():
    game = referee.table("manoover", {"first": "red"}, seed=SEED)
    action, state = game.read("throw"), game.state
    exact = compute_odds(game.game, state, "red", action)
    rough = compute_odds(game.game, state, "red", action, most=10, random=Random(0))
    chances = {row.told: row.chance for row in exact.rows}
    assert exact.is_exact
    assert not rough.is_exact
    assert all(abs(row.chance - chances[row.told]) < 5 * row.error for row in rough.rows)


def test_odds_are_taken_from_what_the_seat_knows():
    """Two truths that a seat cannot tell apart give it the same chances."""
    random, told = Random(0), 0
    game = referee.table("mutants", {"hidden-movement": "yes"}, seed=SEED)
    for _ in range(600):
        if game.result:
            break
        seat, action = game.to_act, game.legal().pick(random)
        if told < 2 and game.copy().do(action).rolls and game.turn > 0:
            other = game.guess(seat, f"{told:064x}")
            both = [
                compute_odds(game.game, one.view(seat), seat, action, most=100, random=Random(1))
                for one in (game, other)
            ]
            assert both[0] == both[1]
            told += 1
        game.do(action)
    assert told
