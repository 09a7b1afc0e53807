"""Slips of habit: what somebody says in the turn of another, or while dice are waited for, is asked about first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.record.log.entry import AnyPlay, PlayEntry
from referee.record.table.moment import Said
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from referee.cli.context import Context


def wary(context: Context, look: Sitting) -> Callable[[Said], str | None]:
    """Tells what may have been overlooked by who says something first in a line, as a clause; None: nothing."""
    return lambda said: left_waiting(context, said) or turned(look, said)


def left_waiting(context: Context, said: Said) -> str | None:
    """That something waits for dice which would be left by this, unless it is that."""
    pending = context.pending
    if pending is None or said.awaits == pending.need:
        return None
    return f"{pending.what} still waits for {pending.need}: type how it fell, or it is forgotten"


def turned(look: Sitting, said: Said) -> str | None:
    """That a word which only ends something, and throws nothing, would end more than was meant: the same went by itself
    just now, or the turn has passed by itself to another.
    """
    if said.action.__struct_fields__ or said.throws or look.pact:
        return None
    words = look.facts.game.format(said.action)
    if said.seat in _gone_by_itself(look, said):
        return f"{words} was done by itself just now, and this one would end what comes after it"
    seat = _passed_on_by(look, said)
    if seat is None:
        return None
    player = look.facts.player
    return f"the turn of {player(seat)} is over already, and it is {player(said.seat)} who would say this now"


def needless(look: Sitting, said: Said) -> bool:
    """Returns whether a refused word only closes what has closed by itself since somebody spoke."""
    if said.closes is None or not said.refusals:
        return False
    return said.seat in _gone_by_itself(look, said) or _passed_on_by(look, said) is not None


def _gone_by_itself(look: Sitting, said: Said) -> set[Seat]:
    """The seats for which the same was done by itself after what somebody said last."""
    entries = [look.log.entries[n] for n in look.log.unsaid]
    return {entry.by for entry in entries if isinstance(entry, PlayEntry) and entry.done == said.action}


def _passed_on_by(look: Sitting, said: Said) -> Seat | None:
    """Who could have said this just before in the turn that has passed by itself. Who is named speaks for himself."""
    if look.eyes is not None or look.log.entries[look.log.in_force[-1]].by == said.seat:
        return None
    last = look.log.said_last
    entry = look.log.entries[last] if last else None
    if not isinstance(entry, PlayEntry) or entry.by == said.seat:
        return None
    could = entry.by in _gone_by_itself(look, said) if look.facts.keepers else _could_say(look, entry, said.action)
    return entry.by if could else None


def _could_say(look: Sitting, entry: AnyPlay, action: Action) -> bool:
    """Whether it was legal for who said something else instead, in a game where everybody sees what is."""
    legal = look.then(entry.n - 1).through(entry.by).sight.legal
    return action in legal and not (entry.done == action and legal.forced() is None)
