"""Positions as TOML: the files that `new --from` and `fix --from` read."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import Any

import msgspec
import tomlkit
from msgspec.inspect import DictType, StructType, Type, UnionType
from tomlkit.items import Item

from referee.engine.game import AnyGame
from referee.engine.options import Options
from referee.engine.position_form import describe_type, find_type_at_path, make_example_value, read_field_meanings
from referee.engine.text import begin_sentence

MAX_LINE_LENGTH = 100
"""The width in characters beyond which a list or a comment is broken into several lines."""


def format_position_file(game: AnyGame, position: Any, options: Options) -> str:
    """Returns a file that starts a game from this position again, with the options that are not the default."""
    usual = {option.name: option.default for option in game.options}
    chosen = {name: value for name, value in options.items() if usual.get(name) != value}
    document = tomlkit.document()
    for name, value in [
        *_sort_tables(_list_plain_values(position)).items(),
        *([("options", chosen)] if chosen else []),
    ]:
        document.add(name, _make_item(value))
    return tomlkit.dumps(document).strip() + "\n"


def format_position_template(game: AnyGame, position: Any, options: Options) -> str:
    """Returns a position as a file that explains every field and option. Lines that may be left out are comments."""
    said, values, usual = (
        read_field_meanings(game.position),
        _list_plain_values(position),
        _list_defaults(game.position),
    )
    document = tomlkit.document()
    _add_comment(document, f"A position of {game.title}, for: referee new {game.name} --from FILE")
    _add_comment(document, "Lines that begin with # show the defaults. You can leave them out.")
    for name in sorted(usual, key=lambda name: _is_table(game, name)):
        found = find_type_at_path(game.position, [name])
        document.add(tomlkit.nl())
        may_be = describe_type(found) if found else "text"
        told = [said.get(name, ""), *([f"{begin_sentence(may_be)}."] if may_be != "text" else [])]
        _add_comment(document, " ".join(told))
        for line in _make_example_comment(name, values.get(name), found):
            _add_comment(document, line)
        if name in values and values[name] != usual[name]:
            document.add(name, _make_item(values[name]))
        else:
            _add_comment(
                document, f"[{name}]" if _is_table(game, name) else f"{name} = {_make_example(values.get(name))}"
            )
    return f"{tomlkit.dumps(document)}\n{_format_options(game, options)}"


def _list_defaults(position: type) -> dict[str, Any]:
    """Returns the default of each field as plain data; None for a field without a default."""
    usual = {}
    for field in msgspec.structs.fields(position):
        made = field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default
        usual[field.encode_name] = None if made is msgspec.NODEFAULT else msgspec.to_builtins(made)
    return usual


def _format_options(game: AnyGame, options: Options) -> str:
    table = tomlkit.table()
    for option in game.options:
        _add_comment(table, f"{option.meaning} ({option.rule}): {', '.join(option.values)}")
        if options[option.name] != option.default:
            table.add(option.name, options[option.name])
        else:
            _add_comment(table, f'{option.name} = "{option.default}"')
    return tomlkit.dumps({"options": table})


def _add_comment(where: Any, text: str) -> None:
    for line in wrap(text.strip(), MAX_LINE_LENGTH, break_long_words=False, break_on_hyphens=False):
        where.add(tomlkit.comment(line))


def _make_example_comment(name: str, value: Any, found: Type | None) -> list[str]:
    """Returns a comment with an example for a field that has no value yet; [] for any other field."""
    example = make_example_value(found) if found and value in (None, [], {}, ()) else None
    if not isinstance(example, str | list | dict):
        return []
    item = tomlkit.item(example)
    if isinstance(example, dict):
        item = tomlkit.inline_table()
        item.update(example)
    return [f"Example: {name} = {item.as_string()}"]


def _make_example(value: Any) -> str:
    return "..." if value is None else str(tomlkit.item(value).as_string())


def _is_table(game: AnyGame, name: str) -> bool:
    found = find_type_at_path(game.position, [name])
    members = found.types if isinstance(found, UnionType) else (found,)
    return any(isinstance(member, DictType | StructType) for member in members)


def _list_plain_values(position: Any) -> dict[str, Any]:
    """Returns a position as plain data without missing values, since TOML has no word for them."""
    return dict(_remove_none(msgspec.to_builtins(position)))


def _remove_none(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _remove_none(inner) for name, inner in value.items() if inner is not None}
    return type(value)(map(_remove_none, value)) if isinstance(value, list | tuple) else value


def _sort_tables(document: dict[str, Any]) -> dict[str, Any]:
    """Sorts tables to the end, since TOML counts all lines after the head of a table as its content."""
    return dict(sorted(document.items(), key=lambda item: isinstance(item[1], dict)))


def _make_item(value: Any) -> Item:
    item: Item = tomlkit.item(value)
    if isinstance(item, tomlkit.items.Array):
        item.multiline(len(item.as_string()) > MAX_LINE_LENGTH)
    return item
