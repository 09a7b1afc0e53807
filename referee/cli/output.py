"""The way out: all that the program prints leaves it here, as text in which nothing is invisible or misleading.

The functions take `Printable` alone, so that mypy refuses any other text. `tests/cli/test_cli_way_out.py` checks that
no other file writes to a stream.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from shutil import get_terminal_size

from referee.engine.text import Printable
from referee.gate import read_environment_variable

CLEAR_CODES = "\x1b[H\x1b[2J\x1b[3J"
"""The codes that clear the screen and the scrollback. Some terminals scroll cleared text away first."""


def write_rows(rows: Iterable[Printable]) -> None:
    """Prints rows of an answer. Raises OSError."""
    sys.stdout.writelines(f"{row}\n" for row in rows)
    sys.stdout.flush()


def write_messages(rows: Iterable[Printable]) -> None:
    """Prints rows beside the answer, on stderr. Raises OSError."""
    sys.stderr.writelines(f"{row}\n" for row in rows)


def write_prompt(words: Printable) -> None:
    """Prints words on stderr without ending their line, since somebody types behind them."""
    sys.stderr.write(words)
    sys.stderr.flush()


def ask_line(question: Printable) -> str:
    """Returns the line that somebody types behind a question. Raises EOFError at the end of the input."""
    return input(question)


def write_temporary_row(words: Printable) -> None:
    """Writes words on the terminal, where the next words will overwrite them. Does nothing without a terminal."""
    if sys.__stderr__:
        sys.__stderr__.write(f"{words}\r")
        sys.__stderr__.flush()


def clear_terminal() -> None:
    """Clears the terminal, if there is one. If it cannot clear, scrolls its text away."""
    if sys.stdout.isatty():
        sys.stdout.write(
            "\n" * get_terminal_size().lines if read_environment_variable("TERM") == "dumb" else CLEAR_CODES
        )
        sys.stdout.flush()
