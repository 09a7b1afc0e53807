"""The bots that can play: ours, and those that other distributions declare. Finds them by name and asks them.

Our own bots are a part of this program and play in this process, so that they cost no start. A bot of another
distribution needs no more than a view, so it plays in a process of its own: see `foreign_bot`.
"""

from __future__ import annotations

from importlib import import_module

from referee.bots.bot import Bot, BotError, Observation, UnknownBotError, describe_returned_object, is_action
from referee.engine.choice import Action
from referee.engine.foreign_code import find_entry_points
from referee.engine.plugin_errors import GameError, describe_error, find_game_error, locate_error
from referee.engine.text import find_similar_choices, listing

ENTRY_POINT_GROUP = "referee.bots"
"""The entry point group of other people's bots."""
_OURS = {"random": "RandomBot", "steady": "SteadyBot", "strong": "StrongBot"}
"""The class of each of our bots, the weakest first."""
UNTIMED_BOTS = ("random", "steady")
"""The bots that need no time to think. The same random numbers give the same choice on every machine."""


def list_bot_names() -> list[str]:
    """Returns the names of all bots: ours, the weakest first, then those of others."""
    return [*_OURS, *sorted({found.name for found in find_entry_points(ENTRY_POINT_GROUP)} - _OURS.keys())]


def find_bot(name: str) -> Bot:
    """Returns the bot of this name.

    Raises UnknownBotError if there is none, and BotError if a bot of another distribution cannot be used.
    """
    if name in _OURS:
        bot: Bot = getattr(import_module(f"referee.bots.{name}_bot"), _OURS[name])()
        return bot
    for found in find_entry_points(ENTRY_POINT_GROUP):
        if found.name == name:
            from referee.bots.foreign_bot import ForeignBot  # few games have one

            return ForeignBot(found)
    near = find_similar_choices(name, list_bot_names())
    known = f"did you mean {near[0]!r}?" if near else f"there are {listing(list_bot_names())}"
    raise UnknownBotError(f"there is no bot {name!r}; {known}")


def choose_action(name: str, bot: Bot, seen: Observation) -> Action:
    """Returns the action that a bot chooses.

    Raises BotError if the bot fails or chooses an illegal action. Raises GameError if one of our bots fails in somebody
    else's game.
    """
    action = _ask_bot(name, bot, seen)
    title = getattr(bot, "title", name)
    if name not in _OURS and not is_action(seen.game, action):
        raise BotError(
            f"the bot {title} has chosen something that is not an action: {describe_returned_object(action)}"
        )
    if any(seen.game.check(seen.view, seen.seat, action)):
        raise BotError(f"the bot {title} has chosen an illegal action: {seen.game.format(action)}")
    return action


def _ask_bot(name: str, bot: Bot, seen: Observation) -> Action:
    """Returns the answer of a bot. An error in this process is reported as a fault of a foreign game or of the bot."""
    try:
        return bot.choose(seen)
    except (GameError, BotError):
        raise
    except Exception as error:
        where = locate_error(error, type(bot).__module__)
        fault = BotError(f"the bot {name} has failed at {where} ({describe_error(error)})")
        raise find_game_error(error) or fault from error
