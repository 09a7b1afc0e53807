"""The boundary of work on one log among others: its error is reported for that log, and work on the others goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TypeVar

from msgspec import Struct

from referee.engine.plugin_errors import GameError, describe_error, find_game_error
from referee.record.archive.audit import audit_stream
from referee.record.log.log_errors import FaultError, LogError, NotAllowedError
from referee.record.log.safe_files import open_user_file, parse_path

T = TypeVar("T")

NO_SUCH_FILE = "there is no such file"


class UnreadableLog(Struct, frozen=True, omit_defaults=True):
    """A log that could not be read, with the reason as a clause."""

    log: str
    why: str
    bug: bool = False
    """True if a bug in the referee is the reason."""

    @classmethod
    def from_error(cls, log: str, error: Exception) -> UnreadableLog:
        """Returns the log with the reason that this error gives."""
        if isinstance(error, FaultError):
            fault = error.fault
            return cls(log, f"{fault.clause}{f', from entry {fault.n} on' if fault.n else ''}")
        if isinstance(error, FileNotFoundError):
            return cls(log, NO_SUCH_FILE)
        if isinstance(error, LogError | GameError | OSError):
            return cls(log, getattr(error, "strerror", None) or str(error) or type(error).__name__)
        if isinstance(error, MemoryError):
            return cls(log, "there is not enough memory")
        fault_of_game = find_game_error(error)
        return cls(log, str(fault_of_game)) if fault_of_game else cls(log, describe_error(error), bug=True)


def run_on_log(log: str | Path, work: Callable[[], T]) -> T | UnreadableLog:
    """Returns the result of `work` on one log, or the log with the reason that the work failed.

    Rebuilding a log runs no rules, so forged events can cause any error. Such an error is blamed on the log if an audit
    finds a fault there.
    """
    try:
        return work()
    except (LogError, GameError, OSError, MemoryError) as error:
        return UnreadableLog.from_error(str(log), error)
    except Exception as error:
        return UnreadableLog.from_error(
            str(log), find_fault_behind_error(lambda: open_user_file(parse_path(log))) or error
        )


def run_on_log_or_none(log: str | Path, work: Callable[[], T]) -> T | None:
    """Returns the result of `work` on one log among others; None if the work failed."""
    found = run_on_log(log, work)
    return None if isinstance(found, UnreadableLog) else found


def find_fault_behind_error(open_again: Callable[[], BinaryIO]) -> LogError | None:
    """Audits a log on which other work has failed. Returns the reason that lies in the log; None if there is none.

    If today's rules judge a move differently, the game can reach positions that today's rules never allow. Other work
    may fail there.
    """
    try:
        with open_again() as file:
            report = audit_stream(file)
    except Exception:  # the first error says more than an error of the audit
        return None
    if report.fault:
        return FaultError(report.fault)
    if report.differing:
        n = report.differences[0].n
        return NotAllowedError(f"today's rules judge entry {n} differently, and make no sense of the game after it")
    return None
