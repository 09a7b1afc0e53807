"""Referee: verdicts that cite the rule, dice that can be checked, and logs that anyone can audit.

    >>> import referee
    >>> game = referee.start(referee.game_names()[0], "friday.jsonl")
    >>> game.legal()
    >>> game.do("your action in words")
    >>> referee.audit("friday.jsonl").fault

The names below are the whole public interface. Each one is imported on first use, so that a command loads only the
modules that it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.chances.in_memory_game import PositionError, Table, table
    from referee.chances.outcome_enumeration import TooManyError, outcomes
    from referee.engine.component import BoardError
    from referee.engine.dice import DiceError
    from referee.engine.options import OptionError
    from referee.engine.plugin_errors import GameError
    from referee.engine.registry import UnknownGameError, find_game, game_names
    from referee.engine.secret import UnknownError
    from referee.engine.text import NotUnderstoodError
    from referee.record.archive.archive import AuditedLog, audit_all
    from referee.record.archive.audit import AuditReport, audit
    from referee.record.log.log_errors import (
        FaultError,
        MovedOnError,
        NotAllowedError,
        NotRecordedError,
        UnconfirmedError,
    )
    from referee.record.table.opening_logs import branch, join, open_log, replay, start
    from referee.record.table.session import Session

__version__ = "0.1.0"

_HOMES = {
    "AuditedLog": "record.archive.archive",
    "BoardError": "engine.component",
    "DiceError": "engine.dice",
    "FaultError": "record.log.log_errors",
    "GameError": "engine.plugin_errors",
    "MovedOnError": "record.log.log_errors",
    "NotAllowedError": "record.log.log_errors",
    "NotRecordedError": "record.log.log_errors",
    "NotUnderstoodError": "engine.text",
    "OpenDice": "engine.dice_mode",
    "OptionError": "engine.options",
    "PositionError": "chances.in_memory_game",
    "AuditReport": "record.archive.audit",
    "Session": "record.table.session",
    "Table": "chances.in_memory_game",
    "TableDice": "engine.dice_mode",
    "TooManyError": "chances.outcome_enumeration",
    "UnconfirmedError": "record.log.log_errors",
    "UnknownError": "engine.secret",
    "UnknownGameError": "engine.registry",
    "audit": "record.archive.audit",
    "audit_all": "record.archive.archive",
    "branch": "record.table.opening_logs",
    "find_game": "engine.registry",
    "game_names": "engine.registry",
    "join": "record.table.opening_logs",
    "open_log": "record.table.opening_logs",
    "outcomes": "chances.outcome_enumeration",
    "replay": "record.table.opening_logs",
    "start": "record.table.opening_logs",
    "table": "chances.in_memory_game",
}
"""The module, below `referee`, that defines each public name."""

__all__ = [
    "AuditReport",
    "AuditedLog",
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


_RENAMED = {"Audited": "AuditedLog", "Report": "AuditReport"}
"""Old names, which version 2.0 removes, and the names to use today."""


def __getattr__(name: str) -> Any:
    if name in _RENAMED:
        from referee.engine.old_names import warn_renamed

        warn_renamed(f"referee.{name}", _RENAMED[name])
        name = _RENAMED[name]
    if name not in _HOMES:
        raise AttributeError(f"module 'referee' has no attribute {name!r}")
    return getattr(import_module(f"referee.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
