"""`referee undo`: take back, with the fact kept in the record."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated

import typer
from msgspec.structs import replace
from typer import Argument

from referee.cli.answer import Answer, Text
from referee.cli.consent import agreed_by, unless_agreed
from referee.cli.context import Context
from referee.cli.entries import describe
from referee.cli.look import bots_of, handed_on
from referee.cli.mendable import plays_told, unless_refused
from referee.cli.recorded import recorded
from referee.cli.typed import Agreed, By
from referee.engine.event import Seat
from referee.engine.pieces import moves
from referee.record.table import mending
from referee.record.table.sitting import Sitting

Plays = Annotated[int, Argument(metavar="[N]", help="How many plays.")]


def undo(ctx: typer.Context, count: Plays = 1, by: By = None, agreed: Agreed = None) -> Answer:
    """Take back the last plays, and tell how to put the counters back. Who played last takes back, if nobody is named.

    The others must agree once a die or a secret was seen or another seat has played.

    \b
      referee undo
      referee undo 3 --agreed-by SEAT
    """
    look: Sitting = ctx.obj.recording("undo", by, offers=True)
    bots = bots_of(look)
    if bots:
        from referee.cli.botted import plays_of_bots

        count += plays_of_bots(look)
    speaker = look.eyes or next((seat for seat in look.facts.seats if bots and seat not in bots), look.log.last_player)
    consent = agreed_by(look, agreed)
    typed = f"undo{f' {count}' if count > 1 else ''}"
    undone = partial(mending.undo, look.session, count, speaker, consent)
    return unless_refused(look, lambda: moved(ctx.obj, look, speaker, consent, typed, undone), plays_told)


def moved(
    context: Context, look: Sitting, by: Seat, agreed: Sequence[Seat], typed: str, move: Callable[[], None]
) -> Answer:
    """Go back or on along the line of play, and tell what was crossed and what hands have to do."""
    before = look.log.in_force
    stopped = unless_agreed(context, look, by, agreed, typed, move)
    if stopped:
        return stopped
    look, now = handed_on(look)
    after = look.log.in_force
    undone = [n for n in reversed(before) if n not in after]
    crossed = undone or [n for n in after if n not in before]
    then, there = look.sight.counters, now.sight.counters
    hands = [one.back if undone else str(one) for one in moves(then, there)]
    named = [Text(f"{n:>4}  {describe(now, now.log.entries[n])}", hanging=6) for n in crossed]
    does = f"{look.facts.player(by)} {_taking_back(now, undone) if undone else 'brings back'}:"
    answer = recorded(
        look, does, *named, "On the board:", *(Text(hand, indent=2) for hand in hands or ["nothing moves"])
    )
    return replace(answer, facts=lambda: answer.facts() | {"entries": crossed, "hands": hands})


def _taking_back(look: Sitting, undone: Sequence[int]) -> str:
    """What happens to plays that are taken back, and to their dice where there were any."""
    threw = any(getattr(look.log.entries[n], "rolls", ()) for n in undone)
    return f"takes back; the record keeps it{', and dice stay used' if threw else ''}"
