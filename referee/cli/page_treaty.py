"""The part of a page that tells what the players have accepted, and the ledger of their joint rolls.

Both follow from the log in the page, so whoever audits the page finds the same. Rolls that a branch dropped stand in
other logs. The page carries these few facts, as the person who made it found them.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from referee.cli.treaty_text import list_treaty_lines
from referee.record.table.treaty import Treaty
from referee.record.table.unusual_settings import find_unusual_settings

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from referee.record.table.ledger import FamilyRolls
    from referee.record.table.seat_view import SeatView


class TreatyAndRolls(NamedTuple):
    """The sentences of a page about its whole game."""

    treaty: tuple[str, ...] = ()
    """The unusual terms of the game."""
    rolls: tuple[str, ...] = ()
    """A sentence for each joint roll of a game by mail."""


def describe_treaty_and_rolls(look: SeatView, family: FamilyRolls) -> TreatyAndRolls:
    """Returns the terms of a game and its joint rolls up to the entry that is looked at.

    `family` has the facts about joint rolls that stand in other logs of the game. Raises FaultError if a file of the
    players' own is missing.
    """
    facts = look.facts
    treaty = Treaty(
        players=facts.seats_with_names,
        settings=find_unusual_settings(facts.game, facts.header, look.log.path),
    )
    if look.protocol is None:
        return TreatyAndRolls(tuple(list_treaty_lines(treaty)))
    from msgspec.structs import replace

    from referee.cli.mail.ledger_text import describe_ledger  # games by mail alone have joint rolls
    from referee.record.table.ledger import add_family_rolls, read_ledger

    ledger = add_family_rolls(read_ledger(BytesIO(look.log.read_raw_log())), family)
    treaty = replace(
        treaty,
        replaced_keys=ledger.replaced_keys,
        dropped=ledger.dropped,
        rulings=ledger.rulings,
        parent=ledger.parent,
    )
    return TreatyAndRolls(tuple(list_treaty_lines(treaty)), tuple(describe_ledger(ledger.rolls, treaty.describe_seat)))


def read_family_of_page(look: SeatView, logs: Iterable[Path]) -> FamilyRolls:
    """Returns the facts about the joint rolls of a game that its branches and parents among `logs` tell.

    Empty for a game as it stood earlier: the other logs tell how it went on.
    """
    from referee.record.table.ledger import FamilyRolls

    if look.protocol is None or look.log.path is None or look.log.entry_number < len(look.session.entries) - 1:
        return FamilyRolls()
    from referee.record.archive.roll_account import read_family_rolls

    return read_family_rolls(look.log.path, logs)
