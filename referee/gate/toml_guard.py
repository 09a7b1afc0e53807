"""A guard against TOML that is costly to parse: keys with too many dots take quadratic time, and deep nesting fails."""

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


def has_deep_nesting(data: bytes, most: int) -> bool:
    """True if brackets are nested more than `most` deep. Brackets in comments and texts do not count."""
    if data.count(b"[") + data.count(b"{") <= most:
        return False
    depth = 0
    for piece in _PIECE.finditer(data):
        if piece[0] in (b"[", b"{"):
            depth += 1
        elif piece[0] in (b"]", b"}"):
            depth = max(0, depth - 1)
        if depth > most:
            return True
    return False
