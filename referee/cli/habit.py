"""Slips of habit: what somebody says in the turn of another, or while dice are waited for, is asked about first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.cli.look import Look
from referee.engine.secret import UnknownError
from referee.record.log.entry import PlayEntry
from referee.record.table.moment import Said

if TYPE_CHECKING:
    from referee.cli.context import Context


def wary(context: Context, look: Look) -> Callable[[Said], str | None]:
    """Tells what may have been overlooked by who says something first in a line, as a clause; None: nothing."""
    return lambda said: left_waiting(context, said) or turned(look, said)


def left_waiting(context: Context, said: Said) -> str | None:
    """That something waits for dice which would be left by this, unless it is that."""
    due = context.pending
    if due is None or said.awaits == due.need:
        return None
    return f"{due.what} still waits for {due.need}: type how it fell, or it is forgotten"


def turned(look: Look, said: Said) -> str | None:
    """That the turn has passed by itself, so that this falls on the turn of another than who could have said it just
    before: a word that only ends something, and throws nothing. Who is named speaks for himself.
    """
    is_bare = not (said.action.__struct_fields__ or said.throws)
    if not is_bare or look.eyes is not None or look.pact or look.entries[look.in_force[-1]].by == said.seat:
        return None
    last = look.said_last
    entry = look.entries[last] if last else None
    if not isinstance(entry, PlayEntry) or entry.by == said.seat:
        return None
    try:
        could = look.then(entry.n - 1).through(entry.by).legal
    except UnknownError:
        return None
    if said.action not in could or (entry.done == said.action and could.forced() is None):  # he has said it himself
        return None
    mover, before = look.player(said.seat), look.player(entry.by)
    return f"the turn of {before} is over already, and it is {mover} who would say this now"
