"""What is known of a game at one moment: the truth, or no more than some seats see."""

from __future__ import annotations

import pytest
from support import Bench

from referee.engine.event import REFEREE
from referee.engine.secret import Secret, UnknownError
from referee.record.table.knowledge import Knowledge

SEATS = ("red", "blue")


@pytest.fixture
def game(ambush):
    return ambush.GAME


@pytest.fixture
def truth(game):
    return Bench(game).place({"phase": "raid", "night": 1, "chests": {"red": "cave", "blue": "reef"}})


def test_the_truth_is_seen_by_each_as_the_game_has_it(game, truth):
    known = Knowledge(truth)
    assert known.view_of(game, REFEREE) is known.public is truth
    for seat in (*SEATS, None):
        assert known.view_of(game, seat) == game.view(truth, seat)
    assert known.can_open_view_of("red")


def test_once_a_secret_is_unknown_only_the_views_of_others_are_left(game, truth):
    known = Knowledge(truth).drop_secrets_of(game, SEATS, ["red"])
    assert known.truth is None
    assert known.views.keys() == {"blue", None}
    assert known.view_of(game, "blue") == game.view(truth, "blue")
    assert (known.can_open_view_of("red"), known.can_open_view_of("blue")) == (False, True)
    with pytest.raises(UnknownError, match="only red"):
        known.view_of(game, "red")


def test_what_is_left_grows_no_more(game, truth):
    once = Knowledge(truth).drop_secrets_of(game, SEATS, ["red"])
    assert once.drop_secrets_of(game, SEATS, ["red"]) == once
    assert once.drop_secrets_of(game, SEATS, ["blue"]).views.keys() == {None}


def test_the_referee_sees_all_that_is_known_here(game, truth):
    some = Knowledge(truth).drop_secrets_of(game, SEATS, ["red"])
    assert some.view_of(game, REFEREE) == game.view(truth, "blue")
    nothing = Knowledge(truth).drop_secrets_of(game, SEATS, SEATS)
    assert nothing.view_of(game, REFEREE) == nothing.public == game.view(truth, None)


def test_what_is_public_holds_no_secret(game, truth):
    public = Knowledge(truth).drop_secrets_of(game, SEATS, ["red"]).public
    assert not any(chest.known for chest in public.chests.values())


def test_each_goes_on_with_what_it_sees(game, truth):
    """After a play, every view is what its seat would see of the truth."""
    raid = game.parse("raid reef 2", game.view(truth, "red"), "red")
    events = tuple(game.resolve(game.view(truth, "red"), "red", raid, None))
    after = Knowledge(truth).apply_play(game, "red", events, events)
    views = Knowledge(truth).drop_secrets_of(game, SEATS, ["blue"]).apply_play(game, "red", events, events)
    assert after.truth.away["red"] == Secret("red", 2)
    for seat in ("red", None):
        assert views.view_of(game, seat) == after.view_of(game, seat)
    assert not views.public.away["red"].known
