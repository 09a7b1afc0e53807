"""What reaches the terminal: safe, wrapped to its width, coloured only where wanted; or JSON for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from shutil import get_terminal_size
from typing import Any

import msgspec

from referee.engine.text import printable

STYLES: Mapping[str, str] = {
    "red": "31",
    "blue": "34",
    "green": "32",
    "faint": "2",
    "refused": "1;31",
    "good": "32",
    "bold": "1",
}
NARROW = 30
"""Narrowest width we wrap for."""


class ReaderGoneError(Exception):
    """Whoever read our output has left, as `head` does; no reason to complain."""


class Screen:
    """Where output goes. Verdicts go to stdout even when they are no; misuse goes to stderr."""

    def __init__(self, *, json: bool = False, ascii_only: bool = False, colour: str = "auto", width: int = 0) -> None:
        self.json = json
        self.ascii = ascii_only or os.environ.get("TERM") == "dumb" or not _is_utf8()
        self.colour = colour == "always" or (colour == "auto" and _wants_colour())
        self.width = max(NARROW, width or get_terminal_size((80, 24)).columns)

    def say(self, text: str = "", style: str | None = None, indent: int = 0, hanging: int = 2) -> None:
        """Print a line, wrapped; continued lines are indented by `hanging` more."""
        for line in self._wrapped(text, indent, hanging):
            _write(self.paint(line, style))

    def rows(self, lines: Iterable[str]) -> None:
        """Print lines that are painted already and must not be wrapped."""
        for line in lines:
            _write(line)

    def data(self, value: Any) -> None:
        """Print a value as JSON, one line."""
        _write(msgspec.json.encode(value, enc_hook=_plain).decode())

    def complain(self, text: str) -> None:
        """Print a line about misuse to stderr."""
        for part in text.splitlines():
            sys.stderr.write(printable(part) + "\n")

    def paint(self, text: str, style: str | None) -> str:
        """Text made safe, in a colour if colours are wanted."""
        text = printable(text)
        code = STYLES.get(style or "")
        return f"\x1b[{code}m{text}\x1b[0m" if code and self.colour else text

    def _wrapped(self, text: str, indent: int, hanging: int) -> list[str]:
        if len(text) + indent <= self.width:
            return [" " * indent + text]
        from textwrap import wrap

        first, rest = " " * indent, " " * (indent + hanging)
        return wrap(text, self.width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def _write(line: str) -> None:
    try:
        sys.stdout.write(line + "\n")
    except BrokenPipeError:
        raise ReaderGoneError from None


def _is_utf8() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def _wants_colour() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR") or os.environ.get("CLICOLOR_FORCE"):
        return True
    return sys.stdout.isatty()


def _plain(value: Any) -> Any:
    """What msgspec cannot encode by itself: choices and legal lists know how."""
    if hasattr(value, "to_json"):
        return value.to_json()
    raise NotImplementedError(f"no JSON for {type(value).__name__}")
