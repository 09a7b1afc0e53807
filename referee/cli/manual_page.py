"""Chapters of the manual on a terminal. Their Markdown is wrapped, except for transcripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from referee.cli.answer import AnswerLine, FixedRows, Text

MAX_FIRST_COLUMN = 24
"""The widest first column of a table, in columns of the screen.

A longer cell gets a line of its own.
"""
LIST_ITEM = re.compile(r"[*-] |\d{1,2}\. ")


def format_chapter(chapter: str) -> Iterator[AnswerLine]:
    """Yields the paragraphs, lists and tables of a chapter as wrapped text, and its transcripts unchanged."""
    for at, block in enumerate(re.split(r"^```", chapter, flags=re.MULTILINE)):
        if at % 2:  # between fences; the first line names the kind of block
            yield FixedRows(tuple(f"    {line}".rstrip() for line in block.rstrip("\n").split("\n")[1:]))
        else:
            yield from _format_prose(block.splitlines())


def _format_prose(lines: Sequence[str]) -> Iterator[AnswerLine]:
    for kind, found in groupby(lines, _find_kind):
        group = list(found)
        if kind == "table":
            yield from _format_table(group)
        elif kind == "heading":
            yield from (Text(line.lstrip("# "), "bold") for line in group)
        elif kind == "text":
            yield from _format_paragraphs(group)
        else:
            yield FixedRows(tuple(group))


def _find_kind(line: str) -> str:
    if line.startswith("|"):
        return "table"
    if line.startswith("#"):
        return "heading"
    return "text" if line.strip() and not line.startswith("    ") else "as it is"


def _format_paragraphs(lines: Sequence[str]) -> Iterator[Text]:
    """Yields each paragraph, and each item of a list, as one text."""
    kept: list[str] = []
    for line in lines:
        if kept and LIST_ITEM.match(line):
            yield _format_paragraph(kept)
            kept = []
        kept.append(line.strip())
    yield _format_paragraph(kept)


def _format_paragraph(lines: Sequence[str]) -> Text:
    mark = LIST_ITEM.match(lines[0])
    return Text(" ".join(lines), hanging=len(mark[0]) if mark else 0)


def _format_table(lines: Sequence[str]) -> Iterator[Text]:
    """Yields the rows of a table without its head: the first column, then the others beside it."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    yield from format_columns([(first, ": ".join(filter(None, rest))) for first, *rest in rows])


def format_columns(rows: Sequence[tuple[str, str]], indent: int = 2) -> Iterator[Text]:
    """Yields rows of two columns, the second wrapped beside the first. `rows` must not be empty."""
    wide = min(MAX_FIRST_COLUMN, max(len(first) for first, _ in rows))
    for first, told in rows:
        if len(first) > wide:
            yield Text(first, indent=indent)
            yield Text(told, indent=indent + wide + 2, hanging=0)
        else:
            yield Text(f"{first:<{wide}}  {told}", indent=indent, hanging=wide + 2)
