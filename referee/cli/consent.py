"""What needs the others' consent: asked for with what it would do, in the words in which the record tells it later."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.cli.answer import NO, Answer, Text
from referee.cli.context import Context
from referee.cli.errors import explain
from referee.cli.look import Look
from referee.engine.event import Seat
from referee.engine.text import count_of, listing
from referee.record.log.faults import NotAgreedError, NotAllowedError
from referee.record.log.offer import (
    AmendOffer,
    AmendPiecesOffer,
    Offer,
    RejoinOffer,
    ResignOffer,
    RevealOffer,
    SettleOffer,
    TakebackOffer,
)
from referee.record.table.offered import offer_of

if TYPE_CHECKING:
    from referee.record.table.proposal import Proposal

SHOWN = 12
"""Entries that are told one by one."""


def unless_agreed(
    context: Context,
    look: Look,
    by: Seat,
    agreed: Sequence[Seat],
    typed: str,
    record: Callable[[], None],
    offer: Offer | None = None,
) -> Answer | None:
    """Record something; where others have to agree first, the answer that says who, to what, and what to type then.

    `offer`: what they agree to, where the entry that may not be recorded does not tell.
    """
    try:
        record()
    except NotAllowedError as error:
        if look.pact and error.entry:
            from referee.cli.mail.desk import asked

            return asked(look, error)
        if not isinstance(error, NotAgreedError):
            raise
        return _asked(context, look, by, agreed, typed, error, offer or offer_of(error.entry))
    return None


def needs_all(
    context: Context,
    look: Look,
    by: Seat,
    agreed: Sequence[Seat],
    typed: str,
    what: str,
    keeps_sealed: Sequence[str] = (),
) -> Answer | None:
    """The answer to something that, in a game with secrets, is not even looked at before all have agreed: what came of
    it would tell who asks something. `keeps_sealed`: what would do instead and opens no secret, each a sentence.
    """
    missing = [seat for seat in look.seats if seat not in (by, *agreed)]
    if look.pact or not look.keepers or not missing:
        return None
    error = NotAgreedError(f"{what} needs {listing(missing)} to agree before anything of it is worked out")
    answer = _asked(context, look, by, agreed, typed, error, None)
    return replace(answer, lines=[*answer.lines, *(Text(instead, indent=2) for instead in keeps_sealed)])


def _asked(
    context: Context,
    look: Look,
    by: Seat,
    agreed: Sequence[Seat],
    typed: str,
    error: NotAgreedError,
    offer: Offer | None,
) -> Answer:
    missing = [seat for seat in look.seats if seat != by]
    where = f"-g {context.log} " if context.log and not context.resident else ""
    line = f"referee {where}{typed} --agreed-by {','.join(missing)}"
    told, proposal = explain(error), look.proposal(offer, by) if offer else None
    does = list(done_by(look, proposal)) if proposal else []
    needs = [seat for seat in missing if seat not in agreed]
    facts = {**told.facts(), "by": by, "needs": needs, "does": [text.text for text in does], "type": line}
    facts["offer"] = offer
    return Answer([*told.lines, *does, Text(f"Once agreed: {line}", indent=2, hanging=4)], lambda: facts, NO)


def done_by(look: Look, proposal: Proposal) -> Iterator[Text]:
    """What a proposal does, line by line, as these eyes see it: alike before it is agreed to and ever after."""
    from referee.cli.entries import describe

    if proposal.cannot:
        yield Text(f"It cannot be done: {proposal.cannot}.", "refused", indent=2)
    for n in proposal.gone[:SHOWN]:
        thrown = "; its dice are thrown anew" if n in proposal.thrown else ""
        yield Text(f"no longer counts:  {n}  {describe(look, look.entries[n])}{thrown}", indent=2, hanging=4)
    for n in proposal.again[:SHOWN]:
        yield Text(f"counts again:  {n}  {describe(look, look.entries[n])}", indent=2, hanging=4)
    more = len(proposal.gone[SHOWN:]) + len(proposal.again[SHOWN:])
    if more:
        yield Text(f"and {count_of(more, 'entry', 'entries')} more", indent=2)
    for change in proposal.hands:
        yield Text(f"on the board:  {change.back if proposal.gone else change}", indent=2, hanging=4)
    for seat, count in proposal.opens:
        what = f"{count_of(count, 'secret')} of {seat}" if count else f"every secret of {seat} that it holds"
        yield Text(f"open to everybody from then on:  {what}", indent=2, hanging=4)
    if proposal.outcome:
        yield Text(f"from then on the game is over: {proposal.outcome.because}", indent=2, hanging=4)
        if look.sealed:
            yield Text("secrets stay sealed until somebody says: referee reveal", indent=2, hanging=4)
    if isinstance(proposal.offer, RejoinOffer):
        yield Text(f"{proposal.by} is whoever has the new key from then on", indent=2)


def offered(look: Look, offer: Offer) -> str:
    """What somebody offers, as what all would do."""
    match offer:
        case TakebackOffer():
            when = f", turn {look.then(offer.to).turn}" if offer.to < len(look.entries) else ""
            return f"to take back to entry {offer.to}{when}"
        case AmendOffer() | AmendPiecesOffer():
            return f'to amend the position, saying "{offer.why}"'
        case ResignOffer():
            return "to resign"
        case SettleOffer():
            won = f"{listing(offer.winners)} {'has won' if len(offer.winners) == 1 else 'have tied'}"
            return f"to end the game: {won if offer.winners else 'nobody has won'}"
        case RevealOffer():
            return f"to open the secrets of {listing([f'entry {n}' for n in offer.of])}"
        case RejoinOffer():
            from referee.mail.key import words_of

            return f"to play on with another key, {words_of(offer.chair.key)}"
