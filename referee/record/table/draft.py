"""Drafts: entries that are to be recorded, and lack only their number, the hash before them, and the time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import msgspec

from referee.engine.adjudicate import Played
from referee.engine.secret import Secret
from referee.record.log.entry import AnyEntry, Deed, PlayEntry, RevealEntry
from referee.record.log.sealing import Found
from referee.record.log.vault import Vault
from referee.record.table.moment import Said

Draft = Callable[..., AnyEntry]
"""Makes the entry, given what it lacks: `n`, `prev` and `at`."""


def draft_of(said: Said) -> Draft:
    """The entry of a legal action: what everybody may see in the open, the rest as one secret of its seat."""
    verdict = said.verdict
    assert isinstance(verdict, Played), "only what was played is recorded"
    play = partial(PlayEntry, by=said.seat)
    if verdict.is_open:
        return partial(play, action=said.action, rolls=verdict.rolls, events=verdict.events, secret=None)
    unseen = iter(verdict.open_events)
    shown = next(unseen, None)
    hidden = []
    for place, event in enumerate(verdict.events):
        if event is shown:
            shown = next(unseen, None)
        else:
            hidden.append((place, event))
    deed = Deed(
        said.action if verdict.hidden else None, tuple(roll for roll in verdict.rolls if roll.to), tuple(hidden)
    )
    return partial(
        play,
        action=None if verdict.hidden else said.action,
        rolls=tuple(roll for roll in verdict.rolls if not roll.to),
        events=verdict.open_events,
        secret=Secret(said.seat, deed),
    )


def opened(vault: Vault, n: int, found: Found) -> Draft:
    """The entry that opens a secret of entry `n`, but for who reveals it and who has agreed."""
    value = vault.values[found.leaf]
    salt = vault.salt(found.item, value).hex()
    return partial(RevealEntry, of=n, leaf=found.leaf, salt=salt, value=msgspec.Raw(value))
