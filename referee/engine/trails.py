"""What has moved from one picture of a game to the next, told by the names of its pieces. No game has code for it."""

from __future__ import annotations

from collections.abc import Iterator
from math import dist
from typing import NamedTuple

from msgspec.structs import replace

from referee.engine.scene import Page, Piece, Scene, Trail


class Move(NamedTuple):
    """A piece that was somewhere else before. None: it was not there, or is not there any more."""

    before: Piece | None
    after: Piece | None


def followed(before: Scene, after: Scene) -> Scene:
    """The later scene with trails of what has moved, come or gone, page by page."""
    earlier = {page.name: page for page in before.pages}
    pages = (
        replace(page, trails=tuple(_trails(earlier[page.name], page))) if page.name in earlier else page
        for page in after.pages
    )
    return replace(after, pages=tuple(pages))


def _trails(before: Page, after: Page) -> Iterator[Trail]:
    ends = ((_spot(move.before), _spot(move.after)) for move in moves(before, after))
    yield from (Trail(*pair) for pair in dict.fromkeys(ends))


def _spot(piece: Piece | None) -> tuple[float, float] | None:
    return (piece.x, piece.y) if piece else None


def moves(before: Page, after: Page) -> Iterator[Move]:
    """What stands elsewhere or otherwise than before, each with where it stood.

    Counters are known by their names. Pieces that are called by their places, as many alike are, are taken to be
    the nearest that looked the same and is gone.
    """
    old, new = _by_member(before), _by_member(after)
    gone = [piece for member, piece in old.items() if member not in new]
    for member, piece in new.items():
        was = old.get(member) or _nearest(piece, gone)
        if was in gone:
            gone.remove(was)
        if was is None or _stands(was) != _stands(piece):
            yield Move(was, piece)
    yield from (Move(piece, None) for piece in gone)


def _by_member(page: Page) -> dict[str, Piece]:
    return {member: piece for piece in page.pieces for member in piece.members}


def _stands(piece: Piece) -> tuple[object, ...]:
    """Where a piece stands and points; the spots in a place are shifted where others come and go."""
    return piece.place or (piece.x, piece.y), piece.heading, piece.badge


def _nearest(piece: Piece, gone: list[Piece]) -> Piece | None:
    alike = [one for one in gone if _look(one) == _look(piece) and not one.units]
    return min(alike, key=lambda one: dist((one.x, one.y), (piece.x, piece.y)), default=None)


def _look(piece: Piece) -> tuple[object, ...]:
    return piece.fill, piece.shape, piece.label, piece.ring
