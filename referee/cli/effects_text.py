"""Log entries with their effects, in the view of a seat."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from referee.cli.answer import Text
from referee.cli.entry_text import describe_entry
from referee.record.log.entry import AnyEntry, OfferEntry, PlayEntry
from referee.record.table.proposal import DescribedDeed

if TYPE_CHECKING:
    from referee.record.table.seat_view import SeatView


def describe_entry_with_events(look: SeatView, entry: AnyEntry) -> Iterator[Text]:
    """Yields an entry with its number, then its events."""
    yield Text(f"{entry.n:>4}  {describe_entry(look, entry)}", "bold", hanging=6)
    yield from (Text(line, indent=6) for line in describe_events(look, entry))


def describe_events(look: SeatView, entry: AnyEntry) -> list[str]:
    """Returns the effects of an entry, in this view, as instructions for the real pieces."""
    entry = look.log.hide_secrets(entry)
    match entry:
        case PlayEntry():
            return [look.facts.game.tell(event) for event in entry.known_events]
        case DescribedDeed():
            return entry.describe_changes(look, partial(_describe_proposed, look, entry))
        case OfferEntry():
            from referee.cli.treaty_text import list_treaty_lines
            from referee.record.table.treaty import make_treaty_of_offer  # few entries are offers

            then = look.at_entry(entry.n - 1)  # the offer names no effects, so they are worked out here
            return list_treaty_lines(make_treaty_of_offer(then, entry.offer, entry.by))
    return []


def _describe_proposed(look: SeatView, deed: DescribedDeed) -> list[str]:
    from referee.cli.treaty_text import list_treaty_lines  # few entries are deeds that change the game
    from referee.record.table.treaty import make_treaty_of_deed

    return list_treaty_lines(make_treaty_of_deed(look, deed))
