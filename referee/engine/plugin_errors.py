"""Errors in games that other people wrote: they are reported as that game's fault, with the place in its code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from traceback import FrameSummary, extract_tb

from referee.engine.game import AnyGame

PROGRAM_FOLDER = Path(__file__).parent.parent
"""The folder of this program."""
MAX_CHARACTERS = 300
"""The number of characters of an error's text that are shown."""

_foreign: dict[str, AnyGame] = {}
"""The games of other people that were found so far, by name."""


class GameError(Exception):
    """A fault in a game itself. It holds the name of the game, the place in its code, and the fault in words."""

    def __init__(self, name: str, place: str, what: str) -> None:
        super().__init__(name, place, what)
        self.name, self.place, self.what = name, place, what

    def __str__(self) -> str:
        return f"the game {self.name} is faulty at {self.place}: {self.what}"


def mark_game_as_foreign(game: AnyGame) -> None:
    """Records that a game of somebody else was found."""
    _foreign[game.name] = game


def is_foreign_game(game: AnyGame) -> bool:
    """True if the game is not part of this program."""
    return not type(game).__module__.startswith("referee.")


def make_game_error(game: AnyGame, error: BaseException) -> GameError:
    """Returns an error in a game of somebody else as a fault of that game."""
    return GameError(game.name, locate_error(error, type(game).__module__), describe_error(error))


def find_game_error(error: BaseException) -> GameError | None:
    """Returns the fault of the game in whose code an error arose; None if no game of somebody else was involved."""
    frames = extract_tb(error.__traceback__)
    found = (game for game in _foreign.values() if any(map(_lies_in_package(type(game).__module__), frames)))
    return next((make_game_error(game, error) for game in found), None)


def locate_error(error: BaseException, module: str) -> str:
    """Returns the file and line where an error arose.

    Code in the package of this module comes first, then other code that is not ours. If there is neither, returns the
    name of the module.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}:{error.lineno}"
    frames = extract_tb(error.__traceback__)[::-1]
    theirs = next(filter(_lies_in_package(module), frames), None) or next(filter(_is_foreign_code, frames), None)
    return f"{Path(theirs.filename).name}:{theirs.lineno}" if theirs else module


def describe_error(error: BaseException) -> str:
    """Returns the class of an error and its text in one line. If the text cannot be read, returns the class alone."""
    try:
        text = " ".join(str(error).split())
    except BaseException:  # the error's own code may fail, too
        text = ""
    name = " ".join(type(error).__name__.split())
    return f"{name}{f': {text}' if text else ''}"[:MAX_CHARACTERS]


def _lies_in_package(module: str) -> Callable[[FrameSummary], bool]:
    """Returns a test for lines of code that belong to a module.

    If the module is a package, every file in its folder counts.
    """
    file = getattr(sys.modules.get(module), "__file__", None)
    folder, alone = (Path(file).parent, Path(file).stem != "__init__") if file else (None, False)
    return lambda frame: frame.filename == file if alone else Path(frame.filename).parent == folder


def _is_foreign_code(frame: FrameSummary) -> bool:
    """True if a line of code is foreign: it belongs neither to this program nor to Python's import system."""
    path = Path(frame.filename)
    return not (path.is_relative_to(PROGRAM_FOLDER) or "importlib" in frame.filename)
