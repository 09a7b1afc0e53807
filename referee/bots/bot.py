"""What a bot is given and what it must do, and which bots there are."""

from __future__ import annotations

from concurrent.futures import Executor
from copy import deepcopy
from functools import cached_property
from random import Random
from typing import Any, Protocol, cast

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.action_fields import misfit_of
from referee.engine.blame import GameError, game_at_fault, place_of, words_of
from referee.engine.component import Report
from referee.engine.event import Seat
from referee.engine.foreign import Fence, points_of
from referee.engine.game import AnyGame
from referee.engine.legal import Action, Legal
from referee.engine.text import listing, nearest
from referee.record.log.faults import NotAllowedError

GROUP = "referee.bots"
"""The entry points under which others' bots are found."""
SECONDS = 2.0
"""Time that a bot takes for an action, where it takes any."""
_OURS = {"random": "RandomBot", "steady": "SteadyBot", "strong": "StrongBot"}
"""The class of each of ours, the weakest first."""
AT_ONCE = ("random", "steady")
"""Those that take no time, and so choose alike on every machine."""


class Seen(Struct, frozen=True, dict=True):
    """All that a bot gets: the game as its seat may know it."""

    game: AnyGame
    view: Any
    """The state as the seat sees it."""
    seat: Seat
    random: Random
    """Its dice for choosing: the same ones make it choose the same."""
    seconds: float = SECONDS
    """Time to think, where it needs any."""
    playouts: int = 0
    """So many playouts instead of that time, if any: then it thinks the same on every machine."""
    executor: Executor | None = None
    """Whoever works for it beside this process, as `audit_all` takes them; None: nobody."""
    tell: Report = lambda _: None
    """Hears now and then which part of the time is over."""
    hurries: bool = False
    """Whether Ctrl-C makes it answer at once with what it has found; otherwise Ctrl-C stops it."""

    @cached_property
    def legal(self) -> Legal:
        """Everything it may do."""
        return self.game.legal(self.view, self.seat)


class Bot(Protocol):
    """Somebody who chooses."""

    def choose(self, seen: Seen) -> Action:
        """One of the legal actions."""


class BotError(NotAllowedError):
    """A bot that cannot be used, or that does not do what a bot must; the message names it, as a clause."""


class UnknownBotError(BotError):
    """There is no bot of this name; the message names those there are, or the one that is perhaps meant."""


def bot_names() -> list[str]:
    """The bots there are: ours, the weakest first, then those of others."""
    return [*_OURS, *sorted({found.name for found in points_of(GROUP)} - _OURS.keys())]


def find_bot(name: str) -> Bot:
    """The bot of this name; UnknownBotError, or BotError where somebody else's cannot be used."""
    if name in _OURS:
        from importlib import import_module

        bot: Bot = getattr(import_module(f"referee.bots.{name}_bot"), _OURS[name])()
        return bot
    for found in points_of(GROUP):
        if found.name == name:
            return _loaded(found)
    near = nearest(name, bot_names())
    known = f"did you mean {near[0]!r}?" if near else f"there are {listing(bot_names())}"
    raise UnknownBotError(f"there is no bot {name!r}; {known}")


def _loaded(found: Any) -> Bot:
    module = found.value.partition(":")[0]
    with _blaming(found.name, "cannot be used: it is faulty", module):
        bot: Bot = found.load()()
    return bot


def chosen(name: str, bot: Bot, seen: Seen) -> Action:
    """What a bot chooses; BotError names it when it breaks, or chooses what is not legal. GameError names the game of
    somebody else's in which one of ours has broken.
    """
    action = _answer(name, bot, seen) if name in _OURS else _answer_of_others(name, bot, seen)
    if any(seen.game.check(seen.view, seen.seat, action)):
        raise BotError(f"the bot {name} has chosen what is not legal: {seen.game.format(action)}")
    return action


def _answer(name: str, bot: Bot, seen: Seen) -> Action:
    """What one of ours answers."""
    try:
        return bot.choose(seen)
    except GameError:
        raise
    except Exception as error:
        raise game_at_fault(error) or BotError(f"the bot {name} has broken ({words_of(error)})") from error


def _answer_of_others(name: str, bot: Bot, seen: Seen) -> Action:
    """What somebody else's bot answers, if it is an action. What it changes of what it sees changes no game, and what
    it prints is no part of ours.
    """
    with _blaming(name, "has broken", type(bot).__module__):
        action = bot.choose(replace(seen, view=deepcopy(seen.view)))
        said = None if _is_action(seen.game, action) else repr(action)
    if said is not None:
        raise BotError(f"the bot {name} has chosen what is no action: {said}")
    return action


def _is_action(game: AnyGame, said: object) -> bool:
    """Whether something is an action of a game, with fields as their types say."""
    return type(said) in {verb.action for verb in game.verbs.all} and misfit_of(cast(Action, said)) is None


def _blaming(name: str, what: str, module: str) -> Fence:
    """Tells whatever goes wrong inside as a fault of the bot of this name, which stands in this module."""

    def blame(error: BaseException) -> BotError:
        return BotError(f"the bot {name} {what} at {place_of(error, module)} ({words_of(error)})")

    return Fence(blame, (GameError,))
