"""The fields of positions: their meaning, how to type them, and readable errors.

Everything is derived from the type of the position, so every game has it.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from itertools import pairwise
from textwrap import dedent
from typing import Any

import msgspec
from msgspec import inspect as types

from referee.engine.text import begin_sentence, did_you_mean, listing
from referee.gate import UnreadableError, convert_value

PathStep = str | int
"""The name of a field or key, or an index in a list, from 0."""
LIST_TYPES = (types.ListType, types.VarTupleType, types.TupleType)
"""The types of lists."""
ANY_KEY = "..."
"""The key of a mapping in an error that does not name the key."""


def find_type_at_path(position: type, path: Sequence[PathStep]) -> types.Type | None:
    """Returns the type of the value at a path within a position; None if there is no such place."""
    found: types.Type | None = inspect_type(position)
    for step in path:
        found = next(filter(None, [_find_inner_type(one, step) for one in _list_members(found)]), None)
        if found is None:
            return None
    return found


inspect_type = lru_cache(maxsize=8)(types.type_info)
"""Returns msgspec's description of a type. Results are cached, because describing a large position type takes long."""


def _strip_notes(type_: types.Type) -> types.Type:
    """Returns a type without the notes that annotate it."""
    return _strip_notes(type_.type) if isinstance(type_, types.Metadata) else type_


def _list_members(type_: types.Type | None) -> Iterator[types.Type]:
    """Yields the members of a union, or the type itself, without notes; nothing for None."""
    type_ = _strip_notes(type_) if type_ is not None else None
    if isinstance(type_, types.UnionType):
        yield from map(_strip_notes, type_.types)
    elif type_ is not None:
        yield type_


def _find_inner_type(type_: types.Type, step: PathStep) -> types.Type | None:
    """Returns the type of the value one step deeper; None if there is no such value."""
    match type_:
        case types.StructType(fields=fields):
            return next((field.type for field in fields if field.encode_name == step), None)
        case types.DictType(value_type=value):
            return value
        case types.VarTupleType(item_type=item) | types.ListType(item_type=item):
            return item if isinstance(step, int) else None
        case types.TupleType(item_types=items) if isinstance(step, int) and step < len(items):
            return items[step]
    return None


def describe_type(type_: types.Type) -> str:
    """Returns the values of a type as a clause: "throw, control or auto", "a whole number from 1 to 6"."""
    if isinstance(type_, types.Metadata):
        description = (type_.extra_json_schema or {}).get("description")
        return str(description) if description else describe_type(type_.type)
    match type_:
        case types.UnionType(types=members):
            return listing([describe_type(one) for one in members if not isinstance(one, types.NoneType)], "or")
        case types.LiteralType(values=values):
            return listing([str(value) for value in values], "or")
        case types.StrType(pattern=pattern) if pattern:
            return "a name as in: referee show --as toml"
        case types.IntType():
            return f"a whole number{_describe_bounds(type_)}"
        case types.BoolType():
            return "true or false"
        case types.StructType(fields=fields):
            return f"an entry with {listing([field.encode_name for field in fields])}"
        case types.DictType(value_type=value):
            return f"names, each with {describe_type(value)}"
        case types.TupleType(item_types=items):
            return ", then ".join(map(describe_type, items))
        case types.VarTupleType(item_type=item) | types.ListType(item_type=item):
            return f"a list{_describe_length(type_)}: each is {describe_type(item)}"
    return "text"


def _describe_bounds(type_: types.IntType) -> str:
    """Returns the bounds of a whole number: " from 1 to 6", ", 1 or more"."""
    low = type_.ge if type_.gt is None else type_.gt + 1
    high = type_.le if type_.lt is None else type_.lt - 1
    if low is not None and high is not None:
        return f" from {low} to {high}"
    return f", {low} or more" if low is not None else f", {high} or less" if high is not None else ""


def make_example_value(type_: types.Type) -> Any:
    """Returns an example value of a type, as plain data; None if the type does not suggest one."""
    if isinstance(type_, types.Metadata):
        examples = (type_.extra_json_schema or {}).get("examples")
        return examples[0] if examples else make_example_value(type_.type)
    match type_:
        case types.UnionType(types=members):
            return next(filter(None, map(make_example_value, members)), None)
        case types.LiteralType(values=values):
            return values[0]
        case types.IntType(ge=low):
            return max(1, low or 1)
        case types.StructType(tag=None, fields=fields):
            made = {field.encode_name: make_example_value(field.type) for field in fields}
            is_whole = all(made[field.encode_name] for field in fields if field.required)
            return {name: one for name, one in made.items() if one} if is_whole else None
        case types.DictType(key_type=key, value_type=value):
            one, other = make_example_value(key), make_example_value(value)
            return {one: other} if one and other else None
        case types.VarTupleType(item_type=item) | types.ListType(item_type=item):
            one = make_example_value(item)
            return [one] if one else None
    return None


