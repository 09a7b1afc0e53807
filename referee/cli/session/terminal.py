"""The session on a terminal: a prompt with completion, history and a toolbar, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from shutil import get_terminal_size

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.shortcuts import CompleteStyle

from referee.cli.commands.play import show
from referee.cli.completing import completed
from referee.cli.session.conversation import Conversation
from referee.cli.session.prompt import prompt_of, toolbar_of


class LegalWords(Completer):
    """Completes from the legal list, as those may see it who look at the screen."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:  # noqa: ARG002
        """The words that the one before the cursor may become."""
        talk = self._conversation
        look, need = None if talk.resident.due else talk.look, talk.need
        begun, words = completed(document.text_before_cursor, look, need.names if need else ())
        return (Completion(word, -len(begun)) for word in words)


class Histories:
    """What was said before: nobody finds there what another has said in secret, and nothing is kept when they leave."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._of: dict[str | None, InMemoryHistory] = {}

    def now(self) -> InMemoryHistory:
        """The history of those who look at the screen."""
        eyes = self._conversation.resident.eyes
        if eyes not in self._of:
            self._of[eyes] = InMemoryHistory(self._conversation.said_before())
        return self._of[eyes]


def converse(conversation: Conversation, notes: list[str]) -> None:
    """Prompt for line after line and answer, until somebody leaves."""
    show(conversation.begin(), notes)
    histories = Histories(conversation)
    prompts: PromptSession[str] = PromptSession(
        message=lambda: prompt_of(conversation, columns()),
        bottom_toolbar=lambda: FormattedText([("", "\n".join(toolbar_of(conversation, columns())))]),
        completer=LegalWords(conversation),
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        reserve_space_for_menu=0,
    )
    while not conversation.over:
        prompts.default_buffer.history = histories.now()
        try:
            show(conversation.say(prompts.prompt()))
        except KeyboardInterrupt:
            conversation.cancel()
        except EOFError:
            show(conversation.farewell())
            return


def columns() -> int:
    """Columns of the terminal, as it is now."""
    return get_terminal_size().columns
