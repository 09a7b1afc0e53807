"""Mending slips: taking back and bringing back. All of it stays in the record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import NO, Answer, Shown, Text
from referee.cli.context import Context
from referee.cli.entries import describe
from referee.cli.errors import explain, sentence
from referee.cli.look import Look
from referee.cli.records import recorded
from referee.cli.typed import Agreed, By, faces_of, seats_of
from referee.engine.adjudicate import Played
from referee.engine.event import Seat
from referee.engine.pieces import changes, counters
from referee.engine.text import count_of
from referee.record.log.faults import NotAgreedError, NotAllowedError

if TYPE_CHECKING:
    from referee.record.table.mending import Correction

Throw = Annotated[int, Argument(metavar="N", help="The entry in which they were thrown.")]
Fallen = Annotated[list[str], Argument(metavar="FACES...", help="All of its dice as they fell.")]
Dry = Annotated[bool, Option("-n", "--dry-run", help="Judge only; record nothing.")]
Plays = Annotated[int, Argument(metavar="[N]", help="How many plays.")]


def undo(ctx: typer.Context, count: Plays = 1, by: By = None, agreed: Agreed = None) -> Answer:
    """Take back the last plays, and tell how to put the counters back. Who played last takes back, if nobody is named.

    The others must agree once a die or a secret was seen or another seat has played.

    \b
      referee undo 3 --agreed-by SEAT
    """
    look: Look = ctx.obj.recording("undo", by)
    speaker, consent = look.eyes or look.session.last_player, seats_of(agreed, look.names)
    typed = f"undo{f' {count}' if count > 1 else ''}"
    return _moved(ctx.obj, look, speaker, consent, typed, lambda: look.session.undo(count, speaker, consent))


def redo(ctx: typer.Context, by: By = None, agreed: Agreed = None) -> Answer:
    """Bring back what the last undo took back, as long as nothing was played since.

    \b
      referee redo --agreed-by SEAT
    """
    look: Look = ctx.obj.recording("redo", by)
    speaker, consent = look.eyes or look.session.last_undoer, seats_of(agreed, look.names)
    return _moved(ctx.obj, look, speaker, consent, "redo", lambda: look.session.redo(speaker, consent))


def _moved(
    context: Context, look: Look, by: Seat, agreed: Sequence[Seat], typed: str, move: Callable[[], None]
) -> Answer:
    """Go back or on along the line of play, and tell what was crossed and what hands have to do."""
    before = look.session.in_force()
    stopped = unless_agreed(context, look, by, agreed, typed, move)
    if stopped:
        return stopped
    now, after = look.now(), look.session.in_force()
    undone = [n for n in reversed(before) if n not in after]
    crossed = undone or [n for n in after if n not in before]
    then, there = counters(look.game, look.view), counters(now.game, now.view)
    hands = [one.back if undone else str(one) for one in changes(then, there)]
    named = [Text(f"{n:>4}  {describe(now, now.session.entries[n])}", hanging=6) for n in crossed]
    does = f"{look.player(by)} {'takes back; the record keeps it, and dice stay used' if undone else 'brings back'}:"
    answer = recorded(
        look, does, *named, "On the board:", *(Text(hand, indent=2) for hand in hands or ["nothing moves"])
    )
    return replace(answer, facts=lambda: answer.facts() | {"entries": crossed, "hands": hands})


def correct(
    ctx: typer.Context, n: Throw, faces: Fallen, by: By = None, agreed: Agreed = None, dry_run: Dry = False
) -> Answer:
    """An earlier die was typed wrongly: all that follows is judged again with the dice that were typed for it.

    What still holds is kept, and the first play that does not is named. Recorded as one takeback and the plays again.

    \b
      referee correct 12 2 3 6 --agreed-by all
    """
    look: Look = ctx.obj.recording("correct", by)
    speaker, consent = look.eyes or look.session.last_player, seats_of(agreed, look.names)
    typed = faces_of(" ".join(faces))
    if dry_run:
        from referee.record.table.mending import corrected

        return _told(look, corrected(look.session, n, typed), n, Text("Nothing was recorded."))
    found: list[Correction] = []
    words = f"correct {n} {' '.join(map(str, typed))}"
    stopped = unless_agreed(
        ctx.obj, look, speaker, consent, words, lambda: found.append(look.session.correct(n, typed, speaker, consent))
    )
    if stopped:
        return stopped
    now = look.now()
    hands = [str(one) for one in changes(counters(look.game, look.view), counters(now.game, now.view))]
    board: list[Shown] = ["On the board:", *(Text(hand, indent=2) for hand in hands or ["nothing moves"])]
    answer = _told(look, found[0], n, *board, *now.come_to())
    return replace(answer, facts=lambda: answer.facts() | {"hands": hands, "after": now.facts()})


def _told(look: Look, found: Correction, n: int, *more: Shown) -> Answer:
    """What becomes of the game when a throw is typed otherwise."""
    entries = look.session.entries
    rolls = found.said[0].verdict.rolls if isinstance(found.said[0].verdict, Played) else ()
    thrown = " ".join(str(face) for roll in rolls for face in roll.names or roll.faces)
    lines: list[Shown] = [look.heading, f"Corrected: {describe(look, entries[n])}, in truth {thrown}."]
    if found.held:
        lines.append(
            f"What holds after it stands again: {count_of(len(found.held), 'play')}, the last {found.held[-1]}."
        )
    if found.lost is not None:
        lines.append(Text(f"No longer holds: entry {found.lost}, {describe(look, entries[found.lost])}", "refused"))
        lines.append(Text(sentence(found.because), indent=2))
    facts = {"corrected": n, "rolls": rolls, "held": found.held, "lost": found.lost, "because": found.because}
    return Answer([*lines, *more], lambda: facts)


def unless_agreed(
    context: Context, look: Look, by: Seat, agreed: Sequence[Seat], typed: str, record: Callable[[], None]
) -> Answer | None:
    """Record something; where others have to agree first, the answer that says who, and what to type then."""
    try:
        record()
    except NotAllowedError as error:
        if look.session.fold.pact and error.entry:
            from referee.cli.post import asked

            return asked(look, error)
        if not isinstance(error, NotAgreedError):
            raise
        missing = [seat for seat in look.session.seats if seat != by]
        where = f"-g {context.log} " if context.log else ""
        line = f"referee {where}{typed} --agreed-by {','.join(missing)}"
        told = explain(error)
        facts = {**told.facts(), "by": by, "needs": [seat for seat in missing if seat not in agreed], "type": line}
        return Answer([*told.lines, Text(f"Once agreed: {line}", indent=2, hanging=4)], lambda: facts, NO)
    return None
