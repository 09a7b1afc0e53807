"""Offers to a director in words: the offer that waits, if the director may settle it, and the answer to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.cli.answer import Answer, Text
from referee.cli.game_view import collect_summary_facts, make_heading
from referee.cli.mail.awaited_seat import measure_wait_of_game
from referee.cli.mail.mail_entry_text import describe_offer, describe_offer_of_seat
from referee.cli.mail.next_step import make_mail_player
from referee.cli.treaty_text import describe_treaty
from referee.mail.rulings import explain_no_ruling, find_offer_to_rule_on, find_silent_seat, rule_on
from referee.mail.spool import replace_ask
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.treaty import make_treaty_of_offer

if TYPE_CHECKING:
    from referee.mail.packet import Ask
    from referee.record.table.seat_view import SeatView


def explain_barred_settling(look: SeatView, ask: Ask) -> str | None:
    """Returns why the director may not agree to an offer now, as a clause; None if they may."""
    if problem := explain_no_ruling(look.session, ask):
        return problem
    seat, wait = find_silent_seat(look.session, ask), measure_wait_of_game(look.session)
    if wait is None or wait.seat != seat or not wait.is_over:
        told = f"the game waits for {look.facts.format_seat(wait.seat)}: {wait.words}" if wait else "nobody is late"
        return f"nothing is stuck: {told}"
    return make_treaty_of_offer(look, ask.offer, ask.by).cannot or None


def describe_offer_to_settle(look: SeatView) -> Iterator[Text]:
    """Yields the offer that waits for the director, and whether they may settle it."""
    ask = find_offer_to_rule_on(look.session)
    if ask is None:
        return
    problem, seat = explain_barred_settling(look, ask), look.facts.format_seat(find_silent_seat(look.session, ask))
    yield Text(f"{describe_offer_of_seat(look, ask.by, ask.offer)}.", "bold", indent=2)
    if problem:
        yield Text(f"You may not settle this: {problem}.", indent=2)
    else:
        yield Text(f"To agree in place of {seat}: referee mail agree; otherwise: referee mail refuse", indent=2)


def answer_director(look: SeatView, *, agree: bool) -> Answer:
    """Agrees to an offer in place of the player who does not answer, or drops it.

    Raises NotAllowedError if no offer waits, or if the director may not settle it.
    """
    ask = find_offer_to_rule_on(look.session)
    if ask is None:
        raise NotAllowedError("you direct this game, and no offer waits for you")
    described = describe_offer(look, ask.offer)
    if not agree:
        replace_ask(look.session.file_path, ask.by, None)
        return Answer(
            [make_heading(look), f"You settle nothing: {ask.by} offers {described}."],
            lambda: collect_summary_facts(look),
        )
    problem = explain_barred_settling(look, ask)
    if problem:
        raise NotAllowedError(problem)
    does = list(describe_treaty(make_treaty_of_offer(look, ask.offer, ask.by)))
    rule_on(make_mail_player(look.session), ask)
    seat = look.facts.format_seat(find_silent_seat(look.session, ask))
    told = f"You agree in place of {seat}: {ask.by} offers {described}. The record will show that you did."
    step = Text("Next, to send it to both: referee mail pack", indent=2)
    return Answer(
        [make_heading(look), told, *does, step], lambda: {"ruled": ask.offer, "after": collect_summary_facts(look)}
    )
