"""Taps that are words: whatever is tapped of what is offered leads to something that can be said; all is reached."""

from __future__ import annotations

from random import Random

import pytest
from advised_players import list_buttons
from phone_games import GAMES, of
from support import Bench
from tappers import by_taps, plays, reached

from referee.engine.choice import Action, Choice
from referee.engine.legal import LegalActions
from referee.engine.registry import find_game
from referee.serve.action_builder import Tap, apply_taps
from referee.serve.hit_targets import HitTarget


class Going(Action):
    says = "leave"


class Giving(Action):
    says = "surrender"


LONGEST = 150
"""Actions of a game that are tapped here; `python tests/scripts/tap_games.py` taps whole games."""


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_by_taps_alone(name):
    for play in plays(of(name), 2, LONGEST):
        assert sum(1 for _ in by_taps(play, LONGEST)) > 5


@pytest.mark.parametrize("name", GAMES)
def test_an_action_has_buttons_that_a_phone_shows_one_after_the_other(name):
    for play in plays(of(name), 1, 40):
        for tapping, legal in by_taps(play, 40):
            assert list(list_buttons(tapping, legal.pick(play.random)))


@pytest.mark.parametrize("name", GAMES)
def test_whatever_is_legal_is_reached_by_chips(name):
    random = Random(3)
    (play,) = plays(of(name), 1, LONGEST)
    for tapping, legal in by_taps(play, LONGEST):
        for action in {legal.pick(random) for _ in range(2)}:
            assert reached(tapping, action) == tapping.game.format(action)


# What a tap means


ROBOTS = ["R1 a1 N", "R2 c2 N", "R3 d1 N", "B1 c6 S"]


def after_throw(*dice):
    """Manoover, where red has thrown these dice."""
    bench = Bench(find_game("manoover"))
    state = bench.place({"turn": "red", "robots": ROBOTS, "off": "rest", "phase": "control", "dice": list(dice)})
    return apply_taps(bench.game, state, bench.game.legal(state, "red"))


def test_a_piece_and_a_direction_are_a_play():
    piece = after_throw(1, 2, 3).apply_tap(Tap("R2"))
    assert piece is not None
    assert piece.action_text is None
    assert {phrase.split()[0] for phrase, _ in piece.remaining_texts} == {"2"}
    go = piece.apply_tap(Tap("go", "type"))
    assert go is not None
    assert (go.action_text, go.text_so_far, go.tapped_words) == ("2 go N", "2 go N", ("R2", "go"))


def test_a_whole_phrase_is_one_tap():
    said = after_throw(1, 2, 3).apply_tap(Tap("2 turn SE", "says"))
    assert said is not None
    assert said.action_text == "2 turn SE"


def test_what_leads_nowhere_is_told_apart():
    begun = after_throw(1, 2, 3)
    assert begun.apply_tap(Tap("B1")) is None
    assert begun.apply_tap(Tap("7")) is None
    assert apply_taps(
        begun.game, begun.view, LegalActions([it.choice for it in begun.drafts]), [Tap("R2"), Tap("B1")]
    ).tapped_words == ("R2",)


def test_a_thing_on_the_board_means_the_first_of_its_names_that_leads_on():
    begun = after_throw(1, 2, 3)
    assert begun.find_possible_taps(HitTarget(("R2",), "c2")) == (Tap("R2"),)
    assert begun.find_possible_taps(HitTarget(("c2",))) == (Tap("c2"),)
    assert begun.find_possible_taps(HitTarget(("e5",))) == ()


def test_of_a_stack_somebody_has_to_say_who_is_meant():
    begun = after_throw(1, 2, 3)
    assert begun.find_possible_taps(HitTarget(("a stack", "R1", "R2", "B1"), "c2")) == (Tap("R1"), Tap("R2"))


def test_what_is_offered_is_marked():
    assert {"1", "2", "3"} <= set(after_throw(1, 2, 3).highlighted_words)


def test_a_kind_without_a_word_of_its_own_is_told_by_what_it_is_called():
    game = of("sheboygan")
    now = {"phase": "human-move", "monster": "C12", "defense": 6, "sheet": {}, "units": {"X12": "i1"}}
    state = Bench(game).place(now)
    group, aside = apply_taps(game, state, game.legal(state, "human"), ()).button_groups
    assert "move" in [chip.words for chip in group.buttons]
    assert ["resign" in [chip.words for chip in part.buttons] for part in (group, aside)] == [False, True]
    assert apply_taps(game, state, game.legal(state, "human"), [group.buttons[0].tap]).tapped_words == ("move",)


def test_of_several_kinds_the_kind_is_asked_for_first():
    (group,) = after_throw(1, 2, 3).button_groups
    assert group.question == "what"
    assert [chip.words for chip in group.buttons] == ["go", "turn", "done"]
    assert after_throw(1, 2, 3).text_so_far == ""


def test_nothing_minor_is_said_by_one_tap():
    offers = LegalActions([Choice(kind, minor=kind is not Going) for kind in (Going, Giving)])
    begun = apply_taps(find_game("manoover"), None, offers)
    assert begun.remaining_texts == (("leave", True), ("surrender", False))
