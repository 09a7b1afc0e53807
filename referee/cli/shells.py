"""TAB in bash, zsh, fish and PowerShell: Typer installs it and speaks their languages, we say what can come next."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Any

import typer
from typer import Argument
from typer.core import TyperCommand

from referee.cli.completing import next_words
from referee.cli.context import Context
from referee.cli.parser import COMPLETING, command_line, hoist
from referee.record.table.sitting import Sitting

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)


def _offered(ctx: typer.Context, incomplete: str) -> list[str]:
    """What a shell offers; nothing where something is wrong with the game: that is told when the command runs."""
    try:
        said = list(ctx.params.get("words") or ())
        words = next_words(said, incomplete, _look(said))
    except Exception:
        return []
    return [word if word.startswith(incomplete) else incomplete + word[len(incomplete) :] for word in words]


def _look(said: list[str]) -> Sitting | None:
    """The game that is meant, through the eyes of who is named with --by; None where none is chosen."""
    front, rest = hoist(said, command_line().params)
    context = Context()
    context.log = _value_of(("-g", "--game"), front)
    try:
        return context.look(_value_of(("--by",), rest))
    except Exception:
        return None


def _value_of(names: Sequence[str], words: list[str]) -> str | None:
    return next((value for name, value in pairwise(words) if name in names), None)


class _Line(TyperCommand):
    """Takes what begins like an option for a word like any other."""

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """What the words of the line can be."""
        return self.params[0].shell_complete(ctx, incomplete)


@app.command(cls=_Line, context_settings={"ignore_unknown_options": True, "help_option_names": []})
def _line(words: Annotated[list[str] | None, Argument(autocompletion=_offered)] = None) -> None:
    """A command line of ours, as far as a shell has it."""


def serve() -> None:
    """Install completion, print what would be installed, or answer a shell that asks what can come next."""
    command: Any = typer.main.get_command(app)
    if COMPLETING in os.environ:  # then every option is one of ours
        command.params = [one for one in command.params if one.name == "words"]
    command.main(sys.argv[1:], prog_name="referee")
