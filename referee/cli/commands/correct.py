"""`referee correct`: corrects dice that were typed wrongly."""

from typing import Annotated, NamedTuple

import typer
from msgspec.structs import replace
from typer import Argument

from referee.cli.answer import Answer, Shown, Text
from referee.cli.arguments import Agreed, By, Dry, parse_faces
from referee.cli.consent import consenting_seats, require_consent, require_unanimity
from referee.cli.context import Context
from referee.cli.entry_text import describe_entry, is_hidden
from referee.cli.errors import as_sentence
from referee.cli.game_view import heading, result_text, summary_facts, views_around
from referee.cli.undo_hints import carry_out_or_suggest, list_correctable_throws
from referee.engine.position_diff import list_moves
from referee.engine.text import count_of
from referee.record.table.deeds import correct as deed
from referee.record.table.deeds.correct import CorrectDice, Correction, judge_correction
from referee.record.table.proposal import format_faces
from referee.record.table.seat_view import SeatView

Throw = Annotated[int, Argument(metavar="N", help="The entry of the roll.")]


Fallen = Annotated[list[str], Argument(metavar="FACES...", help="All its dice as they really fell.")]


def correct(
    ctx: typer.Context, n: Throw, faces: Fallen, by: By = None, agreed: Agreed = None, dry_run: Dry = False
) -> Answer:
    """Correct dice that were typed wrongly in an earlier entry. Later moves are checked again; the legal ones are kept.

    The referee names the first move that is no longer legal. It records one takeback, then the moves again.

    \b
      referee correct 12 2 3 6 --agreed-by all
      referee correct 12 2 3 6 -n
    """
    look: SeatView = ctx.obj.look_to_record("correct", by)
    return carry_out_or_suggest(
        look, lambda: _correct_roll(ctx.obj, look, n, faces, agreed, dry_run=dry_run), list_correctable_throws
    )


def _correct_roll(
    context: Context, look: SeatView, n: int, faces: list[str], agreed: str | None, *, dry_run: bool
) -> Answer:
    """Returns the answer about a corrected roll and the moves after it."""
    speaker, consent = look.eyes or look.log.last_player, consenting_seats(look, agreed)
    typed = parse_faces(" ".join(faces))
    words = f"correct {n} {' '.join(map(str, typed))}"
    terms = CorrectDice(n, tuple(typed))
    stopped = require_unanimity(
        context, look, speaker, consent, words, "changes dice that others have seen", offer=terms
    )
    if stopped:
        return stopped
    if dry_run:
        return _foresee(look, judge_correction(look.session, n, typed), n, Text("Nothing was recorded."))
    found: list[Correction] = []

    def record() -> None:
        found.append(deed.correct_dice(look.session, n, typed, speaker, consent))

    stopped = require_consent(context, look, speaker, consent, words, record, terms)
    if stopped:
        judged = _foresee(look, judge_correction(look.session, n, typed), n)
        return replace(stopped, facts=lambda: judged.facts() | stopped.facts())
    look, now = views_around(look)
    hands = [str(one) for one in list_moves(look.sight.counters, now.sight.counters)]
    board: list[Shown] = ["On the board:", *(Text(hand, indent=2) for hand in hands or ["nothing moves"])]
    answer = _correction_answer(look, found[0], n, DONE, *board, *result_text(now))
    return replace(answer, facts=lambda: answer.facts() | {"hands": hands, "after": summary_facts(now)})


class Tense(NamedTuple):
    """The words for a correction, in the tense for one that is recorded or only tried."""

    throw: str
    held: str
    lost: str
    is_recorded: bool


DONE = Tense("Corrected", "still hold{s}", "Entry {n} is no longer legal", is_recorded=True)
FORESEEN = Tense("This would be corrected", "would still hold", "Entry {n} would no longer be legal", is_recorded=False)


def _foresee(look: SeatView, found: Correction, n: int, *more: Shown) -> Answer:
    """Returns the result of a correction that is not recorded."""
    return _correction_answer(look, found, n, FORESEEN, *more)


def _correction_answer(look: SeatView, found: Correction, n: int, tense: Tense, *more: Shown) -> Answer:
    """Returns the answer about a corrected roll, with the later moves that hold and the first that is lost."""
    entries, rolls = look.log.entries, look.sight.visible_rolls(found.said[0])
    thrown = " ".join(format_faces(rolls))
    lines: list[Shown] = [heading(look), f"{tense.throw}: {describe_entry(look, entries[n])}, in truth {thrown}."]
    if found.held:
        many = len(found.held)
        held = tense.held.format(s="s" if many == 1 else "")
        lines.append(f"{count_of(many, 'later move')} {held}, up to entry {found.held[-1]}.")
    if found.lost is not None:
        lost = tense.lost.format(n=found.lost)
        lines.append(Text(f"{lost}: {describe_entry(look, entries[found.lost])}", "refused"))
        if not is_hidden(entries[found.lost]):
            lines.append(Text(as_sentence(found.because), indent=2))
    facts = {"corrected": n, "rolls": rolls, "held": found.held, "lost": found.lost, "because": found.because}
    return Answer([*lines, *more], lambda: {**facts, "recorded": tense.is_recorded})
