"""What is known of a game at one moment: the truth, or no more than some seats see."""

from __future__ import annotations

import pytest
from support import Bench

from referee.engine.event import REFEREE
from referee.engine.secret import Secret, UnknownError
from referee.record.table.known import Known

SEATS = ("red", "blue")


@pytest.fixture
def game(ambush):
    return ambush.GAME


@pytest.fixture
def truth(game):
    return Bench(game).place({"phase": "raid", "night": 1, "chests": {"red": "cave", "blue": "reef"}})


def test_the_truth_is_seen_by_each_as_the_game_has_it(game, truth):
    known = Known(truth)
    assert known.seen_by(game, REFEREE) is known.public is truth
    for seat in (*SEATS, None):
        assert known.seen_by(game, seat) == game.view(truth, seat)
    assert known.knows("red")


def test_once_a_secret_is_unknown_only_the_views_of_others_are_left(game, truth):
    known = Known(truth).without(game, SEATS, ["red"])
    assert known.truth is None
    assert known.views.keys() == {"blue", None}
    assert known.seen_by(game, "blue") == game.view(truth, "blue")
    assert (known.knows("red"), known.knows("blue")) == (False, True)
    with pytest.raises(UnknownError, match="only red"):
        known.seen_by(game, "red")


def test_what_is_left_grows_no_more(game, truth):
    once = Known(truth).without(game, SEATS, ["red"])
    assert once.without(game, SEATS, ["red"]) == once
    assert once.without(game, SEATS, ["blue"]).views.keys() == {None}


def test_the_referee_sees_all_that_is_known_here(game, truth):
    some = Known(truth).without(game, SEATS, ["red"])
    assert some.seen_by(game, REFEREE) == game.view(truth, "blue")
    nothing = Known(truth).without(game, SEATS, SEATS)
    assert nothing.seen_by(game, REFEREE) == nothing.public == game.view(truth, None)


def test_what_is_public_holds_no_secret(game, truth):
    public = Known(truth).without(game, SEATS, ["red"]).public
    assert not any(chest.known for chest in public.chests.values())


def test_each_goes_on_with_what_it_sees(game, truth):
    """After a play, every view is what its seat would see of the truth."""
    raid = game.parse("raid reef 2", game.view(truth, "red"), "red")
    events = tuple(game.resolve(game.view(truth, "red"), "red", raid, None))
    after = Known(truth).after(game, "red", events, events)
    views = Known(truth).without(game, SEATS, ["blue"]).after(game, "red", events, events)
    assert after.truth.away["red"] == Secret("red", 2)
    for seat in ("red", None):
        assert views.seen_by(game, seat) == after.seen_by(game, seat)
    assert not views.public.away["red"].known
