"""Finding games: those that come along, and those that other distributions declare.

A distribution adds a game by the entry point `[project.entry-points."referee.games"] name = "package:GAME"`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from traceback import FrameSummary, extract_tb
from typing import Any

from referee.engine.game import AnyGame, Game
from referee.engine.text import guess

SHIPPED = "referee.games"
"""Both the package that holds the games that come along and the name of the entry point group for all others."""

GAME_NAME = "^[a-z][a-z0-9_-]{0,31}$"

_lent: dict[str, AnyGame] = {}
"""Games by name that are lent just now."""
_foreign: dict[str, AnyGame] = {}
"""Games by name that somebody else has written, and that were found so far."""


class UnknownGameError(LookupError):
    """No installed game has this name."""


class GameError(Exception):
    """A game that is wrong in itself: its name, the place in its code, and what is wrong there."""

    def __init__(self, name: str, place: str, what: str) -> None:
        super().__init__(f"the game {name} is faulty at {place}: {what}")
        self.name, self.place, self.what = name, place, what


def find_game(name: str) -> AnyGame:
    """The game of this name: one that is lent, one that comes along, one that is installed; UnknownGameError,
    GameError.
    """
    is_name = re.fullmatch(GAME_NAME, name) is not None
    if name in _lent:
        return _lent[name]
    if is_name and find_spec(
        f"{SHIPPED}.{name}"
    ):  # much faster than reading the metadata of everything that is installed
        return import_module(f"{SHIPPED}.{name}").GAME  # type: ignore[no-any-return]  # ours are typed
    points = {point.name: point for point in _entry_points()}
    if name not in points and not is_name and name.lower() not in points:
        raise UnknownGameError("a game's name is a word of small letters")
    if name not in points:
        raise UnknownGameError(f"no game {name!r} is installed{guess(name.lower(), sorted(points))}")
    if not is_name:
        raise GameError(name, points[name].value, "its name is no word of small letters")
    with blamed(name):
        game = points[name].load()
    if not isinstance(game, Game):
        raise GameError(name, points[name].value, f"that is no Game but {type(game).__name__}")
    if game.name != name:
        raise GameError(name, points[name].value, f"its entry point and its name differ: it calls itself {game.name!r}")
    from referee.engine.guard import guarded  # for games of others alone

    _foreign[game.name] = game
    return guarded(game)


def game_names() -> list[str]:
    """Names of all games that can be found, faulty ones too."""
    return sorted({*_lent, *(point.name for point in _entry_points())})


@contextmanager
def lend(game: AnyGame) -> Iterator[None]:
    """Have a game found by its name inside, in this process alone: one that no distribution declares yet, or one that
    stands in for another of its name.
    """
    before = dict(_lent)
    _lent[game.name] = game
    try:
        yield
    finally:
        _lent.clear()
        _lent.update(before)


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


def _entry_points() -> Any:
    from importlib.metadata import distributions, entry_points

    try:
        return entry_points(group=SHIPPED)
    except Exception:  # one that cannot be read hides no others
        return [point for one in distributions() for point in _points_of(one) if point.group == SHIPPED]


def _points_of(distribution: Any) -> Any:
    try:
        return distribution.entry_points
    except Exception:
        return ()
