"""Entries that only games by mail have, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

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
from referee.record.table.proposal import proposal_of, terms_of

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.engine.legal import Action
    from referee.record.log.offer import Offer
    from referee.record.table.cast import DroppedThrow
    from referee.record.table.pact import Heir
    from referee.record.table.sitting import Sitting

Mailed = DeclareEntry[Any] | AnswerEntry | SealEntry | OfferEntry[Any] | AgreeEntry | RefuseEntry


def described(look: Sitting, entry: Mailed) -> str:
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


def in_words(look: Sitting, actions: Sequence[Action]) -> str:
    """Actions that are declared, as they were typed: what is said again once a question has been answered that comes
    first of it stands there twice, and is told once.
    """
    game, view = look.facts.game, look.sight.view
    pairs = zip((None, *actions), actions, strict=False)
    told = [action for before, action in pairs if action != before or not game.asks_first(view, action)]
    return ", ".join(game.format(look.sight.blinded(action)) for action in told)


def _amending(look: Sitting, entry: OfferEntry[Any]) -> str:
    """What an amendment would change that is offered, whatever its author says of it."""
    if not terms_of(entry.offer).tells_changes:
        return ""
    changed = "; ".join(map(str, proposal_of(look.then(entry.n - 1), entry.offer, entry.by).hands))
    return f" ({changed or 'which changes nothing'})"


def _replied_to(look: Sitting, n: int) -> str:
    entry = look.log.entries[n]
    if not isinstance(entry, OfferEntry):
        return f"to entry {n}"
    return f"to what {entry.by} offers, {offered(look, entry.offer)}"


def signer_of(look: Sitting, n: int) -> Seat | None:
    """Who has signed an entry first; None: nobody has."""
    after = (look.log.entries[at] for at in range(n + 1, len(look.log.entries)))
    return next((entry.by for entry in after if isinstance(entry, SealEntry)), None)


def sits_down(look: Sitting, entry: JoinEntry) -> str:
    """Who sits down, and on whose word where it is another key."""
    who, warrant = look.facts.player(entry.by), entry.warrant
    if isinstance(warrant, OnRecovery):
        return f"{who} sits down again, with his recovery key"
    word = entry.agreed if warrant is None else tuple(one.by for one in warrant.consents)
    return f"{who} sits down{f' with another key, on the word of {listing(word)}' if word else ''}"


def told_heirs(heirs: Mapping[Seat, Heir], player: Callable[[Seat], str]) -> Iterator[str]:
    """At which seats another key plays than the one that joined, on whose word."""
    for seat, heir in heirs.items():
        yield f"{player(seat)} sits with another key since entry {heir.n}, on the word of {listing(heir.word)}"


def told_dropped(dropped: Iterable[DroppedThrow], player: Callable[[Seat], str]) -> Iterator[str]:
    """Which throws were begun and never made, each as a clause with who may know its dice."""
    for throw in dropped:
        where = f" of {throw.log}" if throw.log else ""
        begun = f"throw {throw.number}{where}, which {throw.by} began in entry {throw.n}"
        known = listing([player(seat) for seat in throw.known])
        yield f"{begun}, was dropped in entry {throw.at}: {throw.because}; its dice may be known to {known}"


def without_parent(name: str) -> str:
    """What nobody can tell of a branch where the log that it has left is not at hand, as a clause."""
    return f"it is a branch of {name}, which is not here: which throws were dropped there nobody can tell"


def offered(look: Sitting, offer: Offer) -> str:
    """What somebody offers, as what all would do."""
    words = terms_of(offer).words(look)
    if offer.new_chair is None:
        return words
    from referee.mail.key import words_of

    return f"{words}, {words_of(offer.new_chair.key)}"
