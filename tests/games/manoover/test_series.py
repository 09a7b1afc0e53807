"""Matches: what is agreed before, what a game's states say, how the score is told, and what stands in a log."""

import msgspec
import pytest
from support import Bench

from referee.engine.adjudication import adjudicate
from referee.engine.dice_source import TypedSource
from referee.engine.event import Outcome
from referee.engine.options import OptionError
from referee.engine.registry import find_game
from referee.games.manoover.match import GameResult, MatchScore, MatchTerms

BENCH = Bench(find_game("manoover"))
SERIES = BENCH.game.match_rules
TWO, THREE = BENCH.options(), BENCH.options(form="three")


def begun(options, **given):
    return SERIES.make_initial_score(options, SERIES.parse_terms(options, given))


def test_terms_that_nobody_typed_are_the_usual_ones():
    assert SERIES.parse_terms(TWO, {}) == SERIES.parse_terms(THREE, {}) == MatchTerms(21, "running-total")
    assert SERIES.parse_terms(BENCH.options(form="plus"), {}) == MatchTerms(30, "running-total")


def test_terms_are_read_as_typed():
    assert SERIES.parse_terms(TWO, {"target": "7", "opening": "last-game"}) == MatchTerms(7, "last-game")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"target": "0"}, "a target is a number from 1 to 100000"),
        ({"target": "100001"}, "a target is a number from 1 to 100000"),
        ({"target": "-3"}, "a target is a number from 1 to 100000"),
        ({"target": "many"}, "a target is a number from 1 to 100000"),
        ({"target": "\N{SUPERSCRIPT TWO}"}, "a target is a number from 1 to 100000"),
        ({"opening": "first-come"}, "opening is running-total or last-game, not 'first-come'"),
        ({"opnening": "last-game"}, "a match has no term 'opnening'; did you mean 'opening'?"),
    ],
)
def test_terms_that_nobody_can_play_on_are_refused(given, message):
    with pytest.raises(OptionError) as error:
        SERIES.parse_terms(TWO, given)
    assert str(error.value) == message


def played(score, opened_by, thrown, **scores):
    most = max(scores.values())
    winners = tuple(seat for seat in scores if scores[seat] == most)
    result = GameResult(opened_by, thrown, scores, winners)
    assert not list(SERIES.check(score, result))
    return SERIES.add_result(score, result)


def test_dice_open_the_first_game_and_the_rules_the_later_ones():
    score = begun(TWO)
    assert SERIES.next_options(score) == {"first": "throw-off"}
    assert SERIES.next_options(played(score, "red", True, red=3, blue=5)) == {"first": "red"}


def test_a_match_is_told_from_beginning_to_end():
    score = begun(THREE, target="10")
    assert list(SERIES.tell(score)) == ["Totals: red 0, blue 0, green 0.", "A roll of dice opens game 1."]
    score = played(score, "blue", True, red=2, blue=2, green=2)
    assert list(SERIES.tell(score)) == [
        "Game 1: red 2, blue 2, green 2; bonus: nobody.",
        "Totals: red 2, blue 2, green 2.",
        "Green opens game 2.",
    ]
    assert SERIES.winners(score) == ()
    score = played(score, "green", False, red=1, blue=0, green=5)
    assert list(SERIES.tell(score)) == [
        "Game 2: red 1, blue 0, green 5; bonus: green 4.",
        "Totals: red 3, blue 2, green 11.",
        "Green has won the match.",
    ]
    assert SERIES.winners(score) == ("green",)


def test_what_stands_in_a_log_is_read_back_and_told_alike():
    score = played(begun(THREE), "blue", True, red=4, blue=3, green=1)
    logged = msgspec.json.encode(score, order="sorted")
    read = msgspec.json.decode(logged, type=MatchScore)
    assert read == score
    assert list(SERIES.tell(read)) == list(SERIES.tell(score))
    assert SERIES.next_options(played(read, "green", False, green=1, blue=1, red=1)) == {"first": "red"}


@pytest.mark.parametrize(
    "result",
    [
        GameResult("red", True, {"red": 3}, ("red",)),
        GameResult("red", True, {"red": 3, "blue": 1, "green": 1}, ("red",)),
        GameResult("green", True, {"red": 3, "blue": 1}, ("red",)),
        GameResult("red", True, {"red": 3, "blue": 1}, ("green",)),
    ],
)
def test_a_result_of_others_than_play_is_refused(result):
    refusals = list(SERIES.check(begun(TWO), result))
    assert [(refusal.rule, refusal.because) for refusal in refusals] == [
        ("setup.1", "the result must name all players: red and blue")
    ]


def test_who_took_the_first_turn_is_seen_in_the_states_in_force():
    states = [BENCH.start()]
    for step in ("throwoff : 3 3", "throwoff : 2 5", "throw : 1 2 3"):
        phrase, _, faces = step.partition(" : ")
        state, seat = states[-1], BENCH.game.to_act(states[-1])
        action = BENCH.game.parse(phrase, state, seat)
        states.append(adjudicate(BENCH.game, state, seat, action, TypedSource(map(int, faces.split()))).state)
    outcome = Outcome((("red",), ("blue",)), (("red", 4), ("blue", 2)), "red wins")
    assert SERIES.result_of(states, TWO, outcome) == GameResult("blue", True, {"red": 4, "blue": 2}, ("red",))


def test_a_game_whose_opener_is_settled_was_not_thrown_for():
    options = BENCH.options(first="blue")
    outcome = Outcome((("red", "blue"),), (("red", 4), ("blue", 4)), "a tie")
    result = SERIES.result_of([BENCH.start(first="blue")], options, outcome)
    assert result == GameResult("blue", False, {"red": 4, "blue": 4}, ("red", "blue"))


def test_a_broken_tie_and_a_tie_at_the_top_are_told():
    score = begun(TWO, target="7")
    result = GameResult("red", True, {"red": 3, "blue": 3}, ("blue",))
    score = SERIES.add_result(score, result)
    assert next(SERIES.tell(score)) == "Game 1: red 3, blue 3, the tie broken for blue; bonus: blue 4."
    level = SERIES.add_result(begun(TWO, target="5"), GameResult("red", True, {"red": 3, "blue": 3}, ("red", "blue")))
    assert "Red and blue are level at the top, so the match goes on (match.6)." in list(SERIES.tell(level))
    three = SERIES.add_result(
        begun(THREE, target="2"), GameResult("red", True, dict.fromkeys(("red", "blue", "green"), 2), ())
    )
    assert "(match.three.9)" in " ".join(SERIES.tell(three))


@pytest.mark.parametrize(("form", "rule"), [("base", "match.7"), ("three", "match.three.1")])
def test_who_opens_the_first_game_is_no_option_of_a_match(form, rule):
    with pytest.raises(OptionError, match=rule):
        SERIES.parse_terms(BENCH.options(form=form, first="red"), {})


def test_no_tie_is_broken_where_the_third_wins_by_match_points():
    score = begun(THREE)
    after = SERIES.add_result(score, GameResult("red", True, {"red": 3, "green": 1, "blue": 3}, ("green",)))
    assert next(SERIES.tell(after)) == "Game 1: red 3, blue 3, green 1; bonus: green 4."
