"""Attacks that pass a reader who is careless once: entries spelt so that one reading sees them and another does not."""

from __future__ import annotations

from long_log import AT

from corrupt.book import NOTE, TAKEBACK, Edit, Make, end, good, put, respelt
from corrupt.hidden import RAID, REVEAL, revealed
from referee.record.log.line_format import BODY_OFFSET, format_entry_line, hash_entry

_ILLEGAL: tuple[Edit, ...] = (put(RAID, "action.pirates.sealed", 0), put(RAID, "events.0.pirates.sealed", 0))
"""A raid without pirates, which the rules forbid; nobody sees it before the reveals."""


def _respelt_reveals(old: bytes, new: bytes) -> Make:
    """The game with an illegal secret in which every reveal is spelt otherwise, hashed and chained again."""

    def make() -> bytes:
        kept = revealed(*_ILLEGAL)().splitlines(keepends=True)
        before, prev = kept[:REVEAL], kept[REVEAL][BODY_OFFSET:-2].partition(b'"prev":"')[2][:64]
        for line in kept[REVEAL:]:
            body = line[BODY_OFFSET:-2]
            at = body.index(b'"prev":"') + len(b'"prev":"')
            body = body[:at] + prev + body[at + 64 :]
            assert old in body, (old, body)
            body = body.replace(old, new, 1)
            prev = hash_entry(body).encode()
            before.append(format_entry_line(body))
        return b"".join(before)

    return make


SMALL: dict[str, Make] = {
    "reveals-without-a-field": _respelt_reveals(b'"agreed":[],', b""),
    "reveals-with-a-field-elsewhere": _respelt_reveals(
        b'"agreed":[],"at":"%b",' % AT.encode(), b'"at":"%b","agreed":[],' % AT.encode()
    ),
    "reveals-with-a-space": _respelt_reveals(b'{"agreed":', b'{ "agreed":'),
    "reveals-with-a-field-twice": _respelt_reveals(b'{"agreed":', b'{"":0,"agreed":'),
    "reveals-with-an-escape": _respelt_reveals(b'{"agreed":', b'{"\\u0061greed":'),
    "takeback-with-an-escape": respelt(TAKEBACK, b'{"agreed":', b'{"\\u0061greed":'),
    "takeback-without-a-field": respelt(TAKEBACK, b'"agreed":[],', b""),
    "game-entry-by-nobody": good(put(0, "by", "green")),
    # Good, though they may not look so
    "takeback-without-its-line-feed": lambda: good(end(TAKEBACK + 1))()[:-1],
    "reveal-without-its-line-feed": lambda: revealed()()[:-1],
    "note-with-invisible-letters": good(put(NOTE, "text", "a\u200bb\ue000c\ufe0fd\U000e0041e" + "f" + "\u0336" * 40)),
}
