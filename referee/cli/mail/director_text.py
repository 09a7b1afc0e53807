"""A director in words: the offer that waits for them, what they may settle, and what others ask of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.cli.answer import Answer, Text
from referee.cli.game_view import collect_summary_facts, make_heading
from referee.cli.mail.awaited_seat import wait_in
from referee.cli.mail.mail_entry_text import offer_description, offer_text
from referee.cli.mail.next_step import mail_player_of
from referee.cli.treaty_text import describe_treaty
from referee.mail.rulings import explain_no_ruling, find_offer_to_rule_on, find_silent_seat, rule_on
from referee.mail.spool import replace_ask
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.treaty import make_treaty_of_offer

if TYPE_CHECKING:
    from referee.mail.packet import Ask
    from referee.record.table.seat_view import SeatView


def why_not_to_settle(look: SeatView, ask: Ask) -> str | None:
    """Returns why the director may not agree to an offer now, as a clause; None if they may."""
    if problem := explain_no_ruling(look.session, ask):
        return problem
    seat, wait = find_silent_seat(look.session, ask), wait_in(look.session)
    if wait is None or wait.seat != seat or not wait.is_over:
        told = f"the game waits for {look.facts.seat_with_name(wait.seat)}: {wait.words}" if wait else "nobody is late"
        return f"nothing is stuck: {told}"
    return make_treaty_of_offer(look, ask.offer, ask.by).cannot or None


def describe_offer_to_settle(look: SeatView) -> Iterator[Text]:
    """Yields the offer that waits for the director, and whether they may settle it."""
    ask = find_offer_to_rule_on(look.session)
    if ask is None:
        return
    problem, seat = why_not_to_settle(look, ask), look.facts.seat_with_name(find_silent_seat(look.session, ask))
    yield Text(f"{offer_text(look, ask.by, ask.offer)}.", "bold", indent=2)
    if problem:
        yield Text(f"You may not settle this: {problem}.", indent=2)
    else:
        yield Text(f"To agree in place of {seat}: referee mail agree; otherwise: referee mail refuse", indent=2)


def answer_director(look: SeatView, *, agree: bool) -> Answer:
    """Agrees to an offer in place of the player who does not answer, or drops it. Raises NotAllowedError if nothing is
    stuck.
    """
    ask = find_offer_to_rule_on(look.session)
    if ask is None:
        raise NotAllowedError("you direct this game, and no offer waits for you")
    described = offer_description(look, ask.offer)
    if not agree:
        replace_ask(look.session.file_path, ask.by, None)
        return Answer(
            [make_heading(look), f"You settle nothing: {ask.by} offers {described}."],
            lambda: collect_summary_facts(look),
        )
    problem = why_not_to_settle(look, ask)
    if problem:
        raise NotAllowedError(problem)
    does = list(describe_treaty(make_treaty_of_offer(look, ask.offer, ask.by)))
    rule_on(mail_player_of(look.session), ask)
    seat = look.facts.seat_with_name(find_silent_seat(look.session, ask))
    told = f"You agree in place of {seat}: {ask.by} offers {described}. The record will show that you did."
    step = Text("Next, to send it to both: referee mail pack", indent=2)
    return Answer(
        [make_heading(look), told, *does, step], lambda: {"ruled": ask.offer, "after": collect_summary_facts(look)}
    )
