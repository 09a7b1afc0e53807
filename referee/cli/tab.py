"""The command line where nobody sits at a terminal: a browser tab hands it words and is handed what it says."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from typing import NamedTuple

from referee.cli.main import run


class Said(NamedTuple):
    """What a command has come to."""

    out: str
    err: str
    code: int


def said(words: Sequence[str]) -> Said:
    """Run a command as a shell would; what it writes is what a terminal would be sent, and the exit code."""
    out, err = (TextIOWrapper(BytesIO(), "utf-8", newline="\n") for _ in range(2))
    code = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            run([*words])
        except SystemExit as end:
            code = int(end.code or 0)
    return Said(_written(out), _written(err), code)


def _written(stream: TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
