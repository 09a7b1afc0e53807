"""Folders in place of logs, and streams that are closed: designed answers, never a bug."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MAIN = "from referee.__main__ import main; main()"


@pytest.mark.parametrize(
    "words",
    ["use .", "use /", "play .", "match show .", "match audit .", "-g / show", "-g . show", "-g . do x", "diff . ."],
)
def test_a_folder_without_a_name_is_no_log(cli, control, words):
    folder = next(word for word in words.split() if word in "./")
    answer = cli(words)
    assert (answer.code, answer.err) == (3, f"{folder}: this is not a file but a folder.\n")


@pytest.mark.parametrize("named", [".", "/", "logs", ".."])
@pytest.mark.parametrize("words", ["", "show", "do x", "play", "match show", "match next", "match", "use", "log"])
def test_a_folder_that_the_pointer_names(cli, control, named, words):
    Path(".referee").write_text(f"{named}\n")
    assert cli(words).code in (0, 2, 3, 4)


@pytest.mark.parametrize("words", ["show", "--json show", "log", "audit logs/friday.jsonl", "-h", "note hi", "play"])
@pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr", "all"])
def test_streams_that_are_closed(control, words, closed):
    streams = {"stdin": "<&-", "stdout": ">&-", "stderr": "2>&-", "all": "<&- >&- 2>&-"}[closed]
    line = f'exec "$0" -c "{MAIN}" {words} {streams}'
    words = ["sh", "-c", line, sys.executable]
    done = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 0, done.stderr
    assert b"Error" not in done.stdout + done.stderr
