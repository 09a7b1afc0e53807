"""Finding games by name: those that ship with this package, and those that other distributions declare.

A distribution adds a game by the entry point `[project.entry-points."referee.games"] name = "package:GAME"`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from referee.engine.game import AnyGame, Game
from referee.engine.plugin_errors import GameError, is_foreign_game, mark_game_as_foreign
from referee.engine.text import find_similar_choices, listing

SHIPPED_GAMES_PACKAGE = "referee.games"
"""The package of the games that ship with this one. The entry point group for all other games has the same name."""

GAME_NAME_PATTERN = "^[a-z][a-z0-9_-]{0,31}$"
"""The pattern of a game's name: 1 to 32 characters, beginning with a lower-case letter."""

_registered: dict[str, AnyGame] = {}
"""Games by name that `register_for_now` provides at the moment."""


class UnknownGameError(LookupError):
    """Raised when no installed game has the requested name."""


def find_game(name: str) -> AnyGame:
    """Returns the game of this name.

    A game of `register_for_now` comes first, then a shipped one, then an installed one.

    Raises UnknownGameError if there is none, and GameError if an installed game cannot be used.
    """
    is_name = re.fullmatch(GAME_NAME_PATTERN, name) is not None
    if name in _registered:
        return _registered[name]
    if is_name and find_spec(
        f"{SHIPPED_GAMES_PACKAGE}.{name}"
    ):  # much faster than reading the metadata of all distributions
        return import_module(f"{SHIPPED_GAMES_PACKAGE}.{name}").GAME  # type: ignore[no-any-return]  # shipped games are typed
    points = {point.name: point for point in _find_entry_points()}
    if name not in points and not is_name and name.lower() not in points:
        raise UnknownGameError("the name of a game is one word in lower-case letters")
    if name not in points:
        near = find_similar_choices(name.lower(), points)
        known = f"; did you mean {near[0]!r}?" if near else f", only {listing(sorted(points))}"
        raise UnknownGameError(f"no game {name!r} is installed{known}")
    if not is_name:
        raise GameError(name, points[name].value, "its name is not a word in lower-case letters")
    from referee.engine.foreign_code import make_loading_boundary  # only installed games need it

    with make_loading_boundary(name, points[name].value):
        return _load_game(name, points[name])


def _load_game(name: str, point: Any) -> AnyGame:
    """Returns the game that an entry point declares.

    Raises GameError if the entry point declares something else, or a game with another name.
    """
    from referee.engine.plugin_guard import guard_game

    game = point.load()
    if not isinstance(game, Game):
        raise GameError(name, point.value, f"it is of type {type(game).__name__}, not a Game")
    if game.name != name:
        raise GameError(name, point.value, f"its entry point and its name differ: it calls itself {game.name!r}")
    mark_game_as_foreign(game)
    return guard_game(game)


def find_game_by_rules(game: AnyGame, rules: int) -> AnyGame | None:
    """Returns a game with the rules of version `rules`.

    Returns the game itself if no rule by which actions are judged has changed since, and None if the old rules are not
    kept. Raises GameError if the game returns other rules than those requested.
    """
    kept = game if rules >= game.rules_version else game.find_older_rules(rules)
    if kept is None or kept is game:
        return kept
    if kept.rules_version != rules or kept.name != game.name:
        raise GameError(
            game.name, f"find_older_rules({rules})", f"it returns version {kept.rules_version} of {kept.name}"
        )
    if not is_foreign_game(game):
        return kept
    from referee.engine.plugin_guard import guard_game  # only installed games need it

    return guard_game(kept)


def game_names() -> list[str]:
    """Returns the names of all games that can be found, sorted. Games that fail to load are included."""
    return sorted({*_registered, *(point.name for point in _find_entry_points())})


@contextmanager
def register_for_now(game: AnyGame) -> Iterator[None]:
    """Makes a game available by its name inside a `with` block, in this process only.

    The game need not be installed. It replaces another game of the same name.
    """
    before = dict(_registered)
    _registered[game.name] = game
    try:
        yield
    finally:
        _registered.clear()
        _registered.update(before)


def _find_entry_points() -> list[Any]:
    from referee.engine.foreign_code import find_entry_points

    return find_entry_points(SHIPPED_GAMES_PACKAGE)
