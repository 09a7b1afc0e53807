"""What needs the others' consent: asked for with what it would do, in the words in which the record tells it later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.cli.answer import NO, Answer, Text
from referee.cli.context import Context
from referee.cli.entries import done_by
from referee.cli.errors import explain, sentence
from referee.cli.look import bots_of, heading
from referee.cli.typed import seats_of
from referee.engine.event import Seat
from referee.engine.text import listing
from referee.record.log.faults import NotAgreedError, NotAllowedError
from referee.record.table.offered import offer_of
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from referee.record.log.offer import Offer


def agreed_by(look: Sitting, named: str | None) -> tuple[Seat, ...]:
    """Who has agreed: those who are named, and bots, which agree to whatever people want."""
    return tuple(dict.fromkeys((*seats_of(named, look.facts.names), *bots_of(look))))


def unless_agreed(
    context: Context,
    look: Sitting,
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


def unless_meant(context: Context, look: Sitting, typed: str, doubt: str) -> Answer | None:
    """The answer that asks whether somebody means what he can do alone and not take back alone; None: he does, as he
    has said at the keyboard. `doubt`: what would come of it, as a clause.
    """
    if context.confirm and context.confirm(sentence(doubt)):
        return None
    line = f"{_referee(context)} {typed} --yes"
    told = [
        Text(f"NOT YET  {typed}   {heading(look)}", "refused"),
        Text(sentence(doubt), indent=2),
        Text(f"If you mean it: {line}", indent=2, hanging=4),
    ]
    facts = {"verdict": "doubted", "text": typed, "doubt": sentence(doubt), "recorded": False, "type": line}
    return Answer(told, lambda: facts, NO)


def needs_all(
    context: Context,
    look: Sitting,
    by: Seat,
    agreed: Sequence[Seat],
    typed: str,
    what: str,
    keeps_sealed: Sequence[str] = (),
    offer: Offer | None = None,
) -> Answer | None:
    """The answer to something that, in a game with secrets, is not even looked at before all have agreed: what came of
    it would tell who asks something. `keeps_sealed`: what would do instead and opens no secret, each a sentence;
    `offer`: what can be told of it.
    """
    missing = [seat for seat in look.facts.seats if seat not in (by, *agreed)]
    if look.pact or not look.facts.keepers or not missing:
        return None
    error = NotAgreedError(f"{what} needs {listing(missing)} to agree before anything of it is worked out")
    answer = _asked(context, look, by, agreed, typed, error, offer)
    return replace(answer, lines=[*answer.lines, *(Text(instead, indent=2) for instead in keeps_sealed)])


def _asked(
    context: Context,
    look: Sitting,
    by: Seat,
    agreed: Sequence[Seat],
    typed: str,
    error: NotAgreedError,
    offer: Offer | None,
) -> Answer:
    missing = [seat for seat in look.facts.seats if seat != by and seat not in bots_of(look)]
    line = f"{_referee(context)} {typed} --agreed-by {','.join(missing)}"
    from referee.record.table.proposal import proposal_of  # most commands need nobody's consent

    told, proposal = explain(error), proposal_of(look, offer, by) if offer else None
    does = list(done_by(look, proposal)) if proposal else []
    can = proposal is None or not proposal.cannot
    needs = [seat for seat in missing if seat not in agreed]
    facts = {**told.facts(), "by": by, "needs": needs, "does": [text.text for text in does]}
    facts |= {"type": line if can else None, "offer": offer, "deed": error.deed or None}
    then = [Text(f"Once agreed: {line}", indent=2, hanging=4)] if can else []
    if proposal and does and can:
        does.insert(0, Text("Nothing was recorded yet. What comes of it once agreed:", indent=2))
    return Answer([*told.lines, *does, *then], lambda: facts, NO)


def _referee(context: Context) -> str:
    """How a line begins that somebody is told to type: with the log, where he has named it."""
    return f"referee -g {context.log}" if context.log and not context.resident else "referee"
