"""Takes the log out of a page. A page may come from a stranger: nothing in it is believed, and none of it is run."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from referee.gate import UnreadableError, read_json, read_text
from referee.record.table.ledger import FamilyRolls

MAX_PAGE_BYTES = 64 * 1024 * 1024
"""The longest page that is read, in bytes."""
LOG_BEGINS, LOG_ENDS = '<pre id="log" tabindex="0">\n', "</pre>"
FILE_BEGINS, FILE_ENDS = '<pre class="file" tabindex="0">\n', "</pre>"
SETTINGS_BEGINS = '<meta name="referee" content="'
PAGE_BEGINS = b"<!doctype html>"
MAX_SETTINGS_LENGTH = 1_000_000
"""The most characters of a page's own settings."""


PAGE_FORM = 8
"""The number of the form in which pages are made. It grows when a version makes another page of the same game."""
LEDGER_PAGE_FORM = 9
"""The form of pages with a ledger of joint rolls, which has changed since. Other pages are as they were."""


class PageSettings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The settings of a page beside its log."""

    version: str
    """The version of the program that made the page."""
    eyes: str | None
    """The seat whose page it is; None for everybody."""
    first: int
    """The number of the entry with which the page begins; 0 if it tells the whole game."""
    form: int = 1
    """The form in which this page was made."""
    judged: Annotated[str, Meta(pattern=r"^(\d{1,9}:\d{1,3}:\d{1,3}( |$))*$")] = ""
    """The judged plays: entry, chance to win and cost of each, as in `PlayEvaluation`."""
    family: FamilyRolls | None = None
    """The facts about joint rolls that other logs of the game told the person who made the page; None if there are
    none.
    """


class ParsedPage(Struct, frozen=True):
    """The content of a page."""

    log: bytes
    settings: PageSettings
    files: tuple[bytes, ...] = ()
    """The players' own files beside the log."""


class NoPageError(ValueError):
    """Raised if a file is not a page of this program, or cannot be read any more. The message is a clause."""


def is_page_start(start: bytes) -> bool:
    """True if a file that begins like this is a page."""
    return start[: len(PAGE_BEGINS)].lower() == PAGE_BEGINS


def render_settings(settings: PageSettings) -> str:
    """Returns the line with a page's settings."""
    return f'{SETTINGS_BEGINS}{escape(msgspec.json.encode(settings).decode())}">'


def parse_page(page: bytes) -> ParsedPage:
    """Returns the log, the settings and the players' files in a page, as they were written.

    Raises NoPageError if the page is longer than `MAX_PAGE_BYTES` or cannot be read.
    """
    if len(page) > MAX_PAGE_BYTES:
        raise NoPageError(f"it has more than {MAX_PAGE_BYTES // 2**20} MB")
    try:
        words = read_text(page)
    except UnreadableError:
        raise NoPageError("it is not text in UTF-8") from None
    log = _check_plain(_find_between(words, LOG_BEGINS, LOG_ENDS, "log"), "log")
    files = [_check_plain(file.partition(FILE_ENDS)[0], "files") for file in words.split(FILE_BEGINS)[1:]]
    settings = unescape(_find_between(words, SETTINGS_BEGINS, '">', "line about itself")[:MAX_SETTINGS_LENGTH])
    try:
        parsed = read_json(settings, PageSettings)
        return ParsedPage(unescape(log).encode(), parsed, tuple(unescape(file).encode() for file in files))
    except (UnreadableError, UnicodeEncodeError):
        raise NoPageError("its line about itself cannot be read") from None


def _check_plain(words: str, what: str) -> str:
    """Returns text without markup. Raises NoPageError if there is some."""
    if re.search(r"[<>]", words):
        raise NoPageError(f"there is markup in its {what}")
    return words


def _find_between(words: str, begin: str, end: str, what: str) -> str:
    """Returns the text between the marks `begin` and `end`.

    Raises NoPageError unless `begin` occurs exactly once and `end` follows it. `what` names the text in the error.
    """
    if words.count(begin) != 1:
        raise NoPageError(f"it holds no {what}" if begin not in words else f"it holds more than one {what}")
    rest = words.partition(begin)[2]
    if end not in rest:
        raise NoPageError(f"its {what} breaks off")
    return rest.partition(end)[0]
