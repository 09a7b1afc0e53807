"""Pages of shipped games."""

from __future__ import annotations

from functools import cache

from support import FIXTURES

from referee.cli.html_page import make_story
from referee.page.document import render_page
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

GAMES = {
    "manoover": "manoover/games/01-base.jsonl",
    "mail": "manoover/games/15-by-mail.jsonl",
    "mutants": "mutants/games/basic.jsonl",
    "sheboygan": "sheboygan/games/learning.jsonl",
    "zombies": "zombies/games/solo.jsonl",
}


@cache
def story(game):
    """A shipped game as everybody sees it."""
    return make_story(SeatView(open_log(FIXTURES / GAMES[game])))


@cache
def written(game):
    """Its page."""
    return render_page(story(game))
