"""The session on a terminal: a prompt with completion, history and a toolbar, line by line."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Generic, TypeVar

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.shortcuts import CompleteStyle

from referee.cli.completion import complete_line
from referee.cli.session.pasted_lines import run_pasted_lines, split_lines
from referee.cli.session.plain_output import print_reply
from referee.cli.session.prompt import make_prompt, make_toolbar
from referee.cli.session.repl import Repl

if TYPE_CHECKING:
    from referee.engine.event import Seat

T = TypeVar("T")


class LineCompleter(Completer):
    """TAB completion with the commands and legal actions of the player at the screen."""

    def __init__(self, conversation: Repl) -> None:
        self._conversation = conversation

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:  # noqa: ARG002
        """Yields the words that the word before the cursor may become."""
        talk = self._conversation
        look, need = None if talk.live_log.pending_handover else talk.look, talk.need
        begun, words = complete_line(document.text_before_cursor, look, need.names if need else ())
        return (Completion(word, -len(begun)) for word in words)


class LineEditors(Generic[T]):
    """A line editor for each player at the screen. Each keeps its own past lines, cut text and searches."""

    def __init__(self, conversation: Repl, make: Callable[[Repl], T]) -> None:
        self._conversation, self._make = conversation, make
        self._editors: dict[Seat | None, T] = {}
        self._last: Seat | None = None

    @property
    def is_of_other_player(self) -> bool:
        """True if the editor in use may be another player's.

        That is so if the player at the screen has changed, or if nobody is at a screen where players take turns.
        """
        live_log = self._conversation.live_log
        return live_log.eyes != self._last or (live_log.eyes is None and live_log.is_screen_shared)

    @property
    def current_editor(self) -> T:
        """The editor for the player at the screen.

        A new editor is made if the player has none yet. While nobody is at a screen where players take turns, each
        access makes a new editor.
        """
        eyes = self._conversation.live_log.eyes
        if eyes not in self._editors or (eyes is None and self.is_of_other_player):
            self._editors[eyes] = self._make(self._conversation)
        self._last = eyes
        return self._editors[eyes]


def run_repl(conversation: Repl, notes: list[str]) -> None:
    """Prompts for line after line and answers until somebody leaves."""
    print_reply(conversation.make_opening_reply(), notes)
    prompts = LineEditors(conversation, _make_prompt_session)
    while not conversation.over:
        try:
            _say(conversation, prompts.current_editor.prompt())
        except KeyboardInterrupt:
            conversation.drop_unfinished_action()
        except EOFError:
            print_reply(conversation.make_farewell_reply())


def _say(conversation: Repl, typed: str) -> None:
    """Answers typed text. If the text is a pasted block, prints each of its lines above the answer to that line."""
    is_block = len(split_lines(typed)) > 1
    run_pasted_lines(
        conversation,
        typed,
        count_screen_columns(),
        lambda echo, reply: print_reply(reply, [echo] if is_block and echo else []),
    )


def _make_prompt_session(conversation: Repl) -> PromptSession[str]:
    """Returns a prompt for the player at the screen."""
    return PromptSession(
        message=lambda: make_prompt(conversation, count_screen_columns()),
        bottom_toolbar=lambda: FormattedText([("", "\n".join(make_toolbar(conversation, count_screen_columns())))]),
        history=InMemoryHistory(conversation.list_recent_action_lines()),
        completer=LineCompleter(conversation),
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        reserve_space_for_menu=0,
    )


@contextmanager
def allow_interrupts() -> Iterator[None]:
    """Lets Ctrl-C stop long work as in a shell, although the editor takes it for a key. Changes nothing on Windows."""
    if sys.platform == "win32":
        yield
        return
    import termios

    keyboard, before = sys.stdin.fileno(), signal.signal(signal.SIGINT, signal.default_int_handler)
    as_edited = termios.tcgetattr(keyboard)
    heard = [*as_edited]
    heard[3] |= termios.ISIG
    termios.tcsetattr(keyboard, termios.TCSANOW, heard)
    try:
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, as_edited)
        signal.signal(signal.SIGINT, before)


def count_screen_columns() -> int:
    """Returns the columns of the terminal."""
    return get_terminal_size().columns
