"""The page of a link: like a page that can be kept, but without log and proof, and updated as the game goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from referee.page.compression import pack_element
from referee.page.document import PageBuilder, encode_frames, escape_html, render_record, render_rules
from referee.page.page_assets import REPLAY_SCRIPTS, load_script, load_style, make_csp_hash
from referee.page.page_model import Story

WATCHING_SCRIPTS = ("seen.js", "live.js", "stage.js")
SPEAKING_SCRIPTS = (*WATCHING_SCRIPTS, "phone.js")
SAID_ELEMENT = '<div id="said" aria-live="polite"></div>'
"""The room for the words of an entry. Here it belongs to the stage, on a page that is kept it lies below the board."""


class LastEntry(NamedTuple):
    """The last entry that a page shows."""

    progress: str
    """The `ViewerProgress` of the page, as text."""
    witness: str
    """The number of the entry and the words of its hash. Whoever writes them down can prove later what they saw."""
    checkpoints: tuple[str, ...]
    """The checkpoints of all entries of the page. The browser remembers them."""
    is_over: bool
    """True if the game is over."""


def render_live_page(story: Story, builder: PageBuilder, last: LastEntry, seat: str | None, *, may_act: bool) -> str:
    """Returns the whole page. `seat` is None for the table's page.

    With `may_act`, the page has room and scripts for a phone on which a player may act.
    """
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        '<link rel="icon" href="data:,">',
        f'<meta name="referee-place" content="{last.progress}">',
        f'<meta name="referee-checkpoints" content="{escape_paragraphs(last.checkpoints)}">',
        f"<title>{escape_html(story.title)}: {escape_html(seat or 'the table')}</title>",
        f"<style>{make_live_style()}</style>",
        *_render_head(story, seat),
        "<main>",
        *_render_stage(builder, last, may_act=may_act),
        *render_record(story.steps),
        "</main>",
        *render_rules(story.rules),
        pack_element("frames", encode_frames(builder)),
        f"<script>{make_live_script(may_act=may_act)}</script>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


@cache
def make_live_style() -> str:
    """Returns the style sheet of the page."""
    return load_style() + _read_file("stage.css") + _read_file("phone.css")


@cache
def make_live_script(*, may_act: bool) -> str:
    """Returns the page's scripts. With `may_act`, they include those for a phone on which a player may act."""
    own = "\n".join(map(_read_file, SPEAKING_SCRIPTS if may_act else WATCHING_SCRIPTS))
    return load_script(*REPLAY_SCRIPTS).removesuffix("})();") + f"{own}\n}})();"


@cache
def make_live_security_policy(*, may_act: bool) -> str:
    """Returns the content security policy: only the page's own scripts run, and they ask only its own server.

    `may_act` is True for a page on which a player may act."""
    script, style = make_csp_hash(make_live_script(may_act=may_act)), make_csp_hash(make_live_style())
    return (
        f"default-src 'none'; script-src {script}; style-src {style}; "
        "img-src data: 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _render_head(story: Story, seat: str | None) -> Iterator[str]:
    whose = f"You are {seat}" if seat else "What everybody may know"
    yield f"<header><h1>{escape_html(story.title)}</h1>"
    players = f"Players: {', '.join(story.players)}"
    yield f"<p>{escape_html('. '.join([whose, players, *story.facts]))}.</p></header>"


def _render_stage(builder: PageBuilder, last: LastEntry, *, may_act: bool) -> Iterator[str]:
    """Yields the stage, and then everything else that lies below the board.

    The stage is what a phone shows without scrolling: one line of text, the board and, with `may_act`, the phone's
    panel.
    """
    begin, heading, status, *rest, close = builder.render_board_area()
    end = rest.index("</figure>") + 1
    yield begin
    yield f'<div id="stage"><div id="bar">{heading}{status}'
    yield '<p id="line" role="status">Not live without script: load the page again to see more.</p></div>'
    yield '<p id="notice" role="alert" hidden></p>'
    yield '<div id="window">'
    yield from rest[:end]
    yield "</div>"
    yield SAID_ELEMENT
    if may_act:
        yield '<section id="phone" aria-label="Your move" hidden></section>'
    yield "</div>"
    yield from (line.replace(SAID_ELEMENT, "") for line in rest[end:])
    yield from _render_witness(last)
    yield close


def _render_witness(last: LastEntry) -> Iterator[str]:
    """Yields the parts that viewers may keep: the words of the last entry's hash, and a code for cameras.

    A button to save what the browser remembers follows. The code is visible at the end of the game. Before that,
    viewers can unfold it.
    """
    words = escape_html(last.witness)
    yield f'<p id="seen">To prove later what you saw, write this down: <b id="witness">{words}</b></p>'
    yield f'<details id="keep"{" open" if last.is_over else ""}><summary>Photograph it, or save it</summary>'
    yield '<p id="other" role="alert" hidden></p>'
    yield '<img id="code" alt="The same as a QR code" hidden>'
    yield '<p id="saved" hidden><button type="button" id="save">Save what this phone saw</button></p></details>'


def escape_paragraphs(texts: Iterable[str]) -> str:
    """Escapes texts for an attribute, with an empty line between two of them."""
    return "\n\n".join("\n".join(map(escape_html, text.splitlines())) for text in texts)


def _read_file(name: str) -> str:
    return (files("referee.serve") / name).read_text("utf-8")
