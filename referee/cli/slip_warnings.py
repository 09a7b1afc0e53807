"""Warnings about likely slips, such as ending a turn that has ended already or forgetting dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.record.log.entry import AnyPlay, PlayEntry
from referee.record.table.moment import JudgedAction
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.cli.context import Context


def make_slip_warner(context: Context, look: SeatView) -> Callable[[JudgedAction], str | None]:
    """Returns a function that takes an action and returns a warning as a clause, or None if nothing looks like
    a slip.
    """
    return lambda said: warn_pending_roll(context, said) or warn_premature_end(look, said)


def warn_pending_roll(context: Context, said: JudgedAction) -> str | None:
    """Returns a warning if the action would drop another action that waits for dice; None otherwise."""
    pending = context.pending
    if pending is None or said.awaited_dice == pending.need:
        return None
    return f"{pending.what} still waits for {pending.need}; type the dice first, or the referee forgets it"


def warn_premature_end(look: SeatView, said: JudgedAction) -> str | None:
    """Returns a warning if an ending word such as "done" would end more than was meant; None otherwise.

    That happens if the same ending, or the whole turn, has just happened by itself.
    """
    if said.action.__struct_fields__ or said.needs_dice or look.protocol:
        return None
    words = look.facts.game.format(said.action)
    if said.seat in _list_automatic_seats(look, said):
        return f"{words} has just happened by itself; yours would end the next part, too"
    seat = _find_likely_speaker(look, said)
    if seat is None:
        return None
    player = look.facts.format_seat
    return f"the turn of {player(seat)} is already over, and now {player(said.seat)} would do this"


def is_needless_end(look: SeatView, said: JudgedAction) -> bool:
    """True if the rules refuse an action that would only end a part of the game which has already ended by itself.

    Only parts that ended after the last action of a person count.
    """
    if said.turn_part_identifier is None or not said.refusals:
        return False
    return said.seat in _list_automatic_seats(look, said) or _find_likely_speaker(look, said) is not None


def _list_automatic_seats(look: SeatView, said: JudgedAction) -> set[Seat]:
    """Returns the seats for which the referee took this action by itself after the last action of a person."""
    entries = [look.log.entries[n] for n in look.log.trailing_automatic_entries]
    return {entry.by for entry in entries if isinstance(entry, PlayEntry) and entry.known_action == said.action}


def _find_likely_speaker(look: SeatView, said: JudgedAction) -> Seat | None:
    """Returns the seat whose turn has just ended by itself, if its player may have meant this action; None otherwise.

    If `--by` names the seat, there is no doubt, and the result is None.
    """
    if look.eyes is not None or look.log.entries[look.log.entries_in_force[-1]].by == said.seat:
        return None
    last = look.log.last_spoken_entry
    entry = look.log.entries[last] if last else None
    if not isinstance(entry, PlayEntry) or entry.by == said.seat:
        return None
    could = (
        entry.by in _list_automatic_seats(look, said) if look.facts.keepers else _was_legal_at(look, entry, said.action)
    )
    return entry.by if could else None


def _was_legal_at(look: SeatView, entry: AnyPlay, action: Action) -> bool:
    """True if the action was legal when `entry` was played, unless a player chose that same action in `entry`.

    Only for games without secrets.
    """
    legal = look.at_entry(entry.n - 1).with_eyes(entry.by).sight.legal
    return action in legal and not (entry.known_action == action and legal.forced_action() is None)
