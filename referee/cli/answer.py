"""What a command has to say. Commands return it and print nothing; whoever asked, a shell or a letter, renders it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from referee.engine.dice import Need
    from referee.engine.event import Seat
    from referee.engine.scene import Scene

OK, NO, NOT_UNDERSTOOD, UNREADABLE, NO_GAME, MOVED_ON, BUG, STOPPED = 0, 1, 2, 3, 4, 5, 70, 130
"""Exit codes: done, legal, clean; the answer is no; not understood; unreadable input; no game chosen, or several; the
log moved on underneath; a bug in the referee; Ctrl-C has ended it.
"""


class Text(Struct, frozen=True):
    """A line for people, wrapped where it is shown."""

    text: str
    style: str | None = None
    indent: int = 0
    hanging: int = 2
    """How much more a continued line is indented."""
    whole: bool = False
    """Whether it stays one line however long it is: a terminal folds it, and a program finds what it looks for."""


class Rows(Struct, frozen=True):
    """Lines that must not be wrapped."""

    rows: Iterable[str]


class Drawn(Struct, frozen=True):
    """A row with something drawn in it, as wide as there is room for it between words."""

    before: str
    draw: Callable[[int], str]
    """Draws it in no more than so many columns."""
    after: str
    indent: int = 0


Shown: TypeAlias = "str | Text | Rows | Drawn | Scene"
"""What people are shown: a line as it is, one with a style, rows that stay as they are, a row with a drawing, a
picture.
"""
FACES = "FACES"
"""What stands for dice in a command that somebody is told to type."""


class Pending(Struct, frozen=True):
    """What was said and waits for dice that have to be typed; nothing of it is recorded yet."""

    need: Need
    """Those of the throw that is waited for."""
    held: tuple[str, ...]
    """Those of them that were typed already."""
    left: str | None
    """What is said again then, with its dice; None: nothing but how they fell."""
    by: Seat | None = None
    """Who says it, where that is not who is to move."""
    what: str = ""
    """What waits for them, as it is said."""
    before: tuple[str, ...] = ()
    """Dice of throws before it that the same words have made, and that are not recorded yet."""

    def said_with(self, faces: Sequence[str]) -> tuple[str, ...]:
        """The command with these faces, those that fell before them first."""
        typed, speaks = (*self.before, *self.held, *faces), ("--by", self.by) if self.by else ()
        if self.left is None:
            return ("roll", *speaks, *typed)
        return ("do", *speaks, self.left, "--dice", ",".join(typed))


class Answer(Struct, frozen=True):
    """All that a command comes to."""

    lines: Iterable[Shown]
    """For people; read once."""
    facts: Callable[[], Any]
    """The same for programs; worked out only when one asks."""
    code: int = OK
    complaint: str = ""
    """What was wrong with the question, for people: it goes to stderr."""
    pending: Pending | None = None
    """What waits for dice."""
