"""The session on a terminal: a prompt with completion, history and a toolbar."""

from __future__ import annotations

from collections.abc import Iterator
from shutil import get_terminal_size

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.shortcuts import CompleteStyle

from referee.cli.completing import completed
from referee.cli.conversation import Conversation
from referee.cli.play import show
from referee.cli.prompt import prompt_of, toolbar_of


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


def converse(conversation: Conversation, notes: list[str]) -> None:
    """Prompt for line after line and answer, until somebody leaves."""
    show(conversation.begin(), notes)
    prompts: PromptSession[str] = PromptSession(
        message=lambda: prompt_of(conversation, _columns()),
        bottom_toolbar=lambda: FormattedText([("", "\n".join(toolbar_of(conversation, _columns())))]),
        history=InMemoryHistory(),
        completer=LegalWords(conversation),
        complete_while_typing=False,
        complete_style=CompleteStyle.READLINE_LIKE,
        reserve_space_for_menu=0,
    )
    while not conversation.over:
        try:
            line = prompts.prompt()
        except KeyboardInterrupt:
            conversation.cancel()
            continue
        except EOFError:
            return
        show(conversation.say(line))


def _columns() -> int:
    return get_terminal_size().columns
