"""What can be named in a game: its pieces, and the places of its board, as certain eyes see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from referee.cli.look import picture_of
from referee.engine.text import nearest_name

if TYPE_CHECKING:
    from referee.record.table.sitting import Sitting


def places_of(look: Sitting) -> dict[str, str]:
    """The places of the board, each under its name in small letters."""
    return {place.lower(): place for page in picture_of(look).pages for place in page.places()}


def pieces_of(look: Sitting) -> dict[str, tuple[str, str]]:
    """Its pieces under their names in small letters: each as it is written, and how it lies."""
    found: Mapping[str, str] = {**look.sight.pieces, **look.sight.counters}
    return {name.lower(): (name, where) for name, where in found.items()}


def meanings_of(look: Sitting, word: str) -> list[str]:
    """The word and all that the game takes it for, in small letters: H9 is h09, d7 a square on each level."""
    small = word.lower()
    return list(dict.fromkeys((small, *look.facts.game.stands_for(look.sight.view, small))))


def told_of(look: Sitting, word: str) -> list[str]:
    """Where something is, and what is somewhere, as sentences; none: nothing here is called that."""
    pieces, places = pieces_of(look), places_of(look)
    exact, *others = meanings_of(look, word)
    told, empty = list[str](), list[str]()
    for name in [exact] if exact in pieces or exact in places else others:
        here = [piece for piece, where in pieces.values() if name in parts_of(where)]
        if name in pieces:
            told.append("{}: {}.".format(*pieces[name]))
        elif name in places:
            (told if here else empty).append(f"{places[name]}: {', '.join(here) or 'nothing'}.")
    holders = [f"{piece}: {where}." for piece, where in pieces.values() if exact in parts_of(where)]
    return told or empty or holders


def parts_of(where: str) -> list[str]:
    """The words of how a piece lies, in small letters."""
    return where.lower().replace(",", " ").split()


def place_of(look: Sitting, word: str) -> str | None:
    """The place that a word means: itself, the only one it is short for, the one where a piece of that name is, or the
    first that a door joins.
    """
    pieces, places = pieces_of(look), places_of(look)
    meant = meanings_of(look, word)
    found = [places[name] for name in meant if name in places]
    for name in meant:
        if name in pieces and not found:
            parts = (*parts_of(pieces[name][1]), *name.split("-"))
            found = [places[part] for part in parts if part in places]
    return found[0] if found else None


def near(look: Sitting, word: str) -> str:
    """What was perhaps meant by a word that names nothing, as the end of a sentence."""
    known = [*pieces_of(look), *places_of(look)]
    found = nearest_name(word.lower(), known)
    return f"; did you mean {found!r}?" if found else ""
