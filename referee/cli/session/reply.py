"""The reply to a line of a session, and its form on the screen."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from referee.cli.answer import Answer
from referee.cli.context import Context
from referee.cli.main import render_answer
from referee.cli.screen import RenderedAnswer
from referee.engine.text import Printable


class Reply(Struct, frozen=True):
    """The reply to a line."""

    answer: Answer
    context: Context
    """The context of the command that was answered, with the screen."""
    notes: Sequence[str] = ()
    """Notes beside the answer."""
    clears_screen: bool = False
    """True if nothing that was shown before may stay on the screen."""

    def render(self) -> RenderedAnswer:
        """Renders the answer. If the answer cannot be shown, renders an error instead."""
        return render_answer(self.answer, self.context)

    def render_rows(self) -> list[Printable]:
        """Returns all rows of the reply: notes, answer and complaint."""
        screen = self.context.screen
        out, err, _ = self.render()
        return [*screen.render(Answer(list(self.notes), dict))[0], *out, *screen.wrap_messages(err)]
