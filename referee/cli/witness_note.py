"""`referee log --witness`: the end of a log as four words and as a QR code, for paper and for cameras."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.answer import Answer, AnswerLine, Text
from referee.cli.errors import MisuseError
from referee.cli.log_paths import write_output
from referee.record.archive.checkpoint import format_checkpoint
from referee.record.log.hash_words import format_entry_witness

if TYPE_CHECKING:
    from referee.cli.context import Context
    from referee.record.table.seat_view import SeatView


def make_witness_note(
    context: Context, look: SeatView, form: str | None, output: Path | None, *, force: bool
) -> Answer:
    """Returns the words of the last entry, with a QR code if `form` is "qr".

    With `output`, writes a code or a text to that file instead. Raises MisuseError if `form` is unknown, or if the name
    of the file ends in neither .svg nor .txt. Raises the errors of writing the file, too.
    """
    n = look.log.entry_number
    words = format_entry_witness(n, look.session.hash_at(n))
    checkpoint = format_checkpoint(look.session.public.id, n, look.session.hash_at(n))
    facts = {"entry": n, "words": words.partition(" ")[2], "checkpoint": checkpoint}
    if output is not None:
        told = _write_note(look, words, checkpoint, form, output, force=force)
        return Answer(told, lambda: {**facts, "written": str(output)})
    if form not in (None, "text", "words", "qr"):
        raise MisuseError(f"--witness prints words, or with --as qr a code, not {form!r}")
    return Answer([words, *(_draw_code(checkpoint, context) if form == "qr" else ())], lambda: facts)


def _draw_code(checkpoint: str, context: Context) -> list[AnswerLine]:
    from referee.cli.qr_code_text import draw_qr_code

    return list(draw_qr_code(checkpoint, context.screen))


def _write_note(
    look: SeatView, words: str, checkpoint: str, form: str | None, output: Path, *, force: bool
) -> list[AnswerLine]:
    """Writes the checkpoint as a QR code or as text, and returns lines about the written file.

    The ending of the file's name decides: .svg or .txt. Raises MisuseError if it is another, or does not fit `form`.
    """
    match output.suffix.lower():
        case ".svg" if form in (None, "qr"):
            from referee.page.qr_text import draw_qr_codes

            write_output(output, draw_qr_codes([checkpoint], f"{look.facts.game.title}, entry {words}"), force=force)
            told = f"Written to {output}: entry {words}, and its code to print."
        case ".txt" if form in (None, "text", "words"):
            write_output(output, checkpoint, force=force)
            told = f"Written to {output}: entry {words}, as text."
        case _:
            raise MisuseError("name the file .svg for a code to print, or .txt for the text of the code")
    return [told, Text("To check a log with it: referee audit LOG --witness WORDS or FILE", indent=2)]
