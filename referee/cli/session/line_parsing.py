"""The parts of a typed line: words, or the faces of missing dice."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from referee.cli.arguments import split_dice
from referee.cli.catalogue import is_command_word
from referee.cli.dice_text import split_faces
from referee.engine.text import match_word

if TYPE_CHECKING:
    from referee.engine.dice import Need


def split_line(line: str) -> list[str]:
    """Returns the words of a line. Words in a pair of quotes are one word."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ""
    try:
        return list(lexer)
    except ValueError:  # a single quote, such as an apostrophe
        return line.split()


def parse_face_line(line: str, need: Need) -> list[str] | None:
    """Returns the faces in a line that holds nothing but dice, or names that can be drawn; None for any other line.

    Dice with fewer than ten sides need no spaces between them: 226.
    """
    words = split_dice(line)
    if not words or not all(_is_name(word, need) or (word.isdecimal() and word.isascii()) for word in words):
        return None
    return split_faces(words, need)


def _is_name(word: str, need: Need) -> bool:
    """True if a word is a name that can be drawn, or is not a command and begins only one such name."""
    lowered, names = word.lower(), tuple(dict.fromkeys(name.lower() for name in need.names))
    begins = not is_command_word(lowered) and match_word(lowered, names)
    return lowered in names or bool(begins)
