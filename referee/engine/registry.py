"""Finding games: those that come along, and those that other distributions declare.

A distribution adds a game by the entry point `[project.entry-points."referee.games"] name = "package:GAME"`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from referee.engine.blame import GameError, is_foreign, note_foreign
from referee.engine.game import AnyGame, Game
from referee.engine.text import listing, nearest

SHIPPED = "referee.games"
"""Both the package that holds the games that come along and the name of the entry point group for all others."""

GAME_NAME = "^[a-z][a-z0-9_-]{0,31}$"

_lent: dict[str, AnyGame] = {}
"""Games by name that are lent just now."""


class UnknownGameError(LookupError):
    """No installed game has this name."""


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
        near = nearest(name.lower(), points)
        known = f"did you mean {near[0]!r}?" if near else f"there are {listing(sorted(points))}"
        raise UnknownGameError(f"no game {name!r} is installed; {known}")
    if not is_name:
        raise GameError(name, points[name].value, "its name is no word of small letters")
    from referee.engine.foreign import blamed  # for games of others alone

    with blamed(name, points[name].value):
        return _loaded(name, points[name])


def _loaded(name: str, point: Any) -> AnyGame:
    """The game that an entry point declares."""
    from referee.engine.guard import guarded

    game = point.load()
    if not isinstance(game, Game):
        raise GameError(name, point.value, f"that is no Game but {type(game).__name__}")
    if game.name != name:
        raise GameError(name, point.value, f"its entry point and its name differ: it calls itself {game.name!r}")
    note_foreign(game)
    return guarded(game)


def game_under(game: AnyGame, rules: int) -> AnyGame | None:
    """A game by the rules of an older version, where it keeps them; itself where nothing that is judged has changed
    since; else None. GameError.
    """
    kept = game if rules >= game.rules_version else game.under(rules)
    if kept is None or kept is game:
        return kept
    if kept.rules_version != rules or kept.name != game.name:
        raise GameError(game.name, f"under({rules})", f"that is version {kept.rules_version} of {kept.name}")
    if not is_foreign(game):
        return kept
    from referee.engine.guard import guarded  # for games of others alone

    return guarded(kept)


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


def _entry_points() -> list[Any]:
    from referee.engine.foreign import points_of

    return points_of(SHIPPED)
