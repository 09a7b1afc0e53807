import pytest
from support import Bench

from referee.engine.game import OptionError, find_game, settle_options

GAME = find_game("manoover")


def test_options_have_defaults_and_presets():
    assert settle_options(GAME, {})["ties"] == "draw"
    assert settle_options(GAME, {"edition": "kadon"})["ties"] == "last-to-play"
    assert settle_options(GAME, {"edition": "kadon", "ties": "draw"})["ties"] == "draw"


@pytest.mark.parametrize(
    ("given", "message"), [({"tie": "draw"}, "ties"), ({"ties": "drawn"}, "draw, last-to-play or survivor")]
)
def test_wrong_options_say_what_there_is(given, message):
    with pytest.raises(OptionError, match=message):
        settle_options(GAME, given)


def test_settling_twice_changes_nothing():
    for edition in ("abbott", "kadon", "crash"):
        once = settle_options(GAME, {"edition": edition})
        assert settle_options(GAME, once) == once


def test_every_action_has_a_phrase_and_every_event_is_told():
    from typing import get_args

    assert set(GAME.phrases) == set(get_args(GAME.actions))
    state = Bench(GAME).start()
    assert GAME.standing(state)
    assert len(get_args(GAME.events)) == 16
