"""What is only proposed, asked or tried out: no answer claims that it was done."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CLAIMS = re.compile(
    r"^\s*(Corrected|\d+ later moves? still|Entry \d+ is no longer|Position amended|Recorded|Entry \d+\.)", re.MULTILINE
)
DENIES = re.compile(r"Nothing was recorded|^Not (recorded|done)", re.MULTILINE)
TRIED = (
    "correct 2 2 6 6",
    "correct 2 2 6 6 -n",
    "do -n 6 go",
    "undo 3",
    "fix R2 c2 N --why cat",
    "finish draw",
    "resign",
)


@pytest.mark.parametrize("words", TRIED)
def test_what_records_nothing_does_not_claim_it(cli, control, words):
    cli("do 2 go, 2 turn ne")
    before = control.read_bytes()
    answer = cli(words)
    assert control.read_bytes() == before, "it is one that records"
    assert not CLAIMS.search(answer.out), answer.shown
    assert DENIES.search(answer.out), answer.shown
    assert cli(f"--json {words}").facts.get("recorded") in (False, None)


@pytest.mark.parametrize("words", ["undo 3", "fix R2 c2 N --why cat", "finish draw"])
def test_what_comes_of_a_proposal_is_told_as_such(cli, control, words):
    cli("do 2 go, 2 turn ne")
    told = cli(words).out.splitlines()
    assert told[1] == "  If all agree, this happens:"
    assert told[-1].startswith("  Once all agree, type: referee")


def test_a_correction_that_is_recorded_says_so(cli, control):
    cli("do 2 go, 2 turn ne")
    told = cli("correct 2 2 6 6 --agreed-by all")
    assert "Corrected: red: throw  [2 2 6], in truth 2 6 6 (now entry 6)." in told.out
    assert Path(control).read_bytes().count(b'"takeback"') == 1
