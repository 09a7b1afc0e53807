"""The output of the program: safe text, wrapped and coloured for terminals, or JSON for programs."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import msgspec

from referee.cli.answer import Answer, AnswerLine, DrawnRow, FixedRows, StateLine, Text
from referee.cli.output import write_temporary_row
from referee.engine.palette import INKS
from referee.engine.text import Printable, make_printable
from referee.gate import read_environment_variable

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
ASCII_SUBSTITUTES = str.maketrans("±▁▂▃▄▅▆▇█", "~_.-:=+*#")
"""The ASCII substitutes for our own signs. Names of players are not changed."""
SUGGESTIONS_START = "  Instead: "
"""The beginning of a line with suggestions in a message."""
LINES_AROUND = 6
"""The number of lines that a picture must leave free on the screen to fit."""
MIN_DRAWING = 4
"""The width of a drawing in a row, in columns, if the texts beside it leave less."""
PROGRESS_SECONDS = 0.2
"""The shortest time that a progress line stays, in seconds. Nobody reads faster."""
MIN_WIDTH = 30
"""The narrowest width for wrapping, in columns."""


RenderedAnswer = tuple[list[Printable], list[Printable], int]
"""A rendered answer: lines for stdout, lines for stderr, and the exit code."""


class Screen:
    """The form of answers on a screen: JSON or text, its width and its colours.

    Verdicts, even negative ones, and all JSON go to stdout. Messages about misuse go to stderr.
    """

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
        self.ascii = ascii_only or read_environment_variable("TERM") == "dumb" or not _is_utf8()
        self.colour = colour == "always" or (colour == "auto" and _wants_colour())
        self.width = max(MIN_WIDTH, width) if width else count_terminal_columns()
        self.height = height
        """The rows that a board may have; None for no limit."""

    def narrow_to(self, columns: int) -> Screen:
        """Returns the same screen with at most this many columns."""
        colour = "always" if self.colour else "never"
        width, height = min(self.width, columns), count_terminal_rows()
        return Screen(json=self.json, ascii_only=self.ascii, colour=colour, width=width, height=height)

    def list_options(self) -> list[str]:
        """Returns the global options that set up such a screen, all but its height."""
        flags = [*(["--ascii"] if self.ascii else []), *(["--json"] if self.json else [])]
        return [*flags, "--color", "always" if self.colour else "never", "--width", str(self.width)]

    def render(self, answer: Answer) -> RenderedAnswer:
        """Renders a whole answer before any of it is printed, so that errors come first."""
        if self.json:
            return [encode_json(answer.facts())], [], answer.code
        rows = [row for shown in answer.lines for row in self._render_rows(shown)]
        return rows, [*map(make_printable, answer.complaint)], answer.code

    def wrap_messages(self, lines: Iterable[str]) -> list[Printable]:
        """Wraps messages for people. For programs each message stays on one line.

        The later rows of a suggestion are indented, so that none looks like a new suggestion.
        """
        texts = (Text(line, hanging=4 if SUGGESTIONS_START in line else 2) for line in lines)
        return [make_printable(row) for text in texts for row in self._wrap_line(text)]

    def has_room_for(self, scene: Scene) -> bool:
        """True if a picture leaves room for `LINES_AROUND` lines on the screen."""
        return self.height is None or len(list(self._draw_picture(scene))) + LINES_AROUND <= self.height

    def count_rows(self, lines: Iterable[Text]) -> int:
        """Returns the number of rows that lines take."""
        return sum(len(self._wrap_line(line)) for line in lines)

    def _render_rows(self, shown: AnswerLine) -> Iterable[Printable]:
        if isinstance(shown, str):
            shown = Text(shown)
        if isinstance(shown, Text):
            return [self.paint(line, shown.style) for line in self._wrap_line(shown)]
        if isinstance(shown, StateLine):
            return self._render_rows(shown.printed_line) if shown.printed_line else []
        if isinstance(shown, DrawnRow):
            return [self.paint(self._draw_row(shown), None)]
        if isinstance(shown, FixedRows):
            return (Printable(make_printable(row) + "\r" * shown.is_crlf) for row in shown.rows)
        return self._draw_picture(shown)

    def _draw_row(self, shown: DrawnRow) -> str:
        room = self.width - shown.indent - len(shown.before) - len(shown.after) - 2
        return f"{'':{shown.indent}}{shown.before} {shown.draw(max(MIN_DRAWING, room))} {shown.after}"

    def _draw_picture(self, scene: Scene) -> Iterator[Printable]:
        from referee.show.text_picture import draw_text_picture, list_text_captions

        yield from draw_text_picture(scene, self.paint, ascii_only=self.ascii, width=self.width, height=self.height)
        for line in list_text_captions(scene, self.width, self.height):
            yield from self._render_rows(line)

    def paint(self, text: str, style: str | None) -> Printable:
        """Returns text that is safe for a terminal, in a style of `STYLES` if colours are wanted."""
        safe = make_printable(text.translate(ASCII_SUBSTITUTES) if self.ascii else text)
        code = STYLES.get(style or "")
        return Printable(f"\x1b[{code}m{safe}\x1b[0m") if code and self.colour else safe

    def _wrap_line(self, line: Text) -> list[str]:
        return [" " * line.indent + line.text] if line.is_unwrapped else _split_into_rows(line, self.width)


def _split_into_rows(line: Text, width: int) -> list[str]:
    """Returns a line as rows of at most the given width."""
    if len(line.text) + line.indent <= width:
        return [" " * line.indent + line.text]
    from referee.cli.text_wrapping import wrap_text  # most lines fit

    return wrap_text(line.text, width, line.indent, line.indent + line.hanging)


def format_prompt(text: str, hanging: int = 2, end: str = "") -> Printable:
    """Returns a question or message, safe for a terminal and wrapped to its width. `hanging` is as in Text.

    `end` is put behind the last row, such as the blank between a question and its answer.
    """
    rows = _split_into_rows(Text(make_printable(text), hanging=hanging), count_terminal_columns())
    return Printable("\n".join(rows) + make_printable(end))


def count_terminal_columns() -> int:
    """Returns the columns of the terminal; 80 if there is none."""
    return max(MIN_WIDTH, get_terminal_size().columns)


def count_terminal_rows() -> int | None:
    """Returns the rows of the terminal; None if the output is not one."""
    return get_terminal_size().lines if sys.stdout.isatty() else None


def silence_stdout() -> None:
    """Discards all further output to stdout, for example after a reader such as `head` has closed the pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def encode_json(value: Any) -> Printable:
    """Returns facts as one line of JSON. Control characters and other invisible ones are escaped."""
    try:
        line = msgspec.json.encode(value, enc_hook=_to_plain_data).decode()
    except UnicodeEncodeError:  # names of files, and arguments, may not be valid text
        line = msgspec.json.encode(_replace_invalid_text(msgspec.to_builtins(value, enc_hook=_to_plain_data))).decode()
    if line.isascii() and line.isprintable():
        return Printable(line)
    return Printable("".join(char if char.isprintable() else _escape_char(char) for char in line))


