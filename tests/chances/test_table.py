"""A game in memory."""

from random import Random

import msgspec
import pytest

import referee
from referee.engine.adjudication import IllegalVerdict, LegalVerdict, PendingVerdict

SEED = "1" * 64


def played(game, plays=60, seed=0):
    random = Random(seed)
    for _ in range(plays):
        if game.result:
            break
        game.do(game.legal().pick(random))
    return game


def test_words_are_played_and_told(tmp_path):
    game = referee.table("manoover", {"first": "red"}, seed=SEED)
    assert game.to_act == "red"
    verdict = game.do("throw")
    assert isinstance(verdict, LegalVerdict)
    assert verdict.rolls[0].faces
    assert not list(tmp_path.iterdir())


def test_a_refusal_cites_its_rule_and_leaves_the_game_as_it_was():
    game = referee.table("manoover", {"first": "red"}, seed=SEED)
    before = game.state
    verdict = game.do("done")
    assert isinstance(verdict, IllegalVerdict)
    assert verdict.refusals[0].rule
    assert game.state is before
    assert game.why("done") == verdict.refusals


def test_what_is_returned_is_short_to_read():
    game = referee.table("zombies", seed=SEED)
    verdict = game.do("fill")
    assert "Filled" in repr(verdict)
    assert "state" not in repr(verdict)
    assert repr(game) == "<zombies, turn 1: the roll for the first turn>"


@pytest.mark.parametrize("seed", ["abc", "zz" * 32, "AB" * 32, 5])
def test_a_seed_that_is_none_is_told_at_once(seed):
    with pytest.raises(msgspec.ValidationError):
        referee.table("manoover", seed=seed)


def test_faces_may_be_given():
    game = referee.table("manoover", {"first": "red"}, seed=SEED)
    assert isinstance(game.do("throw", faces=[]), PendingVerdict)
    assert game.do("throw", faces=[1, 2, 3]).rolls[0].faces == (1, 2, 3)


@pytest.mark.parametrize("name", ["manoover", "mutants", "sheboygan", "zombies"])
def test_the_same_seed_and_plays_give_the_same_game(name):
    one, other = (played(referee.table(name, seed=SEED)) for _ in range(2))
    assert one.state == other.state
    assert one.draws == other.draws


def test_a_copy_goes_its_own_way():
    game = played(referee.table("zombies", seed=SEED), 20)
    state = game.state
    copy = game.copy("2" * 64)
    played(copy, 20)
    assert game.state is state
    assert copy.state != state


def test_a_game_begins_from_a_position():
    game = played(referee.table("manoover", seed=SEED), 30)
    position = referee.table("manoover").game.position_from(game.state)
    import msgspec

    document = msgspec.to_builtins(position)
    assert referee.table("manoover", position=document).game.position_from(game.state) == position


def test_a_position_that_breaks_a_rule_is_refused():
    game = referee.table("manoover")
    import msgspec

    document = msgspec.to_builtins(game.game.position_from(game.state))
    document["robots"] = dict.fromkeys(document["robots"], "c2 N")
    with pytest.raises((referee.PositionError, msgspec.ValidationError)):
        referee.table("manoover", position=document)


@pytest.mark.parametrize("name", ["mutants", "sheboygan"])
def test_what_others_are_asked_is_answered(name):
    options = {"hidden-movement": "yes"} if name == "mutants" else {}
    game = referee.table(name, options, seed=SEED)
    random = Random(3)
    for _ in range(400):
        if game.result:
            break
        assert not game.game.awaits_answer(game.state)
        game.do(game.legal().pick(random))


def test_a_guess_is_the_same_to_who_guesses():
    game = played(referee.table("sheboygan", seed=SEED), 120)
    seat = game.to_act
    guess = game.guess(seat, "3" * 64)
    assert guess.view(seat) == game.view(seat)
    assert game.guess(seat, "3" * 64).state == guess.state
