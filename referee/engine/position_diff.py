"""Differences between two positions, piece by piece, in words that people can follow by hand.

A position is a list of *pieces*. Each has a name and a place, in the words in which positions are typed: `R1` is `c2
N`, `dice` are `2 6`. A game names its counters (`Game.pieces`). Everything else in a position is a piece named after
its field.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.engine.component import Board
from referee.engine.game import AnyGame
from referee.engine.options import Options
from referee.engine.position import decode_position
from referee.engine.text import NotUnderstoodError, expand_run, find_similar_name, format_runs, listing
from referee.gate import read_json

NOTHING = "none"
"""The place of a piece that is not there, such as an empty list or an unused marker."""
OFF_TABLE = frozenset({NOTHING, "0", "no"})
"""The places of pieces that are not on the table."""

PiecePlaces = Mapping[str, str]
"""The place of each piece, in the order in which people go through them."""


class PieceChange(Struct, frozen=True):
    """Pieces that change in the same way."""

    pieces: tuple[str, ...]
    """The names of the pieces."""
    was: str
    """Their place before the change."""
    now: str
    """Their place after the change."""

    def __str__(self) -> str:
        return f"{self.names}: from {self.was} to {self.now}"

    @property
    def reversed_text(self) -> str:
        """The change in words, for a change that goes back to an earlier place."""
        return f"{self.names}: back to {self.now}, from {self.was}"

    @property
    def names(self) -> str:
        """The names of the pieces, in words."""
        return listing(format_runs(self.pieces))


def list_movable_pieces(game: AnyGame, view: Any) -> PiecePlaces:
    """Returns the pieces that people can move by hand.

    If a game does not name its counters, returns everything in the position.
    """
    return game.pieces(view) or list_pieces_and_fields(game, view)


def list_pieces_and_fields(game: AnyGame, view: Any) -> PiecePlaces:
    """Returns everything in a position: first the counters, then all other fields by name."""
    document = msgspec.to_builtins(game.position_from(view))
    for field in game.piece_fields:
        document.pop(field, None)
    return {**game.pieces(view), **dict(_flatten(document))}


def _flatten(document: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, str]]:
    """Yields each field of a document with its value as text. The name of a field inside another one has a dot."""
    for name, value in document.items():
        if isinstance(value, list | tuple) and any(isinstance(item, dict) for item in value):
            yield from _flatten({str(number): item for number, item in enumerate(value, 1)}, f"{within}{name}.")
        elif isinstance(value, dict) and value:
            yield from _flatten(value, f"{within}{name}.")
        else:
            yield f"{within}{name}", format_typed_value(value)


def format_typed_value(value: Any) -> str:
    """Returns a value as it is typed: a list with spaces, and with colons inside its items."""
    if isinstance(value, list | tuple):
        words = (
            ":".join(map(format_typed_value, item)) if isinstance(item, list | tuple) else format_typed_value(item)
            for item in value
        )
        return " ".join(word.replace(" ", ":") for word in words) or NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    return NOTHING if value is None or value in ({}, "") else str(value)


def list_changes(before: PiecePlaces, after: PiecePlaces) -> tuple[PieceChange, ...]:
    """Returns the changes between two positions: first those of pieces in `before`, then those of new pieces.

    Pieces that change alike are one change.
    """
    alike: dict[tuple[str, str], list[str]] = {}
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name, NOTHING), after.get(name, NOTHING)
        if was != now:
            alike.setdefault((was, now), []).append(name)
    return tuple(PieceChange(tuple(names), was, now) for (was, now), names in alike.items())


def list_manual_changes(before: PiecePlaces, after: PiecePlaces) -> tuple[PieceChange, ...]:
    """Returns the changes that people have to make by hand.

    Pieces that lie on the table neither before nor after the change are left out.
    """
    return tuple(change for change in list_changes(before, after) if not {change.was, change.now} <= OFF_TABLE)


def compare_documents(was: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[PieceChange, ...]:
    """Returns the differences between two documents of the same form, field by field."""
    return list_changes(dict(_flatten(was)), dict(_flatten(now)))


def amend_position(game: AnyGame, position: Any, known: PiecePlaces, phrases: Sequence[str]) -> Any:
    """Returns a position after the changes that a person typed, such as "B4 c4" or "n1..n4 D4".

    `known` are the existing pieces. Raises NotUnderstoodError if a phrase lacks a piece or a place, or if a piece is
    given two places. Raises msgspec.ValidationError if a place is impossible.
    """
    phrase_by_name: dict[str, str] = {}
    for phrase in phrases:
        names, where = _parse_change(game, known, phrase)
        twice = next((name for name in names if name in phrase_by_name), None)
        if twice:
            expected = f"each piece once, but {phrase_by_name[twice]!r} names {twice}, too"
            raise NotUnderstoodError(phrase, 0, len(phrase), expected)
        phrase_by_name |= dict.fromkeys(names, phrase)
        for name in names:
            position = _apply_change(game, position, name, where)
    return position


def amend_view(game: AnyGame, view: Any, phrases: Sequence[str], options: Options, board: Board) -> Any:
    """Returns a view after changes as in `amend_position`. Everything that the changes do not touch stays as it is.

    That includes facts that a position cannot express, such as what a seat does not know.
    """
    position = game.position_from(view)
    before = game.state_from(position, options, board)
    after = game.state_from(amend_position(game, position, list_pieces_and_fields(game, view), phrases), options, board)
    fields = {name: getattr(after, name) for name in view.__struct_fields__}
    return replace(view, **{name: new for name, new in fields.items() if new != getattr(before, name)})


def _parse_change(game: AnyGame, known: PiecePlaces, phrase: str) -> tuple[list[str], str]:
    """Returns the pieces that a phrase names, and their new place."""
    first, *rest = phrase.split() or [""]
    names = [name for word in expand_run(first) for name in _find_pieces(game, word, known)]
    if not names:
        near = find_similar_name(first, [*known, *_list_fields(game)])
        raise NotUnderstoodError(phrase, 0, len(first), "a piece, or a field of the position file", near)
    fields = _list_fields(game)
    while names[0].partition(".")[0] not in fields and len(rest) > 1 and known.keys() >= {*expand_run(rest[0])}:
        names += expand_run(rest.pop(0))
    if not rest:
        raise NotUnderstoodError(
            phrase, len(phrase) + 1, 1, f"its new place (its place now: {known.get(names[0], NOTHING)})"
        )
    return names, " ".join(rest)


def _find_pieces(game: AnyGame, word: str, known: PiecePlaces) -> list[str]:
    """Returns the names of the pieces that a word names, in any case of letters.

    A word that names a field of the position without counters counts, too, even if that field is empty.
    """
    found = [name for name in known if name.lower() == word.lower()]
    return found or ([word] if word.partition(".")[0] in _list_fields(game) else [])


def _list_fields(game: AnyGame) -> set[str]:
    """Returns the fields of a position that hold no counters."""
    return set(game.position.__struct_encode_fields__).difference(game.piece_fields)


def _apply_change(game: AnyGame, position: Any, name: str, where: str) -> Any:
    """Returns a position in which a piece has another place, or a field another value."""
    field, *within = name.split(".")
    if field not in _list_fields(game):
        return game.place_piece(position, name, where)
    from referee.engine.position_form import find_type_at_path, parse_value  # needed only for amendments

    document = holder = read_json(msgspec.json.encode(position))
    path: list[str | int] = []
    for step in (field, *within):
        holder = _step_into(holder, path[-1], name) if path else holder
        path.append(int(step) - 1 if isinstance(holder, list) and step.isdecimal() else step)
    if isinstance(holder, list) and path[-1] not in range(len(holder)):
        raise NotUnderstoodError(name, 0, len(name), f"a number from 1 to {len(holder)} after the dot")
    found = find_type_at_path(game.position, path)
    holder[path[-1]] = where if found is None else parse_value(found, where)
    return decode_position(game, document)


def _step_into(holder: Any, step: str | int, name: str) -> Any:
    """Returns the value one step deeper in a position. A missing value becomes an empty one."""
    if isinstance(holder, dict):
        inner = holder[step] = {} if holder.get(str(step)) is None else holder[step]
    else:
        inner = holder[step] if step in range(len(holder)) else None
    if not isinstance(inner, dict | list):
        raise NotUnderstoodError(name, 0, len(name), "a field of the position file, as in: referee fix")
    return inner
