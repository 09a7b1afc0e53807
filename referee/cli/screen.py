"""What reaches the terminal: safe, wrapped to its width, coloured only where wanted; or JSON for programs."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import msgspec

from referee.cli.answer import Answer, Drawn, Rows, Shown, Text
from referee.engine.palette import INKS
from referee.engine.text import printable

if TYPE_CHECKING:
    from referee.engine.component import Report
    from referee.engine.scene import Scene

STYLES: Mapping[str, str] = {
    "faint": "2",
    "refused": "1;31",
    "good": "32",
    "bold": "1",
    "code": "30;107",
    **{colour: ink.terminal for colour, ink in INKS.items()},
}
ASCII = str.maketrans("±▁▂▃▄▅▆▇█", "~_.-:=+*#")
"""What is written instead of our own signs where only ASCII can be; names of players stay as they are."""
CLEAR = "\x1b[H\x1b[2J\x1b[3J"
"""Clear the screen, then forget what scrolled away: some terminals make what is cleared scroll away."""
AROUND = 6
"""Lines that stand round a picture."""
LEAST = 4
"""Columns of a drawing in a row, where words leave it no room."""
EVERY = 0.2
"""Seconds for which something stands that is told while people wait: nobody reads faster."""
NARROW = 30
"""Narrowest width we wrap for."""


Rendered = tuple[list[str], list[str], int]
"""An answer as it goes to stdout and stderr, and its exit code."""


class Screen:
    """How answers look. Verdicts go to stdout even when they are no, as does all JSON; misuse goes to stderr."""

    def __init__(
        self,
        *,
        json: bool = False,
        ascii_only: bool = False,
        colour: str = "auto",
        width: int = 0,
        height: int | None = None,
    ) -> None:
        self.json = json
        self.ascii = ascii_only or os.environ.get("TERM") == "dumb" or not _is_utf8()
        self.colour = colour == "always" or (colour == "auto" and _wants_colour())
        self.width = max(NARROW, width) if width else columns()
        self.height = height
        """Rows that a board may have; None: as many as it needs."""

    def narrowed(self, columns: int) -> Screen:
        """The same, in no more columns than there are now."""
        colour = "always" if self.colour else "never"
        width, height = min(self.width, columns), terminal_rows()
        return Screen(json=self.json, ascii_only=self.ascii, colour=colour, width=width, height=height)

    def options(self) -> list[str]:
        """The global options that make a screen like this one."""
        flags = [*(["--ascii"] if self.ascii else []), *(["--json"] if self.json else [])]
        return [*flags, "--color", "always" if self.colour else "never", "--width", str(self.width)]

    def render(self, answer: Answer) -> Rendered:
        """All of an answer, before a word of it is said: what cannot be shown fails here."""
        if self.json:
            return [as_json(answer.facts())], [], answer.code
        rows = [row for shown in answer.lines for row in self._rows(shown)]
        return rows, [printable(line) for line in answer.complaint.splitlines()], answer.code

    def wrapped(self, lines: Iterable[str]) -> list[str]:
        """Complaints for people. Where a program reads them each stays a line, in which it finds what it looks for."""
        return [row for line in lines for row in self._wrapped(Text(line))]

    def fits(self, scene: Scene) -> bool:
        """Whether a picture leaves room for a few lines round it."""
        return self.height is None or len(list(self._picture(scene))) + AROUND <= self.height

    def count(self, lines: Iterable[Text]) -> int:
        """The rows that lines take."""
        return sum(len(self._wrapped(line)) for line in lines)

    def _rows(self, shown: Shown) -> Iterable[str]:
        if isinstance(shown, str):
            shown = Text(shown)
        if isinstance(shown, Text):
            return [self.paint(line, shown.style) for line in self._wrapped(shown)]
        if isinstance(shown, Drawn):
            return [self.paint(self._drawn(shown), None)]
        return map(printable, shown.rows) if isinstance(shown, Rows) else self._picture(shown)

    def _drawn(self, shown: Drawn) -> str:
        room = self.width - shown.indent - len(shown.before) - len(shown.after) - 2
        return f"{'':{shown.indent}}{shown.before} {shown.draw(max(LEAST, room))} {shown.after}"

    def _picture(self, scene: Scene) -> Iterator[str]:
        from referee.show.text import captions, picture

        yield from picture(scene, self.paint, ascii_only=self.ascii, width=self.width, height=self.height)
        for line in captions(scene, self.width, self.height):
            yield from self._rows(line)

    def paint(self, text: str, style: str | None) -> str:
        """Text made safe, in a colour if colours are wanted."""
        text = printable(text.translate(ASCII) if self.ascii else text)
        code = STYLES.get(style or "")
        return f"\x1b[{code}m{text}\x1b[0m" if code and self.colour else text

    def _wrapped(self, line: Text) -> list[str]:
        return [" " * line.indent + line.text] if line.whole else _in_rows(line, self.width)


def _in_rows(line: Text, width: int) -> list[str]:
    """A line in rows of so many columns."""
    if len(line.text) + line.indent <= width:
        return [" " * line.indent + line.text]
    from referee.cli.wrapping import wrapped  # most lines fit

    return wrapped(line.text, width, line.indent, line.indent + line.hanging)


def while_typing(text: str, hanging: int = 2) -> str:
    """What is said to somebody who is asked for something, made safe, in rows of his terminal."""
    return "\n".join(_in_rows(Text(printable(text), hanging=hanging), columns()))


def columns() -> int:
    """Columns of the terminal that are written in; 80 where there is none."""
    return max(NARROW, get_terminal_size().columns)


def terminal_rows() -> int | None:
    """Rows of the terminal that is written to; None: it is none."""
    return get_terminal_size().lines if sys.stdout.isatty() else None


def hush() -> None:
    """Say nothing more: whoever read our output has left, as `head` does, which is no reason to complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def as_json(value: Any) -> str:
    """Facts on one line. What a terminal would obey, or show otherwise than it is, is escaped as JSON does it."""
    try:
        line = msgspec.json.encode(value, enc_hook=_plain).decode()
    except UnicodeEncodeError:  # names of files, and words, may be no text
        line = msgspec.json.encode(_as_text(msgspec.to_builtins(value, enc_hook=_plain))).decode()
    if line.isascii() and line.isprintable():
        return line
    return "".join(char if char.isprintable() else _escaped(char) for char in line)


