"""Games that somebody else has written: an error that has to do with one is told as its fault, with the place."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from traceback import FrameSummary, extract_tb

from referee.engine.game import AnyGame

PACKAGE = Path(__file__).parent.parent
MOST_SAID = 300
"""Letters of what an error says that are told."""

_foreign: dict[str, AnyGame] = {}
"""Games by name that somebody else has written, and that were found so far."""


class GameError(Exception):
    """A game that is wrong in itself: its name, the place in its code, and what is wrong there."""

    def __init__(self, name: str, place: str, what: str) -> None:
        super().__init__(name, place, what)
        self.name, self.place, self.what = name, place, what

    def __str__(self) -> str:
        return f"the game {self.name} is faulty at {self.place}: {self.what}"


def note_foreign(game: AnyGame) -> None:
    """A game of somebody else's was found."""
    _foreign[game.name] = game


def is_foreign(game: AnyGame) -> bool:
    """Whether somebody else has written a game."""
    return not type(game).__module__.startswith("referee.")


def fault_of(game: AnyGame, error: BaseException) -> GameError:
    """Returns an error that has to do with a game of somebody else's as that game's fault."""
    return GameError(game.name, place_of(error, type(game).__module__), words_of(error))


def game_at_fault(error: BaseException) -> GameError | None:
    """The game of somebody else's in whose code an error arose; None: in none that was found so far."""
    frames = extract_tb(error.__traceback__)
    found = (game for game in _foreign.values() if any(map(_in(type(game).__module__), frames)))
    return next((fault_of(game, error) for game in found), None)


def place_of(error: BaseException, module: str) -> str:
    """Returns where an error arose: the file and line in the package of this module, else in other code that is not
    ours; the module where there is none, as when it cannot be imported.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}:{error.lineno}"
    frames = extract_tb(error.__traceback__)[::-1]
    theirs = next(filter(_in(module), frames), None) or next(filter(_is_nobodys, frames), None)
    return f"{Path(theirs.filename).name}:{theirs.lineno}" if theirs else module


def words_of(error: BaseException) -> str:
    """Returns the kind of an error and what it says, in one line; the kind alone where it cannot say anything."""
    try:
        said = " ".join(str(error).split())
    except BaseException:  # it is code of others, too
        said = ""
    return f"{type(error).__name__}{f': {said}' if said else ''}"[:MOST_SAID]


def _in(module: str) -> Callable[[FrameSummary], bool]:
    """Whether a line of code lies in the package of a module."""
    file = getattr(sys.modules.get(module), "__file__", None)
    folder, alone = (Path(file).parent, Path(file).stem != "__init__") if file else (None, False)
    return lambda frame: frame.filename == file if alone else Path(frame.filename).parent == folder


def _is_nobodys(frame: FrameSummary) -> bool:
    """Whether a line of code belongs neither to us nor to what imports modules."""
    path = Path(frame.filename)
    return not (path.is_relative_to(PACKAGE) or "importlib" in frame.filename)
