"""Pages of shipped games."""

from __future__ import annotations

from functools import cache

from support import FIXTURES

from referee.cli.paged import story_of
from referee.page.document import page_of
from referee.record.table.sitting import Sitting
from referee.record.table.start import open_log

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
    return story_of(Sitting(open_log(FIXTURES / GAMES[game])))


@cache
def written(game):
    """Its page."""
    return page_of(story(game))
