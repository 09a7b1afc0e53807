"""Every line that is printed to be typed is typed: it is understood, and does what it says."""

from __future__ import annotations

import re

import pytest
from suggestions import COMMAND, EXPANDED, NAMES, tried

STEPS = 20
"""Steps of each game in the suite. `suggestions.py` takes 300."""


@pytest.mark.parametrize("name", NAMES)
def test_what_is_printed_to_be_typed_does_what_it_says(name):
    wrong, typed = tried(name, STEPS, each=STEPS // 2)
    assert wrong == []
    assert typed["Next"] >= STEPS
    assert typed["Instead"] > 0


@pytest.mark.parametrize(
    ("told", "commands"),
    [
        ("15 actions possible: referee legal", ["legal"]),
        ("roll 3d6 (red's throw), then type: referee roll FACES", ["roll FACES"]),
        ("referee roll   (3d6 (red's throw))", ["roll"]),
        ("human (Ann) moves; to see how: referee legal", ["legal"]),
        ("strong plays red; to let the bot move: referee do", ["do"]),
    ],
)
def test_what_is_to_be_typed_is_found_in_a_line(told, commands):
    assert COMMAND.findall(told) == commands


@pytest.mark.parametrize("line", ["2 go NE!, 6 go", "open a&b", "say 'so'", "move $n1"])
def test_what_a_shell_reads_otherwise_is_found(line):
    assert EXPANDED.search(line)
    assert not EXPANDED.search(re.sub(r"[&$']", "", line.replace("!", "! ")))


def test_the_piece_that_was_named_is_kept_first(cli, place):
    (place / "p.toml").write_text(STREETS)
    cli("new sheboygan --dice table --from p.toml -o s.jsonl")
    assert cli("--json i1 M02").facts["instead"] == ["i1 J08", "i1 G06", "i1 I08"]
    assert all(text.startswith("t1 ") for text in cli("--json t1 A01").facts["instead"])
    assert cli("--json tow t1 g1 M02").facts["instead"][0].startswith(("t1 ", "tow t1"))


def test_who_else_can_go_there_is_told_where_the_piece_cannot_move(cli, place):
    (place / "p.toml").write_text(STREETS.replace('H04 = "p1"', 'H04 = "p1"\nI10 = "i9"') + "[spent]\ni9 = 3\n")
    cli("new sheboygan --dice table --from p.toml -o s.jsonl")
    instead = cli("--json i9 G08").facts["instead"]
    assert instead
    assert all(text.endswith(" G08") for text in instead[:2])


def test_when_it_will_be_possible_is_told(cli, place):
    (place / "p.toml").write_text(STREETS.replace("human-move", "monster-move"))
    cli("new sheboygan --dice table --from p.toml -o s.jsonl")
    later = cli("--json i1 J08").facts["later"]
    assert (later["action"], later["by"]) == ("i1 J08", "human")
    assert {step["by"] for step in later["after"]} == {"monster"}
    assert "Later: i1 J08, by human   (after " in cli("i1 J08").shown


def test_a_piece_that_stands_there_is_not_sent_away_and_back(cli, place):
    (place / "p.toml").write_text(STREETS)
    cli("new sheboygan --dice table --from p.toml -o s.jsonl")
    facts = cli("--json i1 G07").facts
    assert facts["instead"][0].startswith("i1 ")
    assert facts["later"] is None


def test_what_stands_in_the_middle_of_a_line_is_told_nothing_that_could_be_typed_alone(cli, control):
    told = cli("2 go, 2 go, 6 go x")
    assert (told.code, "Instead" in told.err) == (2, False)


STREETS = """
phase = "human-move"
defense = 8
monster = "H08"
lacking = ["radiation"]
[sheet]
attack = 9
[units]
H10 = "t1 t2"
H12 = "g1 g2"
G07 = "i1 i2"
H06 = "i3 i17"
H04 = "p1"
"""
