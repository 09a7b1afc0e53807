"""`switch`: an option has another value from here on, at the table, in a session and by mail."""

from __future__ import annotations

import pytest

SEED = "3" * 64


@pytest.fixture
def two(cli, place):
    """Ann and Bo, who play Manoover."""
    cli(f"new manoover --option first=red --seats Ann,Bo --seed {SEED} -o m.jsonl")
    return cli


def test_a_switch_is_asked_made_told_and_taken_back(two, snapshot):
    lines = (
        *("switch null-rotation=refused", "switch null-rotation=refused --agreed-by all", "log", "audit"),
        *("undo", "undo --agreed-by all", "audit"),
    )
    assert [two(words).shown for words in lines] == snapshot


def test_what_cannot_be_switched_is_one_sentence(two, snapshot):
    lines = (
        "form=plus",
        "null-rotation=allowed",
        "null-rotation=maybe",
        "sky=blue",
        "null-rotation",
        "ties=draw ties=",
    )
    assert [two(f"switch {words} --agreed-by all").shown for words in lines] == snapshot


def test_data_say_which_options_are_in_force(two):
    asked = two("--json switch ties=survivor").facts
    assert (asked["needs"], asked["type"]) == (["red", "blue"], "referee switch ties=survivor --agreed-by red,blue")
    two("switch ties=survivor --agreed-by all")
    assert two("--json status").facts["options"]["ties"] == "survivor"
    assert two("--json --at 0 status").facts["options"]["ties"] == "draw"
    assert 'ties = "survivor"' in two("show --as toml").out


def test_a_page_tells_it(two):
    two("switch ties=survivor --agreed-by all")
    two("log -o m.html")
    assert two("audit m.html").out.startswith("CLEAN")


def test_in_a_session_the_same_words_do(two):
    told = two("play", stdin=b"switch ties=survivor --agreed-by all\nstatus\n").out
    assert "From here on ties is survivor." in told


def test_games_says_which_options_may_change(two):
    told = two("games manoover").out
    assert "(r.null-rotation; may change in mid-game)" in " ".join(told.split())
    (game,) = two("--json games manoover").facts
    assert [one["name"] for one in game["options"] if one["is_switchable"]] == [
        *("ties", "rotation", "decline-die", "null-rotation", "eliminated-goal", "three-result")
    ]


def test_an_option_is_named_once(two):
    before = two("log").out
    told = two("switch ties=survivor ties= --agreed-by all")
    assert (told.code, told.err.strip()) == (2, "You named ties twice; name it once.")
    assert two("log").out == before
    assert two("new manoover --option first=red --option first=blue -o twice.jsonl").code == 2


def test_a_correction_across_a_switch_says_how_to_go_on(cli, place):
    cli("new manoover --option first=red --dice table --seats Ann,Bo -o m.jsonl")
    for words in ("roll 2 2 6", "2 turn ne", "switch ties=survivor --agreed-by all"):
        assert cli(words).code == 0
    told = cli("correct 2 2 turn se")
    assert told.code == 1
    flat = " ".join(told.out.split())
    assert "To go back to before entry 2: referee undo 2. Then make the right move, and repeat entry 3" in flat
    assert "referee correct 2" not in flat
    for words in ("undo 2 --agreed-by all", "2 turn se", "audit"):
        assert cli(words).code == 0
