"""The limits that every line of a log from a stranger must keep, and a code for each way to break one."""

from __future__ import annotations

from typing import Any

from referee.engine.text import is_needed_joining_character
from referee.gate import UnreadableError, measure_nesting_depth, read_json, read_text
from referee.record.log.entry import encode_for_log
from referee.record.log.field_types import MAX_DEPTH, MAX_ENTRY_BYTES, MAX_NUMBER, MAX_STRING
from referee.record.log.log_errors import FaultCode, NotAllowedError

BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that change the order in which text is shown."""
LINE_BREAKS = frozenset("\u2028\u2029")
INVISIBLE = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that are invisible. No player's name may contain them."""

EntryProblem = tuple[FaultCode, str]
"""The code of a fault, and its cause as a clause."""


def find_text_problem(text: str) -> str | None:
    """Returns why text may not stand in a log, as a clause; None if it may."""
    if len(text) > MAX_STRING:
        return f"{len(text)} characters; at most {MAX_STRING} are allowed"
    if text.isascii() and text.isprintable():
        return None
    for char in text:
        if (
            char in BIDI
            or char in LINE_BREAKS
            or ord(char) < 0x20
            or 0x7F <= ord(char) < 0xA0
            or "\ud800" <= char <= "\udfff"
        ):
            return f"the character U+{ord(char):04X}, which changes how a line is shown"
    return None


def check_text(text: str) -> None:
    """Raises NotAllowedError if a text is empty, or may not stand in a log."""
    problem = find_text_problem(text) if text.strip() else "only spaces"
    if problem:
        raise NotAllowedError(f"the text has {problem}")


def find_name_problem(name: str) -> str | None:
    """Returns why a player may not have this name, as a clause; None if they may."""
    if not name.strip() or len(name) > 60:
        return "a name must have 1 to 60 characters"
    if any(_is_unseen(name, at) for at in range(len(name))):
        return "a name must be readable: no control characters, no invisible letters"
    return None


def _is_unseen(name: str, at: int) -> bool:
    """True if nobody sees the character at this index, and it does not change how the characters beside it look."""
    return (not name[at].isprintable() or name[at] in INVISIBLE) and not is_needed_joining_character(name, at)


def find_entry_problem(body: bytes) -> EntryProblem | None:
    """Returns the first problem of an entry's bytes: of size, nesting, encoding, JSON, values or spelling. None if
    there is none. The meaning of the entry is not looked at.
    """
    if len(body) > MAX_ENTRY_BYTES:
        return "line-too-long", f"the entry has more than {MAX_ENTRY_BYTES} bytes"
    depth = measure_nesting_depth(body, MAX_DEPTH)
    if depth > MAX_DEPTH:
        return "too-deep", f"brackets are nested {depth} deep; at most {MAX_DEPTH} are allowed"
    try:
        read_text(body)
        value = read_json(body)
    except UnreadableError as error:
        return _make_json_problem(body, error)
    return _find_value_problem(value) or _find_spelling_problem(body, value)


def check_recordable(body: bytes) -> None:
    """Raises NotAllowedError if bytes made here could not be read back from a log."""
    problem = find_entry_problem(body)
    if problem:
        raise NotAllowedError(f"this cannot be recorded: {problem[1]}")


def is_short_plain_ascii(body: bytes) -> bool:
    """True if bytes are ASCII without escapes, and neither they nor a string in them is too long. Then only the types
    of the values can be wrong.
    """
    if len(body) > MAX_ENTRY_BYTES or b"\\" in body or b"\x7f" in body or not body.isascii():
        return False
    return len(body) <= MAX_STRING or max(map(len, body.split(b'"'))) <= MAX_STRING


def _make_json_problem(body: bytes, error: UnreadableError) -> EntryProblem:
    """Returns the problem of bytes that the gate has refused."""
    if error.reason == "encoding":
        return "not-utf8", f"this is not text in UTF-8: byte {error.at} of the line does not fit"
    if b"\\u" in body and "surrogate" in str(error):
        return "control-character", "a text holds half a character (a lone surrogate)"
    return ("number-too-large", "a number of 2^53 or more") if error.reason == "number" else ("not-json", str(error))


def _find_value_problem(value: Any) -> EntryProblem | None:
    match value:
        case str():  # nearly all values are strings
            if len(value) > MAX_STRING:
                return "string-too-long", f"a text has {len(value)} characters; at most {MAX_STRING} are allowed"
            problem = find_text_problem(value)
            return ("control-character", f"a text has {problem}") if problem else None
        case list():
            return next(filter(None, map(_find_value_problem, value)), None)
        case dict():
            return next(filter(None, map(_find_value_problem, [*value, *value.values()])), None)
        case float():
            return (
                "not-canonical",
                f"the number {value!r} has a fraction or an exponent; a log holds only whole numbers",
            )
        case int() if abs(value) > MAX_NUMBER:
            return "number-too-large", "a number of 2^53 or more"
    return None


def _find_spelling_problem(body: bytes, value: Any) -> EntryProblem | None:
    if encode_for_log(value) == body:
        return None
    return "not-canonical", "it is not spelled as logs are: sorted keys, none twice, no spaces, plain escapes"
