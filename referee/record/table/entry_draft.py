"""Drafts: entries to be recorded that lack only their number, the hash before them, and the time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.engine.adjudication import LegalVerdict
from referee.engine.choice import Action
from referee.engine.dice import Roll
from referee.engine.event import Seat
from referee.engine.secret import Secret
from referee.record.log.entry import AnyEntry, PlayEntry, SecretPlay
from referee.record.log.field_types import NO_TIME
from referee.record.table.moment import JudgedAction

Draft = Callable[..., AnyEntry]
"""A function that makes the entry from the missing parts: `n`, `prev` and `at`."""


_contents = msgspec.json.Encoder(order="sorted", enc_hook=lambda secret: [secret.owner, secret.value])
"""An encoder that writes secrets in the open, for hashes that stay in memory."""


def hash_drafts(drafts: Iterable[Draft]) -> str:
    """Returns one hash of entries that are not recorded yet. It does not depend on their numbers, their times or the
    seats that agreed.
    """
    entries = [draft(n=0, prev="", at=NO_TIME) for draft in drafts]
    alike = [replace(it, agreed=()) if hasattr(it, "agreed") else it for it in entries]
    return sha256(_contents.encode(alike)).hexdigest()


def draft_play(said: JudgedAction) -> Draft:
    """Returns the draft of a legal action."""
    assert isinstance(said.verdict, LegalVerdict), "only what was played is recorded"
    action, rolls, events, secret = split_play(said.seat, said.action, said.verdict)
    return partial(PlayEntry, by=said.seat, action=action, rolls=rolls, events=events, secret=secret)


SplitPlay = tuple[Any, tuple[Roll, ...], tuple[Any, ...], Secret[Any] | None]
"""The contents of a play's entry: action, dice, events, and a secret."""


def split_play(seat: Seat, action: Action, verdict: LegalVerdict, leaf: str = "") -> SplitPlay:
    """Splits a play into the parts that everybody may see, and one secret of its seat.

    `leaf` is the leaf of the secret if it stands in a log already.
    """
    if verdict.is_public:
        return action, verdict.rolls, verdict.events, None
    unseen = iter(verdict.open_events)
    shown = next(unseen, None)
    hidden = []
    for place, event in enumerate(verdict.events):
        if event is shown:
            shown = next(unseen, None)
        else:
            hidden.append((place, event))
    deed = SecretPlay(
        action if verdict.hidden else None, tuple([roll for roll in verdict.rolls if roll.to]), tuple(hidden)
    )
    rolls = tuple([roll for roll in verdict.rolls if not roll.to])
    return None if verdict.hidden else action, rolls, verdict.open_events, Secret(seat, deed, leaf)
