"""A terminal to test with: a real pseudo-terminal, and an emulator that shows what somebody would see."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import subprocess
import sys
import termios
import time
from itertools import islice

import pyte

PROGRAM = """
import fcntl, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
{first}
from referee.__main__ import main
main()
"""
PATIENCE = 30.0
"""The seconds to wait for expected output."""


class Terminal:
    """The program on a terminal of this size. Use it in a `with` statement."""

    def __init__(self, *words, columns=80, lines=24, env=None, first=""):
        """`first` is Python code that runs before the program begins."""
        self.shown = b""
        """All that the program wrote."""
        self.screen = pyte.HistoryScreen(columns, lines, history=10_000, ratio=0.5)
        self.screen.write_process_input = self.type
        self._read_rows = []
        """The rows above the screen, and the text of each."""
        self._stream = pyte.ByteStream(self.screen)
        self._keyboard, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        around = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self._running = subprocess.Popen(
            [sys.executable, "-c", PROGRAM.format(first=first), *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**around, "TERM": "xterm-256color", **(env or {})},
        )
        os.close(theirs)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._running.kill()
        self._running.wait()
        os.close(self._keyboard)

    @property
    def lines(self):
        """Returns the rows of the screen."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self):
        return "\n".join(self.lines).rstrip()

    @property
    def scrolled_away(self):
        """Returns the rows that were scrolled out at the top."""
        rows, read = self.screen.history.top, self._read_rows
        if len(read) > len(rows) or (read and read[-1][0] is not rows[len(read) - 1]):
            read.clear()
        for row in islice(rows, len(read), None):
            read.append((row, "".join(row[at].data for at in sorted(row)).rstrip()))
        return "\n".join(text for _, text in read)

    @property
    def up_to_cursor(self):
        """Returns the row above the cursor, and the cursor's row up to the cursor."""
        at = self.screen.cursor
        above, row = self.screen.buffer[at.y - 1], self.screen.buffer[at.y]
        before = "".join(above[x].data for x in range(self.screen.columns)) if at.y else ""
        return before + "".join(row[x].data for x in range(at.x))

    @property
    def has_left(self):
        return self._running.poll() is not None

    def end(self, number):
        """Sends a signal to the program."""
        self._running.send_signal(number)

    def resize(self, columns, lines):
        """Changes the size of the terminal and tells the program. Rows cut off at the top can be scrolled to."""
        screen, at = self.screen, self.screen.cursor
        excess, y, x = max(0, at.y - lines + 1), at.y, at.x
        at.y = screen.lines - 1
        for _ in range(excess):
            screen.index()
            if self.shown.rfind(b"\x1b[?1049h") > self.shown.rfind(b"\x1b[?1049l"):
                screen.history.top.pop()  # nothing can be scrolled back to while a program has the whole screen
        for row in [row for row in screen.buffer if row >= lines]:
            del screen.buffer[row]
        for row in screen.buffer.values():
            for column in [column for column in row if column >= columns]:
                del row[column]
        screen.lines, screen.columns = lines, columns
        screen.set_margins()
        at.y, at.x = y - excess, min(x, columns - 1)
        fcntl.ioctl(self._keyboard, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def paste(self, text):
        """Pastes a text with the marks that terminals put around pasted text."""
        self.type(f"\x1b[200~{text}\x1b[201~")

    def type(self, keys):
        os.write(self._keyboard, keys.encode())

    def say(self, line, then="> "):
        """Types a line, and waits for the prompt after it."""
        self.type(line + "\r")
        self.wait(then, since=len(self.shown))

    def wait(self, text, since=0):
        """Waits until the program has shown a text, and is then silent for a moment."""
        return self.until(lambda: text in "\n".join(self.screen.display) and len(self.shown) > since, text)

    def passes(self, text):
        """Waits until a text is on the screen, even if only for a moment."""
        due = time.monotonic() + PATIENCE
        while text not in self.text:
            assert time.monotonic() < due, f"{text!r} does not come:\n{self.text}"
            self._read(0.05)

    def comes(self, is_so, what):
        """Waits until `is_so` returns True, or until the program has ended."""
        due = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < due, f"{what!r} does not come:\n{self.text}"
            if not self._read(0.05) and self.has_left:
                return

    def until(self, is_so, what):
        due, quiet = time.monotonic() + PATIENCE, False
        while time.monotonic() < due:
            quiet = not self._read(0.15)
            if quiet and is_so():
                return self
            if quiet and self._running.poll() is not None:
                break
        raise AssertionError(f"{what!r} does not come:\n{self.text}")

    def left(self):
        """Waits until the program has ended, and returns its exit code."""
        due = time.monotonic() + PATIENCE
        while self._running.poll() is None and time.monotonic() < due:
            self._read(0.1)
        while self._read(0.1):
            pass
        return self._running.poll()

    def _read(self, seconds):
        if not select.select([self._keyboard], [], [], seconds)[0]:
            return False
        try:
            chunk = os.read(self._keyboard, 65536)
        except OSError:  # it has left
            return False
        self.shown += chunk
        self._stream.feed(chunk)
        return bool(chunk)
