"""Entries that only games by mail have, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.cli.consent import done_by, offered
from referee.engine.text import listing
from referee.record.log.chair import OnRecovery
from referee.record.log.entry import (
    AgreeEntry,
    AnswerEntry,
    DeclareEntry,
    JoinEntry,
    OfferEntry,
    RefuseEntry,
    SealEntry,
)
from referee.record.log.offer import AmendOffer, AmendPiecesOffer

if TYPE_CHECKING:
    from referee.cli.look import Look
    from referee.engine.event import Seat
    from referee.engine.legal import Action
    from referee.record.table.pact import Heir

Mailed = DeclareEntry[Any] | AnswerEntry | SealEntry | OfferEntry | AgreeEntry | RefuseEntry


def described(look: Look, entry: Mailed) -> str:
    """An entry in one line."""
    match entry:
        case DeclareEntry():
            said = entry.said
            what = "a secret" if said is None else in_words(look.then(entry.n - 1), said)
            return f"{entry.by} declares: {what}"
        case AnswerEntry():
            return f"{entry.by} answers throw {entry.cast}"
        case SealEntry():
            return f"{entry.by} signs all before, and hands the pen to {entry.to}"
        case OfferEntry():
            return f"{entry.by} offers {offered(look, entry.offer)}{_amending(look, entry)}"
        case AgreeEntry():
            return f"{entry.by} agrees {_replied_to(look, entry.to)}"
        case RefuseEntry():
            return f"{entry.by} does not agree {_replied_to(look, entry.to)}"


def in_words(look: Look, actions: Sequence[Action]) -> str:
    """Actions that are declared, as they were typed: what is said again once a question has been answered that comes
    first of it stands there twice, and is told once.
    """
    game, view = look.game, look.view
    pairs = zip((None, *actions), actions, strict=False)
    told = [action for before, action in pairs if action != before or not game.asks_first(view, action)]
    return ", ".join(game.format(look.blinded(action)) for action in told)


def _amending(look: Look, entry: OfferEntry) -> str:
    """What an amendment would change that is offered, whatever its author says of it."""
    if not isinstance(entry.offer, AmendOffer | AmendPiecesOffer):
        return ""
    changed = "; ".join(map(str, look.then(entry.n - 1).proposal(entry.offer, entry.by).hands))
    return f" ({changed or 'which changes nothing'})"


def proposed_by(look: Look, entry: OfferEntry) -> list[str]:
    """What an offer would have done when it was made, as a receiver's computer works it out from the entry."""
    then = look.then(entry.n - 1)
    return [text.text for text in done_by(then, then.proposal(entry.offer, entry.by))]


def _replied_to(look: Look, n: int) -> str:
    entry = look.entries[n]
    if not isinstance(entry, OfferEntry):
        return f"to entry {n}"
    return f"to what {entry.by} offers, {offered(look, entry.offer)}"


def signer_of(look: Look, n: int) -> Seat | None:
    """Who has signed an entry first; None: nobody has."""
    after = (look.entries[at] for at in range(n + 1, len(look.entries)))
    return next((entry.by for entry in after if isinstance(entry, SealEntry)), None)


def sits_down(look: Look, entry: JoinEntry) -> str:
    """Who sits down, and on whose word where it is another key."""
    who, warrant = look.player(entry.by), entry.warrant
    if isinstance(warrant, OnRecovery):
        return f"{who} sits down again, with his recovery key"
    word = entry.agreed if warrant is None else tuple(one.by for one in warrant.consents)
    return f"{who} sits down{f' with another key, on the word of {listing(word)}' if word else ''}"


def told_heirs(heirs: Mapping[Seat, Heir], player: Callable[[Seat], str]) -> Iterator[str]:
    """At which seats another key plays than the one that joined, on whose word."""
    for seat, heir in heirs.items():
        yield f"{player(seat)} sits with another key since entry {heir.n}, on the word of {listing(heir.word)}"
