"""House rules: a note about a rule is shown wherever the referee names that rule, and changes no verdict."""

import pytest

from referee.engine.registry import find_game
from referee.record.log.entry import NoteEntry
from referee.record.table.house_rules import find_house_rules, format_house_rule_note

OURS = "  House rule on control.1: a 1 counts as any number (entry 3)"


@pytest.fixture
def noted(cli, control):
    assert "Noted as a house rule." in cli("note", "--on", "control.1", "a 1 counts as any number").out
    return control


def test_a_refusal_shows_the_house_rule_on_its_rule(cli, noted):
    before = cli("why 2 go").code
    told = cli("5 go")
    assert (told.code, before) == (1, 0)
    assert OURS in told.out
    assert OURS in cli("why 5 go").out
    assert cli("--json 5 go").facts["house_rules"] == [
        {"n": 3, "by": "referee", "rule": "control.1", "text": "a 1 counts as any number"}
    ]


def test_other_rules_have_none(cli, noted):
    assert "House rule" not in cli("throw").out
    assert "house_rules" not in cli("--json throw").facts


def test_what_a_rule_allows_shows_it_too(cli, control):
    allowed = next(iter(cli("--json why 2 go").facts["rules"]))
    cli("note", "--by", "blue", "--on", allowed, "mind the cat")
    assert f"House rule on {allowed}: mind the cat (entry 3 by blue)" in cli("why 2 go").out


def test_the_rule_is_looked_up_with_it(cli, noted):
    assert OURS in cli("rules control.1").out
    assert "House rule" not in cli("rules control.2").out
    assert "House rule" not in cli("rules control.1 --of zombies").out


def test_the_last_one_counts_and_only_those_before_the_moment(cli, noted):
    cli("note control.1: no, it does not")
    assert "no, it does not (entry 4)" in cli("5 go").out
    assert OURS in cli("--at 3 why 5 go").out
    assert "House rule" not in cli("--at 2 why 5 go").out


def test_a_rule_that_there_is_not(cli, control):
    before = control.read_bytes()
    told = cli("note", "--on", "contrl.1", "x")
    assert (told.code, told.out) == (2, "")
    assert "There is no rule 'contrl.1'; did you mean control.1" in told.err
    assert control.read_bytes() == before


@pytest.mark.parametrize("text", ["control.1", "control.1:", "no-rule: x", "Anna: I am late", "control.1 : x"])
def test_other_notes_are_no_house_rules(text):
    note = NoteEntry(1, "0" * 64, "red", "2026-01-02T03:04:05Z", text)
    assert find_house_rules([note], find_game("manoover").rulebook) == {}


def test_a_ruling_can_have_one():
    book = find_game("manoover").rulebook
    ruling = next(iter(book.rulings))
    note = NoteEntry(1, "0" * 64, "red", "2026-01-02T03:04:05Z", format_house_rule_note(ruling, "we roll again"))
    assert find_house_rules([note], book)[ruling].text == "we roll again"


def test_the_log_is_clean_and_can_be_read_back_from_words(cli, noted):
    assert "CLEAN" in cli("audit").out
    cli("log --as words -o game.txt")
    assert cli("new --from game.txt -o again.jsonl").code == 0
    assert "House rule on control.1" in cli("-g again.jsonl 5 go").out
