"""`referee upgrade`: plays on under today's rules in a game that began under older ones."""

import typer

from referee.cli.answer import Answer
from referee.cli.arguments import AgreedByOption
from referee.cli.consent import list_consenting_seats, record_with_consent
from referee.cli.record_answer import answer_with_recorded_entry
from referee.engine.event import REFEREE
from referee.engine.registry import find_game
from referee.record.table.deeds import upgrade as deed
from referee.record.table.seat_view import SeatView


def upgrade(ctx: typer.Context, agreed: AgreedByOption = None) -> Answer:
    """Play on under today's rules in a game that began under older ones. All must agree.

    Earlier moves stay as they are. An audit checks each move by the rules of its time.

    \b
      referee upgrade               show which rules differ
      referee upgrade --agreed-by all
    """
    look: SeatView = ctx.obj.open_view_to_record("upgrade")
    consent = list_consenting_seats(look, agreed)
    stopped = record_with_consent(
        ctx.obj, look, REFEREE, consent, "upgrade", lambda: deed.upgrade_game(look.session, consent)
    )
    today = find_game(look.facts.game.name)
    return stopped or answer_with_recorded_entry(
        look.with_eyes(None), f"The game goes on under rules {today.rules_version} of {today.name}."
    )
