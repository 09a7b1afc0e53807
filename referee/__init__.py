"""Referee: verdicts with the rule, dice that can be checked, logs that anyone can audit.

    >>> import referee
    >>> game = referee.start(referee.game_names()[0], "friday.jsonl")
    >>> game.legal()
    >>> game.do("say what you do")
    >>> referee.audit("friday.jsonl").fault

The names below are the whole public interface. Each is imported when it is first used, so that a command line pays
only for what it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.chances.table import PositionError, Table, table
    from referee.chances.ways import TooManyError, outcomes
    from referee.engine.blame import GameError
    from referee.engine.component import BoardError
    from referee.engine.dice import DiceError
    from referee.engine.options import OptionError
    from referee.engine.registry import UnknownGameError, find_game, game_names
    from referee.engine.secret import UnknownError
    from referee.engine.text import NotUnderstoodError
    from referee.record.archive.archive import Audited, audit_all
    from referee.record.archive.audit import Report, audit
    from referee.record.log.faults import FaultError, MovedOnError, NotAllowedError, NotRecordedError, UnconfirmedError
    from referee.record.table.session import Session
    from referee.record.table.start import branch, join, open_log, replay, start

__version__ = "0.1.0"

_HOMES = {
    "Audited": "record.archive.archive",
    "BoardError": "engine.component",
    "DiceError": "engine.dice",
    "FaultError": "record.log.faults",
    "GameError": "engine.blame",
    "MovedOnError": "record.log.faults",
    "NotAllowedError": "record.log.faults",
    "NotRecordedError": "record.log.faults",
    "NotUnderstoodError": "engine.text",
    "OpenDice": "engine.mode",
    "OptionError": "engine.options",
    "PositionError": "chances.table",
    "Report": "record.archive.audit",
    "Session": "record.table.session",
    "Table": "chances.table",
    "TableDice": "engine.mode",
    "TooManyError": "chances.ways",
    "UnconfirmedError": "record.log.faults",
    "UnknownError": "engine.secret",
    "UnknownGameError": "engine.registry",
    "audit": "record.archive.audit",
    "audit_all": "record.archive.archive",
    "branch": "record.table.start",
    "find_game": "engine.registry",
    "game_names": "engine.registry",
    "join": "record.table.start",
    "open_log": "record.table.start",
    "outcomes": "chances.ways",
    "replay": "record.table.start",
    "start": "record.table.start",
    "table": "chances.table",
}

__all__ = [
    "Audited",
    "BoardError",
    "DiceError",
    "FaultError",
    "GameError",
    "MovedOnError",
    "NotAllowedError",
    "NotRecordedError",
    "NotUnderstoodError",
    "OpenDice",
    "OptionError",
    "PositionError",
    "Report",
    "Session",
    "Table",
    "TableDice",
    "TooManyError",
    "UnconfirmedError",
    "UnknownError",
    "UnknownGameError",
    "audit",
    "audit_all",
    "branch",
    "find_game",
    "game_names",
    "join",
    "open_log",
    "outcomes",
    "replay",
    "start",
    "table",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'referee' has no attribute {name!r}")
    return getattr(import_module(f"referee.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
