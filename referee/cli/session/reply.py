"""What comes back for a line of a session, and how it is shown."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from referee.cli.answer import Answer
from referee.cli.context import Context
from referee.cli.main import rendered
from referee.cli.screen import Rendered


class Reply(Struct, frozen=True):
    """What comes back for a line."""

    answer: Answer
    context: Context
    """The command that it answers, and how answers look."""
    notes: Sequence[str] = ()
    """What has to be said beside it."""
    clear: bool = False
    """Whether nothing that was shown before may stay on the screen."""

    def rendered(self) -> Rendered:
        """Returns the answer as it is shown; or why it cannot be."""
        return rendered(self.answer, self.context)

    def rows(self) -> list[str]:
        """Returns all of it, as it is shown."""
        screen = self.context.screen
        out, err, _ = self.rendered()
        return [*screen.render(Answer(list(self.notes), dict))[0], *out, *screen.wrapped(err)]
