"""Keys in TOML files that have too many dots: to parse one takes the square of the time."""

from __future__ import annotations

import re

MOST_DOTS = 8
"""Dots in a key; none of our files needs more than two."""

_QUOTED = r""" "(?:[^"\\\n]|\\.)*+"? | '[^'\n]*+'? """
_PART = rf"(?:[\w-]++|{_QUOTED})"
_DOT = r"[ \t]*+\.[ \t]*+"
_PIECE = re.compile(
    rf"""
    \#[^\n]*+                                        # a comment
    | \"\"\"(?:[^"\\]|\\.|"(?!""))*+(?:\"\"\"|\Z)    # a text of several lines
    | '''(?:[^']|'(?!''))*+(?:'''|\Z)
    | (?P<deep>{_PART}(?:{_DOT}{_PART}){{{MOST_DOTS + 1}}})
    | {_PART}(?:{_DOT}{_PART})*+                     # another key, a number, a text
    | \s++
    | .
    """.encode(),
    re.VERBOSE | re.DOTALL,
)


def has_deep_key(data: bytes) -> bool:
    """Whether a key has more dots. In comments and texts dots are no part of a key. Each byte is looked at a few times
    at most, whatever stands there.
    """
    return any(piece.lastgroup for piece in _PIECE.finditer(data))
