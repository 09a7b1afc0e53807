"""What can be touched on a board: each thing that is drawn, with the words that name it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from referee.engine.game import AnyGame
from referee.engine.scene import Page, Piece, Scene
from referee.show.drawing import parts

Thing = tuple[int, str]
"""A part of a drawing: the number of its board, and its key there (`referee.show.drawing`)."""


class Named(NamedTuple):
    """What somebody may mean who touches a thing."""

    names: tuple[str, ...]
    """Its own name, then those of what it stands for."""
    place: str = ""
    """Where a piece stands."""

    @property
    def words(self) -> tuple[str, ...]:
        """All of it, in the order in which it is meant."""
        return (*self.names, self.place) if self.place else self.names


Things = Mapping[Thing, Named]


def things_on(scene: Scene) -> Things:
    """All places and pieces of a drawing."""
    return {(at, key): named for at, page in enumerate(scene.pages) for key, named in _named(page) if named.words}


def _named(page: Page) -> Iterator[tuple[str, Named]]:
    """By their keys as `parts` has them, where one that occurs again is numbered."""
    drawn = list(parts(page))
    places = [key for key in drawn if key.startswith("place ") and key != "place rose"]
    yield from zip(places, (Named((one.place,) if one.place else ()) for one in page.polygons), strict=True)
    pieces = [key for key in drawn if key.startswith("piece ")]
    yield from zip(pieces, map(_of_piece, page.pieces), strict=True)


def _of_piece(piece: Piece) -> Named:
    return Named(tuple(dict.fromkeys((piece.key or piece.label, *piece.units))), piece.place)


def leading(game: AnyGame, view: Any, things: Things, words: Collection[str]) -> Iterator[Thing]:
    """The things that lead on where these words do: by a name, or by what that stands for. A piece does not lead on
    because its place does; that can be touched itself.
    """
    exact, folded = set(words), {word.lower() for word in words}
    for thing, named in things.items():
        others = (other.lower() for name in named.names for other in game.stands_for(view, name.lower()))
        if not exact.isdisjoint(named.names) or not folded.isdisjoint(others):
            yield thing
