"""The help of a command on a narrow screen: examples one below the other, wrapped as all else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from typing import Any

from typer.core import TyperCommand, TyperGroup

WIDE = 80
"""Columns for which examples are written, two in a row, or with what they are for behind them."""
INDENT = 2
"""Columns that stand before each line of a help."""


class _Helped:
    """What has a help that fits on a phone."""

    help: str | None

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write what it does, and its examples."""
        shown = copy(self)
        if formatter.width < WIDE:
            shown.help = "\n".join(_fitting(self.help or "", formatter.width - INDENT))
        super(_Helped, shown).format_help_text(ctx, formatter)  # type: ignore[misc]  # it stands before a command


class HelpedCommand(_Helped, TyperCommand):
    """A command."""


class HelpedGroup(_Helped, TyperGroup):
    """A command that has commands of its own."""


def _fitting(text: str, width: int) -> Iterator[str]:
    """The lines of a help; those that are indented are examples."""
    from referee.cli.wrapping import wrapped  # most screens are wide

    for line in text.splitlines():
        if line.startswith(" "):
            for part in re.split(" {2,}", line.strip()):
                indent = INDENT if part.startswith("referee ") else 2 * INDENT
                yield from wrapped(part, width, indent, indent + INDENT)
        else:
            yield line
