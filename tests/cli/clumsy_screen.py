"""The screen of a clumsy player: the program on a real terminal, and how to wait for it without a clock.

After each line a mark is typed. Once it stands behind the prompt, the line is answered, and the mark is taken away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from suggestions import Heard, offers
from terminal import Terminal

PROMPT = "> "
TAKES = f"Enter{PROMPT}"
"""The end of the prompt while the next player takes the screen."""
BEGINS = b"\x1b[?2004h"
"""What a line editor sends when it begins to read."""
WHOLE_SCREEN = b"\x1b[?1049h"
RULER = re.compile(r"-+( PageUp: .+ )?-+")
"""What stands between the board and the answers on a tall screen."""
HEADS = ("Next: ", "Instead: ", "If you mean it, type: ", "Type first: ")
NEXT = re.compile(r"(?:^|: |; )(legal|answer|roll|do)\b((?: --?\S+ \S+)*)")
"""A command in a line that tells what comes next."""


class Screen:
    """The program on a terminal, and where it is."""

    def __init__(self, log: Path, columns: int, lines: int, *, plain: bool) -> None:
        self.plain, self.columns = plain, columns
        words = ("play", str(log), *(["--plain"] if plain else []))
        self.terminal = Terminal(*words, columns=columns, lines=lines)
        self.keys: list[str] = []
        """All that was typed, and between it what the prompt was."""
        self._marks = 0
        self.settle(1, 0)

    def close(self) -> None:
        self.terminal.__exit__()

    @property
    def has_left(self) -> bool:
        return bool(self.terminal.has_left)

    @property
    def is_whole(self) -> bool:
        return WHOLE_SCREEN in self.terminal.shown

    @property
    def prompt(self) -> str:
        """The row of the prompt, without what is typed there."""
        row: str = self.terminal.up_to_cursor[-self.terminal.screen.cursor.x :]
        return row.rpartition(PROMPT)[0].strip() + PROMPT

    @property
    def hands_over(self) -> bool:
        return self.prompt.endswith(TAKES)

    @property
    def everything(self) -> str:
        """What stands on the screen and above it, in single spaces."""
        return " ".join(" ".join(self.all_rows).split())

    @property
    def all_rows(self) -> list[str]:
        """The rows of the screen and those above it."""
        return f"{self.terminal.scrolled_away}\n{self.terminal.text}".split("\n")

    @property
    def rows(self) -> list[str]:
        """The rows of the answers, above the prompt."""
        rows = self.terminal.lines[: self.terminal.screen.cursor.y]
        rulers = [at for at, row in enumerate(rows) if len(row) == self.columns and RULER.fullmatch(row)]
        below = rows[rulers[-1] + 1 :] if self.is_whole and rulers else rows
        return below[: max((at for at, row in enumerate(below, 1) if row), default=0)]

    def type(self, keys: str) -> None:
        self.keys.append(f"{self.prompt}{keys!r}")
        self.terminal.type(keys)

    def say(self, text: str, lines: int = 1) -> None:
        """Types keys that end so many lines, and waits until all of them are answered."""
        since = len(self.terminal.shown)
        self.type(text)
        self.settle(lines, since)

    def settle(self, lines: int, since: int) -> None:
        """Waits until so many prompts more have come and the last one takes keys."""
        shown = self.terminal
        if self.plain:
            shown.comes(lambda: shown.shown[since:].endswith(PROMPT.encode()), "the prompt")
            return
        if not shown.shown or not self.is_whole:
            shown.comes(
                lambda: shown.shown.count(BEGINS, since) >= lines or (not since and self.is_whole), "the next prompt"
            )
        self.mark(PROMPT)

    def mark(self, before: str = "") -> None:
        """Types a mark at the end of the line, waits until it stands there, and takes it away."""
        if self.has_left:
            return
        mark = self.next_mark()
        self.terminal.type(mark)
        self.terminal.comes(lambda: self.terminal.up_to_cursor.endswith(before + mark), mark)
        self.terminal.type("\x7f" * len(mark))
        self.terminal.comes(lambda: not self.terminal.up_to_cursor.endswith("x") or not before, "the empty prompt")

    def next_mark(self) -> str:
        """Letters that stand nowhere else."""
        self._marks += 1
        return f"zq{self._marks}x"

    def resize(self, columns: int, lines: int) -> None:
        self.keys.append(f"[{columns} x {lines}]")
        self.columns = columns
        self.terminal.resize(columns, lines)


def suggestions_in(rows: list[str]) -> list[tuple[str, str]]:
    """The lines that the rows of an answer tell to type, each after the head that it stands behind."""
    heard, found = Heard("\n".join(unwrapped(rows)), 0), list[tuple[str, str]]()
    for head in HEADS:
        for told in heard.after(head):
            if head == HEADS[0]:
                lines = ["".join(parts) for parts in NEXT.findall(told)]
            else:
                lines = offers(told) if head == HEADS[1] else [told]
            found += [(head, line) for line in lines]
    return found


def unwrapped(rows: list[str]) -> Iterator[str]:
    """The lines of an answer, each in one row: what was wrapped stands further in than its beginning."""
    line = ""
    for row in rows:
        if line.lstrip().startswith(HEADS) and _indent(row) > _indent(line):
            line += ("   " if line.endswith(",") else " ") + row.strip()
            continue
        yield line
        line = row
    yield line


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())
