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

from referee.cli.completing import completed
from referee.cli.session.conversation import Conversation
from referee.cli.session.pasted import lines_of, say_lines
from referee.cli.session.printed import show
from referee.cli.session.prompt import prompt_of, toolbar_of

if TYPE_CHECKING:
    from referee.engine.event import Seat

T = TypeVar("T")


class LegalWords(Completer):
    """Completes from the legal list, as those may see it who look at the screen."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:  # noqa: ARG002
        """The words that the one before the cursor may become."""
        talk = self._conversation
        look, need = None if talk.resident.handover else talk.look, talk.need
        begun, words = completed(document.text_before_cursor, look, need.names if need else ())
        return (Completion(word, -len(begun)) for word in words)


class Editors(Generic[T]):
    """A line editor for each who looks at the screen: in that of another is what he has typed, cut and looked for."""

    def __init__(self, conversation: Conversation, make: Callable[[Conversation], T]) -> None:
        self._talk, self._make = conversation, make
        self._of: dict[Seat | None, T] = {}
        self._last: Seat | None = None

    @property
    def is_of_another(self) -> bool:
        """Whether the one in use is not for who looks now. While nobody looks, anybody may have typed what is in it."""
        resident = self._talk.resident
        return resident.eyes != self._last or (resident.eyes is None and resident.changes_hands)

    @property
    def now(self) -> T:
        """That of who looks."""
        eyes = self._talk.resident.eyes
        if eyes not in self._of or (eyes is None and self.is_of_another):
            self._of[eyes] = self._make(self._talk)
        self._last = eyes
        return self._of[eyes]


def converse(conversation: Conversation, notes: list[str]) -> None:
    """Prompt for line after line and answer, until somebody leaves."""
    show(conversation.begin(), notes)
    prompts = Editors(conversation, _prompt_for)
    while not conversation.over:
        try:
            _say(conversation, prompts.now.prompt())
        except KeyboardInterrupt:
            conversation.cancel()
        except EOFError:
            show(conversation.farewell())


def _say(conversation: Conversation, typed: str) -> None:
    """Say what was typed, or pasted: then each line stands above its answer."""
    is_block = len(lines_of(typed)) > 1
    say_lines(conversation, typed, columns(), lambda said, reply: show(reply, [said] if is_block and said else []))


def _prompt_for(conversation: Conversation) -> PromptSession[str]:
    """A prompt of who looks at the screen now."""
    return PromptSession(
        message=lambda: prompt_of(conversation, columns()),
        bottom_toolbar=lambda: FormattedText([("", "\n".join(toolbar_of(conversation, columns())))]),
        history=InMemoryHistory(conversation.said_before()),
        completer=LegalWords(conversation),
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        reserve_space_for_menu=0,
    )


@contextmanager
def ctrl_c_heard() -> Iterator[None]:
    """While something is worked out, Ctrl-C stops it as it does in a shell, although the editor takes it for a key."""
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


def columns() -> int:
    """Columns of the terminal, as it is now."""
    return get_terminal_size().columns
