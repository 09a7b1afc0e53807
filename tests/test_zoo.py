"""The adapter for people who teach machines: PettingZoo's own tests, and a pupil that learns something."""

from random import Random

import pytest

pytest.importorskip("pettingzoo")

from learn import Pupil, choose_at_random, measure_win_share
from pettingzoo.test import api_test, seed_test

import zoo

GAMES = [("manoover", {}), ("mutants", {}), ("mutants", {"hidden-movement": "yes"}), ("sheboygan", {}), ("zombies", {})]


@pytest.mark.filterwarnings("ignore::UserWarning")  # it likes agents to be called player_0, and arrays without a mask
@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_game_is_an_environment(game, options, capsys):
    api_test(zoo.env(game, options), num_cycles=60)
    seed_test(lambda: zoo.env(game, options), num_cycles=20)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_every_row_of_words_comes_to_an_action(game, options):
    env, random = zoo.env(game, options), Random(7)
    env.reset(seed=7)
    played = 0
    for _ in range(120):
        if env.table.result:
            env.reset(seed=8)
        before = env.table.state
        env.step(random.randrange(len(env.list_words())))
        played += env.table.state is not before
    assert played > 10


def test_what_is_no_word_is_refused():
    env = zoo.env("manoover")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="is no word now"):
        env.step(len(env.list_words()))


def test_agents_see_what_their_seats_may_know():
    """Two truths that a seat cannot tell apart look alike to it."""
    env = zoo.env("sheboygan")
    env.reset(seed=1)
    for said in ("abilities great-height", "record att=5 def=6 des=2 mov=3", "edge N"):
        env.table.do(said)
    seen = env.observe("human")["observation"]
    env.table = env.table.guess("human", "1" * 64)
    assert (env.observe("human")["observation"] == seen).all()


def test_the_pupil_beats_chance():
    pupil, dice = Pupil(), Random(3)
    pupil.learn(60, 1.0, dice)
    assert measure_win_share(pupil.choose, choose_at_random, 6, dice) >= 0.7
