"""The names in a game: its pieces and the places of its board, in the view of a seat."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from referee.cli.game_view import make_current_picture
from referee.engine.text import find_similar_name

if TYPE_CHECKING:
    from referee.record.table.seat_view import SeatView


def index_places_by_name(look: SeatView) -> dict[str, str]:
    """Returns the spelling of each place of the board, by its name in small letters."""
    return {place.lower(): place for page in make_current_picture(look).pages for place in page.list_places()}


def index_pieces_by_name(look: SeatView) -> dict[str, tuple[str, str]]:
    """Returns the spelling and the position of each piece, by its name in small letters."""
    found: Mapping[str, str] = {**look.sight.pieces, **look.sight.movable_pieces}
    return {name.lower(): (name, where) for name, where in found.items()}


def list_meanings_of_word(look: SeatView, word: str) -> list[str]:
    """Returns the word and all names that the game takes it for, in small letters.

    For example, H9 may mean h09, and d7 a square on each level.
    """
    small = word.lower()
    return list(dict.fromkeys((small, *look.facts.game.expand_word(look.sight.view, small))))


def describe_name(look: SeatView, word: str) -> list[str]:
    """Returns sentences with the position of a piece, or the pieces on a place; [] if nothing here has this name."""
    pieces, places = index_pieces_by_name(look), index_places_by_name(look)
    told, empty = list[str](), list[str]()
    for name in _list_meant_names(look, word, {*pieces, *places}):
        here = _list_pieces_on(pieces, name)
        if name in pieces:
            told.append("{}: {}.".format(*pieces[name]))
        elif name in places:
            (told if here else empty).append(f"{places[name]}: {', '.join(here) or 'nothing'}.")
    holders = [f"{piece}: {pieces[piece.lower()][1]}." for piece in _list_pieces_on(pieces, word.lower())]
    return told or empty or holders


def describe_surroundings(look: SeatView, word: str) -> list[str]:
    """Returns a sentence about the places next to a place and their pieces; [] if the word means no single place."""
    pieces, places = index_pieces_by_name(look), index_places_by_name(look)
    named = [places[name] for name in _list_meant_names(look, word, {*pieces, *places}) if name in places]
    beside = look.facts.game.neighbours(look.sight.view, named[0]) if len(named) == 1 else {}
    rows = []
    for other, how in beside.items():
        here = _list_pieces_on(pieces, other.lower())
        rows.append(" ".join(filter(None, [how, other, f"({', '.join(here)})" if here else ""])))
    return [f"Around {named[0]}: {'; '.join(rows)}."] if rows else []


def _list_meant_names(look: SeatView, word: str, known: Collection[str]) -> list[str]:
    """Returns the names that a word means, in small letters: itself if it is known, otherwise all its synonyms."""
    exact, *others = list_meanings_of_word(look, word)
    return [exact] if exact in known else others


def _list_pieces_on(pieces: Mapping[str, tuple[str, str]], place: str) -> list[str]:
    """Returns the pieces on a place, whose name is in small letters."""
    return [piece for piece, where in pieces.values() if place in list_place_words(where)]


def list_place_words(where: str) -> list[str]:
    """Returns the words of a piece's position, in small letters."""
    return where.lower().replace(",", " ").split()


def find_place(look: SeatView, word: str) -> str | None:
    """Returns the place that a word means; None if it means none.

    The word may be the place, another name of it, a piece on it, or a door, which means the place on its first side.
    """
    pieces, places = index_pieces_by_name(look), index_places_by_name(look)
    meant = list_meanings_of_word(look, word)
    found = [places[name] for name in meant if name in places]
    for name in meant:
        if name in pieces and not found:
            parts = (*list_place_words(pieces[name][1]), *name.split("-"))
            found = [places[part] for part in parts if part in places]
    return found[0] if found else None


def suggest_name(look: SeatView, word: str) -> str:
    """Returns the end of a sentence that suggests a similar name; "" if none is similar."""
    known = [*index_pieces_by_name(look), *index_places_by_name(look)]
    found = find_similar_name(word.lower(), known)
    return f"; did you mean {found!r}?" if found else ""
