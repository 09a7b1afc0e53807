"""`referee correct`: an earlier die was typed wrongly."""

from typing import Annotated, NamedTuple

import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import Answer, Shown, Text
from referee.cli.consent import agreed_by, needs_all, unless_agreed
from referee.cli.context import Context
from referee.cli.entries import describe, is_shut
from referee.cli.errors import sentence
from referee.cli.look import come_to, facts_told, handed_on, heading
from referee.cli.mendable import throws_told, unless_refused
from referee.cli.typed import Agreed, By, faces_of
from referee.engine.pieces import moves
from referee.engine.text import count_of
from referee.record.table.deeds import correct as deed
from referee.record.table.deeds.correct import CorrectDice, Correction, corrected
from referee.record.table.proposal import spell_faces
from referee.record.table.sitting import Sitting

Throw = Annotated[int, Argument(metavar="N", help="The entry in which they were thrown.")]


Fallen = Annotated[list[str], Argument(metavar="FACES...", help="All of its dice as they fell.")]


Dry = Annotated[bool, Option("-n", "--dry-run", help="Judge only; record nothing.")]


def correct(
    ctx: typer.Context, n: Throw, faces: Fallen, by: By = None, agreed: Agreed = None, dry_run: Dry = False
) -> Answer:
    """An earlier die was typed wrongly: all that follows is judged again with the dice that were typed for it.

    What still holds is kept, and the first play that does not is named. Recorded as one takeback and the plays again.

    \b
      referee correct 12 2 3 6 --agreed-by all
      referee correct 12 2 3 6 -n
    """
    look: Sitting = ctx.obj.recording("correct", by)
    return unless_refused(look, lambda: _corrected(ctx.obj, look, n, faces, agreed, dry_run=dry_run), throws_told)


def _corrected(
    context: Context, look: Sitting, n: int, faces: list[str], agreed: str | None, *, dry_run: bool
) -> Answer:
    """The throw typed otherwise, and what becomes of the plays after it."""
    speaker, consent = look.eyes or look.log.last_player, agreed_by(look, agreed)
    typed = faces_of(" ".join(faces))
    words = f"correct {n} {' '.join(map(str, typed))}"
    terms = CorrectDice(n, tuple(typed))
    stopped = needs_all(context, look, speaker, consent, words, "to throw again what was typed wrongly", offer=terms)
    if stopped:
        return stopped
    if dry_run:
        return _foreseen(look, corrected(look.session, n, typed), n, Text("Nothing was recorded."))
    found: list[Correction] = []

    def record() -> None:
        found.append(deed.correct(look.session, n, typed, speaker, consent))

    stopped = unless_agreed(context, look, speaker, consent, words, record, terms)
    if stopped:
        judged = _foreseen(look, corrected(look.session, n, typed), n)
        return replace(stopped, facts=lambda: judged.facts() | stopped.facts())
    look, now = handed_on(look)
    hands = [str(one) for one in moves(look.sight.counters, now.sight.counters)]
    board: list[Shown] = ["On the board:", *(Text(hand, indent=2) for hand in hands or ["nothing moves"])]
    answer = _told(look, found[0], n, DONE, *board, *come_to(now))
    return replace(answer, facts=lambda: answer.facts() | {"hands": hands, "after": facts_told(now)})


class Tense(NamedTuple):
    """How it is told what becomes of a throw and of the plays after it."""

    throw: str
    held: str
    lost: str
    is_recorded: bool


DONE = Tense("Corrected", "What holds after it stands again", "No longer holds", is_recorded=True)
FORESEEN = Tense("Would be corrected", "Would stand again", "Would no longer hold", is_recorded=False)


def _foreseen(look: Sitting, found: Correction, n: int, *more: Shown) -> Answer:
    """What would become of the game: nothing is recorded."""
    return _told(look, found, n, FORESEEN, *more)


def _told(look: Sitting, found: Correction, n: int, tense: Tense, *more: Shown) -> Answer:
    """What becomes of the game when a throw is typed otherwise."""
    entries, rolls = look.log.entries, look.sight.rolls_of(found.said[0])
    thrown = " ".join(spell_faces(rolls))
    lines: list[Shown] = [heading(look), f"{tense.throw}: {describe(look, entries[n])}, in truth {thrown}."]
    if found.held:
        lines.append(f"{tense.held}: {count_of(len(found.held), 'play')}, the last {found.held[-1]}.")
    if found.lost is not None:
        lines.append(Text(f"{tense.lost}: entry {found.lost}, {describe(look, entries[found.lost])}", "refused"))
        if not is_shut(entries[found.lost]):
            lines.append(Text(sentence(found.because), indent=2))
    facts = {"corrected": n, "rolls": rolls, "held": found.held, "lost": found.lost, "because": found.because}
    return Answer([*lines, *more], lambda: {**facts, "recorded": tense.is_recorded})
