"""What a line of a session consists of: words, or the faces of dice that are waited for."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from referee.cli.catalogue import ALIASES, COMMANDS
from referee.cli.throws import apart
from referee.engine.text import match_word

if TYPE_CHECKING:
    from referee.engine.dice import Need


def parted(line: str) -> list[str]:
    """The words of a line; quotes hold words together, where there are two of them."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ""
    try:
        return list(lexer)
    except ValueError:  # an apostrophe
        return line.split()


def faces_in(line: str, need: Need) -> list[str] | None:
    """The faces that a line consists of, for the dice that are needed; None: it says something else.

    Small dice need no spaces between them: 226.
    """
    words = line.replace(",", " ").split()
    if not words or not all(_is_name(word, need) or (word.isdecimal() and word.isascii()) for word in words):
        return None
    return apart(words, need)


def _is_name(word: str, need: Need) -> bool:
    """Whether a word names what is drawn, or begins one name only and is no command."""
    said, names = word.lower(), tuple(dict.fromkeys(name.lower() for name in need.names))
    begins = said not in COMMANDS and said not in ALIASES and match_word(said, names)
    return said in names or bool(begins)
