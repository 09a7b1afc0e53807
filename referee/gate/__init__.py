"""The gate: all bytes and texts from outside are decoded here, and nowhere else.

A reader of this package bounds the size, the depth and the numbers, and returns a value of the type that its caller
needs. Whoever reads a file, a pipe or a request may bound its size more closely before. Whatever is wrong, a reader
raises `UnreadableError`. `tests/gate/test_contract.py` checks that no other package decodes.

This module has the readers that every command needs. The other modules are imported where their format is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import date, datetime
from itertools import accumulate
from typing import Any, Literal, TypeVar, overload

import msgspec

T = TypeVar("T")

MAX_NESTING_DEPTH = 64
"""The deepest nesting of brackets that is decoded. Our own files need less than half of it."""
MAX_BYTES = 256 * 2**20
"""The most bytes or characters that a reader takes at once, as long as the longest vault or back-up."""
MAX_TIME_CHARACTERS = 100
"""The most characters of a time or a day."""
MAX_VARIABLE_CHARACTERS = 4096
"""The most characters of a variable of the environment. The rest of a longer one is not read."""

UnreadableReason = Literal["form", "encoding", "depth", "keys", "number", "size"]
"""The kind of a fault. form: it is not JSON, TOML or the like, or not of the wanted type. encoding: it is not UTF-8.
depth: brackets are nested too deeply. keys: a key of TOML has too many dots. number: a number is too large. size: there
is more of it than allowed.
"""

_FAULTS = (msgspec.MsgspecError, UnicodeError, RecursionError, OverflowError)
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
"""A string in JSON, or the rest of the text if the string has no end."""
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in _STEP)

DecodeHook = Callable[[Any, Any], Any]
"""A function that makes a value of a type which the decoder does not know, from plain data."""


class UnreadableError(ValueError):
    """Raised if bytes or text from outside are not what they should be. Its text is a clause."""

    def __init__(self, cause: str, reason: UnreadableReason = "form", at: int = 0) -> None:
        super().__init__(cause, reason, at)
        self.reason = reason
        self.at = at
        """The first byte that is not UTF-8; 0 for other reasons."""

    def __str__(self) -> str:
        return str(self.args[0])


def make_unreadable_error(error: Exception) -> UnreadableError:
    """Returns the UnreadableError that stands for an error of a decoder, with its cause."""
    cause = str(error) or type(error).__name__
    match error:
        case UnicodeDecodeError():
            return UnreadableError(cause, "encoding", error.start)
        case UnicodeError():
            return UnreadableError(cause, "encoding")
        case RecursionError():
            return UnreadableError(cause, "depth")
    return UnreadableError(cause, "number" if "out of range" in cause else "form")


def check_size(data: bytes | str | memoryview, most: int = MAX_BYTES) -> None:
    """Raises UnreadableError if there are more than `most` bytes or characters."""
    if len(data) > most:
        raise UnreadableError(f"it is longer than {most:,} bytes", "size")


# Plain data


@overload
def convert_value(document: Any, kind: type[T]) -> T: ...
@overload
def convert_value(document: Any, kind: Any) -> Any: ...
def convert_value(document: Any, kind: Any) -> Any:
    """Returns plain data, such as `read_toml_text` returns, as a value of this type. Raises UnreadableError."""
    try:
        return msgspec.convert(document, kind)
    except _FAULTS as error:
        raise make_unreadable_error(error) from None


# JSON


@overload
def read_json(data: bytes | str, kind: type[T]) -> T: ...
@overload
def read_json(data: bytes | str, kind: Any = Any) -> Any: ...
def read_json(data: bytes | str, kind: Any = Any) -> Any:
    """Returns a value of this type from JSON. Raises UnreadableError."""
    try:
        check_size(data)
        body = data.encode() if isinstance(data, str) else data
        if measure_nesting_depth(body, MAX_NESTING_DEPTH) > MAX_NESTING_DEPTH:
            raise UnreadableError(f"brackets are nested more than {MAX_NESTING_DEPTH} deep", "depth")
        return msgspec.json.decode(body, type=kind)
    except _FAULTS as error:
        raise make_unreadable_error(error) from None


def make_json_decoder(kind: Any, hook: DecodeHook | None = None) -> Callable[[bytes], Any]:
    """Returns a function that reads many values of one type from JSON, such as the entries of a log.

    The function is faster than `read_json`, and only the type bounds how deep the values nest. It raises
    UnreadableError. If the type cannot be decoded, this call raises TypeError instead.
    """
    decode = msgspec.json.Decoder(kind, dec_hook=hook).decode

    def read(data: bytes) -> Any:
        if len(data) > MAX_BYTES:  # written out, since it runs for each entry of a log
            check_size(data)
        try:
            return decode(data)
        except _FAULTS as error:
            raise make_unreadable_error(error) from None

    return read


def measure_nesting_depth(body: bytes, most: int) -> int:
    """Returns the deepest nesting of brackets outside strings; 0 if there are too few brackets to exceed `most`."""
    if body.count(b"[") + body.count(b"{") <= most:
        return 0
    brackets = _STRING.sub(b"", body).translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEP.__getitem__, brackets), initial=0))


# MessagePack


def read_msgpack(data: bytes | msgspec.Raw, kind: Any = Any, hook: DecodeHook | None = None) -> Any:
    """Returns a value of this type from MessagePack. Raises UnreadableError."""
    return make_msgpack_decoder(kind, hook)(data)


def make_msgpack_decoder(kind: Any, hook: DecodeHook | None = None) -> Callable[[bytes | msgspec.Raw], Any]:
    """Returns a function that reads values of one type from MessagePack. It raises UnreadableError."""
    decode = msgspec.msgpack.Decoder(kind, dec_hook=hook).decode

    def read(data: bytes | msgspec.Raw) -> Any:
        try:
            check_size(memoryview(data))  # copies nothing
            return decode(data)
        except _FAULTS as error:
            raise make_unreadable_error(error) from None

    return read


# Text, times and the environment


def read_text(data: bytes) -> str:
    """Returns text in UTF-8. Raises UnreadableError."""
    check_size(data)
    try:
        return data.decode("utf-8")
    except UnicodeError as error:
        raise make_unreadable_error(error) from None


def read_time(text: str) -> datetime:
    """Returns a point in time that is written as in ISO 8601. Raises UnreadableError."""
    check_size(text, MAX_TIME_CHARACTERS)
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise make_unreadable_error(error) from None


def read_day(text: str) -> date:
    """Returns a day that is written as in ISO 8601. Raises UnreadableError."""
    check_size(text, MAX_TIME_CHARACTERS)
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise make_unreadable_error(error) from None


def read_environment_variable(name: str) -> str:
    """Returns a variable of the environment, at most `MAX_VARIABLE_CHARACTERS` characters; "" if it is not set."""
    return os.environ.get(name, "")[:MAX_VARIABLE_CHARACTERS]
