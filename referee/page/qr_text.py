"""Text as QR codes, and back.

A short text is put into one code as it is. A longer text is compressed (zlib) and written in base45, whose letters need
the least room in a code. Each part is `REFEREE WORDS 1/2 <base45>.`, with its number and the number of parts.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from html import escape

from referee.engine.text import make_printable
from referee.gate import UnreadableError, read_text
from referee.gate.text_encodings import decompress_zlib

BASE45_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
"""The alphabet of base45 (RFC 9285) in order of their values. Three letters are two bytes."""
MAX_CODE_BYTES = 2_953
"""The number of bytes that the biggest QR code with the least redundancy holds."""
MAX_CODE_LETTERS = 4_296
"""The number of letters of base45 that the biggest code holds."""
PART_BEGINS = "REFEREE WORDS "
PART_PATTERN = re.compile(rf"{PART_BEGINS}(?P<number>\d{{1,3}})/(?P<of>\d{{1,3}}) (?P<data>[0-9A-Z $%*+\-./:]*)\.")
MAX_PART_LETTERS = MAX_CODE_LETTERS - len(f"{PART_BEGINS}999/999 .")
BORDER = 4
"""The free modules round a code that the standard asks for."""
CAPTION_HEIGHT = 8
"""The height of the line above a code, in modules."""


class CodeError(ValueError):
    """Raised if texts that were read from codes cannot be joined into one game. The message is a clause."""


# Text and parts


def split_for_qr_codes(text: str) -> list[str]:
    """Returns the text of each code: the whole text if it fits into one code, otherwise numbered parts."""
    data = text.encode()
    if len(data) <= MAX_CODE_BYTES:
        return [text]
    letters = encode_base45(zlib.compress(data, 9))
    count = -(-len(letters) // MAX_PART_LETTERS)
    size = -(-len(letters) // count)
    return [f"{PART_BEGINS}{n + 1}/{count} {letters[n * size : (n + 1) * size]}." for n in range(count)]


def is_qr_part(text: str) -> bool:
    """True if this text begins like a part that `split_for_qr_codes` made of a longer text."""
    return text.lstrip().startswith(PART_BEGINS)


def join_qr_parts(read: str, most: int) -> str:
    """Returns the text of parts that were read from codes.

    In `read`, each part stands on a line of its own. The parts may come in any order, and more than once. Raises
    CodeError if a part is missing, was changed or belongs to another game, or if the text has more than `most` bytes.
    """
    found: dict[int, str] = {}
    count = 0
    for row in filter(None, (row.strip("\r\n") for row in read.split("\n"))):
        part = PART_PATTERN.fullmatch(row.lstrip())
        if part is None:
            raise CodeError("this line is not from the QR codes of a game, or it was changed")
        number, of = int(part["number"]), int(part["of"])
        if not 1 <= number <= of or (count or of) != of or found.get(number, part["data"]) != part["data"]:
            raise CodeError("these are parts of different games")
        found[number], count = part["data"], of
    missing = [str(number) for number in range(1, count + 1) if number not in found]
    if missing:
        missing_parts = f"part {missing[0]} is" if len(missing) == 1 else f"parts {', '.join(missing)} are"
        raise CodeError(f"{missing_parts} missing, of {count} parts")
    return _unpack(decode_base45("".join(found[number] for number in sorted(found))), most)


def _unpack(data: bytes, most: int) -> str:
    try:
        found = decompress_zlib(data, most)
        if not found.is_whole:
            problem = "these codes hold too much for a game" if found.is_too_long else "these codes are cut short"
            raise CodeError(problem)
        return read_text(found.data)
    except UnreadableError as error:
        raise CodeError("these are parts of different games, or they were changed") from error


def encode_base45(data: bytes) -> str:
    """Encodes bytes in base45."""
    return "".join(_encode_pair(data[at : at + 2]) for at in range(0, len(data), 2))


def _encode_pair(pair: bytes) -> str:
    value, letters = int.from_bytes(pair, "big"), ""
    for _ in range(len(pair) + 1):
        value, digit = divmod(value, 45)
        letters += BASE45_LETTERS[digit]
    return letters


def decode_base45(letters: str) -> bytes:
    """Decodes base45. Raises CodeError if the letters are not base45."""
    return b"".join(_decode_letters(letters[at : at + 3]) for at in range(0, len(letters), 3))


def _decode_letters(letters: str) -> bytes:
    value, size = 0, len(letters) - 1
    for letter in reversed(letters):
        value = value * 45 + BASE45_LETTERS.index(letter)
    if not size or value >= 1 << 8 * size:
        raise CodeError("the letters of these codes were changed; scan the codes again")
    return value.to_bytes(size, "big")


# Codes as a drawing


def draw_qr_codes(parts: Sequence[str], title: str) -> str:
    """Returns the codes one below another as SVG, each with a caption above it.

    The picture is meant to be printed as wide as the paper.
    """
    import segno

    codes = [segno.make_qr(part, boost_error=False) for part in parts]
    matrices = [tuple(tuple(map(bool, row)) for row in code.matrix) for code in codes]
    width = max(map(len, matrices)) + 2 * BORDER
    drawn, y = [], 0
    for number, matrix in enumerate(matrices, 1):
        caption = title if len(parts) == 1 else f"{title}, part {number} of {len(parts)}"
        size = min(5.0, 1.6 * (width - 2 * BORDER) / max(1, len(caption)))
        text = (
            f'<text x="{BORDER}" y="{y + CAPTION_HEIGHT - 1}" font-size="{size:.2f}">'
            f"{escape(make_printable(caption))}</text>"
        )
        drawn += [text, f'<path d="{"".join(_draw_runs(matrix, y + CAPTION_HEIGHT + BORDER))}"/>']
        y += CAPTION_HEIGHT + len(matrix) + 2 * BORDER
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y}" font-family="sans-serif">'
    return "\n".join([head, f'<rect width="{width}" height="{y}" fill="#fff"/>', *drawn, "</svg>"]) + "\n"


def _draw_runs(matrix: Sequence[Sequence[bool]], top: int) -> Iterator[str]:
    """Yields each run of dark modules in a row as a rectangle of an SVG path."""
    for y, row in enumerate(matrix):
        x = 0
        for dark in re.findall("1+|0+", "".join("1" if one else "0" for one in row)):
            if dark[0] == "1":
                yield f"M{x + BORDER} {y + top}h{len(dark)}v1h-{len(dark)}z"
            x += len(dark)
