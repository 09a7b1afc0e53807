"""Positions piece by piece: what changed between two of them, told so that hands can do it.

A position is shown as *pieces*, each with a name and how it stands, in the words in which positions are typed: `R1` is
`c2 N`, `dice` are `2 6`. A game says what its counters are (`Game.pieces`); whatever else a position holds is a piece
by the name of its field.
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
from referee.engine.text import NotUnderstoodError, in_runs, listing, names_in, nearest_name

NOTHING = "none"
"""How a piece stands that is not there: a list that is empty, a marker that lies nowhere."""
EMPTY = frozenset({NOTHING, "0", "no"})
"""How pieces stand of which nothing lies on the table, whether they are there or not."""

Pieces = Mapping[str, str]
"""How each piece stands, in the order in which people go through them."""


class Change(Struct, frozen=True):
    """Pieces that change in the same way."""

    pieces: tuple[str, ...]
    was: str
    now: str

    def __str__(self) -> str:
        return f"{self.names}: from {self.was} to {self.now}"

    @property
    def back(self) -> str:
        """The same where it goes back to how it was before."""
        return f"{self.names}: back to {self.now}, from {self.was}"

    @property
    def names(self) -> str:
        """The pieces, in words."""
        return listing(in_runs(self.pieces))


def counters(game: AnyGame, view: Any) -> Pieces:
    """What hands can move; everything, where a game does not tell its counters apart."""
    return game.pieces(view) or everything(game, view)


def everything(game: AnyGame, view: Any) -> Pieces:
    """All that a position of this view says: the counters first, then by the names of the fields all that is left."""
    document = msgspec.to_builtins(game.position_of(view))
    for field in game.piece_fields:
        document.pop(field, None)
    return {**game.pieces(view), **dict(_named(document))}


def _named(document: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, str]]:
    for name, value in document.items():
        if isinstance(value, list | tuple) and any(isinstance(item, dict) for item in value):
            yield from _named({str(number): item for number, item in enumerate(value, 1)}, f"{within}{name}.")
        elif isinstance(value, dict) and value:
            yield from _named(value, f"{within}{name}.")
        else:
            yield f"{within}{name}", words_of(value)


def words_of(value: Any) -> str:
    """A value as it is typed: a list with spaces, and with colons in what it lists."""
    if isinstance(value, list | tuple):
        words = (":".join(map(words_of, item)) if isinstance(item, list | tuple) else words_of(item) for item in value)
        return " ".join(word.replace(" ", ":") for word in words) or NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    return NOTHING if value is None or value in ({}, "") else str(value)


def changes(before: Pieces, after: Pieces) -> tuple[Change, ...]:
    """What changed, pieces that changed alike together, in order."""
    alike: dict[tuple[str, str], list[str]] = {}
    for name in dict.fromkeys((*before, *after)):
        was, now = before.get(name, NOTHING), after.get(name, NOTHING)
        if was != now:
            alike.setdefault((was, now), []).append(name)
    return tuple(Change(tuple(names), was, now) for (was, now), names in alike.items())


def moves(before: Pieces, after: Pieces) -> tuple[Change, ...]:
    """What hands have to do: a count of nothing neither comes nor goes."""
    return tuple(change for change in changes(before, after) if not {change.was, change.now} <= EMPTY)


def differences(was: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[Change, ...]:
    """What differs between two documents of one form, field by field."""
    return changes(dict(_named(was)), dict(_named(now)))


def amended(game: AnyGame, position: Any, known: Pieces, phrases: Sequence[str]) -> Any:
    """A position with changes as they are typed: names of pieces, and how they stand then; "B4 c4", "n1..n4 D4".

    `known` are the pieces there are; those with the same words in them lie in the same way. NotUnderstoodError where
    that says nothing, or says of one piece that it stands in two ways; msgspec.ValidationError when that is no way to
    stand.
    """
    said: dict[str, str] = {}
    for phrase in phrases:
        names, where = _change(game, known, phrase)
        twice = next((name for name in names if name in said), None)
        if twice:
            expected = f"each piece once: {twice} is said to stand otherwise in {said[twice]!r}"
            raise NotUnderstoodError(phrase, 0, len(phrase), expected)
        said |= dict.fromkeys(names, phrase)
        for name in names:
            position = _changed(game, position, name, where)
    return position


def changed(game: AnyGame, view: Any, phrases: Sequence[str], options: Options, board: Board) -> Any:
    """A view in which pieces stand otherwise, changed as `amended` does. What else it holds stays as it is, also what a
    position cannot tell: that some things are not known to who sees it.
    """
    position = game.position_of(view)
    before = game.place(position, options, board)
    after = game.place(amended(game, position, everything(game, view), phrases), options, board)
    fields = {name: getattr(after, name) for name in view.__struct_fields__}
    return replace(view, **{name: new for name, new in fields.items() if new != getattr(before, name)})


def _change(game: AnyGame, known: Pieces, phrase: str) -> tuple[list[str], str]:
    """The pieces that a change names, and how they stand then."""
    first, *rest = phrase.split() or [""]
    names = [name for word in names_in(first) for name in _meant(game, word, known)]
    if not names:
        near = nearest_name(first, [*known, *_fields(game)])
        raise NotUnderstoodError(phrase, 0, len(first), "a piece, or a field of a position", near)
    fields = _fields(game)
    while names[0].partition(".")[0] not in fields and len(rest) > 1 and known.keys() >= {*names_in(rest[0])}:
        names += names_in(rest.pop(0))
    if not rest:
        raise NotUnderstoodError(phrase, len(phrase) + 1, 1, f"how it stands; now it is {known.get(names[0], NOTHING)}")
    return names, " ".join(rest)


def _meant(game: AnyGame, word: str, known: Pieces) -> list[str]:
    """The piece that a word names, whatever its case; a field of the position that holds nothing yet is one, too."""
    found = [name for name in known if name.lower() == word.lower()]
    return found or ([word] if word.partition(".")[0] in _fields(game) else [])


def _fields(game: AnyGame) -> set[str]:
    """The fields of a position that tell no counters."""
    return set(game.position.__struct_encode_fields__).difference(game.piece_fields)


def _changed(game: AnyGame, position: Any, name: str, where: str) -> Any:
    field, *within = name.split(".")
    if field not in _fields(game):
        return game.put(position, name, where)
    from referee.engine.fields import read_value, type_at  # only who amends needs it

    document = holder = msgspec.json.decode(msgspec.json.encode(position))
    path: list[str | int] = []
    for step in (field, *within):
        holder = _inside(holder, path[-1], name) if path else holder
        path.append(int(step) - 1 if isinstance(holder, list) and step.isdecimal() else step)
    if isinstance(holder, list) and path[-1] not in range(len(holder)):
        raise NotUnderstoodError(name, 0, len(name), f"a number from 1 to {len(holder)} after the dot")
    found = type_at(game.position, path)
    holder[path[-1]] = where if found is None else read_value(found, where)
    return decode_position(game, document)


def _inside(holder: Any, step: str | int, name: str) -> Any:
    """What stands one step further into a position; what is not there yet is empty."""
    if isinstance(holder, dict):
        inner = holder[step] = {} if holder.get(str(step)) is None else holder[step]
    else:
        inner = holder[step] if step in range(len(holder)) else None
    if not isinstance(inner, dict | list):
        raise NotUnderstoodError(name, 0, len(name), "a field of a position, as referee check-table tells it")
    return inner
