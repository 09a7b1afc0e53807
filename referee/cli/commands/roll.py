"""`referee roll`: throw the dice that the game waits for."""

from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer
from referee.cli.errors import no
from referee.cli.look import facts_told
from referee.cli.speaking import carried_out, come_of, judged, owed, recorded_so_far, settled, stopped_after
from referee.cli.throws import apart
from referee.cli.typed import By, faces_of
from referee.engine.text import listing
from referee.record.table.moment import Said
from referee.record.table.sitting import Sitting

FEW = 4
"""So many things to do that begin with a throw are listed."""

Fallen = Annotated[list[str] | None, Argument(metavar="FACES...", help="Faces as they fell: 2 2 6.")]


def roll(ctx: typer.Context, faces: Fallen = None, by: By = None) -> Answer:
    """Throw the dice that the game waits for; with table dice, type how they fell, several throws if you like.

    \b
      referee roll 2 2 6            referee roll
    """
    look: Sitting = ctx.obj.recording("roll", by)
    done, now = settled(look)
    if now.facts.owing:
        return owed(now, now.facts.owing)
    ahead = judged(ctx.obj, now, ())
    ahead.finish()
    throw = ahead.throw
    if throw is None:
        return _nothing_to_throw(now, done)
    words = " ".join(faces or []).replace(",", " ").split()
    typed = faces_of(" ".join(apart(words, throw.need) if throw.need else words))
    line = judged(ctx.obj, now, [next(iter(throw))], typed, throwing=True)
    return carried_out(ctx.obj, look, done, line, []) or come_of(look, done)


def _nothing_to_throw(look: Sitting, done: list[Said]) -> Answer:
    """The same as for who says that he throws; in a game where nobody says that, what is waited for."""
    if look.facts.game.throw:
        stop = recorded_so_far(look, done, look.line([look.facts.game.throw]))
        if stop:
            return stop
    throws = look.sight.legal.throws
    if throws:
        ways = listing([f"{look.facts.game.format_choice(one)} ({one.need})" for one in throws[:FEW]], "or")
        told = f"A throw is not all that can be done; say what you do, such as {ways}: referee legal lists all."
        return stopped_after(look, done, no(told, lambda: facts_told(look)))
    waiting = look.through(None).sight.status.partition(";")[0]
    told = f"Nothing is to be thrown now: {waiting}. Say what you do; dice are asked for then, if it takes any."
    return stopped_after(look, done, no(told, lambda: facts_told(look)))
