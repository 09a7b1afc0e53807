"""Offers to a director in words: the offer that waits, if the director may settle it, and the answer to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.game_view import collect_summary_facts, make_heading
from referee.cli.mail.awaited_seat import measure_wait_of_game
from referee.cli.mail.mail_entry_text import (
    describe_consents,
    describe_offer,
    describe_offer_of_seat,
    find_director_name,
)
from referee.cli.mail.next_step import make_mail_player
from referee.cli.treaty_text import describe_treaty
from referee.mail.rulings import (
    explain_missing_agreement,
    explain_no_ruling,
    find_offer_to_consent,
    find_offer_to_rule_on,
    find_silent_seat,
    give_consent_to_ruling,
    list_seats_to_agree,
    sign_ruling,
)
from referee.mail.spool import read_waiting_offers, replace_waiting_offer
from referee.record.log.entry import RulingEntry
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.treaty import make_treaty_of_offer

if TYPE_CHECKING:
    from referee.mail.packet import SignedOffer
    from referee.record.table.seat_view import SeatView


def answer_offer_beside_log(look: SeatView, *, agree: bool) -> Answer | None:
    """Agrees beside the log to another player's offer, or drops the offer if `agree` is False.

    If all others agree, the director may then agree in place of a late player. Returns None if there is no offer for
    the director to settle, or if an offer in the log must be answered first.
    """
    desk = make_mail_player(look.session)
    ask = find_offer_to_consent(desk)
    if ask is None or (desk.has_pen and desk.pending_offer):
        return None
    told = f"{look.facts.format_seat(ask.by)} offers {describe_offer(look, ask.offer)}."
    if not agree:
        replace_waiting_offer(look.session.file_path, ask.by, None)
        return Answer(
            [make_heading(look), f"You refuse. Nothing is signed or sent, and the game goes on. {told}"],
            lambda: collect_summary_facts(look),
        )
    treaty = make_treaty_of_offer(look, ask.offer, ask.by)
    if treaty.obstacle:
        raise NotAllowedError(treaty.obstacle)
    late = look.facts.format_seat(find_silent_seat(look.session, ask))
    give_consent_to_ruling(desk, ask)
    given = f"You agree: {told} It counts once the director agrees in place of {late}."
    step = Text("Next, to send it to all: referee mail pack", indent=2)
    return Answer(
        [make_heading(look), given, *describe_treaty(treaty), step],
        lambda: {"agreed": ask.offer, "after": collect_summary_facts(look)},
    )


def describe_ruling_on_offer(look: SeatView, ask: SignedOffer) -> list[AnswerLine]:
    """Returns lines about an offer that the director has agreed to, or that waits for the director.

    Returns [] for any other offer.
    """
    offered = describe_offer_of_seat(look, ask.by, ask.offer)
    made = next((entry for entry in look.log.entries if isinstance(entry, RulingEntry) and _is_same(entry, ask)), None)
    if made:
        told = f"{offered}. {find_director_name(look)} has agreed in place of {look.facts.format_seat(made.seat)}"
        return [Text(f"{told} (entry {made.n}).", "good", indent=2)]
    known = next((one for one in read_waiting_offers(look.session.file_path) if one.signature == ask.signature), None)
    if known is None or not known.consents or explain_no_ruling(look.session, known) is not None:
        return []
    told = f"{offered}; {describe_consents(known.consents)}."
    waits = f"Now {find_director_name(look)} may agree in place of a late player."
    more = [Text(waits, indent=2)] if not list_seats_to_agree(look.session, known) else []
    return [Text(told, indent=2), *more, *describe_treaty(make_treaty_of_offer(look, ask.offer, ask.by))]


def _is_same(ruling: RulingEntry[Any], ask: SignedOffer) -> bool:
    """True if a ruling in the log carries out this offer."""
    return (ruling.by, ruling.offer) == (ask.by, ask.offer) and ruling.n > ask.on


def describe_step_for_offer(look: SeatView, ask: SignedOffer) -> str:
    """Returns the step that another player's offer beside the log asks for, as a clause; "" if it asks for none."""
    desk = make_mail_player(look.session)
    if any(consent.by == desk.seat for consent in ask.consents):
        return "you have agreed, and your next mail says so"
    found = find_offer_to_consent(desk)
    if found is None or found.signature != ask.signature:
        return ""
    late = look.facts.format_seat(find_silent_seat(look.session, ask))
    return f"to agree, so that the director may end the game without {late}: referee mail agree"


def explain_barred_director(look: SeatView, ask: SignedOffer) -> str | None:
    """Returns why the director may not agree to an offer now, as a clause; None if they may."""
    if problem := explain_no_ruling(look.session, ask):
        return problem
    seat, wait = find_silent_seat(look.session, ask), measure_wait_of_game(look.session)
    if wait is None or wait.seat != seat or not wait.is_over:
        told = (
            f"the game waits for {look.facts.format_seat(wait.seat)}: {wait.description}" if wait else "nobody is late"
        )
        return f"nothing is stuck: {told}"
    if missing := list_seats_to_agree(look.session, ask):
        return explain_missing_agreement(missing)
    return make_treaty_of_offer(look, ask.offer, ask.by).obstacle or None


def describe_offer_for_ruling(look: SeatView) -> Iterator[Text]:
    """Yields the offer that waits for the director, and whether they may settle it."""
    ask = find_offer_to_rule_on(look.session)
    if ask is None:
        return
    problem, seat = explain_barred_director(look, ask), look.facts.format_seat(find_silent_seat(look.session, ask))
    yield Text(f"{describe_offer_of_seat(look, ask.by, ask.offer)}.", "bold", indent=2)
    if problem:
        yield Text(f"You may not settle this: {problem}.", indent=2)
    else:
        yield Text(f"To agree in place of {seat}: referee mail agree; otherwise: referee mail refuse", indent=2)


def reply_as_director(look: SeatView, *, agree: bool) -> Answer:
    """Agrees to an offer in place of the player who does not answer, or drops it.

    Raises NotAllowedError if no offer waits, or if the director may not settle it.
    """
    ask = find_offer_to_rule_on(look.session)
    if ask is None:
        raise NotAllowedError("you direct this game, and no offer waits for you")
    described = describe_offer(look, ask.offer)
    if not agree:
        replace_waiting_offer(look.session.file_path, ask.by, None)
        return Answer(
            [make_heading(look), f"You do not settle this offer: {ask.by} offers {described}."],
            lambda: collect_summary_facts(look),
        )
    problem = explain_barred_director(look, ask)
    if problem:
        raise NotAllowedError(problem)
    does = list(describe_treaty(make_treaty_of_offer(look, ask.offer, ask.by)))
    sign_ruling(make_mail_player(look.session), ask)
    seat = look.facts.format_seat(find_silent_seat(look.session, ask))
    told = f"You agree in place of {seat}: {ask.by} offers {described}. The log will show that you did."
    step = Text("Next, to send it to all: referee mail pack", indent=2)
    return Answer(
        [make_heading(look), told, *does, step], lambda: {"ruled": ask.offer, "after": collect_summary_facts(look)}
    )
