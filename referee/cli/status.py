"""Where the game stands: what a bare `referee` tells."""

from __future__ import annotations

from collections.abc import Callable

from referee.cli.answer import Answer, Rows
from referee.cli.context import Context
from referee.cli.errors import NoGameError
from referee.cli.look import answered


def status(context: Context, help_text: Callable[[], str]) -> Answer:
    """Where the current game stands; without one, the short help."""
    try:
        look = context.look()
    except NoGameError:
        if context.screen.json:
            raise
        return Answer([Rows(help_text().splitlines())], dict)
    return answered(look)
