"""One spelling for each entry, no characters that control a terminal, no brackets without end."""

from __future__ import annotations

from corrupt.book import AMEND, NOTE, TAKEBACK, THROW, TURN, Make, good, put, respelt

_WONDERS = b"Bo wonders"


def _note(said: bytes, *, last: bool = False, cut: int = 0) -> Make:
    return respelt(NOTE, _WONDERS, said, last=last, cut=cut)


def _amended(value: bytes, *, last: bool = False, cut: int = 0) -> Make:
    """The good log with something else in place of a number, deep in a position."""
    return respelt(AMEND, b'"moved":0', b'"moved":' + value, last=last, cut=cut)


def _named(name: str) -> Make:
    return good(put(0, "seats.0.name", name))


SMALL: dict[str, Make] = {
    "duplicate-key-in-play": respelt(THROW, b'"by":"red",', b'"by":"red","by":"red",'),
    "duplicate-key-in-note": respelt(NOTE, b'"by":"blue",', b'"by":"red","by":"blue",'),
    "unsorted-keys": respelt(TURN, b'{"robot":"4","toward":"NW",', b'{"toward":"NW","robot":"4",'),
    "extra-space-in-play": respelt(THROW, b'"by":"red"', b'"by": "red"'),
    "extra-space-in-note": respelt(NOTE, b'"by":"blue"', b'"by": "blue"'),
    "needless-escape": _note(b"Bo \\u0077onders"),
    "escaped-slash": respelt(AMEND, b"a robot was", b"a\\/robot was"),
    "float-number": _amended(b"0.5"),
    "float-that-is-whole": _amended(b"0.0"),
    "float-in-play": respelt(THROW, b'"n":2', b'"n":2.0'),
    "exponent": respelt(TAKEBACK, b'"to":2', b'"to":2e0'),
    "minus-zero": _amended(b"-0"),
    "not-a-number": _amended(b"NaN"),
    "infinity": _amended(b"Infinity"),
    "number-of-5000-digits": _amended(b"7" * 5_000),
    "entry-number-of-5000-digits": respelt(THROW, b'"n":2', b'"n":' + b"2" * 5_000),
    "number-above-2-to-the-53": _amended(b"9007199254740993"),
    "not-json": respelt(THROW, b'"by":"red"', b'"by":red'),
    # Characters
    "nul-byte-in-text": _note(b"Bo\0wonders"),
    "lone-surrogate": _note(b"Bo \\ud83d wonders"),
    "control-character-escape": _note(b"Bo\\u0007wonders"),
    "c1-control-character": _note(b"Bo \xc2\x9b31m wonders"),
    "delete-character-in-note": _note(b"Bo\x7fwonders"),
    "delete-character-in-play": respelt(THROW, b"red's throw", b"red's\x7fthrow"),
    "bidi-override-in-note": _note(b"Bo \xe2\x80\xae wonders"),
    "line-separator-in-note": _note(b"Bo\xe2\x80\xa8wonders"),
    "terminal-escape-in-name": _named("\x1b[2JAnna"),
    "bidi-override-in-name": _named("\u202eannA"),
    "invisible-name": _named("\u3164\u3164"),
    "terminal-escape-in-option": good(put(0, "options.ties", "\x1b]0;owned\x07")),
    "invalid-utf-8": _note(b"Bo \xff\xfe wonders"),
    "invalid-utf-8-in-the-last-line": _note(b"Bo \xff\xfe wonders", last=True),
    "invalid-utf-8-without-newline": _note(b"Bo \xff\xfe wonders", last=True, cut=1),
    "invalid-utf-8-in-game-entry": respelt(0, b"Anna", b"Ann\xff"),
    "text-of-5000-letters": good(put(NOTE, "text", "x" * 5_000)),
    # Brackets
    "brackets-30-deep": _amended(b"[" * 30 + b"]" * 30),
}

LARGE: dict[str, Make] = {
    "brackets-30000-deep": _amended(b"[" * 30_000 + b"]" * 30_000),
    "brackets-30000-deep-without-newline": _amended(b"[" * 30_000 + b"]" * 30_000, last=True, cut=1),
    "brackets-60000-never-closed": _amended(b"[" * 60_000),
    "brackets-100000-deep": _amended(b"[" * 100_000 + b"]" * 100_000),
    "brackets-100000-bare": lambda: b"[" * 100_000,
    "line-of-10-megabytes": good(put(NOTE, "text", "x" * 10_000_000)),
    "first-line-of-10-megabytes": _named("A" * 10_000_000),
}
