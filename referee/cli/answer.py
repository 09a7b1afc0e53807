"""The answer of a command: lines for people, facts for programs and an exit code.

Commands return an answer and print nothing. The screen or a web page renders it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from referee.engine.dice import Need
    from referee.engine.event import Seat
    from referee.engine.scene import Scene

OK, NO, NOT_UNDERSTOOD, UNREADABLE, NO_GAME, MOVED_ON, BUG, STOPPED = 0, 1, 2, 3, 4, 5, 70, 130
"""Exit codes.

* OK: the command succeeded.
* NO: the verdict is negative.
* NOT_UNDERSTOOD: the input was not understood.
* UNREADABLE: a file is unreadable.
* NO_GAME: no game is chosen, or several are possible.
* MOVED_ON: the log changed meanwhile.
* BUG: the referee has a bug.
* STOPPED: Ctrl-C stopped the command.
"""


class Text(Struct, frozen=True):
    """A line for people that is wrapped to the width of the screen."""

    text: str
    style: str | None = None
    indent: int = 0
    hanging: int = 2
    """The extra indentation of continued lines, in columns."""
    is_unwrapped: bool = False
    """True if the line is never wrapped, however long it is.

    A program can search such a line for a text. A terminal folds it.
    """

    def shorten(self, most: int) -> Text:
        """Returns the line cut between two words to about `most` characters, if it is longer."""
        return self if len(self.text) <= most else replace(self, text=f"{self.text[:most].rpartition(' ')[0]} ...")


class Echo(Text, frozen=True):
    """A line that repeats what was typed. A session leaves it out, since the typed words stand right above."""


class RedundantLine(Text, frozen=True):
    """A line whose content the state below it repeats. A session leaves the line out."""


class FilledInWords(Text, frozen=True):
    """A line about a word that the parser filled in: "b: b3, the lowest numbers."

    If several lines are about the same word, a session shows only the first.
    """


class NextStep(Text, frozen=True):
    """The line that says what to type next."""


class StateLine(Struct, frozen=True):
    """The state of the game after something was recorded, in one line."""

    whose: str
    """The turn and the player to move; "" if the reader has just been told."""
    parts: tuple[str, ...]
    """The parts of the status: what the game waits for, the score and the like."""

    @property
    def printed_line(self) -> Text | None:
        """The line for people; None if there is nothing to say."""
        now = f"Now {self.whose}" if self.whose else "Now"
        told = ": ".join(filter(None, [now, "; ".join(self.parts)]))
        return Text(told) if self.whose or self.parts else None

    def select_news(self, before: StateLine) -> StateLine:
        """Returns only what is new since `before`."""
        whose = "" if self.whose == before.whose else self.whose
        return StateLine(whose, tuple(part for part in self.parts if part not in before.parts))


class FixedRows(Struct, frozen=True):
    """Lines that are printed as they are and never wrapped."""

    rows: Iterable[str]
    is_crlf: bool = False
    """True if each line ends with CR LF, as mail and calendars need it."""


class DrawnRow(Struct, frozen=True):
    """A row with a drawing between two texts. The drawing fills the room that the texts leave."""

    before: str
    draw: Callable[[int], str]
    """Draws in at most the given number of columns."""
    after: str
    indent: int = 0


AnswerLine: TypeAlias = "str | Text | StateLine | FixedRows | DrawnRow | Scene"
"""Anything that people can be shown: a plain or styled line, the state, fixed rows, a row with a drawing, a picture."""
FACES_PLACEHOLDER = "FACES"
"""The placeholder for dice in a command that the referee suggests."""


class PendingAction(Struct, frozen=True):
    """An action that waits for dice to be typed. Nothing of it is recorded yet."""

    need: Need
    """The dice of the roll that the action waits for."""
    held: tuple[str, ...]
    """The faces of this roll that were typed already."""
    words_left: str | None
    """The phrases to type again together with the dice; None if only the faces are missing."""
    by: Seat | None = None
    """The seat that acts, if it is not the seat to move."""
    what: str = ""
    """The waiting action in words."""
    earlier_faces: tuple[str, ...] = ()
    """The faces typed for earlier rolls of the same line. They are not recorded yet, either."""

    def make_command(self, faces: Sequence[str]) -> tuple[str, ...]:
        """Returns the words of a command that repeats the action with these faces and all earlier ones."""
        typed, speaks = (*self.earlier_faces, *self.held, *faces), ("--by", self.by) if self.by else ()
        if self.words_left is None:
            return ("roll", *speaks, *typed)
        return ("do", *speaks, self.words_left, "--dice", ",".join(typed))


class Answer(Struct, frozen=True):
    """The full answer of a command."""

    lines: Iterable[AnswerLine]
    """The lines for people. Read them only once, since they may be an iterator."""
    facts: Callable[[], Any]
    """Returns the same content for programs. It is called only if a program asks."""
    code: int = OK
    complaint: tuple[str, ...] = ()
    """The lines of a message about misuse or an error, for people. They go to stderr."""
    pending: PendingAction | None = None
    """The action that waits for dice; None if nothing waits."""
