"""A guard against TOML keys with too many dots, since parsing such a key takes quadratic time."""

from __future__ import annotations

import re

MAX_DOTS = 8
"""The most dots in a key. None of our files needs more than two."""

_QUOTED = r""" "(?:[^"\\\n]|\\.)*+"? | '[^'\n]*+'? """
_PART = rf"(?:[\w-]++|{_QUOTED})"
_DOT = r"[ \t]*+\.[ \t]*+"
_PIECE = re.compile(
    rf"""
    \#[^\n]*+                                        # a comment
    | \"\"\"(?:[^"\\]|\\.|"(?!""))*+(?:\"\"\"|\Z)    # a text of several lines
    | '''(?:[^']|'(?!''))*+(?:'''|\Z)
    | (?P<deep>{_PART}(?:{_DOT}{_PART}){{{MAX_DOTS + 1}}})
    | {_PART}(?:{_DOT}{_PART})*+                     # another key, a number, a text
    | \s++
    | .
    """.encode(),
    re.VERBOSE | re.DOTALL,
)


def has_deep_key(data: bytes) -> bool:
    """True if a key has more dots than allowed. Dots in comments and texts do not count.

    Takes linear time for any input.
    """
    return any(piece.lastgroup for piece in _PIECE.finditer(data))
