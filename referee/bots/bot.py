"""The interface of bots: what they are shown and must return. Also finds bots by name."""

from __future__ import annotations

from concurrent.futures import Executor
from copy import deepcopy
from functools import cached_property
from random import Random
from typing import Any, Protocol, cast

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.action_fields import find_misfit
from referee.engine.component import Report
from referee.engine.event import Seat
from referee.engine.foreign_code import Fence, find_entry_points
from referee.engine.game import AnyGame
from referee.engine.legal import Action, LegalActions
from referee.engine.plugin_errors import GameError, describe_error, find_game_error, locate_error
from referee.engine.text import listing, nearest
from referee.record.log.log_errors import NotAllowedError

GROUP = "referee.bots"
"""The entry point group of other people's bots."""
SECONDS = 2.0
"""The seconds that a bot may think about an action by default."""
_OURS = {"random": "RandomBot", "steady": "SteadyBot", "strong": "StrongBot"}
"""The class of each of our bots, the weakest first."""
AT_ONCE = ("random", "steady")
"""The bots that need no time to think. The same random numbers give the same choice on every machine."""


class Observation(Struct, frozen=True, dict=True):
    """Everything that a bot is shown: the game as its seat may know it, and the limits for its thinking."""

    game: AnyGame
    view: Any
    """The state as the seat sees it."""
    seat: Seat
    random: Random
    """The bot's own random numbers. The same ones give the same choice."""
    seconds: float = SECONDS
    """The time to think, if the bot needs any."""
    playouts: int = 0
    """The number of playouts to make instead of using that time; 0 means that the time counts.

    With a number of playouts, a bot chooses the same on every machine.
    """
    executor: Executor | None = None
    """An executor by which other processes help, as `audit_all` takes it; None if none helps."""
    tell: Report = lambda _: None
    """A function that is called now and then with the share of the time that is over, from 0 to 1."""
    hurries: bool = False
    """True if Ctrl-C makes the bot answer at once with its best so far. Otherwise Ctrl-C stops it."""

    @cached_property
    def legal(self) -> LegalActions:
        """All legal actions of the seat."""
        return self.game.legal(self.view, self.seat)


class Bot(Protocol):
    """A program that chooses actions."""

    def choose(self, seen: Observation) -> Action:
        """Returns one of the legal actions."""


class BotError(NotAllowedError):
    """Raised if a bot cannot be used, fails, or chooses no legal action. The message is a clause that names the bot."""


class UnknownBotError(BotError):
    """Raised if no bot has this name. The message suggests a similar name, or lists all bots."""


def bot_names() -> list[str]:
    """Returns the names of all bots: ours, the weakest first, then those of others."""
    return [*_OURS, *sorted({found.name for found in find_entry_points(GROUP)} - _OURS.keys())]


def find_bot(name: str) -> Bot:
    """Returns the bot of this name.

    Raises UnknownBotError if there is none, and BotError if a bot of another distribution cannot be used.
    """
    if name in _OURS:
        from importlib import import_module

        bot: Bot = getattr(import_module(f"referee.bots.{name}_bot"), _OURS[name])()
        return bot
    for found in find_entry_points(GROUP):
        if found.name == name:
            return _load_bot(found)
    near = nearest(name, bot_names())
    known = f"did you mean {near[0]!r}?" if near else f"there are {listing(bot_names())}"
    raise UnknownBotError(f"there is no bot {name!r}; {known}")


def _load_bot(found: Any) -> Bot:
    module = found.value.partition(":")[0]
    with _bot_fence(found.name, "cannot be used: it is faulty", module):
        bot: Bot = found.load()()
    return bot


def choose_action(name: str, bot: Bot, seen: Observation) -> Action:
    """Returns the action that a bot chooses.

    Raises BotError if the bot fails or chooses an illegal action. Raises GameError if one of our bots fails in somebody
    else's game.
    """
    action = _answer(name, bot, seen) if name in _OURS else _answer_of_others(name, bot, seen)
    if any(seen.game.check(seen.view, seen.seat, action)):
        raise BotError(f"the bot {name} has chosen an illegal action: {seen.game.format(action)}")
    return action


def _answer(name: str, bot: Bot, seen: Observation) -> Action:
    """Returns the answer of one of our bots."""
    try:
        return bot.choose(seen)
    except GameError:
        raise
    except Exception as error:
        raise find_game_error(error) or BotError(f"the bot {name} has broken ({describe_error(error)})") from error


def _answer_of_others(name: str, bot: Bot, seen: Observation) -> Action:
    """Returns the answer of somebody else's bot. Raises BotError if the bot fails, or if its answer is no action.

    The bot cannot change the game through what it sees, and its output is not shown as ours.
    """
    with _bot_fence(name, "has broken", type(bot).__module__):
        action = bot.choose(replace(seen, view=deepcopy(seen.view)))
        said = None if _is_action(seen.game, action) else repr(action)
    if said is not None:
        raise BotError(f"the bot {name} has chosen something that is not an action: {said}")
    return action


def _is_action(game: AnyGame, said: object) -> bool:
    """True if something is an action of the game, with fields of the right types."""
    return type(said) in {verb.action for verb in game.verbs.all} and find_misfit(cast(Action, said)) is None


def _bot_fence(name: str, what: str, module: str) -> Fence:
    """Returns a fence that reports every error inside as a fault of this bot, whose code is in this module."""

    def blame(error: BaseException) -> BotError:
        return BotError(f"the bot {name} {what} at {locate_error(error, module)} ({describe_error(error)})")

    return Fence(blame, (GameError,), redirects_output=True)
