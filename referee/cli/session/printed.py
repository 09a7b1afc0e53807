"""Answers of a session as they are printed, where no editor draws the screen."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from shutil import get_terminal_size
from typing import TYPE_CHECKING, NoReturn

from referee.cli.screen import CLEAR
from referee.cli.session.reply import Reply

if TYPE_CHECKING:
    from types import FrameType

    from referee.cli.session.conversation import Conversation

ENDS = ("SIGTERM", "SIGHUP")
"""Signals that end a session as an exception does, so that the screen is cleared."""
SUSPENDS = ("SIGTSTP",)


def show(reply: Reply, notes: list[str] | None = None) -> None:
    """Print what came back, below `notes`."""
    sys.stdout.writelines(f"{line}\n" for line in notes or ())
    if reply.clear:
        clear()
    sys.stdout.writelines(f"{line}\n" for line in reply.rows())
    sys.stdout.flush()


def clear() -> None:
    """Clear the terminal, if there is one. Where nothing can be cleared it scrolls away."""
    if sys.stdout.isatty():
        sys.stdout.write("\n" * get_terminal_size().lines if os.environ.get("TERM") == "dumb" else CLEAR)
        sys.stdout.flush()


@contextmanager
def leaving_no_secrets(conversation: Conversation) -> Iterator[None]:
    """Runs a session on a terminal. Whichever way it is left, nothing secret stays on the screen: those who leave are
    told good-bye on a clear one, and it is cleared before an error is told.
    """
    try:
        with _heard(conversation):
            yield
    except BaseException:
        if conversation.resident.has_shown_secrets:
            with suppress(OSError):  # the terminal itself may be gone
                clear()
        raise


@contextmanager
def _heard(conversation: Conversation) -> Iterator[None]:
    """While it runs, signals end it as errors do. Where players take turns at the screen, Ctrl-Z does not show the
    shell below their secrets.
    """
    ends, held = _signals(ENDS), _signals(SUSPENDS if conversation.resident.changes_hands else ())
    before = {number: signal.signal(number, _leave) for number in ends}
    before |= {number: signal.signal(number, signal.SIG_IGN) for number in held}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _signals(names: Iterable[str]) -> list[signal.Signals]:
    """Returns the signals of these names that this system has."""
    return [signal.Signals[name] for name in names if hasattr(signal, name)]


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)