def _escaped(char: str) -> str:
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _as_text(value: Any) -> Any:
    """Plain data in which what is no text is shown as printable text."""
    match value:
        case str():
            return value if value.isascii() else "".join(_as_character(char) for char in value)
        case dict():
            return {_as_text(name): _as_text(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_as_text(inner) for inner in value]
    return value


def _as_character(char: str) -> str:
    return printable(char) if "\ud800" <= char <= "\udfff" else char


def progress() -> Callable[[int], None]:
    """Counts entries for people who wait."""
    tell = overwriting()
    return lambda n: tell(f"{n} entries")


def counting(what: str) -> Callable[[int], None]:
    """Counts something else for people who wait."""
    tell = overwriting()
    return lambda n: tell(f"{n:,} {what}")


def waiting(what: str) -> Report:
    """Tells people who wait what is being worked out, and which part of it is done."""
    tell = overwriting()
    return lambda done: tell(f"{what}: {done:.0%}")


def overwriting(after: float = 1.0, every: float = EVERY) -> Callable[[str], None]:
    """Writes on stderr, if that is a terminal, after so many seconds; what is said next overwrites it, `every` so many
    seconds at most, and `wipe` takes it away. People wait as well where what a command prints is kept apart, in a
    session.
    """
    due, terminal = time.monotonic() + after, sys.__stderr__

    def tell(words: str) -> None:
        nonlocal due
        if time.monotonic() < due:
            return
        due = time.monotonic() + every
        if _Passing.draw:
            _Passing.draw(words)
        elif terminal and terminal.isatty():
            wipe()
            _Passing.words = words[: get_terminal_size().columns - 1]  # a second row would stay
            terminal.write(f"{_Passing.words}\r")
            terminal.flush()

    return tell


class _Passing:
    """What stands on the terminal for as long as people wait: there is one line of it."""

    words = ""
    draw: Callable[[str], None] | None = None
    """What shows it in place of us."""


def wipe() -> None:
    """Make room where people have waited, before something is written that stays."""
    if _Passing.words and sys.__stderr__:
        sys.__stderr__.write(f"{'':<{len(_Passing.words)}}\r")
        sys.__stderr__.flush()
        _Passing.words = ""


@contextmanager
def drawn_by(draw: Callable[[str], None]) -> Iterator[None]:
    """Where something else draws the screen, it shows what people are told while they wait."""
    _Passing.draw = draw
    try:
        yield
    finally:
        _Passing.draw = None


def _is_utf8() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def _wants_colour() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR") or os.environ.get("CLICOLOR_FORCE"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _plain(value: Any) -> Any:
    """What msgspec cannot encode by itself: choices know how; a secret is told as far as it is known."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if hasattr(value, "known"):
        return {"of": value.owner, "value": value.value} if value.known else {"of": value.owner, "leaf": value.leaf}
    raise NotImplementedError(f"no JSON for {type(value).__name__}")
