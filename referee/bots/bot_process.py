"""A process for one bot of another distribution, as this program sees it: starting, asking and ending it.

The process gets an empty folder of its own and an environment with hardly anything in it. It has one pipe each for
questions, answers and what it prints. It is killed if it takes too long or writes too much. It ends with this program,
because its pipe then ends. Each process is started anew, not forked, so it works alike on every system.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from subprocess import PIPE, Popen
from tempfile import gettempdir
from threading import Thread
from typing import Any

from referee.bots.bot_messages import (
    END_OF_PRINTED_TEXT,
    BotAnswer,
    BotRequest,
    decode_answer,
    frame_message,
    read_message,
)
from referee.engine.component import Report
from referee.engine.text import make_printable
from referee.gate import UnreadableError
from referee.record.archive.process_pool import MAX_SECONDS_TO_END, OWN_PROCESS_GROUP, end_process

CHILD_PROGRAM = (
    "import sys; sys.path[:] = {path!r}; from referee.bots.bot_child import serve_bot; serve_bot({folder!r})"
)
FOLDER_PREFIX = "referee-bot-"
"""The beginning of the names of bots' folders. The number of the process that asks the bot follows."""
MAX_WRITTEN_BYTES = 1_000_000
"""The most bytes that a bot may write for one action: its answer, and what it prints."""
WAIT_SECONDS = 0.5
"""The most seconds of waiting in one piece, since Windows notices Ctrl-C only in between."""
KEPT_VARIABLES = {
    "PATH",
    "LANG",
    "LANGUAGE",
    "TZ",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PYTHONHOME",
    "PYTHONHASHSEED",
}
KEPT_VARIABLES |= {"PYTHONUTF8", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "NUMBER_OF_PROCESSORS"}
KEPT_VARIABLES |= {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"}
"""The variables that a bot's process gets: those that Python and its libraries need. None of them leads to us."""
HOME_VARIABLES = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TMPDIR", "TEMP", "TMP")
"""The variables that name its own empty folder instead of the user's folders."""


class BotProcessError(Exception):
    """Raised if a bot's process no longer answers. The message is a clause that says what it has done instead."""


class BotProcess:
    """The running process of a bot. If it does not answer as it should, it is ended and BotProcessError is raised."""

    def __init__(self, path: Sequence[str]) -> None:
        """Starts a process that finds modules in the folders of `path`. Raises OSError if none can be started."""
        self._folder = str(Path(gettempdir()) / f"{FOLDER_PREFIX}{os.getpid()}-{Random().getrandbits(64):016x}")
        """Its empty folder. The process makes it, so that none is left if this program is killed just before."""
        code = CHILD_PROGRAM.format(path=list(path), folder=self._folder)
        flags = ["-B"] if sys.dont_write_bytecode else []
        self._process = Popen(
            [sys.executable, *flags, "-c", code],
            bufsize=0,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            cwd=gettempdir(),
            env=make_environment(self._folder),
            **OWN_PROCESS_GROUP,
        )
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()
        self._answers: SimpleQueue[bytes | str | None] = SimpleQueue()
        """Its answers; a clause if something is wrong with them; None at their end."""
        self._printed: SimpleQueue[bytes] = SimpleQueue()
        """Pieces of what it has printed; b"" where an answer follows."""
        self._written = 0
        """The bytes that it has written since the last question."""
        self._is_over = False
        self.board: Any = None
        """The board of the latest question that was answered with an action. The process still has it."""
        self._threads = [
            Thread(target=work, daemon=True) for work in (self._pass_requests, self._pass_answers, self._pass_printed)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def is_running(self) -> bool:
        """True if the process has not ended."""
        return not self._is_over and self._process.poll() is None

    def ask(self, question: BotRequest, seconds: float, tell: Report = lambda _: None) -> BotAnswer:
        """Returns the answer to a question. Raises BotProcessError if none comes within this time.

        `tell` is called with the share of the time that is over, each time the bot reports progress.
        """
        self._written = 0
        self._requests.put(frame_message(question))
        return self.await_answer(seconds, tell)

    def await_answer(self, seconds: float, tell: Report = lambda _: None) -> BotAnswer:
        """Returns the next answer. Raises BotProcessError if none comes within this time."""
        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            try:
                found = self._answers.get(timeout=max(0.0, min(left, WAIT_SECONDS)))
            except Empty:
                if left > 0:
                    continue
                raise self._end_with_error(f"it has not answered for {seconds:.3g} seconds") from None
            answer = self._read_answer(found)
            share = getattr(answer, "share", None)
            if share is None:
                self._show_printed(MAX_SECONDS_TO_END)
                return answer
            tell(share)

    def interrupt(self) -> None:
        """Sends Ctrl-C to the process, so that the bot answers at once. On Windows, ends the process instead."""
        if os.name == "nt":
            self.end()
        else:
            self._process.send_signal(signal.SIGINT)

    def end(self) -> None:
        """Ends the process and all that it has started, and removes its folder."""
        if self._is_over:
            return
        self._is_over = True
        with suppress(OSError):
            if os.name == "nt":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._requests.put(None)
        for thread in self._threads:
            thread.join(MAX_SECONDS_TO_END)  # a program that the bot has started elsewhere may keep a pipe open
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError):
                assert pipe, "the process was started with this pipe"
                pipe.close()
        for folder in (Path(self._folder), *_find_abandoned_folders()):
            shutil.rmtree(folder, ignore_errors=True)

    def _read_answer(self, data: bytes | str | None) -> BotAnswer:
        if data is None:
            if not self._has_ended():
                raise self._end_with_error("it has closed its pipes")
            raise self._end_with_error(f"its process has ended: {end_process(self._process)}")
        if isinstance(data, str):
            raise self._end_with_error(data)
        try:
            return decode_answer(data)
        except UnreadableError:
            raise self._end_with_error("its answer cannot be read") from None

    def _has_ended(self) -> bool:
        """True if the process ends by itself within `MAX_SECONDS_TO_END`."""
        until = time.monotonic() + MAX_SECONDS_TO_END
        while self.is_running and time.monotonic() < until:
            time.sleep(0.01)
        return not self.is_running

    def _end_with_error(self, clause: str) -> BotProcessError:
        self.end()
        self._show_printed(0)
        return BotProcessError(clause)

    def _show_printed(self, wait: float) -> None:
        """Writes to standard error what the bot has printed before its answer.

        All control characters are made visible. Waits at most `wait` seconds for each piece of the text. With 0, takes
        all that is there without waiting.
        """
        text = b"".join(self._take_printed(wait)).decode(errors="backslashreplace")
        for line in text.splitlines():
            sys.stderr.write(f"{make_printable(line)}\n")

    def _take_printed(self, wait: float) -> Iterator[bytes]:
        with suppress(Empty):
            while (piece := self._printed.get(timeout=wait)) or not wait:
                yield piece

    # The threads

    def _pass_requests(self) -> None:
        pipe = self._process.stdin
        assert pipe, "the process was started with this pipe"
        with suppress(OSError, ValueError):
            while (data := self._requests.get()) is not None:
                while data:
                    data = data[pipe.write(data) :]

    def _pass_answers(self) -> None:
        pipe = self._process.stdout
        assert pipe, "the process was started with this pipe"
        end = None
        try:
            while (data := read_message(pipe.read, MAX_WRITTEN_BYTES)) is not None and self._count_written(len(data)):
                self._answers.put(data)
        except ValueError:
            end = "its answer cannot be read"
        except OSError:
            pass
        shutil.rmtree(self._folder, ignore_errors=True)  # at once, since this program may be killed next
        self._answers.put(end)

    def _pass_printed(self) -> None:
        pipe = self._process.stderr
        assert pipe, "the process was started with this pipe"
        with suppress(OSError, ValueError):
            while (data := pipe.read(1 << 16)) and self._count_written(len(data)):
                for number, piece in enumerate(data.split(END_OF_PRINTED_TEXT)):
                    if number:
                        self._printed.put(b"")
                    if piece:
                        self._printed.put(piece)

    def _count_written(self, size: int) -> bool:
        """Counts `size` more bytes that the process has written.

        Returns False if the process has now written too many, and reports this in place of an answer.
        """
        self._written += size
        if self._written <= MAX_WRITTEN_BYTES:
            return True
        self._answers.put(f"it has written more than {MAX_WRITTEN_BYTES:,} bytes")
        return False


def _find_abandoned_folders() -> Iterator[Path]:
    """Yields the folders of bots that have died together with the process that asked them, such as a worker."""
    for folder in Path(gettempdir()).glob(f"{FOLDER_PREFIX}[0-9]*-*") if os.name != "nt" else ():
        try:
            os.kill(int(folder.name.removeprefix(FOLDER_PREFIX).partition("-")[0]), 0)
        except ProcessLookupError:
            yield folder
        except (OSError, ValueError, OverflowError):
            continue


def make_environment(folder: str) -> dict[str, str]:
    """Returns the environment of a bot's process. `folder`, the bot's own empty folder, is in all `HOME_VARIABLES`."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT_VARIABLES or name.startswith("LC_")}
    return kept | dict.fromkeys(HOME_VARIABLES, folder)


def make_module_path(needed: Sequence[Path]) -> list[str]:
    """Returns the folders in which a bot's process finds modules.

    The current folder, which Python puts first, is left out, so that the bot does not learn where the logs lie. It
    stays if it is one of `needed`, the folders that hold needed code.
    """
    here = os.path.realpath(os.curdir)
    first, rest = sys.path[:1], [os.path.abspath(folder) for folder in sys.path[1:] if folder]  # noqa: PTH100
    own = [folder for folder in first if folder and os.path.realpath(folder) != here]
    return [*own, *(str(path) for path in needed if os.path.realpath(path) == here), *rest]
