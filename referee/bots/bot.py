"""The interface of bots: what they are shown and must return."""

from __future__ import annotations

from concurrent.futures import Executor
from functools import cached_property
from random import Random
from reprlib import Repr
from typing import Any, Protocol, cast

from msgspec import Struct

from referee.engine.action_fields import find_ill_typed_part
from referee.engine.choice import Action
from referee.engine.component import Report
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.legal import LegalActions
from referee.engine.plugin_errors import MAX_CHARACTERS
from referee.record.log.log_errors import NotAllowedError

DEFAULT_SECONDS = 2.0
"""The seconds that a bot may think about an action by default."""


class Observation(Struct, frozen=True, dict=True):
    """Everything that a bot is shown: the game as its seat may know it, and the limits for its thinking."""

    game: AnyGame
    view: Any
    """The state as the seat sees it."""
    seat: Seat
    random: Random
    """The bot's own random numbers. The same ones give the same choice."""
    seconds: float = DEFAULT_SECONDS
    """The time to think, if the bot needs any."""
    playouts: int = 0
    """The number of playouts to make instead of using that time; 0 means that the time counts.

    With a number of playouts, a bot chooses the same on every machine.
    """
    executor: Executor | None = None
    """An executor that runs work in other processes, as `audit_all` takes it; None if the bot has no such help."""
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


def is_action(game: AnyGame, candidate: object) -> bool:
    """True if something is an action of the game, with fields of the right types."""
    return (
        type(candidate) in {verb.action for verb in game.verbs.all}
        and find_ill_typed_part(cast(Action, candidate)) is None
    )


class _ShortRepr(Repr):
    """A `repr` that shortens any answer of a bot, however large. An error in the answer's own `__repr__` is raised."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = MAX_CHARACTERS

    def repr_instance(self, x: object, level: int) -> str:  # noqa: ARG002 - so the base class calls it
        """Returns the beginning of the `repr` of an object whose type `Repr` does not know."""
        return repr(x)[:MAX_CHARACTERS]


def describe_returned_object(answer: object) -> str:
    """Returns a short text for something that a bot has returned instead of an action."""
    return _ShortRepr().repr(answer)[:MAX_CHARACTERS]
