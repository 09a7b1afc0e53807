"""Log entries in words, in the view of a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.engine.event import REFEREE
from referee.record.log.entry import (
    AgreeEntry,
    AnswerEntry,
    AnyEntry,
    BranchEntry,
    DeclareEntry,
    GameEntry,
    JoinEntry,
    NoteEntry,
    OfferEntry,
    PlayEntry,
    RefuseEntry,
    RulingEntry,
    SealEntry,
)
from referee.record.table.play_description import describe_play
from referee.record.table.proposal import DescribedDeed

if TYPE_CHECKING:
    from referee.record.table.seat_view import SeatView


def describe_entry(look: SeatView, entry: AnyEntry) -> str:
    """Returns an entry in one line, without the secrets that this view may not see."""
    entry = look.log.hide_secrets(entry)
    match entry:
        case GameEntry():
            names = look.facts.first_names
            players = (seat if names[seat] == seat else f"{seat} ({names[seat]})" for seat in look.facts.seats)
            return f"{look.facts.game.title}: {', '.join(players)}"
        case JoinEntry():
            return _describe_joining(look, entry)
        case DeclareEntry() | AnswerEntry() | SealEntry() | OfferEntry() | AgreeEntry() | RefuseEntry() | RulingEntry():
            from referee.cli.mail.mail_entry_text import describe_mail_entry  # games by mail alone have them

            return describe_mail_entry(look, entry)
        case PlayEntry():
            return f"{entry.by}: {describe_play(look, entry)}"
        case DescribedDeed():
            return entry.describe(look)
        case NoteEntry():
            return f"note {_name_note_author(look, entry)}: {entry.text}"
        case BranchEntry():
            return f"branch {entry.name}"
    raise AssertionError("every kind of entry is described")


def _describe_joining(look: SeatView, entry: JoinEntry) -> str:
    if entry.chair is None:
        return f"{entry.by} keeps secrets from now on"
    from referee.cli.mail.mail_entry_text import describe_joining

    return describe_joining(look, entry)


def _name_note_author(look: SeatView, entry: NoteEntry) -> str:
    """Returns the author of a note in words.

    By mail the referee writes nothing itself, so the author is the player who signed.
    """
    if look.protocol is None or entry.by != REFEREE:
        return f"by {entry.by}"
    from referee.cli.mail.mail_entry_text import find_first_signer

    signer = find_first_signer(look, entry.n)
    return f"signed by {signer}" if signer else "that nobody signed"


def has_hidden_action(entry: AnyEntry) -> bool:
    """True if the entry is a play whose action is a hidden secret."""
    return isinstance(entry, PlayEntry) and entry.known_action is None
