"""Actions that need the consent of others.

The question shows the effect in the same words as the record later does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.cli.answer import NO, Answer, AnswerLine, Text
from referee.cli.arguments import parse_seats
from referee.cli.context import Context
from referee.cli.errors import explain_error, format_sentence
from referee.cli.game_view import list_bot_seats, make_heading
from referee.engine.event import Seat
from referee.engine.text import listing
from referee.record.log.log_errors import NotAgreedError, NotAllowedError
from referee.record.table.pending_offers import find_required_offer
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.record.log.offer import Offer


def list_consenting_seats(look: SeatView, named: str | None) -> tuple[Seat, ...]:
    """Returns the seats that have agreed: those named, and all bots, which agree to everything.

    A seat that its player has left agrees to nothing.
    """
    said = dict.fromkeys((*parse_seats(named, look.facts.names), *list_bot_seats(look)))
    return tuple(seat for seat in said if seat not in look.facts.empty_seats)


def record_with_consent(
    context: Context,
    look: SeatView,
    by: Seat,
    agreed: Sequence[Seat],
    typed: str,
    record: Callable[[], None],
    offer: Offer | None = None,
) -> Answer | None:
    """Records an action and returns None. If others must agree first, returns the answer that asks for their consent.

    That answer says who must agree, to what, and what to type then. `record` records the action, and `typed` is its
    command. `offer` describes the action; None if the entry that `record` makes describes it.
    """
    try:
        record()
    except NotAllowedError as error:
        if look.protocol and error.entry:
            from referee.cli.mail.mail_answers import offer_by_mail

            return offer_by_mail(look, error)
        if not isinstance(error, NotAgreedError):
            raise
        return _ask_for_consent(context, look, by, agreed, typed, error, offer or find_required_offer(error.entry))
    return None


def confirm_irreversible(context: Context, look: SeatView, typed: str, doubt: str) -> Answer | None:
    """Asks if somebody really means an action that they can do alone but not take back alone.

    Returns None after a yes at the keyboard, otherwise the answer that asks. `typed` is the command. `doubt` is the
    consequence, as a clause.
    """
    if context.confirm_prompt and context.confirm_prompt(format_sentence(doubt)):
        return None
    line = f"{_format_command_start(context)} {typed} --yes"
    told = [
        Text(f"Not recorded yet: {typed}   {make_heading(look)}", "refused"),
        Text(format_sentence(doubt), indent=2),
        Text(f"If you mean it, type: {line}", indent=2, hanging=4),
    ]
    facts = {"verdict": "doubted", "text": typed, "doubt": format_sentence(doubt), "recorded": False, "type": line}
    return Answer(told, lambda: facts, NO)


def ask_for_unanimity(
    context: Context,
    look: SeatView,
    by: Seat,
    agreed: Sequence[Seat],
    typed: str,
    what: str,
    keeps_sealed: Sequence[str] = (),
    offer: Offer | None = None,
) -> Answer | None:
    """Returns the answer that asks everyone to agree; None if nobody has to be asked.

    Nobody has to be asked if all have agreed, if the game is played by mail, or if it has no secrets.

    In a game with secrets, the referee does not even work out the action before all agree, since its result would tell
    secrets. `what` says in a clause what the action does, and `offer` describes it. `keeps_sealed` are sentences about
    alternatives that open no secret.
    """
    missing = [seat for seat in look.facts.occupied_seats if seat not in (by, *agreed)]
    if look.protocol or not look.facts.keepers or not missing:
        return None
    error = NotAgreedError(f"{listing(missing)} must agree first, since this {what}")
    answer = _ask_for_consent(context, look, by, agreed, typed, error, offer)
    return replace(answer, lines=[*answer.lines, *(Text(instead, indent=2) for instead in keeps_sealed)])


def _ask_for_consent(
    context: Context,
    look: SeatView,
    by: Seat,
    agreed: Sequence[Seat],
    typed: str,
    error: NotAgreedError,
    offer: Offer | None,
) -> Answer:
    """Returns the answer that asks the others to agree: the effects of the action, and the line to type then.

    Nobody is asked to agree to an action that cannot be done anyway. Then the answer gives only the reason for that.
    """
    from referee.cli.treaty_text import describe_treaty, list_treaty_lines  # most commands need nobody's consent
    from referee.record.table.treaty import Treaty, make_treaty_of_offer

    others = [seat for seat in look.facts.occupied_seats if seat != by and seat not in list_bot_seats(look)]
    treaty = make_treaty_of_offer(look, offer, by) if offer else Treaty()
    line = None if treaty.obstacle else f"{_format_command_start(context)} {typed} --agreed-by {','.join(others)}"
    told = explain_error(NotAllowedError(treaty.obstacle) if treaty.obstacle else error)
    needs = [seat for seat in others if seat not in agreed]
    facts = {**told.facts(), "by": by, "needs": needs, "does": list_treaty_lines(treaty)}
    facts |= {"type": line, "offer": offer, "deed": error.deed or None}
    asks = _describe_consent(list(describe_treaty(treaty)), line) if line else ()
    return Answer([*told.lines, *asks], lambda: facts, NO)


def _describe_consent(effects: Sequence[AnswerLine], line: str) -> Iterator[AnswerLine]:
    """Yields the effects of an action and the line that carries it out."""
    if effects:
        yield Text("If all agree, this happens:", indent=2)
    yield from effects
    yield Text(f"Once all agree, type: {line}", indent=2, hanging=4)


def _format_command_start(context: Context) -> str:
    """Returns the start of a command to type: "referee", with the log if `-g` named it."""
    return f"referee -g {context.log}" if context.log and not context.live_log else "referee"
