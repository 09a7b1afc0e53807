"""Code of other distributions, games and bots: how it is found, and the fence in which it runs.

It runs in our process. Inside a `Fence` what it prints stays out of our answers, and however it ends, other than by
returning, becomes an error with its name and place. Ctrl-C of the user stays what it is. Nothing here can stop what
ends a process without asking Python, such as a signal.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from types import FrameType, TracebackType
from typing import Any

from referee.engine.blame import GameError, place_of, words_of


def points_of(group: str) -> list[Any]:
    """Returns the entry points of a group; a distribution whose metadata cannot be read hides no others."""
    from importlib.metadata import distributions, entry_points

    try:
        return list(entry_points(group=group))
    except Exception:
        return [point for one in distributions() for point in _readable(one) if point.group == group]


def _readable(distribution: Any) -> Any:
    try:
        return distribution.entry_points
    except Exception:
        return ()


class _Room(threading.local):
    """What a thread has to know while it runs code of others."""

    process: int | None = None
    """The process in which it does, so that a child which that code forks may end; None: it runs none."""
    pressed = False
    """Whether the user has pressed Ctrl-C meanwhile."""


_room = _Room()
_end_process = os._exit
_signal: Any = import_module("_signal")
"""What `signal` rests on. It gives no names to numbers, which takes longer than all else, and each call of a game is
fenced in.
"""
_SIGINT = int(signal.SIGINT)


def _leave(status: int) -> Any:
    """Stands in for `os._exit` while code of others runs: there it raises SystemExit, elsewhere it ends the process."""
    if _room.process == os.getpid():
        raise SystemExit(status)
    _end_process(status)


class _Gate:
    """What is the same for all threads: while any of them runs code of others, that prints beside our answers."""

    def __init__(self) -> None:
        self._lock, self._inside = threading.Lock(), 0
        self._stdout: Any = None

    def enter(self) -> None:
        """One more thread runs code of others."""
        with self._lock:
            if not self._inside:
                self._stdout, sys.stdout, os._exit = sys.stdout, sys.stderr, _leave
            self._inside += 1

    def leave(self) -> None:
        """One less does; after the last of them all is as it was."""
        with self._lock:
            self._inside -= 1
            if not self._inside:
                sys.stdout, os._exit = self._stdout, _end_process


_gate = _Gate()


class Fence:
    """Runs code of others inside: raises what `blame` makes of whatever ends it, unless that is `meant` to be raised.

    One fence may stand within another; then the inner one blames.
    """

    __slots__ = ("_blame", "_handler", "_is_inner", "_meant")

    def __init__(
        self, blame: Callable[[BaseException], Exception], meant: tuple[type[BaseException], ...] = ()
    ) -> None:
        self._blame, self._meant = blame, meant

    def __enter__(self) -> None:
        self._is_inner = _room.process is not None
        if self._is_inner:
            return
        _room.process, _room.pressed = os.getpid(), False
        _gate.enter()
        self._handler = self._noting_ctrl_c()

    def __exit__(self, _kind: object, error: BaseException | None, _trace: TracebackType | None) -> None:
        fault = None if error is None or self._passes(error) else self._blame(error)
        if not self._is_inner:
            if self._handler:
                _signal.signal(_SIGINT, self._handler)
            _gate.leave()
            _room.process = None
        if fault:
            raise fault from error

    def _passes(self, error: BaseException) -> bool:
        """Whether an error goes on as it is: what is meant, and Ctrl-C of the user."""
        return isinstance(error, self._meant) or (isinstance(error, KeyboardInterrupt) and _room.pressed)

    def _noting_ctrl_c(self) -> Callable[[int, FrameType | None], Any] | None:
        """Notes Ctrl-C before whoever hears it; returns who does, or None where nobody can."""
        before = _signal.getsignal(_SIGINT) if threading.current_thread() is threading.main_thread() else None
        if not callable(before):
            return None

        def pressed(number: int, frame: FrameType | None) -> None:
            _room.pressed = True
            before(number, frame)

        _signal.signal(_SIGINT, pressed)
        return before  # type: ignore[no-any-return]  # it is callable


def blamed(name: str, declared: str = "") -> Fence:
    """Tells whatever goes wrong inside as a fault of this game, `declared` as "package:GAME": it may not be loaded."""

    def blame(error: BaseException) -> GameError:
        module = declared.partition(":")[0]
        place = place_of(error, module)
        return GameError(name, declared if place == module else place, words_of(error))

    return Fence(blame, (GameError,))
