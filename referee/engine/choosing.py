"""What players have chosen of the options of a game, and which values are then in force."""

from __future__ import annotations

from referee.engine.game import AnyGame
from referee.engine.options import Option, OptionError, Options
from referee.engine.text import guess, listing


def settle_options(game: AnyGame, given: Options) -> dict[str, str]:
    """All options of a game with the values in force: given, else preset by another, else default."""
    known = {option.name: option for option in game.options}
    for name, value in given.items():
        if name not in known:
            raise OptionError(f"{game.name} has no option {name!r}{guess(name, list(known))}")
        if value not in known[name].readable:
            raise _no_value(known[name], value)
    settled = {option.name: given.get(option.name, option.default) for option in game.options}
    for option in game.options:
        preset = option.presets.get(settled[option.name], {})
        settled.update({name: value for name, value in preset.items() if name not in given})
    return settled


def options_in_force(game: AnyGame, named: Options, rules: int) -> dict[str, str]:
    """The options of a game that was begun under a version of the rules: those that it names, and for each that came
    along later the value that all games had before.
    """
    later = (option for option in game.options if option.since > rules and option.name not in named)
    return {**named, **{option.name: option.before or option.default for option in later}}


def choose_options(game: AnyGame, given: Options) -> dict[str, str]:
    """The options of a new game, if they are offered and go together; OptionError cites the rule when they do not."""
    settled = settle_options(game, given)
    for option in game.options:
        if settled[option.name] not in option.values:
            raise _no_value(option, settled[option.name])
    refusal = next(game.check_options(settled), None)
    if refusal:
        raise OptionError(f"{refusal.because} ({refusal.rule})")
    return settled


def _no_value(option: Option, value: str) -> OptionError:
    return OptionError(f"option {option.name} is {listing(option.values, 'or')}, not {value!r}")