def normalize_names(position: type, document: Any) -> Any:
    """Returns a typed position with every name in its proper case of letters."""
    return _respell(inspect_type(position), document)


def _respell(type_: types.Type, value: Any) -> Any:
    for member in _list_members(type_):
        match member, value:
            case types.StructType(fields=fields), dict():
                types_of = {field.encode_name: field.type for field in fields}
                return {name: _respell(types_of[name], one) if name in types_of else one for name, one in value.items()}
            case types.DictType(key_type=key, value_type=inner), dict():
                return {_respell(key, name): _respell(inner, one) for name, one in value.items()}
            case ((types.VarTupleType(item_type=item) | types.ListType(item_type=item)), list()):
                return [_respell(item, one) for one in value]
            case types.StrType(pattern=pattern), str() if pattern:
                return next((one for one in _list_spellings(value) if re.search(pattern, one)), value)
            case types.LiteralType(values=values), str():
                return next((one for one in values if str(one).lower() == value.lower()), value)
    return value


def _list_spellings(value: str) -> Iterator[str]:
    """Yields possible spellings of a name typed in any case, word by word: xN4, Se9; and H09 for h9."""
    words = value.split(" ")
    yield from (value, value.lower(), value.upper())
    yield " ".join(word[:1].lower() + word[1:].upper() for word in words)
    yield " ".join(word.capitalize() for word in words)
    yield re.sub(r"\b([A-Z])([0-9])\b", r"\g<1>0\2", value.upper())


def _describe_length(type_: Any) -> str:
    return f" of up to {type_.max_length}" if type_.max_length is not None else ""


def parse_value(type_: types.Type, text: str) -> Any:
    """Returns typed text as a value of this type, as plain data. Text that fits no type stays text."""
    words = text.split()
    for member in sorted(_list_members(type_), key=_rank_type):
        match member:
            case types.NoneType() if text == "none":
                return None
            case types.IntType() if re.fullmatch("-?[0-9]{1,15}", text):
                return int(text)
            case types.BoolType() if text in ("yes", "no", "true", "false"):
                return text in ("yes", "true")
            case types.LiteralType(values=values) if text in values:
                return text
            case types.DictType() if text == "none":
                return {}
            case types.VarTupleType(item_type=item) | types.ListType(item_type=item):
                return [] if text == "none" else [_read_item(item, word) for word in words]
            case types.TupleType(item_types=items):
                return [parse_value(item, word) for item, word in zip(items, words, strict=False)]
            case types.StrType():
                return "" if text == "none" else text
    return text


def _rank_type(type_: types.Type) -> int:
    """Returns how much text a type accepts: 0 for one word only, 1 for some words, 2 for any text, 3 for lists."""
    return (
        0
        if isinstance(type_, types.NoneType)
        else 3
        if isinstance(type_, LIST_TYPES)
        else 2
        if isinstance(type_, types.StrType)
        else 1
    )


def _read_item(type_: types.Type, word: str) -> Any:
    """Returns a word of a list as a value. Colons separate the parts of an item."""
    return parse_value(type_, word.replace(":", " "))


def explain_decode_error(error: UnreadableError, position: type, document: Any) -> str:
    """Returns a readable error for a position: the wrong field, its value, and the values that it may have."""
    what, _, place = str(error).partition(" - at ")
    is_key, path = place.startswith("`key`"), _parse_path(place.removeprefix("`key` in "))
    path = _fill_in_keys(path + ([ANY_KEY] if is_key else []), str(error), position, document)
    found = find_type_at_path(position, path)
    if is_key:
        keys = _describe_keys(_find_key_type(position, path[:-1]))
        return f"{describe_field_path(path[:-1])} cannot have {str(path[-1])!r}; {keys}"
    field = re.search("(missing required|unknown) field `(.*)`", what)
    if field:
        return _explain_field_error(position, path, found, field[2], unknown=field[1] == "unknown")
    given, expected = _find_value(document, path), describe_type(found) if found is not None else what.lower()
    shown = repr(given) if isinstance(given, str | int | float) else "this value"
    return f"{describe_field_path(path)} cannot be {shown}; it must be {expected}"


