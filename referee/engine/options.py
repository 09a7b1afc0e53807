"""Options: what players choose before a game. Which values are then in force says `choosing`."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

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
    since: int = 1
    """The version of the rules that brought it. Games of older rules do not name it."""
    before: str = ""
    """The value by which games of older rules were played; empty: the default."""
    gone: tuple[str, ...] = ()
    """Values that are no longer offered; games that were begun with them go on."""

    @property
    def default(self) -> str:
        """The value that holds when nobody chooses: the first."""
        return self.values[0]

    @property
    def readable(self) -> tuple[str, ...]:
        """All values that a game may have been begun with."""
        return (*self.values, *self.gone, *([self.before] if self.before else []))


class OptionError(ValueError):
    """An option that does not exist, or a value it does not take."""
