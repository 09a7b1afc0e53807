"""JSON Schemas with descriptions of fields. The descriptions are the strings below the fields in the code."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, get_origin

import msgspec.inspect
from msgspec.structs import fields

TAG = "Tells what kind of thing this is."
"""The description of the field that names the kind in a union."""


def describe_fields(schema: dict[str, Any], kind: Any) -> dict[str, Any]:
    """Returns the schema of a type with the description of each field."""
    kinds = list(_list_structs(kind))
    parts = schema.get("$defs", {})
    described = {name: _describe(part, kinds) for name, part in parts.items()}
    whole = _describe(schema, kinds)
    return {**whole, "$defs": described} if parts else whole


def _describe(part: dict[str, Any], kinds: list[type]) -> dict[str, Any]:
    """Returns one part of a schema with the descriptions of its fields."""
    properties = part.get("properties", {})
    names = properties.keys()
    found = next(
        (
            kind
            for kind in kinds
            if kind.__name__ == part.get("title") and names <= _list_field_descriptions(kind).keys()
        ),
        None,
    )
    if found is None:
        return part
    words = _list_field_descriptions(found)
    return {**part, "properties": {name: _add_description(field, words[name]) for name, field in properties.items()}}


def _add_description(field: dict[str, Any], words: str) -> dict[str, Any]:
    """Returns a field with its own description, followed by that of its type."""
    of_type = field.get("description", "")
    both = f"{words.rstrip('.')}: {of_type}" if words and of_type else words or of_type
    return {**field, "description": both} if both else field


@cache
def _list_field_descriptions(kind: type) -> dict[str, str]:
    """Returns the description of each field of a struct, by its name in JSON; "" if there is none."""
    said: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        said |= _list_field_strings(base)
    config = kind.__struct_config__  # type: ignore[attr-defined]  # only structs are asked for
    words = {field.encode_name: said.get(field.name, "") for field in fields(kind)}
    return words | {config.tag_field: TAG} if config.tag_field else words


@cache
def _list_field_strings(kind: type) -> dict[str, str]:
    """Returns the string below each field of a class; empty if there is no source code."""
    tree = _list_classes(kind.__module__).get(kind.__qualname__)
    lines = pairwise(tree.body) if tree else ()
    return {
        field.target.id: " ".join(text.value.value.split())
        for field, text in lines
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }


@cache
def _list_classes(module: str) -> dict[str, ast.ClassDef]:
    """Returns the classes of a module by name, as syntax trees."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (KeyError, OSError, TypeError):
        return {}
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def _list_structs(kind: Any) -> Iterator[type]:
    """Yields every struct within a type, at any depth, once."""
    seen: set[type] = set()
    left: list[Any] = [msgspec.inspect.type_info(kind)]
    while left:
        info = left.pop()
        if isinstance(info, msgspec.inspect.StructType):
            cls = get_origin(info.cls) or info.cls
            if cls in seen:
                continue
            seen.add(cls)
            yield cls
        left += _list_inner_types(info)


def _list_inner_types(info: Any) -> Iterator[Any]:
    """Yields the types that a type is made of."""
    for name in getattr(info, "__struct_fields__", ()):
        value = getattr(info, name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, msgspec.inspect.Type):
                yield one
            elif isinstance(one, msgspec.inspect.Field):
                yield one.type
