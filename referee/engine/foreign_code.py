"""Code of other distributions, such as games and bots: finding it, and keeping its errors apart while it runs.

A game runs in our process; a bot runs in a process of its own (`referee.bots.foreign_bot`). Inside an `ErrorBoundary`,
the output of foreign code is kept out of our answers. If the code ends by anything but a normal return, the boundary
raises an error with its name and the place. Ctrl-C of the user still works. A boundary cannot stop code that ends the
process without asking Python, for example by a signal.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from types import FrameType, TracebackType
from typing import Any

from referee.engine.plugin_errors import GameError, describe_error, locate_error


def find_entry_points(group: str) -> list[Any]:
    """Returns the entry points of a group. A distribution with unreadable metadata does not hide the others."""
    from importlib.metadata import distributions, entry_points

    try:
        return list(entry_points(group=group))
    except Exception:
        return [point for one in distributions() for point in _read_entry_points(one) if point.group == group]


def _read_entry_points(distribution: Any) -> Any:
    try:
        return distribution.entry_points
    except Exception:
        return ()


class _Room(threading.local):
    """The facts that a thread needs while it runs foreign code."""

    process: int | None = None
    """The process in which this thread runs foreign code; None if it runs none.

    Child processes that foreign code forks may end freely.
    """
    pressed = False
    """True if the user has pressed Ctrl-C while foreign code ran."""


_room = _Room()
_end_process = os._exit
_signal: Any = import_module("_signal")
"""The C module behind `signal`.

It is much faster, because it does not convert numbers to names. Speed matters, since every call of a game uses a
boundary.
"""
_SIGINT = int(signal.SIGINT)


def _exit_foreign_code(status: int) -> Any:
    """Replaces `os._exit` while foreign code runs. Raises SystemExit in foreign code; ends the process elsewhere."""
    if _room.process == os.getpid():
        raise SystemExit(status)
    _end_process(status)


class _ErrorStream:
    """A stream for foreign code. It writes to standard error and cannot be closed."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def close(self) -> None:
        """Leaves the stream open, since it is ours."""


_STREAMS = ("stdout", "stderr", "__stdout__", "__stderr__")


class _Gate:
    """The state that all threads share. While any of them runs foreign code, that code prints to standard error."""

    def __init__(self) -> None:
        self._lock, self._inside, self._shut = threading.Lock(), 0, 0
        self._streams: list[Any] = []
        self._output: int | None = None
        """A copy of the descriptor of standard output, to restore it later; None if a stream is missing."""
        self._folder: str | None = None
        """The folder that is made current again when foreign code has ended."""

    def enter(self, *, redirects_output: bool) -> None:
        """Counts one more thread that runs foreign code.

        If `redirects_output`, output written below Python goes to standard error, too.
        """
        with self._lock:
            if not self._inside:
                self._streams = [getattr(sys, name) for name in _STREAMS]
                beside = _ErrorStream(sys.stderr)
                for name in _STREAMS:
                    setattr(sys, name, beside)
                os._exit = _exit_foreign_code
            self._inside += 1
            if redirects_output and not self._shut:
                self._output, self._folder = _redirect_output(), _find_current_folder()
            self._shut += redirects_output

    def leave(self, *, redirects_output: bool) -> None:
        """Counts one thread less. After the last one, everything is restored."""
        with self._lock:
            self._inside -= 1
            self._shut -= redirects_output
            if redirects_output and not self._shut:
                self._restore_output()
            if not self._inside:
                os._exit = _end_process
                for name, stream in zip(_STREAMS, self._streams, strict=True):
                    setattr(sys, name, stream)

    def _restore_output(self) -> None:
        if self._output is not None:
            os.dup2(self._output, OUTPUT_DESCRIPTOR)
            os.close(self._output)
        if self._folder is not None:
            with suppress(OSError):  # it was removed meanwhile
                os.chdir(self._folder)


OUTPUT_DESCRIPTOR, ERROR_DESCRIPTOR = 1, 2
"""The descriptors of the standard streams."""


def _find_current_folder() -> str | None:
    try:
        return os.getcwd()  # noqa: PTH109 - a Path would cost more
    except OSError:
        return None


def _redirect_output() -> int | None:
    """Sends standard output to standard error. Returns a copy of the old descriptor; None if a stream is missing."""
    try:
        kept = os.dup(OUTPUT_DESCRIPTOR)
    except OSError:
        return None
    try:
        os.dup2(ERROR_DESCRIPTOR, OUTPUT_DESCRIPTOR)
    except OSError:
        os.close(kept)
        return None
    return kept


_gate = _Gate()


class ErrorBoundary:
    """A context manager for foreign code: `blame` turns any error into one of ours, unless its class is in
    `allowed`.

    Fences may be nested; then the inner one blames first. If `redirects_output`, output that other programs or
    libraries write below Python is kept out as well, and the current folder is restored. That takes time, so it is for
    code that runs rarely.
    """

    __slots__ = ("_allowed", "_blame", "_handler", "_is_inner", "_redirects_output")

    def __init__(
        self,
        blame: Callable[[BaseException], Exception],
        allowed: tuple[type[BaseException], ...] = (),
        *,
        redirects_output: bool = False,
    ) -> None:
        self._blame, self._allowed, self._redirects_output = blame, allowed, redirects_output

    def __enter__(self) -> None:
        self._is_inner = _room.process is not None
        if self._is_inner:
            return
        _room.process, _room.pressed = os.getpid(), False
        _gate.enter(redirects_output=self._redirects_output)
        self._handler = self._watch_ctrl_c()

    def __exit__(self, _kind: object, error: BaseException | None, _trace: TracebackType | None) -> None:
        fault = None if error is None or self._lets_pass(error) else self._blame(error)
        if not self._is_inner:
            if self._handler:
                _signal.signal(_SIGINT, self._handler)
            _gate.leave(redirects_output=self._redirects_output)
            _room.process = None
        if fault:
            raise fault from error

    def _lets_pass(self, error: BaseException) -> bool:
        """True if an error passes unchanged: one that is allowed, or Ctrl-C of the user."""
        return isinstance(error, self._allowed) or (isinstance(error, KeyboardInterrupt) and _room.pressed)

    def _watch_ctrl_c(self) -> Callable[[int, FrameType | None], Any] | None:
        """Installs a handler that notes Ctrl-C, then calls the present handler.

        Returns the present handler. Installs nothing and returns None outside the main thread, or if the present
        handler is not a function.
        """
        before = _signal.getsignal(_SIGINT) if threading.current_thread() is threading.main_thread() else None
        if not callable(before):
            return None

        def pressed(number: int, frame: FrameType | None) -> None:
            _room.pressed = True
            before(number, frame)

        _signal.signal(_SIGINT, pressed)
        return before  # type: ignore[no-any-return]  # it is callable


def make_loading_boundary(name: str, declared: str = "") -> ErrorBoundary:
    """Returns a boundary that reports every error as a fault of this game.

    `declared` is the game's entry point, as "package:GAME".
    """

    def blame(error: BaseException) -> GameError:
        module = declared.partition(":")[0]
        place = locate_error(error, module)
        return GameError(name, declared if place == module else place, describe_error(error))

    return ErrorBoundary(blame, (GameError,), redirects_output=True)
