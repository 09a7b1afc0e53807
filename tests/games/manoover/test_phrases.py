"""What players type, and what goes without saying."""

import msgspec
import pytest
from support import Bench

from referee.engine.registry import find_game
from referee.engine.text import NotUnderstoodError
from referee.games.manoover.automatic_phase import CompleteAutomaticPhase, MakeAutomaticMove, SkipRobot
from referee.games.manoover.control_phase import EndControlPhase, MoveRobot, TurnRobot
from referee.games.manoover.throwing import RollForFirstTurn

BENCH = Bench(find_game("manoover"))
GAME = BENCH.game
START = BENCH.start()
AUTOMATIC = BENCH.place(
    {"turn": "red", "robots": ["R1 d3 N", "R2 c3 S", "B1 g4 S"], "off": "rest", "phase": "auto"},
)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("2 turn ne", TurnRobot("2", "NE")),
        ("turn 2 ne", TurnRobot("2", "NE")),
        ("r2 rotate northeast", TurnRobot("2", "NE")),
        ("2 r ne", TurnRobot("2", "NE")),
        ("B2 turn e", TurnRobot("B2", "E")),
        ("1 go", MoveRobot("1", "N")),
        ("1 g s", MoveRobot("1", "S")),
        ("advance 2", MoveRobot("2", "S")),
        ("1go", MoveRobot("1", "N")),
        ("R2 GO", MoveRobot("2", "S")),
        ("r2go", MoveRobot("2", "S")),
        ("1 move", MoveRobot("1", "N")),
        ("move 2", MoveRobot("2", "S")),
        ("1 forward", MoveRobot("1", "N")),
        ("1f", MoveRobot("1", "N")),
        ("2t ne", TurnRobot("2", "NE")),
        ("2 ne", TurnRobot("2", "NE")),
        ("2NE", TurnRobot("2", "NE")),
        ("r2 north", TurnRobot("2", "N")),
        ("b1 go", MoveRobot("B1", "S")),
        ("9 go", MoveRobot("9", "")),
        ("auto", CompleteAutomaticPhase()),
        ("au 2", MakeAutomaticMove("2", "S")),
        ("auto r1 n", MakeAutomaticMove("1", "N")),
        ("skip 2", SkipRobot("2")),
        ("d", EndControlPhase()),
        ("throwoff re bl", RollForFirstTurn(("red", "blue"))),
    ],
)
def test_what_is_typed_is_read(text, action):
    assert GAME.parse(text, AUTOMATIC, "red") == action


def test_a_throw_for_the_first_turn_without_names_is_for_all_who_have_to_throw():
    assert GAME.parse("throwoff", START, "blue") == RollForFirstTurn(("red", "blue"))


@pytest.mark.parametrize(
    ("text", "at", "expected", "guess"),
    [
        ("2 trun ne", 2, "turn or go", "turn"),
        ("2", 2, "turn or go", None),
        ("2 auto", 2, "turn or go", None),
        ("2 turn", 7, "a direction: N, NE, SE, S, SW or NW", None),
        ("2 turn nort", 7, "a direction: N, NE, SE, S, SW or NW", "north"),
        ("2 turn n s", 9, "no more words here; separate two actions with a comma", None),
        ("4 go b1 n", 5, "no more words here; separate two actions with a comma", None),
        ("4 turn n b1", 9, "no more words here; separate two actions with a comma", None),
        ("1 n", 2, "turn or go: robot 1 already points N", None),
        ("turn ne", 5, "a robot's number", None),
        ("2 go 6 go", 5, "one action only", None),
        ("skip", 5, "a robot's number", None),
        ("thr", 0, "a robot's number, throw, auto or done", "throw"),
        ("12 go", 0, "a robot's number, throw, auto or done", None),
    ],
)
def test_what_cannot_be_read_is_pointed_at(text, at, expected, guess):
    with pytest.raises(NotUnderstoodError) as error:
        GAME.parse(text, AUTOMATIC, "red")
    assert (error.value.at, error.value.expected, error.value.guess) == (at, expected, guess)


def test_the_automatic_phase_goes_without_saying_though_robots_can_go_one_by_one():
    legal = GAME.legal(AUTOMATIC, "red")
    assert list(legal) == [CompleteAutomaticPhase(), MakeAutomaticMove("1", "N")]
    assert legal.only_action() == CompleteAutomaticPhase()


@pytest.mark.parametrize(
    ("text", "action", "rest"),
    [
        ("2 go 6 go", MoveRobot("2", "S"), "6 go"),
        ("2 go r6 go", MoveRobot("2", "S"), "r6 go"),
        ("2ne 6n auto", TurnRobot("2", "NE"), "6n auto"),
        ("1 go n auto", MoveRobot("1", "N"), "auto"),
        ("2 turn ne done", TurnRobot("2", "NE"), "done"),
        ("2go", MoveRobot("2", "S"), ""),
    ],
)
def test_a_comma_may_be_missing(text, action, rest):
    reading = GAME.read(text, AUTOMATIC, "red")
    assert (reading.action, reading.rest) == (action, rest)


def test_nothing_is_legal_out_of_turn():
    assert not GAME.legal(AUTOMATIC, "blue")
    assert not GAME.legal(START, "blue")
    assert [GAME.format(action) for action in GAME.legal(START, "red")] == ["throwoff red blue"]


def test_choices_are_told_as_they_are_typed():
    control = BENCH.place(
        {"turn": "red", "robots": ["R1 d3 N", "B1 g4 S"], "off": "rest", "phase": "control", "dice": [1, 1]}
    )
    told = [GAME.format_choice(choice) for choice in GAME.legal(control, "red").choices]
    assert told == ["1 go N", "1 turn N/NE/SE/S/SW/NW", "done"]


def test_what_is_easily_overlooked_is_asked_about():
    robots = ["R1 d5 N", "R2 a1 S", "B1 d4 N", "R3 d3 N"]
    state = BENCH.place({"turn": "red", "robots": robots, "off": "rest", "phase": "control", "dice": [2, 3]})
    lost = GAME.caution(state, "red", GAME.parse("2 go", state, "red"))
    assert lost == "your own robot R2 would leave the game over the edge"
    pushed = GAME.caution(state, "red", GAME.parse("3 go", state, "red"))
    assert pushed == "your own robot R1 would leave the game in red's goal"
    assert GAME.caution(state, "red", GAME.parse("2 turn n", state, "red")) is None
    assert GAME.caution(state, "red", GAME.parse("done", state, "red")) == "you have not used any die: 2 3"
    later = msgspec.structs.replace(state, dice=(3,), spent=(("go", 2),))
    assert GAME.caution(later, "red", GAME.parse("done", later, "red")) is None


def test_a_capture_that_is_left_is_asked_about():
    robots = ["R3 d4 N", "B1 d5 N", "R1 a1 N"]
    state = BENCH.place({"turn": "red", "robots": robots, "off": "rest", "phase": "control", "dice": [1, 3]})
    assert GAME.caution(state, "red", GAME.parse("done", state, "red")) == "you could still capture B1 with 3 go"


def test_the_status_says_how_many_dice_are_rolled_again():
    state = BENCH.place(
        {"turn": "red", "robots": ["R1 d3 N", "R2 c3 S", "B1 g4 S"], "off": "rest", "phase": "rethrow", "dead": 3}
    )
    assert GAME.status(state).startswith("roll 3 dice again; ")
