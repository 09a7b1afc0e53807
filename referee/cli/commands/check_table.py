"""`referee check-table`: compares the real board with the record."""

import sys
from collections.abc import Callable, Mapping, Sequence

import msgspec
import typer

from referee.cli.answer import Answer, Text
from referee.cli.arguments import AS_NO, AS_YES, LEAVING, Agreed, By
from referee.cli.commands.amend import (
    AS_IT_STANDS,
    IN_SECRET,
    Why,
    amend_command,
    amend_to_document,
    ask_for_changes,
    split_sealed_changes,
    whole_view,
)
from referee.cli.consent import consenting_seats, require_unanimity
from referee.cli.errors import MisuseError, explain
from referee.cli.game_view import heading, summary_facts
from referee.cli.screen import prompt_text
from referee.engine.event import REFEREE
from referee.engine.position_diff import NOTHING
from referee.engine.text import NotUnderstoodError, format_runs, split_phrases
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.seat_view import SeatView

HOW = "Press Enter if a line is right. If not, type where the piece is, or PIECE WHERE. To stop, type q."


def check_table(ctx: typer.Context, why: Why = AS_IT_STANDS, by: By = None, agreed: Agreed = None) -> Answer:
    """Compare your real board with the record, piece by piece, and record the differences as an amendment.

    At a keyboard the referee asks about each place. Press Enter if it is right, or type the piece and where it stands.

    \b
      referee check-table           referee check-table --agreed-by all
    """
    look: SeatView = ctx.obj.look_to_record("check-table", by, offers=True)
    if ctx.obj.line_prompt is None:
        return _checklist(look)
    told = _ask_about_pieces(look, ctx.obj.line_prompt)
    if not told:
        return Answer([heading(look), "The board matches the record."], lambda: {"changes": []})
    typed = amend_command(", ".join(told), why)
    stopped = require_unanimity(
        ctx.obj, look, REFEREE, consenting_seats(look, agreed), typed, IN_SECRET, split_sealed_changes(typed)
    )
    if stopped:
        return stopped
    document = msgspec.to_builtins(ask_for_changes(whole_view(look), *([one] for one in told)))
    try:
        return amend_to_document(ctx.obj, look, document, typed, why, agreed)
    except NotAllowedError:
        ctx.obj.notes.append(f"Note: these were your changes; to edit and repeat them: referee {typed}")
        raise


def _checklist(look: SeatView) -> Answer:
    """Returns the position as a checklist, as far as the viewer may know it."""
    pieces = look.sight.pieces
    lines = [Text(f"{names}: {where}", indent=2) for where, names in _by_place(pieces).items()]
    then = "If something differs: referee amend PIECE WHERE, PIECE WHERE --agreed-by all"
    return Answer([heading(look), *lines, Text(then, indent=2)], lambda: {**summary_facts(look), "pieces": pieces})


def _by_place(pieces: Mapping[str, str]) -> dict[str, str]:
    """Returns the names of the pieces in each position, in ranges. Pieces that are nowhere are left out."""
    found: dict[str, list[str]] = {}
    for name, where in pieces.items():
        if where != NOTHING:
            found.setdefault(where, []).append(name)
    return {where: " ".join(format_runs(names)) for where, names in found.items()}


def _ask_about_pieces(look: SeatView, ask: Callable[[str], str]) -> list[str]:
    """Asks about the pieces in each position, and returns the changes. After q, the changes so far count."""
    told: list[str] = []
    sys.stdout.write(prompt_text(HOW) + "\n")
    for names, where in [
        *((names, f": {where}") for where, names in _by_place(look.sight.pieces).items()),
        ("Anything else", ""),
    ]:
        answer = _ask_until_possible(look, told, names, f"{prompt_text(names + where)}? ", ask)
        if answer is None:
            return told
        told += answer
    return told


def _ask_until_possible(
    look: SeatView, told: Sequence[str], names: str, prompt: str, ask: Callable[[str], str]
) -> list[str] | None:
    """Asks until the typed changes are possible and returns them; None if somebody stops."""
    while True:
        typed = ask(prompt).strip()
        if typed.lower() in LEAVING:
            return None
        for phrases in (split_phrases(typed), [f"{names} {typed}"]):  # the place alone is enough for a single piece
            try:
                ask_for_changes(look, *([one] for one in told), phrases)
            except (NotUnderstoodError, MisuseError) as error:
                wrong = explain(error)
            else:
                return phrases
        if typed.lower() in AS_YES:  # tried last, since "yes" may also be the value of a piece
            return []
        if typed.lower() in AS_NO:
            prompt = "Where is it? "
            continue
        sys.stderr.writelines(f"{prompt_text(line)}\n" for line in wrong.complaint.splitlines())
