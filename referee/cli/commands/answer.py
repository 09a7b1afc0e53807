"""`referee answer`: what only those who sit here know."""

import typer

from referee.cli.answer import Answer
from referee.cli.errors import no
from referee.cli.look import facts_told
from referee.cli.speaking import come_of, settled
from referee.record.table.sitting import Sitting


def answer(ctx: typer.Context) -> Answer:
    """Answer what is asked of those who sit here, and only they know: it needs no word from them.

    \b
      referee answer                referee -g LOG answer
    """
    look: Sitting = ctx.obj.recording("answer")
    done, _ = settled(look)
    if done:
        return come_of(look, done)
    return no("Nothing is asked of those who sit here.", lambda: {"recorded": False, "after": facts_told(look)})
