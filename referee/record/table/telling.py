"""Entries in words that the record has of them: what was said, thrown and sealed, as certain eyes see it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from referee.engine.source import LOTS
from referee.record.log.entry import PlayEntry
from referee.record.table.proposal import ToldDeed

if TYPE_CHECKING:
    from referee.engine.dice import Roll
    from referee.record.log.entry import AnyEntry, AnyPlay
    from referee.record.table.sitting import Sitting


def said_in(look: Sitting, entry: AnyPlay) -> str:
    """Tells what was said in a play, and thrown for it."""
    if entry.done is None:
        return "a secret, sealed"
    hidden = " (a secret)" if entry.secret is not None and entry.secret.known and look.log.is_sealed(entry) else ""
    return f"{look.facts.game.format(entry.done)}{bracketed(entry.all_rolls)}{hidden}"


def bracketed(rolls: Iterable[Roll]) -> str:
    """Returns dice as the record shows them, behind what they were thrown for."""
    return "".join(f"  [{' '.join(map(str, roll.names or roll.faces))}]" for roll in rolls if roll.purpose != LOTS)


def sealed_in(look: Sitting, entry: AnyEntry) -> str:
    """Tells what an entry had sealed that is revealed."""
    if isinstance(entry, PlayEntry):
        return said_in(look, entry)
    return entry.secret_words if isinstance(entry, ToldDeed) else "the seed of dice thrown in secret"
