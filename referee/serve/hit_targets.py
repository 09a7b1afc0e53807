"""The places and pieces that can be touched on a board, each with the words that name it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from referee.engine.game import AnyGame
from referee.engine.scene import Piece, Scene, ScenePage
from referee.show.drawing import draw_page_parts

TargetKey = tuple[int, str]
"""A part of a drawing: the number of its board and its key there (`referee.show.drawing`)."""


class HitTarget(NamedTuple):
    """The words that may be meant when a player touches a place or a piece."""

    names: tuple[str, ...]
    """Its own name; for a stack, then the names of the pieces in it."""
    place: str = ""
    """The place where a piece stands; "" for a place."""

    @property
    def words(self) -> tuple[str, ...]:
        """All names in order of preference, the place last."""
        return (*self.names, self.place) if self.place else self.names


HitTargets = Mapping[TargetKey, HitTarget]


def find_hit_targets(scene: Scene) -> HitTargets:
    """Returns the places and pieces of a drawing that have a name."""
    return {
        (at, key): target
        for at, page in enumerate(scene.pages)
        for key, target in _find_page_targets(page)
        if target.words
    }


def _find_page_targets(page: ScenePage) -> Iterator[tuple[str, HitTarget]]:
    """Yields places and pieces, each with its key in `draw_page_parts`, which numbers a key that occurs again."""
    drawn = list(draw_page_parts(page))
    places = [key for key in drawn if key.startswith("place ") and key != "place rose"]
    yield from zip(places, (HitTarget((one.place,) if one.place else ()) for one in page.polygons), strict=True)
    pieces = [key for key in drawn if key.startswith("piece ")]
    yield from zip(pieces, map(_make_piece_target, page.pieces), strict=True)


def _make_piece_target(piece: Piece) -> HitTarget:
    return HitTarget(tuple(dict.fromkeys((piece.key or piece.label, *piece.units))), piece.place)


def find_target_keys_by_word(
    game: AnyGame, view: Any, things: HitTargets, words: Collection[str]
) -> Iterator[TargetKey]:
    """Yields the things that have one of these words as a name, or a name that stands for one of the words.

    The place of a piece does not count as its name, because the place can be touched itself.
    """
    exact, folded = set(words), {word.lower() for word in words}
    for thing, target in things.items():
        others = (other.lower() for name in target.names for other in game.expand_word(view, name.lower()))
        if not exact.isdisjoint(target.names) or not folded.isdisjoint(others):
            yield thing
