"""Commands whose help fits on narrow screens. They refuse an option that is given twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from copy import copy
from typing import Any

from typer.core import TyperCommand, TyperGroup

from referee.cli.errors import MisuseError

HELP_COLUMNS = 80
"""The columns that help texts are written for. A row of them holds two examples, or one and an explanation."""
HELP_INDENT = 2
"""The columns before each line of a help text."""


class _Helped:
    """A mixin for commands, with a help text that fits on a phone."""

    help: str | None

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Writes the description and the examples."""
        shown = copy(self)
        if formatter.width < HELP_COLUMNS:
            shown.help = "\n".join(_wrap_help(self.help or "", formatter.width - HELP_INDENT))
        super(_Helped, shown).format_help_text(ctx, formatter)  # type: ignore[misc]  # it is mixed into a command


class UniqueOptionsMixin:
    """A mixin for commands that refuse an option with a value if it is given twice.

    Without the mixin, the parser would silently take the last value.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses the words of a line. Raises MisuseError if an option that can be given once is given again."""
        _, _, order = self.make_parser(ctx).parse_args(list(args))  # type: ignore[attr-defined]  # a mixin
        for param, count in Counter(order).items():
            if count > 1 and param.param_type_name == "option" and not (param.multiple or param.is_flag or param.count):
                raise MisuseError(f"you gave {max(param.opts, key=len)} {count} times; give it once")
        parsed: list[str] = super().parse_args(ctx, args)  # type: ignore[misc]
        return parsed


class NarrowHelpCommand(_Helped, UniqueOptionsMixin, TyperCommand):
    """A command whose help fits on a phone."""


class NarrowHelpGroup(_Helped, UniqueOptionsMixin, TyperGroup):
    """A group of commands whose help fits on a phone."""


def _wrap_help(text: str, width: int) -> Iterator[str]:
    """Yields the lines of a help text, wrapped. Indented lines are examples."""
    from referee.cli.text_wrapping import wrap_text  # most screens are wide

    for line in text.splitlines():
        if line.startswith(" "):
            for part in re.split(" {2,}", line.strip()):
                indent = HELP_INDENT if part.startswith("referee ") else 2 * HELP_INDENT
                yield from wrap_text(part, width, indent, indent + HELP_INDENT)
        else:
            yield line
