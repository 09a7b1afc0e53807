"""QR codes in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.cli.answer import AnswerLine, Text
from referee.serve.link_code import draw_qr_rows

if TYPE_CHECKING:
    from referee.cli.screen import Screen


def draw_qr_code(text: str, screen: Screen) -> Iterator[AnswerLine]:
    """Yields a QR code in the terminal, or a line that says how wide the window has to be."""
    rows = draw_qr_rows(text, ascii_only=screen.ascii)
    if len(rows[0]) > screen.width:
        yield Text(f"The QR code needs {len(rows[0])} columns; make the window wider.", indent=2)
    else:
        yield from (Text(row, "code", is_unwrapped=True) for row in rows)
