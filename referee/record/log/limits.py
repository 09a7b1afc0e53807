"""What a line from a stranger may hold, and a name for what it must not."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any

import msgspec

from referee.record.log.entry import encode
from referee.record.log.faults import Code, NotAllowedError
from referee.record.log.fields import MAX_DEPTH, MAX_ENTRY, MAX_NUMBER, MAX_STRING

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that change the order in which text is shown."""
BREAKS = frozenset("\u2028\u2029")
INVISIBLE = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that show as nothing; no player may be called so."""

_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
"""A string of JSON, or all that follows where one is not ended."""
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in _STEP)

Problem = tuple[Code, str]


def text_problem(text: str) -> str | None:
    """Why text may not stand in a log, as a clause; None when it may."""
    if len(text) > MAX_STRING:
        return f"text of {len(text)} characters; {MAX_STRING} are the most"
    if text.isascii() and text.isprintable():
        return None
    for char in text:
        if (
            char in BIDI
            or char in BREAKS
            or ord(char) < 0x20
            or 0x7F <= ord(char) < 0xA0
            or "\ud800" <= char <= "\udfff"
        ):
            return f"the character U+{ord(char):04X}, which changes how a line is shown"
    return None


def check_text(text: str) -> None:
    """NotAllowedError when somebody's words may not stand in a log."""
    problem = text_problem(text) if text.strip() else "nothing but spaces"
    if problem:
        raise NotAllowedError(f"the text has {problem}")


def name_problem(name: str) -> str | None:
    """Why nobody may be called so, as a clause; None when it is a good name."""
    if not name.strip() or len(name) > 60:
        return "a name has 1 to 60 characters"
    if not name.isprintable() or any(char in INVISIBLE for char in name):
        return "a name must be readable: no control characters, no invisible letters"
    return None


def problem_in(body: bytes) -> Problem | None:
    """The first thing wrong with an entry's bytes as JSON, before asking what it means."""
    if len(body) > MAX_ENTRY:
        return "line-too-long", f"an entry of more than {MAX_ENTRY} bytes"
    depth = depth_of(body)
    if depth > MAX_DEPTH:
        return "too-deep", f"brackets within brackets, {depth} deep; {MAX_DEPTH} are the most"
    try:
        body.decode("utf-8")
        value = msgspec.json.decode(body)
    except UnicodeDecodeError as error:
        return "not-utf8", f"bytes that are no UTF-8 at {error.start}"
    except msgspec.DecodeError as error:
        if b"\\u" in body and "surrogate" in str(error):
            return "control-character", "half a character: a lone surrogate"
        if "out of range" in str(error):
            return "number-too-large", "a number of 2^53 or more"
        return "not-json", str(error)
    return _problem_in_value(value) or _spelling_problem(body, value)


def check_recordable(body: bytes) -> None:
    """NotAllowedError when bytes that we made could not be read back from a log."""
    problem = problem_in(body)
    if problem:
        raise NotAllowedError(f"this cannot be recorded: {problem[1]}")


def is_plain(body: bytes) -> bool:
    """Whether bytes are ASCII without escapes and without a long string: what their type bounds has no other fault."""
    if len(body) > MAX_ENTRY or b"\\" in body or b"\x7f" in body or not body.isascii():
        return False
    return len(body) <= MAX_STRING or max(map(len, body.split(b'"'))) <= MAX_STRING


def depth_of(body: bytes, most: int = MAX_DEPTH) -> int:
    """Deepest nesting of brackets, those in strings aside; 0 where there are too few to be deeper than the most."""
    if body.count(b"[") + body.count(b"{") <= most:
        return 0
    brackets = _STRING.sub(b"", body).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEP.__getitem__, brackets), initial=0))


def _problem_in_value(value: Any) -> Problem | None:
    match value:
        case str():  # as nearly all are
            if len(value) > MAX_STRING:
                return "string-too-long", f"text of {len(value)} characters; {MAX_STRING} are the most"
            problem = text_problem(value)
            return ("control-character", problem) if problem else None
        case list():
            return next(filter(None, map(_problem_in_value, value)), None)
        case dict():
            return next(filter(None, map(_problem_in_value, [*value, *value.values()])), None)
        case float():
            return "not-canonical", f"the number {value!r} with a fraction or exponent; a log holds whole numbers only"
        case int() if abs(value) > MAX_NUMBER:
            return "number-too-large", "a number of 2^53 or more"
    return None


def _spelling_problem(body: bytes, value: Any) -> Problem | None:
    if encode(value) == body:
        return None
    return "not-canonical", "not spelt as logs are: keys sorted, none twice, no spaces, plain escapes"
