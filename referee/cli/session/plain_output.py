"""Printed answers of a session on a terminal without a full screen."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NoReturn

from referee.cli.output import clear_terminal, write_rows
from referee.cli.session.reply import Reply
from referee.engine.text import make_printable

if TYPE_CHECKING:
    from types import FrameType

    from referee.cli.session.repl import Repl

END_SIGNALS = ("SIGTERM", "SIGHUP")
"""The signals that end a session in the same way as an exception, so that secrets are cleared."""
SUSPEND_SIGNALS = ("SIGTSTP",)


def print_reply(reply: Reply, notes: list[str] | None = None) -> None:
    """Prints `notes` and then a reply. Clears the terminal in between if the reply asks for it."""
    write_rows(map(make_printable, notes or ()))
    if reply.clears_screen:
        clear_terminal()
    write_rows(reply.render_rows())


@contextmanager
def clear_secrets_on_failure(conversation: Repl) -> Iterator[None]:
    """Clears the terminal if the block ends with an error or a signal after secrets were shown.

    In a session that ends as usual, the farewell clears it.
    """
    try:
        with _exit_on_signals(conversation):
            yield
    except BaseException:
        if conversation.live_log.has_shown_secrets:
            with suppress(OSError):  # the terminal itself may be gone
                clear_terminal()
        raise


@contextmanager
def _exit_on_signals(conversation: Repl) -> Iterator[None]:
    """Lets signals end the block in the same way as an error.

    If players take turns at the screen, Ctrl-Z does nothing, since it would leave secrets on the screen.
    """
    ends, held = (
        _find_signals(END_SIGNALS),
        _find_signals(SUSPEND_SIGNALS if conversation.live_log.is_screen_shared else ()),
    )
    before = {number: signal.signal(number, _leave) for number in ends}
    before |= {number: signal.signal(number, signal.SIG_IGN) for number in held}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _find_signals(names: Iterable[str]) -> list[signal.Signals]:
    """Returns the signals of these names on this system."""
    return [signal.Signals[name] for name in names if hasattr(signal, name)]


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)
