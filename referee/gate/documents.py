"""Documents that people write: TOML and JSON files of plain keys and values."""

from __future__ import annotations

from math import isfinite
from typing import Any

from referee.gate import MAX_NESTING_DEPTH, UnreadableError, check_size, make_unreadable_error, read_json, read_text
from referee.gate.toml_guard import MAX_DOTS, has_deep_key, has_deep_nesting

MAX_TOML_BYTES = 16 * 2**20
"""The most bytes of a TOML file. Its parser needs a hundred times as long as that of JSON."""
_TOO_DEEP = f"brackets are nested more than {MAX_NESTING_DEPTH} deep"


def read_toml_text(data: bytes) -> dict[str, Any]:
    """Returns the content of a TOML file. Raises UnreadableError."""
    import tomllib

    check_size(data, MAX_TOML_BYTES)
    if has_deep_key(data):
        raise UnreadableError(f"a key in it has more than {MAX_DOTS} dots", "keys")
    if has_deep_nesting(data, MAX_NESTING_DEPTH):
        raise UnreadableError(_TOO_DEEP, "depth")
    text = read_text(data)
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        is_long = "digits" in str(error) and "limit" in str(error)  # Python refuses so long a number
        raise UnreadableError(str(error), "number") if is_long else make_unreadable_error(error) from None
    check_depth_and_numbers(document)
    return document


def read_json_text(data: bytes) -> Any:
    """Returns the content of a JSON file. Raises UnreadableError."""
    document = read_json(data)
    check_depth_and_numbers(document)
    return document


def check_depth_and_numbers(value: Any, depth: int = 0) -> None:
    """Raises UnreadableError if a document is nested too deeply, or holds a number that is infinite or NaN."""
    if depth > MAX_NESTING_DEPTH:
        raise UnreadableError(_TOO_DEEP, "depth")
    match value:
        case dict():
            for inner in value.values():
                check_depth_and_numbers(inner, depth + 1)
        case list():
            for inner in value:
                check_depth_and_numbers(inner, depth + 1)
        case float() if not isfinite(value):
            raise UnreadableError(f"{value} is not a number that can be used", "form")
