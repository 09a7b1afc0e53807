"""The answer of a bare `referee`."""

from __future__ import annotations

from collections.abc import Callable

from referee.cli.answer import Answer, Rows
from referee.cli.context import Context
from referee.cli.errors import NoGameError
from referee.cli.game_view import answer_with_summary


def answer_status(context: Context, help_text: Callable[[], str]) -> Answer:
    """Returns the state of the current game, or the short help if there is none."""
    try:
        look = context.look()
    except NoGameError:
        if context.screen.json:
            raise
        return Answer([Rows(help_text().splitlines())], dict)
    return answer_with_summary(look)
