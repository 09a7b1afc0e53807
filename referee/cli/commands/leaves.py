"""`referee leaves`: lets a player leave, while the others play on."""

from typing import Annotated

import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.arguments import AgreedByOption, parse_seat
from referee.cli.bot_turns import check_bots
from referee.cli.consent import list_consenting_seats, record_with_consent
from referee.cli.departure_choices import describe_departure_choices, list_departure_choices
from referee.cli.game_view import collect_summary_facts, make_heading
from referee.cli.record_answer import answer_with_recorded_entry
from referee.engine.event import Seat
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.deeds.leaves import leave_seat
from referee.record.table.seat_view import SeatView

LeavingSeatArgument = Annotated[str, Argument(metavar="SEAT", help="The seat whose player leaves.")]
BotOption = Annotated[str | None, Option("--bot", metavar="BOT", help="The bot that plays on; default: nobody.")]


def leaves(
    ctx: typer.Context, seat: LeavingSeatArgument, bot: BotOption = None, agreed: AgreedByOption = None
) -> Answer:
    """Let the player of a seat leave. The game goes on if all others agree, and the referee shows how.

    The seat keeps its pieces and its turns. A bot can play on at once, or somebody sits down there later. By mail a
    friend takes the seat over; the referee says how.

    \b
      referee leaves SEAT           referee leaves SEAT --bot steady
      referee leaves SEAT --agreed-by all
    """
    look: SeatView = ctx.obj.open_view_to_record("leaves", offers=True)
    leaver = str(parse_seat(seat, look.facts.names))
    if look.protocol:
        from referee.cli.mail.seat_handover import explain_barred_leaving_by_mail

        raise NotAllowedError(explain_barred_leaving_by_mail(look, leaver, bot))
    if bot is None and leaver in look.facts.empty_seats:
        return _answer_with_choices(look, leaver)
    check_bots([bot] if bot else [])
    consent = list_consenting_seats(look, agreed)
    typed = f"leaves {leaver}{f' --bot {bot}' if bot else ''}"
    stopped = record_with_consent(
        ctx.obj, look, leaver, consent, typed, lambda: leave_seat(look.session, leaver, bot, consent)
    )
    if stopped:
        return stopped if bot else _add_choices(look, leaver, stopped)
    now = look.at_present().with_eyes(None)
    told = f"{look.facts.format_seat(leaver)} leaves{f', and {bot} takes the seat' if bot else ''}."
    more = () if bot or now.facts.to_act == leaver else describe_departure_choices(now, leaver, f"For {leaver}:")
    return answer_with_recorded_entry(look.with_eyes(None), told, *more)


def _answer_with_choices(look: SeatView, seat: Seat) -> Answer:
    """Returns the ways in which the game goes on without a player at this seat."""
    lines = describe_departure_choices(look, seat)
    facts = {"seat": seat, "choices": [choice._asdict() for choice in list_departure_choices(look, seat)]}
    told: list[AnswerLine] = [make_heading(look), f"Nobody plays {seat}.", *lines]
    return Answer(told, lambda: facts | collect_summary_facts(look))


def _add_choices(look: SeatView, seat: Seat, asked: Answer) -> Answer:
    """Adds to `asked` the choices that the others have once the player has left.

    `asked` is the answer that asks the others to agree.
    """
    choices = list(list_departure_choices(look, seat))
    lines = [Text(f"Then: referee {choice.typed}   ({choice.effect})", indent=2, hanging=6) for choice in choices]
    facts = {"choices": [choice._asdict() for choice in choices]}
    return replace(asked, lines=[*asked.lines, *lines], facts=lambda: asked.facts() | facts)
