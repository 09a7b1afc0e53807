"""Taking the log out of a page. A page may come from a stranger: nothing in it is believed, and none of it is run."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

MOST = 64 * 1024 * 1024
"""Bytes of the longest page that is looked at."""
LOG_BEGINS, LOG_ENDS = '<pre id="log" tabindex="0">\n', "</pre>"
FILE_BEGINS, FILE_ENDS = '<pre class="file" tabindex="0">\n', "</pre>"
SETTINGS = '<meta name="referee" content="'
BEGINS = b"<!doctype html>"
MAX_SETTINGS = 100_000
"""Characters of what a page tells of itself."""


FORM = 4
"""How pages are made by now; raised when the same game gives another page."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a page tells of itself beside its log."""

    version: str
    """The program that made it."""
    eyes: str | None
    """Whose it is."""
    first: int
    """The entry with which it begins."""
    form: int = 1
    """How pages were made when this one was."""
    judged: Annotated[str, Meta(pattern=r"^(\d{1,9}:\d{1,3}:\d{1,3}( |$))*$")] = ""
    """Plays that were looked back on: entry, chance to win and cost of each, as in `Judgement`."""


class Taken(Struct, frozen=True):
    """What a page holds."""

    log: bytes
    settings: Settings
    files: tuple[bytes, ...] = ()
    """The players' own files beside the log."""


class NoPageError(ValueError):
    """It is no page of ours, or one that was changed beyond reading. The message is a clause."""


def is_page(start: bytes) -> bool:
    """Whether a file that begins so is a page."""
    return start[: len(BEGINS)].lower() == BEGINS


def settings_line(settings: Settings) -> str:
    """The line of a page that tells of itself."""
    return f'{SETTINGS}{escape(msgspec.json.encode(settings).decode())}">'


def taken_from(page: bytes) -> Taken:
    """The log in a page, as it was written; NoPageError."""
    if len(page) > MOST:
        raise NoPageError(f"it has more than {MOST // 2**20} MB")
    try:
        words = page.decode("utf-8")
    except UnicodeDecodeError:
        raise NoPageError("it is no text in UTF-8") from None
    log = _plain(_between(words, LOG_BEGINS, LOG_ENDS, "log"), "log")
    files = [_plain(file.partition(FILE_ENDS)[0], "files") for file in words.split(FILE_BEGINS)[1:]]
    settings = unescape(_between(words, SETTINGS, '">', "line about itself")[:MAX_SETTINGS])
    try:
        told = msgspec.json.decode(settings, type=Settings)
        return Taken(unescape(log).encode(), told, tuple(unescape(file).encode() for file in files))
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        raise NoPageError("what it says of itself cannot be read") from None


def _plain(words: str, what: str) -> str:
    """Text without markup in it."""
    if re.search(r"[<>]", words):
        raise NoPageError(f"there is markup in its {what}")
    return words


def _between(words: str, begin: str, end: str, what: str) -> str:
    """What stands between two marks, the first of which occurs once."""
    if words.count(begin) != 1:
        raise NoPageError(f"it holds no {what}" if begin not in words else f"it holds more than one {what}")
    rest = words.partition(begin)[2]
    if end not in rest:
        raise NoPageError(f"its {what} breaks off")
    return rest.partition(end)[0]
