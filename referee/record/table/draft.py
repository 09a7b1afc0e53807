"""Drafts: entries that are to be recorded, and lack only their number, the hash before them, and the time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.engine.adjudicate import Played
from referee.engine.dice import Roll
from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.engine.secret import Secret
from referee.record.log.entry import AnyEntry, Deed, PlayEntry
from referee.record.log.fields import NO_TIME
from referee.record.table.moment import Said

Draft = Callable[..., AnyEntry]
"""Makes the entry, given what it lacks: `n`, `prev` and `at`."""


_contents = msgspec.json.Encoder(order="sorted", enc_hook=lambda secret: [secret.owner, secret.value])
"""Spells secrets out, for a hash that stays in memory."""


def deed_of(drafts: Iterable[Draft]) -> str:
    """Returns the hash of all that would be recorded, but for its place, its time, and who has agreed to it."""
    entries = [draft(n=0, prev="", at=NO_TIME) for draft in drafts]
    alike = [replace(it, agreed=()) if hasattr(it, "agreed") else it for it in entries]
    return sha256(_contents.encode(alike)).hexdigest()


def draft_of(said: Said) -> Draft:
    """The entry of a legal action."""
    assert isinstance(said.verdict, Played), "only what was played is recorded"
    action, rolls, events, secret = parts_of(said.seat, said.action, said.verdict)
    return partial(PlayEntry, by=said.seat, action=action, rolls=rolls, events=events, secret=secret)


Parts = tuple[Any, tuple[Roll, ...], tuple[Any, ...], Secret[Any] | None]
"""What an entry holds of a play: action, dice and events, and a secret."""


def parts_of(seat: Seat, action: Action, verdict: Played, leaf: str = "") -> Parts:
    """What everybody may see of what this seat has played, in the open, and the rest as one secret of the seat; `leaf`:
    that of the secret, where it stands in a log already.
    """
    if verdict.is_open:
        return action, verdict.rolls, verdict.events, None
    unseen = iter(verdict.open_events)
    shown = next(unseen, None)
    hidden = []
    for place, event in enumerate(verdict.events):
        if event is shown:
            shown = next(unseen, None)
        else:
            hidden.append((place, event))
    deed = Deed(action if verdict.hidden else None, tuple([roll for roll in verdict.rolls if roll.to]), tuple(hidden))
    rolls = tuple([roll for roll in verdict.rolls if not roll.to])
    return None if verdict.hidden else action, rolls, verdict.open_events, Secret(seat, deed, leaf)
