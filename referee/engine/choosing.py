"""What players have chosen of the options of a game, and which values are then in force."""

from __future__ import annotations

from referee.engine.game import AnyGame
from referee.engine.options import OptionError, Options
from referee.engine.text import guess, listing


def settle_options(game: AnyGame, given: Options) -> dict[str, str]:
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


def choose_options(game: AnyGame, given: Options) -> dict[str, str]:
    """The same, if they go together; OptionError cites the rule when they do not."""
    settled = settle_options(game, given)
    refusal = next(game.check_options(settled), None)
    if refusal:
        raise OptionError(f"{refusal.because} ({refusal.rule})")
    return settled