def _explain_field_error(
    position: type, path: list[PathStep], type_: types.Type | None, name: str, *, unknown: bool
) -> str:
    where = describe_field_path(path)
    if unknown:
        fields = [field.encode_name for one in _list_members(type_) for field in getattr(one, "fields", ())]
        return f"{where} has no field {name!r}{did_you_mean(name, fields)}"
    needed = find_type_at_path(position, (*path, name))
    return f"{where} needs {name}{f': {describe_type(needed)}' if needed is not None else ''}"


def _describe_keys(type_: types.Type | None) -> str:
    return f"each name is {describe_type(type_)}" if type_ is not None else "no such name is possible"


def _find_key_type(position: type, path: Sequence[PathStep]) -> types.Type | None:
    keys = (one.key_type for one in _list_members(find_type_at_path(position, path)) if isinstance(one, types.DictType))
    return next(keys, None)


def _parse_path(place: str) -> list[PathStep]:
    """Returns the path in an error of msgspec, such as "`$.dice[0]`".

    Errors of msgspec do not name the key of a mapping, so `ANY_KEY` stands for it.
    """
    steps = re.findall(r"\.([^.\[\]]+)|\[([0-9]+|\.\.\.)\]", place.strip("`").removeprefix("$"))
    return [name or (int(number) if number.isdigit() else ANY_KEY) for name, number in steps]


def _fill_in_keys(path: list[PathStep], error: str, position: type, document: Any) -> list[PathStep]:
    """Returns the path with its unnamed keys filled in.

    The right key is one that causes the same error when its mapping has no other key.
    """
    while ANY_KEY in path:
        at = path.index(ANY_KEY)
        path[at] = next(
            (key for key in _find_value(document, path[:at]) if _is_bad_key(document, path[:at], key, error, position)),
            "?",
        )
    return path


def _is_bad_key(document: Any, path: Sequence[PathStep], key: str, error: str, position: type) -> bool:
    """True if the same error comes up when the mapping has only this key."""
    alone = deepcopy(document)
    mapping = _find_value(alone, path)
    for other in [other for other in mapping if other != key]:
        del mapping[other]
    try:
        convert_value(alone, position)
    except UnreadableError as found:
        return str(found) == error
    return False


def describe_field_path(path: Sequence[PathStep]) -> str:
    """Returns a path in a position as a person would say it: "dice, number 2"."""
    words = [f"number {step + 1}" if isinstance(step, int) else str(step) for step in path]
    return ", ".join(words) or "a position"


def _find_value(document: Any, path: Sequence[PathStep]) -> Any:
    """Returns the value at a path, as it was typed."""
    for step in path:
        document = document[step]
    return document


def read_field_meanings(position: type) -> Mapping[str, str]:
    """Returns the meanings of a position's fields: the docstrings below them in the source of its type."""
    found: dict[str, str] = {}
    for kind in reversed(position.__mro__):
        if issubclass(kind, msgspec.Struct) and kind is not msgspec.Struct:
            found |= _read_meanings(kind)
    return {field.encode_name: found[field.name] for field in msgspec.structs.fields(position) if field.name in found}


def describe_nondefault_fields(thing: msgspec.Struct, apart: Sequence[str] = ()) -> str:
    """Returns the fields that differ from their defaults, with their meanings: "range 6, in boxes; cost 3".

    Fields named in `apart` are left out.
    """
    usual = {field.name: field.default for field in msgspec.structs.fields(type(thing))}
    meanings, parts = read_field_meanings(type(thing)), []
    for field in msgspec.structs.fields(type(thing)):
        value, meant = getattr(thing, field.name), meanings.get(field.encode_name, "")
        if field.name not in apart and value != usual[field.name]:
            means = f", {meant[:1].lower()}{meant[1:].rstrip('.')}" if meant else ""
            parts.append(f"{field.name.replace('_', ' ')} {value}{means}")
    return "; ".join(parts)


def _read_meanings(kind: type) -> dict[str, str]:
    try:
        body = ast.parse(dedent(inspect.getsource(kind))).body[0]
    except (OSError, TypeError):  # its source is not available
        return {}
    meanings = {}
    lines = body.body if isinstance(body, ast.ClassDef) else []
    for field, below in pairwise(lines):
        text = _read_text(below)
        if text and isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            meanings[field.target.id] = begin_sentence(" ".join(text.split()))
    return meanings


def _read_text(line: ast.stmt) -> str:
    """Returns the text of a line that consists of a string only; "" for other lines."""
    is_text = isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)
    return str(line.value.value) if is_text else ""  # type: ignore[attr-defined]  # checked just above
