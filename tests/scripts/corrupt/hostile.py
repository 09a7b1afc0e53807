"""Secrets that are made to do harm: too large, too deep, with characters that control a terminal, oddly spelt.

Nobody sees such a secret before it is revealed, and a reader looks ahead to the reveal.
"""

from __future__ import annotations

from collections.abc import Callable

from corrupt.book import Document, Make
from corrupt.hidden import ADRIFT, AT_SEA, HIDE, RAID, REVEAL, entries, raw, revealed, written
from referee.record.log.entry import encode_for_log
from referee.record.log.field_types import MAX_ENTRY_BYTES
from referee.record.log.line_format import BODY_OFFSET, format_entry_line


def _sealed(old: bytes, new: bytes, n: int = HIDE) -> Make:
    """The game in which a deed was sealed, and is revealed, with other bytes in it."""
    return revealed(raw(n, "secret.sealed", _replaced(old, new)))


def _shown(old: bytes, new: bytes, n: int = REVEAL) -> Make:
    """The game in which other bytes are revealed than were sealed."""
    return revealed(raw(n, "value", _replaced(old, new)))


def _replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def respell(value: bytes) -> bytes:
        assert old in value, (old, value)
        return value.replace(old, new, 1)

    return respell


def _number(value: bytes) -> Make:
    """The game in which these bytes were sealed for a number."""
    return revealed(raw(RAID, "action.pirates.sealed", lambda _: value))


def _more(value: bytes) -> Make:
    """The game in which there is more in a deed than belongs there."""
    return _sealed(b'"rolls":[]', b'"rolls":[],"why":%b' % value)


def _purpose(purpose: bytes, shown: bool = False) -> Make:
    """Dice thrown for something that nobody would want on his terminal."""
    old, new = b'"purpose":"', b'"purpose":"%b' % purpose
    return _shown(old, new, AT_SEA) if shown else _sealed(old, new, ADRIFT)


def _of_size(size: int) -> Make:
    """The game with a secret that makes its reveal a line of just this size."""

    def make() -> bytes:
        documents = entries()
        events = documents[HIDE]["secret"]["sealed"]["events"]
        idle: Document = {"seat": "red", "type": "buried"}
        padding = idle | {"seat": ""}
        events.append([0, padding])
        spare = size - len(written(documents).splitlines(keepends=True)[REVEAL])
        idles, rest = divmod(spare, len(encode_for_log([0, idle])) + 1)
        events += [[0, idle]] * idles
        padding["seat"] = "x" * rest
        log = written(documents)
        assert len(log.splitlines(keepends=True)[REVEAL]) == size
        return log

    return make


def _of_5000_digits() -> bytes:
    kept = written(entries()).splitlines(keepends=True)
    body = kept[REVEAL][BODY_OFFSET:-2].replace(b'"of":3,', b'"of":%b,' % (b"3" * 5_000))
    return b"".join([*kept[:REVEAL], format_entry_line(body)])


SMALL: dict[str, Make] = {
    # Size and depth
    "string-of-5000-letters-in-a-secret": _more(b'"%b"' % (b"x" * 5_000)),
    "string-of-5000-letters-in-an-event": _sealed(b'"seat":"red"', b'"seat":"%b"' % (b"x" * 5_000)),
    "brackets-30-deep-in-a-secret": _more(b"[" * 30 + b"]" * 30),
    "brackets-30-deep-in-a-reveal": _shown(b'"rolls":[]', b'"rolls":' + b"[" * 30 + b"]" * 30),
    # Characters
    "terminal-escape-in-a-secret": _purpose(b"\\u001b[2J"),
    "bidi-override-in-a-secret": _purpose("\u202ewhere".encode()),
    "c1-control-character-in-a-secret": _purpose(b"\xc2\x9b31m"),
    "control-character-in-a-reveal": _purpose(b"\xc2\x9b31m", shown=True),
    "delete-character-in-a-secret": _purpose(b"\x7f"),
    "lone-surrogate-in-a-secret": _purpose(b"\\ud83d"),
    "needless-escape-in-a-secret": _sealed(b'"cave"', b'"\\u0063ave"'),
    "invalid-utf-8-in-a-secret": _purpose(b"\xff\xfe"),
    # Spelling
    "extra-space-in-a-secret": _sealed(b'"seat":"red"', b'"seat": "red"'),
    "extra-space-in-a-reveal": _shown(b'"seat":"red"', b'"seat": "red"'),
    "extra-space-under-the-leaf": revealed(
        raw(REVEAL, "value", bytes), raw(HIDE, "secret.sealed", _replaced(b'"seat":"red"', b'"seat": "red"'))
    ),
    "duplicate-key-in-a-secret": _sealed(b'"seat":"red"', b'"seat":"blue","seat":"red"'),
    "unsorted-keys-in-a-secret": _sealed(b'"cove":"cave","type":"hide"', b'"type":"hide","cove":"cave"'),
    "unknown-field-in-a-secret": _more(b'"nobody looks"'),
    "float-in-a-secret": _number(b"0.5"),
    "float-that-is-whole-in-a-secret": _number(b"1.0"),
    "exponent-in-a-secret": _number(b"1e0"),
    "number-of-5000-digits-in-a-secret": _number(b"7" * 5_000),
    "not-a-number-in-a-secret": _number(b"NaN"),
    "nothing-in-a-secret": _number(b"null"),
    "truth-in-a-secret": _number(b"true"),
    "number-of-5000-digits-in-a-reveal": _of_5000_digits,
}

LARGE: dict[str, Make] = {
    "secret-as-large-as-a-line": _of_size(MAX_ENTRY_BYTES + 1),  # with its line feed
    "secret-larger-than-a-line": _of_size(MAX_ENTRY_BYTES + BODY_OFFSET + 2),
    "secret-of-10-megabytes": _sealed(b'"seat":"red"', b'"seat":"%b"' % (b"x" * 10_000_000)),
    "brackets-1000-deep-in-a-secret": _more(b"[" * 1_000 + b"]" * 1_000),
    "brackets-30000-deep-in-a-secret": _more(b"[" * 30_000 + b"]" * 30_000),
    "brackets-60000-never-closed-in-a-reveal": revealed(raw(REVEAL, "value", lambda _: b"[" * 60_000)),
}
