"""`referee mail agree`: agrees to an offer by mail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.context import Context
from referee.cli.entry_text import describe_entry
from referee.cli.game_view import collect_summary_facts, describe_next_step, describe_present_state, make_heading
from referee.cli.mail.lapsed_offer_text import describe_missing_offer
from referee.cli.mail.next_step import make_mail_player
from referee.cli.treaty_text import describe_treaty
from referee.mail.seats import is_own_key_director
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.seat_view import SeatView
from referee.record.table.treaty import Treaty, make_treaty_of_offer

if TYPE_CHECKING:
    from referee.mail.packet import SignedOffer


def agree(ctx: typer.Context) -> Answer:
    """Agree to what another player offers by mail.

    \b
      referee mail agree                 referee -g LOG mail agree
    """
    return reply_to_offer(ctx.obj, agree=True)


def reply_to_offer(context: Context, *, agree: bool) -> Answer:
    """Agrees to another player's offer or request by mail, or refuses it.

    If no offer of another player waits for a reply, a refusal takes back this player's own offer. Raises
    NotAllowedError if nothing was offered, or the offer is no longer possible.
    """
    seen = context.open_view()
    if seen.protocol and is_own_key_director(seen.protocol):
        from referee.cli.mail.director_text import reply_as_director  # few games have a director

        return reply_as_director(seen, agree=agree)
    asked = _list_requests(seen)
    if asked:
        return _answer_requests(seen, asked, agree=agree)
    answer = _reply_beside(seen, agree=agree)
    if answer:
        return answer
    _check_offer_waits(seen)
    look = context.open_view_to_record("agree" if agree else "refuse")
    desk = make_mail_player(look.session)
    standing = desk.pending_offer
    if standing is None:
        raise NotAllowedError(describe_missing_offer(look, desk.seat))
    treaty = make_treaty_of_offer(look, standing.offer, standing.by) if agree else Treaty()
    does = list(describe_treaty(treaty))
    before = len(look.log.entries)
    desk.reply_to_offer(standing, agree=agree)
    now = look.at_present()
    new = look.log.entries[before:]
    lines = [Text(f"{entry.n:>4}  {describe_entry(now, entry)}", hanging=6) for entry in new]
    return Answer(
        [make_heading(now), *lines, *does, *describe_present_state(now)],
        lambda: {"recorded": list(new), "after": collect_summary_facts(now)},
    )


def _check_offer_waits(look: SeatView) -> None:
    """Raises NotAllowedError if another seat has the pen, and no offer waits for the player here.

    With the pen, the automatic steps come first: they may record an offer that has come beside the log.
    """
    desk = make_mail_player(look.session) if look.protocol else None
    if desk and desk.seat is not None and not desk.has_pen and desk.pending_offer is None:
        raise NotAllowedError(describe_missing_offer(look, desk.seat))


def _reply_beside(look: SeatView, *, agree: bool) -> Answer | None:
    """Replies to an offer beside the log, or takes back this player's own offer.

    Returns None if there is no offer to reply to or to take back.
    """
    if look.protocol is None:
        return None
    if look.protocol.director:
        from referee.cli.mail.director_text import answer_offer_beside_log  # few games have a director

        if supported := answer_offer_beside_log(look, agree=agree):
            return supported
    return None if agree else _take_back_offer(look)


def _take_back_offer(look: SeatView) -> Answer | None:
    """Takes back this player's own offer. Returns None if they have made none.

    Returns None, too, if the player has the pen and an offer of another seat waits for their reply. If nobody else has
    the offer yet, the log becomes as if nothing had been offered. Otherwise the next mail takes the offer back.
    """
    if look.protocol is None or look.log.path is None:
        return None
    from referee.cli.mail.mail_entry_text import describe_offer
    from referee.mail.withdrawal import withdraw_offer

    desk = make_mail_player(look.session)
    back = withdraw_offer(desk) if desk.pending_offer is None or not desk.has_pen else None
    if back is None:
        return None
    now = SeatView(back.session, look.eyes)
    told = f"You take back your offer, {describe_offer(now, back.offer)}."
    how = (
        "Your next mail ends the offer, unless somebody has already agreed."
        if back.is_sent
        else "Nobody has heard of it, and no mail carries it."
    )
    steps = [Text("Next, to tell the others: referee mail pack", indent=2)] if back.is_sent else describe_next_step(now)
    return Answer([make_heading(now), told, Text(how, indent=2), *steps], lambda: collect_summary_facts(now))


def _list_requests(look: SeatView) -> tuple[SignedOffer, ...]:
    """Returns the requests of players who want to use another key, as far as this player can answer them.

    Returns () if an offer in the log must be answered first.
    """
    if look.protocol is None or make_mail_player(look.session).pending_offer:
        return ()
    from referee.mail.key_replacement import list_requests_to_answer

    return list_requests_to_answer(look.session)


def _answer_requests(look: SeatView, asked: Sequence[SignedOffer], *, agree: bool) -> Answer:
    """Agrees to another key for a seat, or drops the requests. Nothing is added to the log yet."""
    from referee.cli.mail.mail_answers import describe_key_request
    from referee.mail.key_replacement import discard_requests, has_own_consent
    from referee.mail.key_replacement_flow import give_consent_to_request

    told: list[AnswerLine] = [Text(describe_key_request(look, ask), indent=2) for ask in asked]
    if agree:
        told += [line for ask in asked for line in describe_treaty(make_treaty_of_offer(look, ask.offer, ask.by))]
    if not agree:
        discard_requests(look.session, asked)
        return Answer(
            [make_heading(look), "You refuse. Nothing is signed or sent, and the game goes on.", *told],
            lambda: collect_summary_facts(look),
        )
    if len(asked) > 1:
        raise NotAllowedError(
            "several keys ask for the seat, and only one can be right; to drop them all: referee mail refuse"
        )
    if has_own_consent(look.session, asked[0]):
        raise NotAllowedError("you have already agreed; to send your consent: referee mail pack")
    give_consent_to_request(make_mail_player(look.session), asked[0])
    given = f"You agree that {asked[0].by} plays on with another key. The log will show that you agreed."
    return Answer(
        [make_heading(look), given, *told, Text("Next, to send your consent: referee mail pack", indent=2)],
        lambda: collect_summary_facts(look),
    )
