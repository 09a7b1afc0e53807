"""The page of a link: the one that can be kept, without log and proof, with what comes while it is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from referee.page.data import STEPPING, allowed
from referee.page.data import script as page_script
from referee.page.data import style as page_style
from referee.page.document import Told, data_of, rules_of, sections, text
from referee.page.packed import packed
from referee.page.story import Story

WATCHING, SPEAKING = ("live.js",), ("live.js", "phone.js")


def page_of(story: Story, told: Told, place: str, seat: str | None, *, speaks: bool) -> str:
    """The whole page; `place`: where a viewer of it stands; `seat`: whose it is, None: the table's."""
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        '<meta name="referrer" content="no-referrer">',
        '<link rel="icon" href="data:,">',
        f'<meta name="referee-place" content="{place}">',
        f"<title>{text(story.title)}: {text(seat or 'the table')}</title>",
        f"<style>{style()}</style>",
        *_head(story, seat),
        "<main>",
        *_table(told, speaks=speaks),
        *sections(story.steps),
        "</main>",
        *rules_of(story.rules),
        packed("frames", data_of(told)),
        f"<script>{script(speaks=speaks)}</script>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


@cache
def style() -> str:
    """The style of the page."""
    return page_style() + _text("live.css") + _text("phone.css")


@cache
def script(*, speaks: bool) -> str:
    """Its scripts; those of a phone that may speak among them."""
    own = "\n".join(map(_text, SPEAKING if speaks else WATCHING))
    return page_script(*STEPPING).removesuffix("})();") + f"{own}\n}})();"


@cache
def policy(*, speaks: bool) -> str:
    """What a browser may do with the page: nothing runs but its scripts, and they ask nobody but who sent them."""
    return (
        f"default-src 'none'; script-src {allowed(script(speaks=speaks))}; style-src {allowed(style())}; "
        "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _head(story: Story, seat: str | None) -> Iterator[str]:
    whose = f"You are {seat}" if seat else "What everybody may know"
    yield f"<header><h1>{text(story.title)}</h1>"
    players = f"Players: {', '.join(story.players)}"
    yield f"<p>{text('. '.join([whose, players, *story.facts]))}.</p>"
    yield '<p id="line" role="status">Not live without script: load the page again to see more.</p>'
    yield '<p id="notice" role="alert" hidden></p></header>'


def _table(told: Told, *, speaks: bool) -> Iterator[str]:
    """The board and what is beside it; above the controls there is room for what a phone may say."""
    for line in told.table():
        if speaks and line.startswith('<div id="controls"'):
            yield '<section id="phone" aria-label="Your move" hidden></section>'
        yield line


def _text(name: str) -> str:
    return (files("referee.serve") / name).read_text("utf-8")
