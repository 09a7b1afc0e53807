"""Options: what players choose before a game, and which values are then in force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from referee.engine.text import guess, listing

if TYPE_CHECKING:
    from referee.engine.game import Game

Options = Mapping[str, str]
"""All options of a game by name, with the values in force."""


class Option(Struct, frozen=True):
    """A choice that players make before a game."""

    name: str
    values: tuple[str, ...]
    meaning: str
    rule: str
    """The rule or ruling that it switches."""
    presets: Mapping[str, Mapping[str, str]] = {}
    """For each value, other options it sets unless the players set them themselves."""

    @property
    def default(self) -> str:
        """The value that holds when nobody chooses: the first."""
        return self.values[0]


class OptionError(ValueError):
    """An option that does not exist, or a value it does not take."""


def settle_options(game: Game[Any, Any, Any, Any, Any], given: Options) -> dict[str, str]:
    """All options of a game with the values in force: given, else preset by another, else default."""
    known = {option.name: option for option in game.options}
    for name, value in given.items():
        if name not in known:
            raise OptionError(f"{game.name} has no option {name!r}{guess(name, list(known))}")
        if value not in known[name].values:
            raise OptionError(f"option {name} is {listing(known[name].values, 'or')}, not {value!r}")
    settled = {option.name: given.get(option.name, option.default) for option in game.options}
    for option in game.options:
        preset = option.presets.get(settled[option.name], {})
        settled.update({name: value for name, value in preset.items() if name not in given})
    return settled


def choose_options(game: Game[Any, Any, Any, Any, Any], given: Options) -> dict[str, str]:
    """The same, if they go together; OptionError cites the rule when they do not."""
    settled = settle_options(game, given)
    refusal = next(game.check_options(settled), None)
    if refusal:
        raise OptionError(f"{refusal.because} ({refusal.rule})")
    return settled
