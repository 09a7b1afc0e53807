"""What has happened since one played last: what was told before, and the board then and now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from referee.cli.answer import Rows, Shown, Text
from referee.cli.entries import describe
from referee.cli.look import picture_of
from referee.record.log.entry import AnswerEntry, PlayEntry, SealEntry
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from referee.engine.scene import Scene

SMALL = 20
"""Rows of a board that is shown whole."""
NEAR = 2
"""Cells round what was changed, of a bigger one."""
GAP = 4


def played_last(look: Sitting, first: int) -> int | None:
    """The last play of who looks before entry `first`, if it is in force; None: he had not played."""
    mine = (n for n in reversed(look.log.in_force) if n < first and _is_play_of(look, n))
    return next(mine, None)


def _is_play_of(look: Sitting, n: int) -> bool:
    entry = look.log.entries[n]
    return isinstance(entry, PlayEntry) and entry.by == look.eyes


def told_since(look: Sitting, first: int, *, width: int, ascii_only: bool) -> Iterator[Shown]:
    """What is new since who looks played last, as a mail has come with the entries from `first` on, which are told
    already: those before them, and the board then and now where it has changed.
    """
    mine = played_last(look, first)
    if mine is None:
        return
    earlier = [entry for entry in look.log.entries[mine + 1 : first] if not isinstance(entry, SealEntry | AnswerEntry)]
    boards = list(_boards(picture_of(look.then(mine)), picture_of(look), width, ascii_only))
    if earlier or boards:
        yield Text(f"Since you played last (entry {mine}):", "bold")
    yield from (Text(f"{entry.n:>4}  {describe(look, entry)}", hanging=6) for entry in earlier)
    if boards:
        yield Rows(boards)


def _boards(then: Scene, now: Scene, width: int, ascii_only: bool) -> Iterator[str]:
    """The board then and now, beside each other where there is room; of a big one, where it has changed last."""
    from referee.show.text import picture

    half = (width - GAP) // 2
    before, after = (picture(one, ascii_only=ascii_only, width=width) for one in (then, now))
    if before == after:
        return
    if len(after) > SMALL:
        then, now = _near(then, now)
        before, after = (picture(one, ascii_only=ascii_only, width=width) for one in (then, now))
        if before == after or len(after) > SMALL:
            return
    widest = max(map(len, before), default=0)
    if max(widest, *map(len, after)) <= half:
        yield from _beside(["Then:", *before], ["Now:", *after], widest + GAP)
    else:
        yield from ["Then:", *before, "Now:", *after]


def _beside(left: Sequence[str], right: Sequence[str], column: int) -> Iterator[str]:
    for one, other in zip_longest(left, right, fillvalue=""):
        yield f"{one:<{column}}{other}".rstrip()


def _near(then: Scene, now: Scene) -> tuple[Scene, Scene]:
    """What lies round the piece that has moved, page by page; both as they are, where none has."""
    from referee.engine.scene import window
    from referee.engine.trails import moves

    earlier = {page.name: page for page in then.pages}
    moved = [move for page in now.pages if page.name in earlier for move in moves(earlier[page.name], page)]
    ends = (piece.place for move in reversed(moved) for piece in (move.after, move.before) if piece and piece.place)
    place = next(ends, None)
    return (then, now) if place is None else (window(then, place, NEAR), window(now, place, NEAR))
