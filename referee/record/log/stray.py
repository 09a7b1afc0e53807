"""What a file is that was taken for a log and is none, by how it begins: so that a slip is told as what it is."""

from __future__ import annotations

import re

KINDS: tuple[tuple[str, str], ...] = (
    (r"<!doctype html|<html", "this is a page, not a log; referee use PAGE -o LOG takes the log out of it"),
    (r"<svg|<\?xml", "this is a picture or another file in XML, not a log"),
    (r"-----begin openssh", "this is a key, not a log; keep it to yourself"),
    (r"-----begin referee packet|(from|to|subject|date|received|return-path): ", "this is a mail; referee open MAIL"),
    (r"referee words ", "this is a game as words, not a log; referee new --from FILE reads it"),
    (r"\[?[a-z_][\w. -]*(\]|\s*=)", "this looks like a board or a position, not a log; referee new GAME --from FILE"),
    (r"PK\x03\x04|\x89PNG|%PDF|\x1f\x8b", "this is no text, and so no log"),
)
"""What it may begin with, in small letters and without blanks before it, and what it is then."""
LONGEST = 1_000
"""Bytes that are looked at."""


def told(line: bytes) -> str:
    """What a file is whose first line is no entry, as a clause."""
    begins = line[:LONGEST].decode("latin-1").lstrip()
    found = (kind for pattern, kind in KINDS if re.match(pattern, begins, re.IGNORECASE))
    return next(found, "this is no log: the first line is no entry")
