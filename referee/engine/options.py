"""Options: the choices that players make before a game. `option_resolution` works out the values in force."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

Options = Mapping[str, str]
"""All options of a game by name, with their values in force."""


class Option(Struct, frozen=True):
    """A choice that players make before a game."""

    name: str
    """The name, as players type it."""
    values: tuple[str, ...]
    """The values that can be chosen; the first is the default."""
    meaning: str
    """The question that the option decides, in words."""
    rule: str
    """The id of the rule or ruling that the option switches."""
    presets: Mapping[str, Mapping[str, str]] = {}
    """For each value, the values that it gives to other options, unless the players choose those themselves."""
    since: int = 1
    """The version of the rules that introduced the option. Games under older rules do not name it."""
    before: str = ""
    """The value that holds in games under older rules; "" means the default."""
    gone: tuple[str, ...] = ()
    """Values that are no longer offered. Games begun with them go on."""
    is_switchable: bool = False
    """True if players may agree on another value in mid-game. Once true it stays true, since logs hold switches."""

    @property
    def default(self) -> str:
        """The value that holds when nobody chooses one: the first."""
        return self.values[0]

    @property
    def known_values(self) -> tuple[str, ...]:
        """All values that a game may have been begun with."""
        return (*self.values, *self.gone, *([self.before] if self.before else []))


class OptionError(ValueError):
    """Raised for an option that does not exist, a value that it cannot have, or options that conflict."""
