"""A game on paper: writing it as words or as QR codes, and starting a game from them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.cli.answer import Answer, AnswerLine, FixedRows, Text
from referee.cli.arguments import MAX_DOCUMENT_BYTES, read_document, reserve_log_path
from referee.cli.errors import MisuseError
from referee.cli.game_view import collect_summary_facts, describe_next_step, describe_summary, make_current_picture
from referee.cli.log_paths import write_output
from referee.engine.registry import find_game
from referee.engine.text import count_of
from referee.gate import read_text
from referee.page.qr_text import MAX_CODE_BYTES, CodeError, draw_qr_codes, is_qr_part, join_qr_parts, split_for_qr_codes
from referee.record.log.hash_words import format_entry_witness
from referee.record.log.line_format import BYTE_ORDER_MARK
from referee.record.table.seat_view import SeatView
from referee.record.table.sheet import Sheet, format_sheet, parse_sheet
from referee.record.table.sheet_import import start_from_sheet

if TYPE_CHECKING:
    from referee.cli.context import Context


# Writing


def answer_with_sheet(look: SeatView, output: Path | None, *, force: bool) -> Answer:
    """Returns the game as words, or writes the words to `output`.

    Raises NotAllowedError if the log still keeps a secret.
    """
    text = format_sheet(look.facts.game, look.log.entries[: look.log.entry_number + 1])
    if output is None:
        return Answer([FixedRows(text.splitlines())], lambda: {"words": text})
    write_output(output, text, force=force)
    told = f"Written to {output}: the game as words, {count_of(len(text.encode()), 'byte')}."
    again = Text(f"To read it back: referee new --from {output}", indent=2)
    return Answer([told, again], lambda: {"written": str(output), "words": text})


def answer_with_qr_codes(look: SeatView, output: Path, *, force: bool) -> Answer:
    """Writes the game as QR codes into an SVG drawing. If the game fits in one code, the drawing has only one.

    Raises NotAllowedError if the log still keeps a secret.
    """
    text = format_sheet(look.facts.game, look.log.entries[: look.log.entry_number + 1])
    parts = split_for_qr_codes(text)
    seen = format_entry_witness(look.log.entry_number, look.session.hash_at(look.log.entry_number))
    players = ", ".join(map(look.facts.format_seat, look.facts.seats))
    write_output(output, draw_qr_codes(parts, f"{look.facts.game.title}: {players}. Entry {seen}"), force=force)
    return Answer(_describe_codes(output, text, parts), lambda: {"written": str(output), "parts": parts, "words": text})


def _describe_codes(output: Path, text: str, parts: list[str]) -> list[AnswerLine]:
    size = count_of(len(text.encode()), "byte")
    if parts == [text]:
        told = f"Written to {output}: one QR code with the words of the game, {size}."
    else:
        many = "one code" if len(parts) == 1 else f"{len(parts)} codes"
        told = f"Written to {output}: {many} of compressed text. The game has {size}, a code holds {MAX_CODE_BYTES:,}."
    read = (
        "the text that a phone reads" if len(parts) == 1 else "the texts that a phone reads, one per line in any order,"
    )
    again = f"To read it back: save {read} as game.txt, then type: referee new --from game.txt"
    return [told, Text(again, indent=2, hanging=4)]


# Reading


def begin_from_sheet(
    context: Context, data: bytes, game: str | None, own: Mapping[str, Path], output: Path | None, *, alone: bool
) -> Answer:
    """Starts the game on a sheet and makes it the current one.

    `game` is the name of a game, if one was typed. `own` holds the players' own files by component. `alone` is False if
    settings were typed that the sheet itself holds.

    Raises MisuseError if `alone` is False or if the sheet is of another game. Raises the errors of reading the sheet
    and starting the game, too.
    """
    sheet = _parse_any_sheet(data)
    module = find_game(sheet.game)
    if not alone or game not in (None, module.name):
        raise MisuseError(
            f"this is a game of {module.name} with all its settings; only --own, --board and -o can be added"
        )
    parts = {part: read_document(file) for part, file in own.items()}
    with reserve_log_path(output, module.name) as path:
        session = start_from_sheet(sheet, path, parts)
    current = "; it is the current game" if context.set_current_log(path) else ""
    look = SeatView(session)
    told: list[AnswerLine] = [
        f"Read {count_of(len(sheet.lines), 'line')} into {path}{current}. The referee has judged every move."
    ]
    if sheet.rules != module.rules_version:
        versions = f"rules {sheet.rules} of {module.name}, and judged by rules {module.rules_version}"
        told.append(Text(f"The sheet was written under {versions}.", indent=2))
    facts: dict[str, Any] = {"read": len(sheet.lines), "rules": sheet.rules}
    return Answer(
        [*told, *describe_summary(look), make_current_picture(look), *describe_next_step(look)],
        lambda: collect_summary_facts(look) | facts,
    )


def _parse_any_sheet(data: bytes) -> Sheet:
    """Parses a sheet, or the text of scanned codes that hold a sheet.

    Raises SheetError if the text is not a sheet, and UnreadableError if `data` is not text. Raises MisuseError if
    `data` is too long, or if the codes are faulty.
    """
    if len(data) > MAX_DOCUMENT_BYTES:
        raise MisuseError(f"a game as words has at most {MAX_DOCUMENT_BYTES // 2**20} MiB")
    text = read_text(data.removeprefix(BYTE_ORDER_MARK))
    try:
        return parse_sheet(join_qr_parts(text, MAX_DOCUMENT_BYTES) if is_qr_part(text) else text)
    except CodeError as error:
        raise MisuseError(str(error)) from error
