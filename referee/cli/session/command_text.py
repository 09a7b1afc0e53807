"""Answers as a session shows them: commands without "referee", and no heading that is known already."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from referee.cli.answer import FACES, Answer, Shown, Text
from referee.cli.catalogue import COMMANDS

NAMED = re.compile(rf"(?<!the )\breferee (?=(?:{'|'.join(COMMANDS)})\b|\S[^:]*!)")
"""The program's name before a command, which a session leaves out."""


def without_program_name(answer: Answer) -> Answer:
    """Returns the answer with "referee" left out of all commands in it."""
    lines = [_unnamed(line) for line in answer.lines]
    return replace(answer, lines=lines, complaint=strip_program_name(answer.complaint))


def _unnamed(line: Shown) -> Shown:
    if isinstance(line, str):
        return strip_program_name(line)
    return replace(line, text=strip_program_name(line.text)) if isinstance(line, Text) else line


def without_heading(lines: Iterable[Shown], known: str) -> list[Shown]:
    """Returns the lines of an answer without the heading of the game, as its reader knows it already."""
    kept = [_without_end(line, f"   {known}") for line in lines]
    return kept[1:] if kept[:1] == [known] else kept


def _without_end(line: Shown, end: str) -> Shown:
    return replace(line, text=line.text.removesuffix(end)) if isinstance(line, Text) else line


def strip_program_name(text: str) -> str:
    """Returns a text with "referee" left out of all commands in it. A command to type dice becomes "the faces"."""
    return NAMED.sub("", text.replace(f"referee roll {FACES}", "the faces"))
