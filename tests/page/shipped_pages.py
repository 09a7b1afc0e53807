"""Pages of shipped games, and how people look at them."""

from __future__ import annotations

from functools import cache

from support import FIXTURES

from referee.cli.look import Look
from referee.cli.paged import story_of
from referee.page.document import page_of
from referee.record.table.start import open_log

GAMES = {
    "manoover": "manoover/games/01-base.jsonl",
    "mail": "manoover/games/15-by-mail.jsonl",
    "mutants": "mutants/games/basic.jsonl",
    "sheboygan": "sheboygan/games/learning.jsonl",
    "zombies": "zombies/games/solo.jsonl",
}
VIEWS = {
    f"{width}-{scheme}": {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
    for width, height in ((360, 640), (1100, 800))
    for scheme in ("light", "dark")
}


@cache
def story(game):
    """A shipped game as everybody sees it."""
    return story_of(Look(open_log(FIXTURES / GAMES[game])))


@cache
def written(game):
    """Its page."""
    return page_of(story(game))
