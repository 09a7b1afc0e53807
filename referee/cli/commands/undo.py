"""`referee undo`: takes back moves; the record keeps them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated

import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import Answer, Text
from referee.cli.arguments import AgreedByOption
from referee.cli.consent import list_consenting_seats, record_with_consent
from referee.cli.context import Context
from referee.cli.entry_text import describe_entry
from referee.cli.game_view import list_bot_seats, open_views_before_and_after
from referee.cli.record_answer import answer_with_recorded_entry
from referee.cli.undo_hints import carry_out_or_suggest, list_undoable_plays
from referee.engine.event import Seat
from referee.engine.position_diff import list_manual_changes
from referee.record.table import undo_redo
from referee.record.table.seat_view import SeatView

UndoingSeatOption = Annotated[
    str | None, Option("--by", metavar="SEAT", help="Who takes moves back; default: the player who moved last.")
]
PlayCountArgument = Annotated[int, Argument(metavar="[N]", help="The number of moves.")]


def undo(
    ctx: typer.Context, count: PlayCountArgument = 1, by: UndoingSeatOption = None, agreed: AgreedByOption = None
) -> Answer:
    """Take back the last moves, and show how to put the pieces back. The record keeps them.

    The player who moved last takes back, unless you name another. The others must agree if a die or a secret was seen,
    or if another seat has moved since.

    \b
      referee undo
      referee undo 3 --agreed-by SEAT
    """
    look: SeatView = ctx.obj.open_view_to_record("undo", by, offers=True)
    bots = list_bot_seats(look)
    if bots:
        from referee.cli.bot_turns import count_bot_plays_since_person

        count += count_bot_plays_since_person(look)
    speaker = look.eyes or next(
        (seat for seat in look.facts.occupied_seats if bots and seat not in bots), look.log.last_player
    )
    consent = list_consenting_seats(look, agreed)
    typed = f"undo{f' {count}' if count > 1 else ''}"
    undone = partial(undo_redo.undo, look.session, count, speaker, consent)
    return carry_out_or_suggest(
        look, lambda: record_undo_or_redo(ctx.obj, look, speaker, consent, typed, undone), list_undoable_plays
    )


def record_undo_or_redo(
    context: Context, look: SeatView, by: Seat, agreed: Sequence[Seat], typed: str, move: Callable[[], None]
) -> Answer:
    """Carries out an undo or a redo, and returns the moves concerned with instructions for the pieces.

    `move` records it for seat `by`, and `typed` is the command. If others must agree, returns the answer that asks.
    """
    before = look.log.entries_in_force
    stopped = record_with_consent(context, look, by, agreed, typed, move)
    if stopped:
        return stopped
    look, now = open_views_before_and_after(look)
    after = look.log.entries_in_force
    undone = [n for n in reversed(before) if n not in after]
    crossed = undone or [n for n in after if n not in before]
    then, there = look.sight.movable_pieces, now.sight.movable_pieces
    hands = [one.reversed_text if undone else str(one) for one in list_manual_changes(then, there)]
    named = [Text(f"{n:>4}  {describe_entry(now, now.log.entries[n])}", hanging=6) for n in crossed]
    does = f"{look.facts.format_seat(by)} {_describe_takeback(now, undone) if undone else 'brings back'}:"
    answer = answer_with_recorded_entry(
        look, does, *named, "On the board:", *(Text(hand, indent=2) for hand in hands or ["nothing moves"])
    )
    return replace(answer, facts=lambda: answer.facts() | {"entries": crossed, "hands": hands})


def _describe_takeback(look: SeatView, undone: Sequence[int]) -> str:
    """Returns the words for a takeback, and for its dice if there were any."""
    threw = any(getattr(look.log.entries[n], "rolls", ()) for n in undone)
    return f"takes back (the record keeps it{', and its dice stay used' if threw else ''})"
