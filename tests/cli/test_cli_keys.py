"""Few keys: what goes by itself, what may be left out, and what is asked about before it is done."""

from __future__ import annotations


def texts(answer):
    """The actions of an answer in words, those in brackets that went by themselves."""
    actions = answer.facts["actions"]
    return [f"({action['text']})" if action["by_itself"] else action["text"] for action in actions]


def test_a_turn_of_manoover_in_a_dozen_keys(cli, control):
    turn = "2ne,6se,2g"
    assert len(turn) + 1 <= 12
    assert texts(cli("--json", turn)) == ["2 turn NE", "6 turn SE", "2 go NE", "(auto)"]


def test_a_direction_that_could_mean_two_things_is_not_guessed_at(cli, control):
    answer = cli("6n")
    assert answer.code == 2
    assert "turn or go: robot 6 points N already" in answer.err


def test_the_automatic_phase_goes_by_itself_and_is_told(cli, control):
    answer = cli("2 go 2 go 6ne")
    assert answer.code == 0
    assert "red: auto   (by itself: nothing else can be done)" in answer.out
    assert "Now turn 2, blue (Bo): throw 3 dice" in answer.out


def test_by_hand_nothing_goes_by_itself(cli, control):
    assert texts(cli("--json done --by-hand")) == ["done"]
    assert texts(cli("--json --by-hand auto")) == ["auto"]


def test_a_throw_finds_the_dice_it_is_for(cli, control):
    cli("done --by-hand")
    answer = cli("--json roll 1 2 3")
    assert texts(answer) == ["(auto)", "throw"]


def test_what_would_go_by_itself_is_not_told_by_asking(cli, control):
    assert cli("why done").out.splitlines()[0].startswith("LEGAL  done   ")
    assert cli("do -n 2 go 2 go 6 go").out.splitlines()[0].startswith("LEGAL  2 go N, 2 go N, 6 go N   ")
