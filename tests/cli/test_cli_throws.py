"""Dice, honestly: what a throw needs and how likely it is, never what it would be."""

import json

import pytest

from referee.record.table.opening_logs import open_log

CLASH = """
phase = "mutant-combat"
units = { D3 = "buck n1", D4 = "prof penny" }
"""


@pytest.fixture(params=["table", "open"])
def pair(request, cli, place):
    """A pair that is about to throw, with dice of either kind."""
    (place / "clash.toml").write_text(CLASH, "utf-8")
    cli(f"new mutants --dice {request.param} --from clash.toml -o m.jsonl")
    cli("do fight D3, lay auto, pair auto")
    return place / "m.jsonl"


@pytest.mark.parametrize("words", ["why resolve", "do -n resolve", "do -n resolve, resolve"])
def test_asking_tells_the_number_needed_and_the_chance_and_no_dice(cli, pair, words):
    before = pair.read_bytes()
    told = cli(words)
    assert told.code == 0
    assert "buck 5 or less hits n1: 5 in 6 (83.3 %)." in told.out
    assert "n1 3 or less hits buck: 3 in 6 (50 %)." in told.out
    facts = cli(f"--json {words}").facts
    assert facts["chances"] == [[5, 6], [3, 6]]
    assert facts["throws"]["aims"][1] == {"most": 3, "does": "hits buck", "whose": "n1", "good_for": "mutant"}
    assert "faces" not in json.dumps(facts)
    assert pair.read_bytes() == before


def test_a_door_and_a_mutant_that_glows(cli, place):
    cli("new mutants --dice table -o g.jsonl")
    cli("do rest, ready, rest, ready")
    assert "3 or less smashes the door: 3 in 6 (50 %)." in cli("why smash xN4-D1 r4 n8").out
    cli("do end!, end!, end!")
    assert "6 kills it: 1 in 6 (16.7 %)." in cli("why glow").out


def test_what_fell_before_is_kept_when_a_later_throw_lacks_dice(cli, pair):
    if "open dice" in cli("").out:
        assert cli("do resolve --dice 6,6").code == 2
        return
    stopped = cli("--json do resolve, resolve --dice 6,6,5").facts
    assert (stopped["recorded"], stopped["stopped"]["typed"]) == (True, 1)
    assert open_log(pair).entries[-1].rolls[0].faces == (6, 6)


def test_throwing_what_is_not_due_is_refused_by_its_rule_however_it_is_said(cli, place):
    cli("new manoover --dice table --option first=red -o g.jsonl")
    cli("roll 2 2 6")
    for words in ("roll 3", "roll", "do throw"):
        answer = cli(words)
        assert (answer.code, answer.out) == (1, cli("do throw").out)
    assert "dice.6  You have already rolled in this turn." in answer.out


def test_wrong_numbers_of_dice_and_faces_cite_their_rule(cli, place):
    cli("new manoover --dice table --option first=red -o g.jsonl")
    assert "3 dice with 6 sides needed, 2 faces typed: red's throw (dice.1)." in cli("roll 2 2").err
    assert "cannot show 7 (red's throw; dice.1)." in cli("roll 2 2 7").err
    too_many = "1 die too many: red's throw takes 3 dice (dice.1), and nothing asks for 4."
    assert too_many in " ".join(cli("roll 2 2 6 4").err.split()).capitalize()
    assert too_many in " ".join(cli("do throw --dice 2,2,6,4").err.split()).capitalize()


def test_a_refusal_invents_no_direction(cli, place):
    middle = 'turn = "red"\nrobots = ["R1 d1 N", "B1 g4 S"]\noff = "rest"\nphase = "control"\ndice = [1]\n'
    (place / "p.toml").write_text(middle, "utf-8")
    cli("new manoover --dice table --from p.toml -o g.jsonl")
    assert cli("5 go").out.startswith("REFUSED  5 go   manoover")
    assert cli("1 go s").out.startswith("REFUSED  1 go S   manoover")


def test_a_first_turn_of_the_alternate_order_says_that_it_has_no_automatic_phase(cli, place):
    cli("new manoover --dice table --option first=red --option order=alternate -o g.jsonl")
    assert "roll 3 dice (a first turn: no automatic phase)" in cli("").out
    assert "dice 1 2 3 (a first turn: no automatic phase)" in cli("roll 1 2 3").out
    assert "a first turn has no automatic phase" in " ".join(cli("do auto").out.split())
    cli("do done!")
    cli("roll 1 2 3")
    assert "no automatic phase" not in cli("do done!").out


def test_everything_wrong_with_a_position_is_told_at_once(cli, place):
    wrong = 'turn = "red"\nrobots = ["R1 d6 N", "R2 d3 N", "B1 d3 S"]\noff = "rest"\nphase = "auto"\nmoved = 9\n'
    (place / "p.toml").write_text(wrong.replace("moved = 9", "moved = 7"), "utf-8")
    told = " ".join(cli("new manoover --from p.toml -o g.jsonl").out.split())
    for part in ("this is red's goal (goal.3);", "both stand on d3 (bump.1);", "from 1 to 6 (auto.3)."):
        assert part in told


def test_a_random_set_up_asks_for_no_die_with_eighty_sides(cli, place):
    cli("new mutants --dice table -o g.jsonl")
    asked = cli("why random")
    assert "This move draws lots: a door for a Wall." in asked.out
    assert cli("--json why random").facts["throws"]["lots"] is True
    done = cli("do random")
    assert (done.code, done.err) == (0, "")
    assert "The referee draws lots from a seed in the record." in done.out
    assert cli("audit").code == 0
    assert "(table dice)" in cli("").out
