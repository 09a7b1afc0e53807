"""Words for entries: what was said, rolled and sealed, as certain eyes see it.

Pages hold these words, and an audit compares them. So they must not change.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from referee.engine.dice_source import LOT_SEED_PURPOSE
from referee.record.log.entry import PlayEntry
from referee.record.table.proposal import DescribedDeed

if TYPE_CHECKING:
    from referee.engine.dice import Roll
    from referee.record.log.entry import AnyEntry, AnyPlay
    from referee.record.table.seat_view import SeatView


def describe_play(look: SeatView, entry: AnyPlay) -> str:
    """Returns the action of a play in words, with its dice in brackets. Returns "a secret, sealed" if it is not known
    here.
    """
    if entry.known_action is None:
        return "a secret, sealed"
    hidden = " (a secret)" if entry.secret is not None and entry.secret.known and look.log.is_sealed(entry) else ""
    return f"{look.facts.game.format(entry.known_action)}{format_rolls(entry.known_rolls)}{hidden}"


def format_rolls(rolls: Iterable[Roll]) -> str:
    """Returns dice in brackets, as the record shows them behind an action. Lots are left out."""
    return "".join(
        f"  [{' '.join(map(str, roll.names or roll.faces))}]" for roll in rolls if roll.purpose != LOT_SEED_PURPOSE
    )


def describe_revealed_secret(look: SeatView, entry: AnyEntry) -> str:
    """Describes the secret that an entry sealed and that is now revealed."""
    if isinstance(entry, PlayEntry):
        return describe_play(look, entry)
    return entry.secret_text if isinstance(entry, DescribedDeed) else "the seed of dice rolled in secret"
