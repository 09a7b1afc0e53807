"""What the shell says, as it is told in a session, where "referee" is left out."""

from __future__ import annotations

import re

from msgspec.structs import replace

from referee.cli.answer import FACES, Answer, Shown, Text
from referee.cli.catalogue import COMMANDS

NAMED = re.compile(rf"(?<!the )\breferee (?=(?:{'|'.join(COMMANDS)})\b|\S[^:]*!)")
"""What is left out in a session."""


def without_name(answer: Answer) -> Answer:
    """An answer that tells what to type here, where "referee" is left out."""
    lines = [_unnamed(line) for line in answer.lines]
    return replace(answer, lines=lines, complaint=said_here(answer.complaint))


def _unnamed(line: Shown) -> Shown:
    if isinstance(line, str):
        return said_here(line)
    return replace(line, text=said_here(line.text)) if isinstance(line, Text) else line


def said_here(text: str) -> str:
    """A sentence that tells what to type here."""
    return NAMED.sub("", text.replace(f"referee roll {FACES}", "the faces"))
