"""The differences between two pictures of a game, found by the names of its pieces. No game needs code for this."""

from __future__ import annotations

from collections.abc import Iterator
from math import dist
from typing import NamedTuple

from msgspec.structs import replace

from referee.engine.scene import Piece, Scene, ScenePage, Trail


class PieceMove(NamedTuple):
    """A piece that has moved, come or gone. `before` is None if the piece is new, `after` is None if it is gone."""

    before: Piece | None
    after: Piece | None


def add_trails(before: Scene, after: Scene) -> Scene:
    """Returns the later picture with trails of everything that moved, came or went, page by page."""
    earlier = {page.name: page for page in before.pages}
    pages = (
        replace(page, trails=tuple(_find_trails(earlier[page.name], page))) if page.name in earlier else page
        for page in after.pages
    )
    return replace(after, pages=tuple(pages))


def _find_trails(before: ScenePage, after: ScenePage) -> Iterator[Trail]:
    ends = ((_locate_piece(move.before), _locate_piece(move.after)) for move in list_piece_moves(before, after))
    yield from (Trail(*pair) for pair in dict.fromkeys(ends))


def _locate_piece(piece: Piece | None) -> tuple[float, float] | None:
    return (piece.x, piece.y) if piece else None


def list_piece_moves(before: ScenePage, after: ScenePage) -> Iterator[PieceMove]:
    """Yields every piece that is new or gone, or has another place, direction or badge than before.

    Pieces are recognised by the names of their counters. Some pieces are named after their place, and get a new name
    when they move. So a piece with a new name is matched with the nearest piece that looked the same and is gone.
    """
    old, new = _index_by_member(before), _index_by_member(after)
    gone = [piece for member, piece in old.items() if member not in new]
    for member, piece in new.items():
        was = old.get(member) or _find_nearest(piece, gone)
        if was in gone:
            gone.remove(was)
        if was is None or _describe_placement(was) != _describe_placement(piece):
            yield PieceMove(was, piece)
    yield from (PieceMove(piece, None) for piece in gone)


def _index_by_member(page: ScenePage) -> dict[str, Piece]:
    return {member: piece for piece in page.pieces for member in piece.members}


def _describe_placement(piece: Piece) -> tuple[object, ...]:
    """Returns the place, direction and badge of a piece.

    Its exact point within a place does not count, because it shifts as other pieces come and go.
    """
    return piece.place or (piece.x, piece.y), piece.heading, piece.badge


def _find_nearest(piece: Piece, gone: list[Piece]) -> Piece | None:
    alike = [one for one in gone if _describe_appearance(one) == _describe_appearance(piece) and not one.units]
    return min(alike, key=lambda one: dist((one.x, one.y), (piece.x, piece.y)), default=None)


def _describe_appearance(piece: Piece) -> tuple[object, ...]:
    return piece.fill, piece.shape, piece.label, piece.ring
