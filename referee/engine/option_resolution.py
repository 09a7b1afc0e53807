"""The values of a game's options: which ones are in force, and which ones a new game may have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from referee.engine.game import AnyGame
from referee.engine.options import Option, OptionError, Options
from referee.engine.text import did_you_mean, listing


def fill_options(game: AnyGame, given: Options) -> dict[str, str]:
    """Returns all options of a game with their values in force.

    A value is the given one, else the preset of another option, else the default. Raises OptionError if an option or a
    value does not exist.
    """
    known = {option.name: option for option in game.options}
    for name, value in given.items():
        if name not in known:
            raise OptionError(f"{game.name} has no option {name!r}{did_you_mean(name, list(known))}")
        if value not in known[name].known_values:
            raise _make_value_error(known[name], value)
    settled = {option.name: given.get(option.name, option.default) for option in game.options}
    for option in game.options:
        preset = option.presets.get(settled[option.name], {})
        settled.update({name: value for name, value in preset.items() if name not in given})
    return settled


def find_options_in_force(game: AnyGame, named: Options, rules: int) -> dict[str, str]:
    """Returns the options of a game that was begun under version `rules` of the rules.

    They are the options in `named`. Each option introduced later has the value by which all earlier games were played.
    """
    later = (option for option in game.options if option.since > rules and option.name not in named)
    return {**named, **{option.name: option.before or option.default for option in later}}


def check_values_offered(game: AnyGame, given: Options) -> None:
    """Raises OptionError if the value of an option is no longer offered."""
    for option in game.options:
        if given.get(option.name, option.default) not in option.values:
            raise _make_value_error(option, given[option.name])


def choose_options(game: AnyGame, given: Options) -> dict[str, str]:
    """Returns the options of a new game.

    Raises OptionError if an option or value does not exist, if a value is no longer offered, or if options conflict.
    Only an error about a conflict cites the rule.
    """
    settled = fill_options(game, given)
    check_values_offered(game, settled)
    refusal = next(game.check_options(settled), None)
    if refusal:
        raise OptionError(f"{refusal.because} ({refusal.rule})")
    return settled


def switch_options(game: AnyGame, now: Options, changes: Options) -> dict[str, str]:
    """Returns the options of a game after its players have switched some in mid-game. `now` are those in force.

    Raises OptionError if an option or value does not exist, or if an option cannot be switched or has the value
    already. Raises OptionError, too, if options conflict.
    """
    after = fill_options(game, {**now, **changes})
    for option in game.options:
        if option.name in changes and not option.is_switchable:
            raise OptionError(f"option {option.name} can only be chosen before the game ({option.rule})")
        if changes.get(option.name) == now[option.name]:
            raise OptionError(f"option {option.name} is {now[option.name]} already")
    refusal = next(game.check_options(after), None)
    if refusal:
        raise OptionError(f"{refusal.because} ({refusal.rule})")
    return after


def list_possible_switches(game: AnyGame, now: Options) -> Iterator[tuple[str, str]]:
    """Yields each option that may be switched in mid-game, with each value to which players may switch it now.

    Each switch is judged as if no other option were switched with it.
    """
    for option in game.options:
        for value in option.values if option.is_switchable else ():
            with suppress(OptionError):
                switch_options(game, now, {option.name: value})
                yield option.name, value


def _make_value_error(option: Option, value: str) -> OptionError:
    return OptionError(f"option {option.name} can be {listing(option.values, 'or')}, not {value!r}")
