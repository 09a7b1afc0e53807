"""What a game says of itself, and what most games leave alone."""

from __future__ import annotations

from typing import get_args

import pytest
from support import Bench

from referee.engine.event import rank_seats
from referee.engine.game import view_for
from referee.engine.option_resolution import choose_options, fill_options
from referee.engine.options import Option, OptionError
from referee.engine.palette import COLOURS, INKS
from referee.engine.registry import find_game
from referee.engine.rulebook import Refusal

GAME = find_game("manoover")


def test_options_have_defaults_and_presets():
    assert fill_options(GAME, {})["ties"] == "draw"
    assert fill_options(GAME, {"edition": "kadon"})["ties"] == "last-to-play"
    assert fill_options(GAME, {"edition": "kadon", "ties": "draw"})["ties"] == "draw"


@pytest.mark.parametrize(
    ("given", "message"), [({"tie": "draw"}, "ties"), ({"ties": "drawn"}, "draw, last-to-play or survivor")]
)
def test_wrong_options_say_what_there_is(given, message):
    with pytest.raises(OptionError, match=message):
        fill_options(GAME, given)


def test_settling_twice_changes_nothing():
    for edition in ("abbott", "kadon", "crash"):
        once = fill_options(GAME, {"edition": edition})
        assert fill_options(GAME, once) == once


def test_options_that_do_not_go_together_cite_the_rule(ambush, monkeypatch):
    monkeypatch.setattr(type(ambush.GAME), "check_options", lambda *_: iter([Refusal("nights", "it is too late")]))
    with pytest.raises(OptionError, match=r"it is too late \(nights\)"):
        choose_options(ambush.GAME, {})


def test_the_first_value_of_an_option_is_its_default():
    assert Option("nights", ("12", "6"), "how many", "nights").default == "12"


def test_every_event_is_told_and_every_state_has_a_line():
    assert GAME.status(Bench(GAME).start())
    assert len(get_args(GAME.event_types)) == 16
    assert {verb.action for verb in GAME.verbs.all} == set(get_args(GAME.action_types))


# What most games leave alone


def test_seats_have_the_colours_they_are_named_after(ambush):
    assert dict(ambush.GAME.colours(("red", "green"))) == {"red": "red", "green": "green"}


def test_other_seats_get_the_colours_that_are_left(ambush):
    dealt = ambush.GAME.colours(("anna", "red", "bo"))
    assert list(dealt) == ["anna", "red", "bo"]
    assert dealt["red"] == "red"
    assert len(set(dealt.values())) == 3
    everybody = ambush.GAME.colours(tuple("abcdefgh"))
    assert tuple(everybody.values()) == COLOURS


def test_every_colour_is_told_apart_without_colour():
    assert len({ink.dashes for ink in INKS.values()}) == len(COLOURS) == len(INKS)
    assert len({tuple(sorted(ink.terminal.split(";")[1:])) for ink in INKS.values()}) == len(COLOURS)


def test_a_game_in_plain_view_is_seen_alike_by_all():
    state = Bench(GAME).start()
    assert all(GAME.view(state, seat) is state for seat in ("red", "blue", None))
    assert GAME.list_secret_keepers(GAME.options) == GAME.list_other_actors(state) == ()
    assert not GAME.awaits_answer(state)


def test_the_referee_sees_what_there_is(ambush):
    state = Bench(ambush.GAME).place({"phase": "raid", "night": 1, "chests": {"red": "cave", "blue": "reef"}})
    assert view_for(ambush.GAME, state, "referee") is state
    assert view_for(ambush.GAME, state, "red").chests["red"].value == "cave"
    assert not view_for(ambush.GAME, state, "red").chests["blue"].known
    assert not any(chest.known for chest in view_for(ambush.GAME, state, None).chests.values())


def test_the_rulings_that_no_option_switches():
    fixed = GAME.rulebook.fixed_rulings
    assert list(fixed) == sorted(fixed)
    assert all(GAME.rulebook.rulings[id_].option is None for id_ in fixed)


@pytest.mark.parametrize(
    ("winners", "ranks"),
    [
        (("red",), (("red",), ("blue",))),
        (("red", "blue"), (("red", "blue"),)),
        ((), ((), ("red", "blue"))),
    ],
)
def test_ranks_of_who_has_won_and_who_has_not(winners, ranks):
    assert rank_seats(winners, ("red", "blue")) == ranks
