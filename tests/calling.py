"""Running the program in this process: words go in, two streams and an exit code come out."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from typing import NamedTuple
from unittest.mock import patch

import pytest

from referee.cli.main import run


class Called(NamedTuple):
    """The output and the exit code of a command."""

    out: bytes
    err: bytes
    code: int


def called(words: Iterable[object], stdin: bytes = b"") -> Called:
    """Runs the program with these words, in this process."""
    given, out, err = (io.TextIOWrapper(io.BytesIO(part), "utf-8", newline="\n") for part in (stdin, b"", b""))
    with (
        patch.object(sys, "stdin", given),
        patch.object(sys, "stdout", out),
        patch.object(sys, "stderr", err),
        pytest.raises(SystemExit) as leaving,
    ):
        try:
            run([str(word) for word in words])
        finally:
            end_bots()
    return Called(written(out), written(err), leaving.value.code or 0)


def end_bots() -> None:
    """Ends the processes of bots, as the end of the program does."""
    if bots := sys.modules.get("referee.bots.foreign_bot"):
        bots.end_bot_processes()


def written(stream: io.TextIOWrapper) -> bytes:
    """Returns everything that was written to a stream."""
    stream.flush()
    return stream.buffer.getvalue()  # type: ignore[attr-defined]


def tell(cli, *said):
    """Type one command after another; each of them must be done. Returns the last answer."""
    for words in said:
        answer = cli(words)
        assert answer.code == 0, answer.shown
    return answer
