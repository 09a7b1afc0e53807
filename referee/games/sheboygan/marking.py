"""What is marked on the map when somebody asks: boxes in sight of one, boxes in reach of a piece."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.engine.scene import NoPlaceError
from referee.games.sheboygan.counters import MONSTER
from referee.games.sheboygan.state import State

if TYPE_CHECKING:
    from referee.engine.scene import Overlay


def overlay(view: State, name: Overlay, of: str) -> tuple[str, ...]:
    """The boxes that are in sight of a box, or of the box of a piece (6.12a); or those that a piece can come to."""
    if name == "sight":
        here = _box_of(view, of)
        return tuple(box for box in view.board.boxes if box != here and view.board.sees(here, box, view.rubble))
    return _reach(view, of)


def _box_of(view: State, of: str) -> str:
    """The box that is named, or that a named piece stands in; NoPlaceError."""
    if of.upper() in view.board.boxes:
        return of.upper()
    box = view.monster if of.lower() == MONSTER else view.at.get(of.lower())
    if box is None:
        raise NoPlaceError(f"the map has no box, and no piece stands there, that is called {of}")
    return box


def _reach(view: State, piece: str) -> tuple[str, ...]:
    """Where a piece can come to with the Movement Points that it has left."""
    from referee.games.sheboygan.moving import destinations
    from referee.games.sheboygan.prowling import prowls

    unit = piece.lower()
    if unit in view.at:
        found = destinations(view, unit)
    elif unit != MONSTER or view.monster is None:
        raise NoPlaceError(f"no piece on the map is called {piece}")
    elif view.sheet is None or not view.sheet.known:
        raise NoPlaceError("only the monster's player knows how far it can go")
    else:
        found = prowls(view)
    return tuple(sorted(found, key=view.board.order.__getitem__))
