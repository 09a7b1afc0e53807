"""Suggestions after a mistaken undo, redo or correct: entries that can be changed, with the line to type."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

from msgspec.structs import replace

from referee.cli.answer import Answer, Text
from referee.cli.entry_text import describe_entry
from referee.cli.errors import explain_error
from referee.engine.dice_source import LOT_SEED_PURPOSE
from referee.record.log.entry import PlayEntry
from referee.record.log.log_errors import NotAgreedError, NotAllowedError
from referee.record.table.seat_view import SeatView

MAX_SUGGESTED_MOVES = 5
"""The number of latest moves that are suggested."""


def carry_out_or_suggest(
    look: SeatView, carry_out: Callable[[], Answer], named: Callable[[SeatView], list[Text]]
) -> Answer:
    """Carries out an undo, redo or correction, and returns the answer.

    If the rules or the log do not allow it, the answer says why and lists the entries that `named` suggests. Raises
    NotAgreedError if others have to agree first.
    """
    try:
        return carry_out()
    except NotAgreedError:
        raise
    except NotAllowedError as error:
        answer, lines = explain_error(error), named(look)
        facts = {**answer.facts(), "instead": [line.text for line in lines]}
        return replace(answer, lines=[*answer.lines, *lines], facts=lambda: facts)


def list_undoable_plays(look: SeatView) -> list[Text]:
    """Returns a line for each of the last `MAX_SUGGESTED_MOVES` moves that can be taken back, the latest last.

    Each line has the command that takes the move back.
    """
    said = list(enumerate(look.log.list_last_spoken_entries(MAX_SUGGESTED_MOVES), 1))[::-1]
    return [
        Text(
            f"referee undo{f' {count}' if count > 1 else ''}:  {n}  {describe_entry(look, look.log.entries[n])}",
            indent=2,
        )
        for count, n in said
    ]


def list_correctable_entries(look: SeatView) -> list[Text]:
    """Returns a line for each of the last `MAX_SUGGESTED_MOVES` rolls and moves that can be corrected, the latest last.

    Each line has the command for the correction.
    """
    late = takewhile(lambda n: isinstance(look.log.entries[n], PlayEntry), reversed(look.log.entries_in_force))
    plays = [*late][:MAX_SUGGESTED_MOVES][::-1]  # no correction crosses what all have agreed on
    return [
        Text(f"{_format_correction_command(look, n)}:  {describe_entry(look, look.log.entries[n])}", indent=2)
        for n in plays
    ]


def _format_correction_command(look: SeatView, n: int) -> str:
    return f"referee correct {n} {'FACES' if _has_roll(look, n) else 'ACTION'}"


def list_undone_plays(look: SeatView) -> list[Text]:
    """Returns a line for each of the last `MAX_SUGGESTED_MOVES` moves that are taken back now, the latest last."""
    plays = [
        entry for entry in look.log.entries if isinstance(entry, PlayEntry) and entry.n not in look.log.entries_in_force
    ][-MAX_SUGGESTED_MOVES:]
    return [Text(f"taken back before:  {entry.n}  {describe_entry(look, entry)}", indent=2) for entry in plays]


def _has_roll(look: SeatView, n: int) -> bool:
    entry = look.log.entries[n]
    return isinstance(entry, PlayEntry) and any(roll.purpose != LOT_SEED_PURPOSE for roll in entry.rolls)
