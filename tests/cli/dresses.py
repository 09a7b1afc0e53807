"""Answers in other dresses than the one that a snapshot shows: narrow, wide, in colours, without Unicode."""

from __future__ import annotations

import re

PAINT = re.compile(r"\x1b\[[0-9;]*m")
"""What makes a terminal change its colour."""


def words_of(answer):
    """What is said, however its lines are broken."""
    return answer.code, answer.out.split(), answer.err.split()


def longest(answer):
    """The columns that it takes; what is said of an error is left to the terminal."""
    return max(map(len, answer.out.splitlines()), default=0)


def unpainted(answer):
    """The same without colours."""
    return answer.code, PAINT.sub("", answer.out), PAINT.sub("", answer.err)


def painted_in(answer):
    """What has a colour: which, and what is said in it."""
    return re.findall(r"\x1b\[([0-9;]+)m(.*?)\x1b\[0m", answer.out)


def is_spelt_in_ascii(answer, plain):
    """Whether it differs from the plain answer in letters only that ASCII does not have, one for one."""
    said, meant = (f"{one.out}{one.err}" for one in (answer, plain))
    pairs = zip(said, meant, strict=True)
    return said.isascii() and all(one == other or not other.isascii() for one, other in pairs)
