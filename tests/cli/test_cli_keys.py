"""Few keys: what goes by itself, what may be left out, and what is asked about before it is done."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import keys
import pytest

from referee.cli.parser import join_faces
from referee.engine.component import read_toml


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
    assert "turn or go: robot 6 already points N" in answer.err


def test_the_automatic_phase_goes_by_itself_and_is_told(cli, control):
    answer = cli("2 go 2 go 6ne")
    assert answer.code == 0
    assert "red: auto   (by itself: no other move was possible)" in answer.out
    assert "Now turn 2, blue (Bo): roll 3 dice" in answer.out


def test_habit_is_told_that_it_was_done_already(cli, control):
    cli("done!")
    answer = cli("auto")
    assert answer.code == 1
    assert "The referee has already made this move by itself: entry 4." in answer.out
    assert cli("--json auto").facts["done_by_itself"] == 4


TURN = "2ne 2go 6go"


WITH_DONE = (f"{TURN} done", f"{TURN} end", f"{TURN}, done, auto", "2 turn NE, 2 go NE!, 6go done")


@pytest.mark.parametrize("line", WITH_DONE)
def test_a_closing_word_after_what_has_closed_by_itself_costs_nothing(cli, control, line):
    answer = cli("--json", *line.split(" "))
    said = [text.strip("()") for text in texts(answer)]
    assert (answer.code, said) == (0, ["2 turn NE", "2 go NE", "6 go N", "auto"])
    assert answer.facts["actions"][2]["remarks"] == [
        "done: not needed, because this part of the turn has already ended by itself."
    ]
    assert cli("--json who").facts["to_act"] == "blue"


def test_a_closing_word_in_a_line_of_its_own_costs_nothing(cli, control):
    cli(*TURN.split())
    entries = len(cli("--json log").facts)
    told = cli("done")
    assert (told.code, "Nothing was recorded." in told.out) == (0, True)
    assert len(cli("--json log").facts) == entries


def test_a_closing_word_in_a_file_costs_nothing(cli, control, place):
    (place / "turn.txt").write_text("2ne 2go\n6go\ndone\n")
    assert texts(cli("--json do -f turn.txt")) == ["2 turn NE", "2 go NE", "6 go N"]


def test_a_closing_word_closes_what_is_open(cli, control):
    assert texts(cli("--json 2 go, done!")) == ["2 go N", "done", "(auto)"]
    assert cli("done").code == 1, "it was said before, and nothing has ended by itself since"


def test_by_hand_nothing_goes_by_itself(cli, control):
    assert texts(cli("--json done! --by-hand")) == ["done"]
    assert texts(cli("--json --by-hand auto")) == ["auto"]


def test_a_throw_finds_the_dice_it_is_for(cli, control):
    cli("done! --by-hand")
    answer = cli("--json roll 1 2 3")
    assert texts(answer) == ["(auto)", "throw"]


def test_what_would_go_by_itself_is_not_told_by_asking(cli, control):
    assert cli("why done").out.splitlines()[0].startswith("LEGAL  done   ")
    assert cli("do -n 2 go 2 go 6 go").out.splitlines()[0].startswith("LEGAL  2 go N, 2 go N, 6 go N   ")


# A game with many counters


def mutants(cli, *said, dice="table"):
    """A game in which this was said after both have set up."""
    cli(f"new mutants --dice {dice} -o m.jsonl")
    for words in ("rest, ready, put n1..n3 in xN4, rest, ready", *said):
        answer = cli(f"do {words}")
        assert answer.code == 0, answer.shown


def test_units_are_counted_off_and_it_is_said_who_they_are(cli):
    mutants(cli)
    answer = cli("smash n4-d1 2n --dice 1")
    assert answer.out.splitlines()[1:3] == [
        "mutant: smash xN4-D1 n1 n2",
        "  2n: n1 n2, the lowest numbers.",
    ]
    assert cli("--json smash n4-d1 9n").code == 2


def test_a_comma_between_units_parts_no_actions(cli):
    mutants(cli)
    assert texts(cli("--json smash n4-d1 n1, n --dice 1")) == ["smash xN4-D1 n1 n2"]
    assert texts(cli("--json end, move n1, n2 to d1, n3 to d1")) == ["end", "move n1 n2 to D1", "move n3 to D1"]


def test_what_is_counted_off_is_said_once_the_dice_have_fallen(cli):
    mutants(cli)
    said = cli("smash n4-d1 2n, n5-e1 r --dice 1")
    assert (said.code, "2n: n1 n2, the lowest numbers." in said.out) == (2, True)
    assert "referee do smash xN5-E1 r4 --dice FACES" in " ".join(said.err.split())
    assert "mutant: smash xN5-E1 r4" in cli("smash n5-e1 r --dice 1").out


def test_the_end_of_a_step_is_named_and_a_second_one_is_asked_about(cli):
    mutants(cli, "smash n4-d1 n --dice 6")
    ended = cli("end smash")
    assert "This ends the Door-Smashing Step." in ended.out
    again = cli("end smash")
    assert again.code == 2
    assert "the end of the current Step or Phase, the Mutants' Movement Step" in again.err
    log = len(cli("--json log").facts)
    asked = cli("end")
    assert asked.code == 1
    assert asked.out.splitlines()[0].startswith("Not recorded yet: end   mutants m")
    assert "You have moved nobody in the Mutants' Movement Step, though you could." in asked.out
    longer = " ".join(cli("stop, end, end").out.split())
    assert "nothing of the line was recorded" in longer
    assert longer.endswith("If you mean it, type: referee stop, end! , end")
    assert cli("--json end").facts["verdict"] == "doubted"
    assert len(cli("--json log").facts) == log
    assert cli("end!").code == 0


STEP = """
phase = "move"
turn = 2
gone = "rest"
smashed = ["xN1-A1", "xN2-B1"]
attempted = ["xN1-A1", "xN2-B1"]
[units]
D4 = "prof penny"
xN1 = "n1 n2"
xN2 = "n3"
"""


@pytest.mark.parametrize("word", ["m", "move", "go", "mutant m"])
def test_one_word_moves_nobody_who_is_not_named(cli, place, word):
    (place / "p.toml").write_text(STEP)
    cli("new mutants --dice table --from p.toml -o m.jsonl")
    asked = cli(f"do {word}")
    told = " ".join(asked.out.split())
    assert asked.code == 1
    assert "names no piece. It would do this: move n1 n2 to A1, move n3 to B1." in told
    assert cli("--json").facts["entry"] == 0
    meant = told.partition("If you mean it, type: referee ")[2]
    assert meant == "move n1 n2 to A1! , move n3 to B1" + " --by mutant" * word.startswith("mutant")
    assert texts(cli(f"--json {meant}"))[:2] == ["move n1 n2 to A1", "move n3 to B1"]


@pytest.mark.parametrize("word", ["move all", "m!"])
def test_who_says_all_or_insists_is_not_asked(cli, place, word):
    (place / "p.toml").write_text(STEP)
    cli("new mutants --dice table --from p.toml -o m.jsonl")
    assert texts(cli(f"--json do {word}"))[:2] == ["move n1 n2 to A1", "move n3 to B1"]


def test_a_step_in_which_no_door_is_attacked_is_asked_about(cli):
    mutants(cli)
    asked = cli("end")
    assert asked.code == 1
    assert "You have attacked no door, though you could attack 28 doors." in asked.out
    assert cli("end!").code == 0


GLOWING = """
turn = 6
phase = "glow"
units = { C4 = "r1 r7 n2", E5 = "prof" }
"""


@pytest.mark.parametrize("dice", ["table", "open"])
def test_all_who_glow_are_asked_about_before_one_may_die(cli, place, dice):
    (place / "p.toml").write_text(GLOWING)
    cli(f"new mutants --dice {dice} --from p.toml -o m.jsonl")
    asked = cli("glow all")
    assert asked.code == 1
    assert "All: one die for each of r1 r7, and each Mutant that rolls a 6 dies." in asked.out
    meant = cli("glow all!")
    assert "mutant: glow" in (meant if dice == "open" else cli("glow all! --dice 1,2")).out


def test_dice_typed_with_what_is_asked_about_are_not_lost(cli, place):
    (place / "p.toml").write_text(GLOWING)
    cli("new mutants --dice table --from p.toml -o m.jsonl")
    asked = cli("glow all --dice 6,2").out.splitlines()
    assert asked[-1] == "  If you mean it, type: referee glow! --dice 6,2"
    assert "Take r1 off C4" in cli(asked[-1].partition("referee ")[2]).out


def test_a_terminal_asks_whether_it_is_meant(cli, monkeypatch):
    mutants(cli, "end!")
    answers = iter(["n", "y"])
    monkeypatch.setattr("referee.cli.context.confirm_doubt", lambda _doubt: next(answers) == "y")
    monkeypatch.setattr("referee.cli.context.Context.dice_prompt", property(lambda _self: lambda *_: []))
    assert cli("end").code == 1
    assert cli("end").code == 0


def test_a_set_up_of_ones_own_in_few_keys(cli):
    cli("new mutants --dice table -o m.jsonl")
    human = (
        "wall a1b1 b2c2 c3d3,put techs d4,guard c3 c4 c5 d3 d5 e4,b a1..g1 a7..g7 a2..a6 g2..g6,ready",
        "put n xn1..7 xe1..7 xs1..7,r xw1..7 xn1..7 xe1..7,3r xs4,5n xw4,l xn4 xe4 xs4 xw4,ready",
    )
    for line in human:
        answer = cli(*f"do {line}".split(" ", 1))
        assert answer.code == 0, answer.shown
    position = cli("--json").facts["position"]
    assert position["phase"] == "smash"
    assert sum(map(len, human)) + len(human) < 300


def test_what_a_turn_costs():
    turns, written = read_toml(keys.HERE / "turns.toml")["turn"], (keys.HERE / "README.md").read_text("utf-8")
    with TemporaryDirectory() as folder:
        spent = [keys.cost(turn, Path(folder)) for turn in turns]
    assert spent[0].keys - spent[0].dice <= 11
    assert (spent[2].keys < 300, spent[3].keys - spent[3].dice < 200) == (True, True)
    assert spent[4].keys - spent[4].dice < 60
    for turn, cost in zip(turns, spent, strict=True):
        assert f"| {turn['title']} | {cost.keys} | {cost.dice} | {cost.commands} |" in written


def test_faces_may_be_typed_apart(cli, evening):
    assert texts(cli("--json do throwoff --dice 5 2")) == ["throwoff red blue"]
    assert texts(cli("--json do throw --dice 2 2, 6 --by red")) == ["throw"]
    assert join_faces(["do", "--dice", "1", "2", "go"]) == ["do", "--dice", "1", "2", "go"]
    assert join_faces(["do", "x", "--dice", "1,", "2", "-n"]) == ["do", "x", "--dice", "1,,2", "-n"]
    assert join_faces(["do", "x", "--dice"]) == ["do", "x", "--dice"]


def test_where_nobody_has_a_choice_a_combat_and_a_turn_go_on_by_themselves(cli, place):
    position = 'turn = 3\nphase = "mutant-combat"\ngone = "rest"\n[units]\nC4 = "buck n1"\nB2 = "mack n2"\nxN1 = "r1"\n'
    (place / "now.toml").write_text(position)
    cli("new mutants --dice table --from now.toml -o m.jsonl")
    assert texts(cli("--json fight c4")) == ["fight C4", "(lay buck)", "(pair n1)"]
    assert texts(cli("--json roll 1 6")) == ["resolve", "(fight B2)", "(lay mack)", "(pair n2)"]
    assert texts(cli("--json roll 1 6")) == ["resolve"], "who may move decides"
    assert texts(cli("--json end!")) == ["end"]
    assert texts(cli("--json glow none")) == ["glow", "(record)"]


def in_combat(place, cli, units):
    """A table where Combats are to be fought."""
    (place / "now.toml").write_text(f'turn = 3\nphase = "mutant-combat"\ngone = "rest"\n[units]\n{units}\nxN1 = "r1"\n')
    cli("new mutants --dice table --from now.toml -o m.jsonl")


def test_every_combat_at_one_word_and_its_dice(cli, place):
    in_combat(place, cli, 'C4 = "b1 n1 n3"\nB2 = "b2 n2"')
    first = cli("--json fight all auto")
    assert texts(first) == ["fight C4", "(lay b1)", "pair n1"]
    assert "referee do fight all auto --dice FACES" in cli("fight all auto").err
    rest = texts(cli("--json fight all auto --dice 6,1,1,6"))
    assert rest == ["resolve", "fight B2", "(lay b2)", "pair n2", "resolve"]
    assert cli("--json").facts["position"]["phase"] == "glow", "nobody is left to move"


def test_a_chain_of_combats_stops_where_the_other_player_chooses(cli, place):
    in_combat(place, cli, 'C4 = "b1 mack n1 n3 n4"\nB2 = "b2 n2"')
    assert texts(cli("--json fight all auto")) == ["fight C4"]
    refused = cli("fight all auto --by mutant")
    assert (refused.code, "V.B.3-a" in refused.out) == (1, True), "whoever lays out first says so himself"
    assert texts(cli("--json human auto")) == ["lay b1 mack"]
    assert texts(cli("--json fight all auto")) == ["pair n1 n3"]
    done = texts(cli("--json fight all auto --dice 1,6,1,6"))
    assert done == ["resolve", "resolve", "lay n4"], "the second Round waits for the other player again"
