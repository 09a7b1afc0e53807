"""Referee: verdicts with the rule, dice that can be checked, logs that anyone can audit.

    >>> import referee
    >>> game = referee.start("manoover", "friday.jsonl")
    >>> game.legal()
    Legal(ThrowOff(seats=('red', 'blue')))
    >>> game.do("throwoff")
    >>> referee.audit("friday.jsonl").fault

The names below are the whole public interface. Each is imported when it is first used, so that a command line pays
only for what it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.engine.dice import DiceError, OpenDice, TableDice
    from referee.engine.game import BoardError, OptionError, UnknownGameError, find_game, game_names
    from referee.engine.text import NotUnderstoodError
    from referee.record.audit import Report, audit
    from referee.record.faults import FaultError, MovedOnError, NotRecordedError, UnknownError
    from referee.record.session import NotAllowedError, Session, open_log, replay, start

__version__ = "0.1.0"

_HOMES = {
    "BoardError": "engine.game",
    "DiceError": "engine.dice",
    "FaultError": "record.faults",
    "MovedOnError": "record.faults",
    "NotAllowedError": "record.session",
    "NotRecordedError": "record.faults",
    "NotUnderstoodError": "engine.text",
    "OpenDice": "engine.dice",
    "OptionError": "engine.game",
    "Report": "record.audit",
    "Session": "record.session",
    "TableDice": "engine.dice",
    "UnknownError": "record.faults",
    "UnknownGameError": "engine.game",
    "audit": "record.audit",
    "find_game": "engine.game",
    "game_names": "engine.game",
    "open_log": "record.session",
    "replay": "record.session",
    "start": "record.session",
}

__all__ = [
    "BoardError",
    "DiceError",
    "FaultError",
    "MovedOnError",
    "NotAllowedError",
    "NotRecordedError",
    "NotUnderstoodError",
    "OpenDice",
    "OptionError",
    "Report",
    "Session",
    "TableDice",
    "UnknownError",
    "UnknownGameError",
    "audit",
    "find_game",
    "game_names",
    "open_log",
    "replay",
    "start",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'referee' has no attribute {name!r}")
    return getattr(import_module(f"referee.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