def _escape_char(char: str) -> str:
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def _replace_invalid_text(value: Any) -> Any:
    """Returns plain data in which invalid text is replaced by printable text."""
    match value:
        case str():
            return value if value.isascii() else "".join(_replace_invalid_character(char) for char in value)
        case dict():
            return {_replace_invalid_text(name): _replace_invalid_text(inner) for name, inner in value.items()}
        case list() | tuple():
            return [_replace_invalid_text(inner) for inner in value]
    return value


def _replace_invalid_character(char: str) -> str:
    return make_printable(char) if "\ud800" <= char <= "\udfff" else char


def make_entry_progress() -> Callable[[int], None]:
    """Returns a function that shows the number of entries to people who wait."""
    tell = make_line_overwriter()
    return lambda n: tell(f"{n} entries")


def make_count_progress(what: str) -> Callable[[int], None]:
    """Returns a function that shows a number of things, such as logs, to people who wait. `what` names the things."""
    tell = make_line_overwriter()
    return lambda n: tell(f"{n:,} {what}")


def make_work_progress(what: str) -> Report:
    """Returns a function that shows the task and its progress to people who wait."""
    tell = make_line_overwriter()
    return lambda done: tell(f"{what}: {done:.0%}")


def make_line_overwriter(after: float = 1.0, every: float = PROGRESS_SECONDS) -> Callable[[str], None]:
    """Returns a function that writes a progress line on stderr, if that is a terminal.

    It writes nothing in the first `after` seconds, and then at most one line in `every` seconds, in place of the last.
    `wipe_progress` removes the line. This also works in a session, where the output of commands is captured.
    """
    due = time.monotonic() + after

    def overwrite_line(words: str) -> None:
        nonlocal due
        if time.monotonic() < due:
            return
        due = time.monotonic() + every
        if _ProgressLine.draw:
            _ProgressLine.draw(words)
        elif sys.__stderr__ and sys.__stderr__.isatty():
            wipe_progress()
            _ProgressLine.words = words[: get_terminal_size().columns - 1]  # a second row could not be overwritten
            write_temporary_row(make_printable(_ProgressLine.words))

    return overwrite_line


class _ProgressLine:
    """The progress line on the terminal. There is only one."""

    words = ""
    draw: Callable[[str], None] | None = None
    """The function that shows the progress line if something else draws the screen; None otherwise."""


def wipe_progress() -> None:
    """Removes the progress line before something permanent is written."""
    if _ProgressLine.words:
        write_temporary_row(make_printable(" " * len(_ProgressLine.words)))
        _ProgressLine.words = ""


@contextmanager
def draw_progress_with(draw: Callable[[str], None]) -> Iterator[None]:
    """Passes all progress lines to `draw` until the end of the block, since something else draws the screen."""
    _ProgressLine.draw = draw
    try:
        yield
    finally:
        _ProgressLine.draw = None


def _is_utf8() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def _wants_colour() -> bool:
    if read_environment_variable("NO_COLOR"):
        return False
    if read_environment_variable("FORCE_COLOR") or read_environment_variable("CLICOLOR_FORCE"):
        return True
    return sys.stdout.isatty() and read_environment_variable("TERM") != "dumb"


def _to_plain_data(value: Any) -> Any:
    """Returns plain data for a choice or a secret, which msgspec cannot encode. A secret shows only what is known."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if hasattr(value, "known"):
        return {"of": value.owner, "value": value.value} if value.known else {"of": value.owner, "leaf": value.leaf}
    raise NotImplementedError(f"no JSON for {type(value).__name__}")
