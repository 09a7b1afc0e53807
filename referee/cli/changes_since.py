"""News since the last move of a player: the entries since then, and the board then and now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from referee.cli.answer import AnswerLine, FixedRows, Text
from referee.cli.entry_text import describe_entry
from referee.cli.game_view import make_current_picture
from referee.record.log.entry import AnswerEntry, PlayEntry, SealEntry
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.engine.scene import Scene

MAX_WHOLE_ROWS = 20
"""The most rows that a board may have to be shown whole."""
CELLS_AROUND = 2
"""The number of cells shown in each direction around a change on a larger board."""
GAP = 4


def find_last_own_play(look: SeatView, first: int) -> int | None:
    """Returns the entry of the viewing seat's last move in force before entry `first`; None if there is none."""
    mine = (n for n in reversed(look.log.entries_in_force) if n < first and _is_play_of(look, n))
    return next(mine, None)


def _is_play_of(look: SeatView, n: int) -> bool:
    entry = look.log.entries[n]
    return isinstance(entry, PlayEntry) and entry.by == look.eyes


def describe_changes_since(look: SeatView, first: int, *, width: int, ascii_only: bool) -> Iterator[AnswerLine]:
    """Yields the news since the last move of the viewing seat: earlier entries, and the board if it changed.

    `first` is the first entry of the new mail. Only entries before that mail are shown.
    """
    mine = find_last_own_play(look, first)
    if mine is None:
        return
    earlier = [entry for entry in look.log.entries[mine + 1 : first] if not isinstance(entry, SealEntry | AnswerEntry)]
    boards = list(
        _draw_boards(make_current_picture(look.at_entry(mine)), make_current_picture(look), width, ascii_only)
    )
    if earlier or boards:
        yield Text(f"Since you played last (entry {mine}):", "bold")
    yield from (Text(f"{entry.n:>4}  {describe_entry(look, entry)}", hanging=6) for entry in earlier)
    if boards:
        yield FixedRows(boards)


def _draw_boards(then: Scene, now: Scene, width: int, ascii_only: bool) -> Iterator[str]:
    """Yields the rows of both boards, side by side if there is room.

    Of a large board, yields only the part around the last move. Yields nothing if both boards look the same, or if even
    that part is too large.
    """
    from referee.show.text_picture import draw_text_picture

    half = (width - GAP) // 2
    before, after = (draw_text_picture(one, ascii_only=ascii_only, width=width) for one in (then, now))
    if before == after:
        return
    if len(after) > MAX_WHOLE_ROWS:
        then, now = _crop_to_last_move(then, now)
        before, after = (draw_text_picture(one, ascii_only=ascii_only, width=width) for one in (then, now))
        if before == after or len(after) > MAX_WHOLE_ROWS:
            return
    widest = max(map(len, before), default=0)
    if max(widest, *map(len, after)) <= half:
        yield from _join_columns(["Then:", *before], ["Now:", *after], widest + GAP)
    else:
        yield from ["Then:", *before, "Now:", *after]


def _join_columns(left: Sequence[str], right: Sequence[str], column: int) -> Iterator[str]:
    for one, other in zip_longest(left, right, fillvalue=""):
        yield f"{one:<{column}}{other}".rstrip()


def _crop_to_last_move(then: Scene, now: Scene) -> tuple[Scene, Scene]:
    """Returns both boards cut to the surroundings of the last piece that moved; uncut if none did."""
    from referee.engine.scene import crop_scene
    from referee.engine.scene_diff import list_piece_moves

    earlier = {page.name: page for page in then.pages}
    moved = [move for page in now.pages if page.name in earlier for move in list_piece_moves(earlier[page.name], page)]
    ends = (piece.place for move in reversed(moved) for piece in (move.after, move.before) if piece and piece.place)
    place = next(ends, None)
    return (
        (then, now) if place is None else (crop_scene(then, place, CELLS_AROUND), crop_scene(now, place, CELLS_AROUND))
    )
