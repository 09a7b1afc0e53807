"""Logs that somebody has spoilt and made right again on the outside: told in a sentence, whatever stands in them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
import spoilt
from hypothesis import given
from hypothesis import strategies as st
from spoilt import FEWER, check_answer
from third_party import installed

from referee.record.archive.audit import audit_stream
from referee.record.log.log_errors import LogError
from referee.record.table.opening_logs import open_stream

LOOKS = [
    "",
    "show",
    "show --as words",
    "show --as toml",
    "legal",
    "log",
    "log --json",
    "replay",
    "audit",
    "--json show",
    "use",
]
LOOKS += [
    "show --at 3",
    "why done",
    "do done",
    "roll",
    "undo",
    "redo",
    "reveal",
    "resign --agreed-by all",
    "branch",
    "branch x",
]
LOOKS += [
    "diff good.jsonl",
    "check-table x",
    "note so",
    "answer",
    "rules",
    "show --as svg",
    "audit --json",
    "legal --json",
]


@pytest.fixture(scope="module", autouse=True)
def ambush_is_installed():
    with installed():
        yield


@pytest.mark.parametrize("kind", spoilt.KINDS)
@FEWER
@given(rng=st.randoms(use_true_random=False))
def test_a_spoilt_log_is_told_in_a_sentence(cli_anywhere, kind, rng):
    base = spoilt.base(kind)
    log = spoilt.written(spoilt.spoil(rng, base))
    report = audit_stream(BytesIO(log))
    if report.fault:
        assert report.fault.clause
    try:
        open_stream(BytesIO(log))
    except LogError:
        assert report.fault, "what cannot be read does not audit clean"
    for path, content in (("spoilt.jsonl", log), ("good.jsonl", spoilt.written(base.documents))):
        Path(path).write_bytes(content)
        Path(f"{path}.head").unlink(missing_ok=True)
    words = rng.choice(LOOKS)
    answer = cli_anywhere(*f"-g spoilt.jsonl {words}".split())
    check_answer(answer)
    if answer.code and not report.fault:  # what a forged log leads to may come to light after something was added
        assert Path("spoilt.jsonl").read_bytes() == log, answer.shown
    for made in Path().glob("spoilt-*"):
        made.unlink()
