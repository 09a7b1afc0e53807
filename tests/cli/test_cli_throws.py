"""Dice, honestly: what a throw needs and how likely it is, never what it would be."""

import json

import pytest

from referee.record.start import open_log

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
    assert facts["throws"]["aims"][1] == {"most": 3, "does": "hits buck", "whose": "n1"}
    assert "faces" not in json.dumps(facts)
    assert pair.read_bytes() == before


def test_a_door_and_a_mutant_that_glows(cli, place):
    cli("new mutants --dice table -o g.jsonl")
    cli("do rest, ready, rest, ready")
    assert "3 or less smashes the door: 3 in 6 (50 %)." in cli("why smash xN4-D1 r4 n8").out
    cli("do end, end, end")
    assert "6 kills it: 1 in 6 (16.7 %)." in cli("why glow").out


def test_what_fell_before_is_kept_when_a_later_throw_lacks_dice(cli, pair):
    if "open dice" in cli("").out:
        assert cli("do resolve --dice 6,6").code == 2
        return
    stopped = cli("--json do resolve, resolve --dice 6,6,5").facts
    assert (stopped["recorded"], stopped["stopped"]["typed"]) == (True, 1)
    assert open_log(pair).entries[-1].rolls[0].faces == (6, 6)
