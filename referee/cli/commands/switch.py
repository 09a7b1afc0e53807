"""`referee switch`: gives an option another value in mid-game."""

from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer
from referee.cli.arguments import AgreedByOption, parse_pairs
from referee.cli.consent import list_consenting_seats, record_with_consent
from referee.cli.record_answer import answer_with_recorded_entry
from referee.engine.event import REFEREE
from referee.engine.text import listing
from referee.record.table.deeds import switch as deed
from referee.record.table.seat_view import SeatView

ChangesArgument = Annotated[list[str], Argument(metavar="K=V...", help="The options with their new values.")]


def switch(ctx: typer.Context, changes: ChangesArgument, agreed: AgreedByOption = None) -> Answer:
    """Change an option from here on, if all agree: the table reads a rule in another way.

    Earlier moves stay as they are. An audit checks each move by the options of its time. To see which options can be
    switched: referee games GAME. For a rule that no option decides: referee note --on RULE TEXT

    \b
      referee switch K=V            show what changes
      referee switch K=V --agreed-by all
    """
    look: SeatView = ctx.obj.open_view_to_record("switch", offers=True)
    pairs, consent = parse_pairs(changes), list_consenting_seats(look, agreed)
    typed = f"switch {' '.join(changes)}"
    stopped = record_with_consent(
        ctx.obj, look, REFEREE, consent, typed, lambda: deed.switch_game_options(look.session, pairs, consent)
    )
    now = listing([f"{name} is {value}" for name, value in pairs.items()])
    return stopped or answer_with_recorded_entry(look.with_eyes(None), f"From here on {now}.")
