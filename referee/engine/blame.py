"""Games that somebody else has written: an error that has to do with one is told as its fault, with the place."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import FrameSummary, extract_tb

from referee.engine.game import AnyGame

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


@contextmanager
def blamed(name: str) -> Iterator[None]:
    """Tell what goes wrong inside as a fault of this game, wherever it was raised in the game's code: also where it
    would end the program, as nobody may who is only imported.
    """
    try:
        yield
    except GameError:
        raise
    except BaseException as error:
        raise _fault(name, error, extract_tb(error.__traceback__)[-1]) from error


def is_foreign(game: AnyGame) -> bool:
    """Whether somebody else has written a game."""
    return not type(game).__module__.startswith("referee.")


def fault_of(game: AnyGame, error: BaseException) -> GameError:
    """An error that has to do with a game of somebody else's, as that game's fault, with the place in its code."""
    frames = extract_tb(error.__traceback__)
    return _fault(game.name, error, next(filter(_in(game), reversed(frames)), frames[-1]))


def game_at_fault(error: BaseException) -> GameError | None:
    """The game of somebody else's in whose code an error arose; None: in none that was found so far."""
    frames = extract_tb(error.__traceback__)
    found = (game for game in _foreign.values() if any(map(_in(game), frames)))
    return next((fault_of(game, error) for game in found), None)


def _in(game: AnyGame) -> Callable[[FrameSummary], bool]:
    """Whether a line of code lies in the package of a game."""
    file = getattr(sys.modules.get(type(game).__module__), "__file__", None)
    folder, alone = (Path(file).parent, Path(file).stem != "__init__") if file else (None, False)
    return lambda frame: frame.filename == file if alone else Path(frame.filename).parent == folder


def _fault(name: str, error: BaseException, frame: FrameSummary) -> GameError:
    return GameError(name, f"{Path(frame.filename).name}:{frame.lineno}", f"{type(error).__name__}: {error}")
