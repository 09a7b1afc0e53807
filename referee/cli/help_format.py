"""The help of commands on narrow screens: examples below each other, wrapped like everything else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from typing import Any

from typer.core import TyperCommand, TyperGroup

WIDE = 80
"""The columns that help texts are written for. A row of them holds two examples, or one and an explanation."""
INDENT = 2
"""The columns before each line of a help text."""


class _Helped:
    """A mixin for commands, with a help text that fits on a phone."""

    help: str | None

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Writes the description and the examples."""
        shown = copy(self)
        if formatter.width < WIDE:
            shown.help = "\n".join(_fitting(self.help or "", formatter.width - INDENT))
        super(_Helped, shown).format_help_text(ctx, formatter)  # type: ignore[misc]  # it is mixed into a command


class HelpedCommand(_Helped, TyperCommand):
    """A command whose help fits on a phone."""


class HelpedGroup(_Helped, TyperGroup):
    """A group of commands whose help fits on a phone."""


def _fitting(text: str, width: int) -> Iterator[str]:
    """Yields the lines of a help text, wrapped. Indented lines are examples."""
    from referee.cli.text_wrapping import wrap_text  # most screens are wide

    for line in text.splitlines():
        if line.startswith(" "):
            for part in re.split(" {2,}", line.strip()):
                indent = INDENT if part.startswith("referee ") else 2 * INDENT
                yield from wrap_text(part, width, indent, indent + INDENT)
        else:
            yield line
