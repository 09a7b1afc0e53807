"""TAB in bash, zsh, fish and PowerShell. Typer installs it; we supply the words."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Any

import typer
from typer import Argument
from typer.core import TyperCommand

from referee.cli.completion import list_next_words
from referee.cli.context import Context
from referee.cli.parser import COMPLETION_VARIABLE, get_root_command, split_off_global_options
from referee.gate import read_environment_variable
from referee.record.table.seat_view import SeatView

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)


def _list_offered_words(ctx: typer.Context, incomplete: str) -> list[str]:
    """Returns the words that a shell may offer; [] after any error, since the command itself will report it."""
    try:
        said = list(ctx.params.get("words") or ())
        words = list_next_words(said, incomplete, _open_view(said))
    except Exception:
        return []
    return [word if word.startswith(incomplete) else incomplete + word[len(incomplete) :] for word in words]


def _open_view(said: list[str]) -> SeatView | None:
    """Returns the game in the view of the seat after --by; None if no game is chosen, or if it cannot be shown."""
    front, rest = split_off_global_options(said, get_root_command().params)
    context = Context()
    context.log = _find_value(("-g", "--game"), front)
    try:
        return context.open_view(_find_value(("--by",), rest))
    except Exception:
        return None


def _find_value(names: Sequence[str], words: list[str]) -> str | None:
    return next((value for name, value in pairwise(words) if name in names), None)


class _Line(TyperCommand):
    """A command that takes all words as plain words, even those that look like options."""

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Returns the completions of the line's words."""
        return self.params[0].shell_complete(ctx, incomplete)


@app.command(cls=_Line, context_settings={"ignore_unknown_options": True, "help_option_names": []})
def _take_line(words: Annotated[list[str] | None, Argument(autocompletion=_list_offered_words)] = None) -> None:
    """Does nothing. A shell asks for completions of this command's words: those of the `referee` line typed so far."""


def run_completion() -> None:
    """Installs completion, prints what would be installed, or answers a shell that asks for completions."""
    command: Any = typer.main.get_command(app)
    if read_environment_variable(COMPLETION_VARIABLE):  # every option is then one of ours
        command.params = [one for one in command.params if one.name == "words"]
    command.main(sys.argv[1:], prog_name="referee")
