"""The command line without a terminal: a browser tab passes words and receives the output."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from typing import NamedTuple

from referee.cli.main import run


class CommandOutput(NamedTuple):
    """The output of a command and its exit code."""

    out: str
    err: str
    code: int


def run_command(words: Sequence[str]) -> CommandOutput:
    """Runs a command as a shell would, and returns its output and exit code."""
    out, err = (TextIOWrapper(BytesIO(), "utf-8", newline="\n") for _ in range(2))
    code = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            run([*words])
        except SystemExit as end:
            code = int(end.code or 0)
    return CommandOutput(_read_stream(out), _read_stream(err), code)


def _read_stream(stream: TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
