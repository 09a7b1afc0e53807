"""A game on paper: written as words or as a code, and begun from them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.cli.answer import Answer, Rows, Shown, Text
from referee.cli.errors import MisuseError
from referee.cli.logs import write_out
from referee.cli.look import facts_told, next_told, picture_of, summary
from referee.cli.typed import MAX_DOCUMENT, new_log, read_document
from referee.engine.registry import find_game
from referee.engine.text import count_of
from referee.page.codes import MOST_BYTES, CodeError, codes_of, is_parts, parts_of, text_in
from referee.record.table.retold import start_from
from referee.record.table.sheet import Sheet, parse_sheet, sheet_of
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from referee.cli.context import Context


# Writing


def in_words(look: Sitting, output: Path | None, *, force: bool) -> Answer:
    """The game as a sheet of words; NotAllowedError where it has secrets."""
    text = sheet_of(look.facts.game, look.log.entries[: look.log.entry + 1])
    if output is None:
        return Answer([Rows(text.splitlines())], lambda: {"words": text})
    write_out(output, text, force=force)
    told = f"Written to {output}: the game in {count_of(len(text.encode()), 'byte')} of words."
    again = Text(f"To read it back: referee new --from {output}", indent=2)
    return Answer([told, again], lambda: {"written": str(output), "words": text})


def in_codes(look: Sitting, output: Path, *, force: bool) -> Answer:
    """The same as QR codes, in a drawing; one, where it fits."""
    text = sheet_of(look.facts.game, look.log.entries[: look.log.entry + 1])
    parts = parts_of(text)
    write_out(
        output,
        codes_of(parts, f"{look.facts.game.title}: {', '.join(map(look.facts.player, look.facts.seats))}"),
        force=force,
    )
    return Answer(_coded(output, text, parts), lambda: {"written": str(output), "parts": parts, "words": text})


def _coded(output: Path, text: str, parts: list[str]) -> list[Shown]:
    size = count_of(len(text.encode()), "byte")
    if parts == [text]:
        told = f"Written to {output}: one QR code with the words of the game, {size}."
    else:
        many = "one code" if len(parts) == 1 else f"{len(parts)} codes"
        told = (
            f"Written to {output}: {size} of words are more than the {MOST_BYTES:,} of a QR code, so it is {many} of "
        )
        told += "compressed text."
    saved = (
        "what a phone reads off it" if len(parts) == 1 else "what a phone reads off them, a line each, in any order,"
    )
    return [told, Text(f"To read it back: save {saved} as game.txt; referee new --from game.txt", indent=2, hanging=4)]


# Reading


def begun_from(
    context: Context, data: bytes, game: str | None, own: Mapping[str, Path], output: Path | None, *, alone: bool
) -> Answer:
    """The log of the game on a sheet, which is the current one then. `alone`: nothing else was said of the game."""
    sheet = _sheet_in(data)
    module = find_game(sheet.game)
    if not alone or game not in (None, module.name):
        raise MisuseError(
            f"this is a game of {module.name}, and it says all else itself; --own, --board, -o go with it"
        )
    parts = {part: read_document(file) for part, file in own.items()}
    with new_log(output, module.name) as path:
        session = start_from(sheet, path, parts)
    current = "; it is the current one" if context.choose(path) else ""
    look = Sitting(session)
    told: list[Shown] = [f"Read {count_of(len(sheet.lines), 'line')} into {path}{current}. Each was judged."]
    if sheet.rules != module.rules_version:
        versions = f"rules {sheet.rules} of {module.name}, and judged by rules {module.rules_version}"
        told.append(Text(f"It was written down under {versions}.", indent=2))
    facts: dict[str, Any] = {"read": len(sheet.lines), "rules": sheet.rules}
    return Answer([*told, *summary(look), picture_of(look), *next_told(look)], lambda: facts_told(look) | facts)


def _sheet_in(data: bytes) -> Sheet:
    """The sheet in a file, or on the codes that were read off; SheetError, MisuseError, UnicodeDecodeError."""
    if len(data) > MAX_DOCUMENT:
        raise MisuseError(f"a game as words has {MAX_DOCUMENT // 2**20} MiB at the most")
    text = data.decode("utf-8-sig")
    try:
        return parse_sheet(text_in(text, MAX_DOCUMENT) if is_parts(text) else text)
    except CodeError as error:
        raise MisuseError(str(error)) from error
