"""Chances stand beside what throws: in `legal`, for programs, and on a page."""

import pytest
from support import FIXTURES

SMASHING = FIXTURES / "mutants" / "games" / "all-options.jsonl", "120"
MONSTER = FIXTURES / "sheboygan" / "games" / "advanced-b.jsonl", "60"


@pytest.mark.parametrize(
    ("log", "at", "told"),
    [
        (*SMASHING, "smash xS5-E7 n26   (smashes the door 1/3)"),
        (*SMASHING, "smash A1-B1 1..2 of r8/r17   (smashes the door 1/3 to 1/2)"),
        (*MONSTER, "ignite P02/P03/R03   (ignites 1/2)"),
        (*MONSTER, "wreck P03/R03 1..3   (destroys 1/6 to 1/3)"),
    ],
)
def test_legal(cli, log, at, told):
    assert told in cli("-g", str(log), "legal", "--at", at).out


def test_what_throws_nothing_has_none(cli):
    log = FIXTURES / "zombies" / "games" / "solo.jsonl"
    told = cli("-g", str(log), "legal", "--at", "60").out
    assert "hit We9/We10 fists   (hits 5/12)" in told
    assert "done   (" not in told


def test_for_programs_as_ways_of_all(cli):
    log, at = SMASHING
    choices = cli("-g", str(log), "--json", "legal", "--at", at).facts["choices"]
    beside = {choice["text"]: choice["chances"] for choice in choices}
    assert beside["smash xS5-E7 n26"] == [{"does": "smashes the door", "least": [2, 6], "most": [2, 6]}]
    assert beside["end"] == []


def test_each_chance_is_the_one_that_why_tells(cli):
    log, at = SMASHING
    assert "2 in 6 (33.3 %)" in cli("-g", str(log), "why", "--at", at, "smash", "xS5-E7", "n26").out


def test_a_page_tells_what_the_chance_was(cli, tmp_path):
    log, page = tmp_path / "game.jsonl", tmp_path / "game.html"
    log.write_bytes(b"".join(SMASHING[0].read_bytes().splitlines(keepends=True)[:90]))
    cli("-g", str(log), "log", "-o", str(page))
    assert "<p class=chance>b1 2 or less hits n13: 2 in 6 (33.3 %)." in page.read_text()
    assert cli("audit", str(page)).code == 0
