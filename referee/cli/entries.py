"""Entries in words, as certain eyes see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.engine.event import REFEREE
from referee.engine.source import LOTS
from referee.engine.text import listing
from referee.record.log.entry import (
    AgreeEntry,
    AmendEntry,
    AmendPiecesEntry,
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
    ResignEntry,
    RevealEntry,
    SealEntry,
    SettledEntry,
    TakebackEntry,
)
from referee.record.table.offered import offer_of

if TYPE_CHECKING:
    from referee.cli.look import Look
    from referee.record.table.proposal import Proposal


def describe(look: Look, entry: AnyEntry) -> str:
    """An entry in one line, as these eyes may read it."""
    entry = look.seen(entry)
    match entry:
        case GameEntry():
            return f"{look.game.title}: {', '.join(map(look.player, look.seats))}"
        case JoinEntry():
            return _joined(look, entry)
        case DeclareEntry() | AnswerEntry() | SealEntry() | OfferEntry() | AgreeEntry() | RefuseEntry():
            from referee.cli.mail.mailed import described  # games by mail alone have them

            return described(look, entry)
        case PlayEntry():
            return f"{entry.by}: {_said(look, entry)}"
        case RevealEntry():
            of = look.entries[entry.of]
            return f"entry {entry.of} revealed: {_sealed_in(look, of)}"
        case TakebackEntry():
            agreed = f", agreed by {listing(entry.agreed)}" if entry.agreed else ""
            return f"{entry.by} {_way(proposed(look, entry))} entry {entry.to}{agreed}"
        case AmendEntry() | AmendPiecesEntry():
            return f"position amended, agreed by {listing(entry.agreed)}: {entry.why} ({_amended(look, entry)})"
        case ResignEntry():
            return f"{entry.by} resigns{f', agreed by {listing(entry.agreed)}' if entry.agreed else ''}"
        case SettledEntry():
            won = (
                f"{listing(entry.winners)} {'wins' if len(entry.winners) == 1 else 'tie'}"
                if entry.winners
                else "nobody wins"
            )
            return f"the game is ended by agreement of {listing(entry.agreed)}: {won}"
        case NoteEntry():
            return f"note {_noted_by(look, entry)}: {entry.text}"
        case BranchEntry():
            return f"branch {entry.name}"


def _joined(look: Look, entry: JoinEntry) -> str:
    if entry.chair is None:
        return f"{entry.by} keeps secrets from here on"
    from referee.cli.mail.mailed import sits_down

    return sits_down(look, entry)


def _sealed_in(look: Look, entry: AnyEntry) -> str:
    """What an entry had sealed that is revealed."""
    match entry:
        case PlayEntry():
            return _said(look, entry)
        case AmendPiecesEntry():
            return f"position amended: {', '.join(entry.known)}"
    return "the seed of dice thrown in secret"


def _amended(look: Look, entry: AmendEntry | AmendPiecesEntry) -> str:
    """What an amendment changed, as these eyes may know it."""
    if isinstance(entry, AmendPiecesEntry) and entry.secret is not None:
        shut = f"what {entry.by} alone sees, sealed"
        return f"{', '.join(entry.known)} (a secret)" if entry.secret.known and look.sees(entry.by) else shut
    return "; ".join(map(str, proposed(look, entry).hands)) or "as it was"


def _noted_by(look: Look, entry: NoteEntry) -> str:
    """Who says so. By mail the referee says nothing: who has signed it has."""
    if look.pact is None or entry.by != REFEREE:
        return f"by {entry.by}"
    from referee.cli.mail.mailed import signer_of

    signer = signer_of(look, entry.n)
    return f"signed by {signer}" if signer else "that nobody has signed"


def _way(proposal: Proposal) -> str:
    """Whether a takeback goes back, or takes one back."""
    return "brings back what was taken back, up to" if proposal.again else "takes back to"


def proposed(look: Look, entry: TakebackEntry | AmendEntry | AmendPiecesEntry) -> Proposal:
    """What an entry did that others had to agree to, or could have had to."""
    offer = offer_of(entry)
    assert offer is not None, "these are offered"
    return look.then(entry.n - 1).proposal(offer, entry.by)


def told(look: Look, entry: AnyEntry) -> list[str]:
    """What happened in an entry, as things to do with the pieces."""
    entry = look.seen(entry)
    match entry:
        case PlayEntry():
            return [look.game.tell(event) for event in entry.all_events]
        case AmendPiecesEntry() if entry.secret is not None:
            return [_amended(look, entry)]
        case TakebackEntry() | AmendEntry() | AmendPiecesEntry():
            from referee.cli.consent import done_by

            return [text.text for text in done_by(look.then(entry.n - 1), proposed(look, entry))]
        case OfferEntry():
            from referee.cli.mail.mailed import proposed_by

            return proposed_by(look, entry)
    return []


def is_shut(entry: AnyEntry) -> bool:
    """Whether the very deed is a secret that these eyes do not see."""
    return isinstance(entry, PlayEntry) and entry.done is None


def _said(look: Look, entry: PlayEntry[Any, Any]) -> str:
    if entry.done is None:
        return "a secret, sealed"
    rolls = (roll for roll in entry.all_rolls if roll.purpose != LOTS)
    thrown = "".join(f"  [{' '.join(map(str, roll.names or roll.faces))}]" for roll in rolls)
    hidden = " (a secret)" if entry.secret is not None and entry.secret.known and look.is_sealed(entry) else ""
    return f"{look.game.format(entry.done)}{thrown}{hidden}"
