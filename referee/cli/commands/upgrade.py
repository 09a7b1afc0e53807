"""`referee upgrade`: go on under today's rules in a game that was begun under older ones."""

import typer

from referee.cli.answer import Answer
from referee.cli.consent import agreed_by, unless_agreed
from referee.cli.recorded import recorded
from referee.cli.typed import Agreed
from referee.engine.event import REFEREE
from referee.engine.registry import find_game
from referee.record.table.deeds import upgrade as deed
from referee.record.table.sitting import Sitting


def upgrade(ctx: typer.Context, agreed: Agreed = None) -> Answer:
    """Go on under today's rules in a game that was begun under older ones. All must agree.

    What was played stays as it is. An audit judges each play by the rules that held when it was made.

    \b
      referee upgrade               which rules differ?
      referee upgrade --agreed-by all
    """
    look: Sitting = ctx.obj.recording("upgrade")
    consent = agreed_by(look, agreed)
    stopped = unless_agreed(ctx.obj, look, REFEREE, consent, "upgrade", lambda: deed.upgrade(look.session, consent))
    today = find_game(look.facts.game.name)
    return stopped or recorded(
        look.through(None), f"The game goes on under rules {today.rules_version} of {today.name}."
    )
