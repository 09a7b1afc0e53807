"""Changes of positions, whatever the game: one thing is taken out, moved, or taken from another position.

A position is changed as the document that a person would type. The rules of the game decide whether the changed
position is possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import msgspec

from referee.engine.game import AnyGame
from referee.engine.text import NotUnderstoodError
from referee.gate import UnreadableError, convert_value, read_json

Document = dict[str, Any]
ValuePlace = tuple[Any, Any]
"""A list or a mapping inside a document, and the index or key of one of its values."""
MAX_CHANGES = 5
"""The most changes that make one disturbed position."""


def make_document(position: Any) -> Document:
    """Returns a position as a document of plain values."""
    found: Document = read_json(msgspec.json.encode(position))
    return found


def make_position(game: AnyGame, document: Document) -> Any | None:
    """Returns the position in a document; None if its form is wrong."""
    try:
        return convert_value(document, game.position)
    except UnreadableError:
        return None


# At random


def disturb_position(game: AnyGame, state: Any, document: Document, other: Document, random: Random) -> Any | None:
    """Returns the position in a document with a few random changes; None if they cannot be written as a position.

    `state` is the state of the document. Some changes copy a part of the document `other`.
    """
    position = make_position(game, document)
    places = list(dict.fromkeys(game.pieces(state).values()))
    for _ in range(random.randint(1, MAX_CHANGES)):
        if places and random.random() < 0.5:
            position = _move_piece(game, state, position, places, random)
        else:
            changed = make_document(position)
            random.choice(DISTURBANCES)(changed, other, random)
            position = make_position(game, changed)
        if position is None:
            return None
    return position


def _move_piece(game: AnyGame, state: Any, position: Any, places: list[str], random: Random) -> Any:
    """Returns the position with one piece in a place where another piece stands or stood."""
    piece = random.choice(list(game.pieces(state)))
    try:
        return game.place_piece(position, piece, random.choice(places))
    except (NotUnderstoodError, msgspec.ValidationError, ValueError):
        return position


def _take_field(document: Document, other: Document, random: Random) -> None:
    """Replaces the value of one field by the other document's value of that field."""
    name = random.choice(list(document))
    document[name] = other.get(name, document[name])


def _take_word(document: Document, other: Document, random: Random) -> None:
    """Replaces one word of a text by a word of the same shape. The new word comes from any text of both documents."""
    ours = list(_list_words(document))
    if not ours:
        return
    holder, at, number = random.choice(ours)
    words = str(holder[at]).split(" ")
    alike = [
        word
        for where in (document, other)
        for inner, key, place in _list_words(where)
        if _describe_shape(word := str(inner[key]).split(" ")[place]) == _describe_shape(words[number])
    ]
    words[number] = random.choice(alike)
    holder[at] = " ".join(words)


def _change_number(document: Document, _other: Document, random: Random) -> None:
    """Makes a random number in the document one larger or one smaller, but never negative."""
    numbers = [(holder, at) for holder, at in _list_values(document) if type(holder[at]) is int]
    if numbers:
        holder, at = random.choice(numbers)
        holder[at] = max(0, holder[at] + random.choice((1, -1)))


def _drop_one(document: Document, _other: Document, random: Random) -> None:
    """Takes one word or one item out."""
    cuts = list(_list_cuts(document))
    if cuts:
        _cut(*random.choice(cuts))


DISTURBANCES = (_take_field, _take_word, _take_word, _change_number, _drop_one)
"""The kinds of change, some more often than others."""


def thin_out_position(game: AnyGame, document: Document, random: Random) -> Any | None:
    """Returns the position in a document with many random things taken out; None if that is not a position."""
    thinned, share = deepcopy(document), random.random() * 0.8
    for holder, at, first, last in reversed(list(_list_cuts(thinned))):
        if random.random() < share:
            _cut(holder, at, first, last)
    return make_position(game, thinned)


# Smaller and smaller


def list_smaller_documents(document: Document) -> Iterator[Document]:
    """Yields copies of a document with something taken out: first big parts, then single words and items."""
    for size in (8, 4, 2, 1):
        for number in range(len(list(_list_cuts(document, size)))):
            copied = deepcopy(document)
            _cut(*list(_list_cuts(copied, size))[number])
            yield copied


def _list_cuts(document: Any, size: int = 1) -> Iterator[tuple[Any, Any, int, int]]:
    """Yields everything that can be taken out: the holder and key of a value, and a range of its words or items."""
    for holder, at in _list_values(document):
        value = holder[at]
        parts = len(value.split()) if isinstance(value, str) and " " in value else 0
        parts = len(value) if isinstance(value, list | dict) else parts
        for first in range(0, parts, size):
            if size == 1 or parts >= size:
                yield holder, at, first, first + size


def _cut(holder: Any, at: Any, first: int, last: int) -> None:
    """Takes words of a text, or items of a list or mapping, out of a document."""
    value = holder[at]
    if isinstance(value, str):
        words = value.split()
        holder[at] = " ".join(words[:first] + words[last:])
    elif isinstance(value, dict):
        holder[at] = dict(list(value.items())[:first] + list(value.items())[last:])
    else:
        holder[at] = value[:first] + value[last:]


# Parts of a document


def _list_values(document: Any) -> Iterator[ValuePlace]:
    """Yields every value inside a document, each as its holder and its key."""
    keys = document if isinstance(document, dict) else range(len(document))
    for key in list(keys):
        yield document, key
        if isinstance(document[key], dict | list):
            yield from _list_values(document[key])


def _list_words(document: Any) -> Iterator[tuple[Any, Any, int]]:
    """Yields every word of every text in a document: its holder, its key, and its number in the text."""
    for holder, at in _list_values(document):
        if isinstance(holder[at], str) and holder[at]:
            yield from ((holder, at, number) for number in range(len(holder[at].split(" "))))


def _describe_shape(word: str) -> str:
    """Returns the kinds of letters of a word: words of one shape may stand for each other."""
    return re.sub("[0-9]+", "0", re.sub("[a-z]", "a", re.sub("[A-Z]", "A", word)))
