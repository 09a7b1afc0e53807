"""What can be wrong with a log.

Reading errors form one small tree:

    LogError
        FaultError       the log holds something it must not; carries the Fault
        MovedOnError     somebody else appended since this log was read
        NotRecordedError the disk refused; nothing was recorded
        UnconfirmedError the disk did not confirm; nobody can say whether the entry was recorded
        KeyProblemError  a player's own key, or what is kept beside it, cannot be used
        NotAllowedError  something about the record may not be done: a name is none, a position breaks a rule
            NotAgreedError   somebody has to agree first
        EnvelopeError    a mail holds no whole packet (referee.mail)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from msgspec import Struct

Code = Literal[
    "empty",
    "not-a-log",
    "newer-format",
    "old-form",
    "unknown-file",
    "unknown-game",
    "torn-tail",
    "lost-tail",
    "byte-order-mark",
    "mangled",
    "line-too-long",
    "bad-frame",
    "bad-hash",
    "bad-chain",
    "bad-order",
    "not-utf8",
    "control-character",
    "too-deep",
    "string-too-long",
    "number-too-large",
    "not-json",
    "not-an-entry",
    "not-canonical",
    "bad-beginning",
    "bad-options",
    "bad-file",
    "bad-position",
    "bad-seat",
    "bad-event",
    "bad-takeback",
    "bad-agreement",
    "bad-dice",
    "illegal-action",
    "wrong-events",
    "bad-secret",
    "bad-reveal",
    "bad-vault",
    "bad-cast",
    "bad-seal",
    "bad-offer",
    "missing-game",
    "wrong-game",
    "wrong-score",
]
"""Every fault that reading or auditing can find."""

UNREADABLE = frozenset(
    {
        "empty",
        "not-a-log",
        "newer-format",
        "old-form",
        "unknown-file",
        "unknown-game",
        "torn-tail",
        "lost-tail",
        "byte-order-mark",
        "mangled",
        "bad-vault",
    }
)
"""Faults that mean: this is no log we can read, or it was cut short. All others are faults within a log."""


OF_OTHERS = ("newer-format", "old-form", "unknown-file", "unknown-game")
"""Faults of logs with which nothing need be wrong: another version, or a game that is not here, has written them."""

CHANGED = "this entry was changed after it was written"
FOREIGN = "this entry is not written as entries are: it was changed, or another program made it"

WORDS: dict[Code, str] = {
    "torn-tail": "its last entry was cut short",
    "byte-order-mark": FOREIGN,
    "line-too-long": FOREIGN,
    "bad-frame": "here stands a line that is no entry",
    "bad-hash": CHANGED,
    "bad-chain": "this entry does not continue the one before it: one of them was changed, taken out or put in",
    "not-utf8": FOREIGN,
    "control-character": "this entry holds signs that would change what is shown",
    "too-deep": FOREIGN,
    "string-too-long": FOREIGN,
    "number-too-large": FOREIGN,
    "not-json": FOREIGN,
    "not-an-entry": FOREIGN,
    "not-canonical": FOREIGN,
    "old-form": "this entry has a form from before any that is promised to be read, or another program made it",
    "bad-event": "what is said to have happened here cannot happen",
    "bad-vault": "a vault beside this log cannot be used",
}
"""What faults mean to players whose cause is told in terms of bytes; the causes of all others are words already."""


class Fault(Struct, frozen=True):
    """The first thing that is wrong in a log: which entry, where in the file, and why."""

    code: Code
    n: int
    """Number of the entry at which the good part of the log has ended."""
    offset: int
    """Byte offset of its line."""
    cause: str
    """One clause for a person."""
    rule: str | None = None
    """The game rule it breaks, for an illegal action."""
    recorded: tuple[str, ...] = ()
    """For events that differ: what the log says happened, in words."""
    expected: tuple[str, ...] = ()
    """For events that differ: what today's rules say happens, in words."""
    within: str = ""
    """For a game of a match: in which log, and at which of its entries."""

    @property
    def unreadable(self) -> bool:
        """Whether there is nothing to read here, rather than something wrong in it."""
        return self.code in UNREADABLE

    @property
    def words(self) -> str:
        """What is wrong, as a clause for players."""
        where = f"{self.within}: " if self.within else ""
        return where + WORDS.get(self.code, self.cause)

    @property
    def detail(self) -> str:
        """The same for who knows the format: what it is called, where it is in the file, the cause in its terms."""
        cause = f": {self.cause}" if self.code in WORDS else ""
        return f"{self.code}, byte {self.offset}{cause}"

    def __str__(self) -> str:
        rule = f" [{self.rule}]" if self.rule else ""
        return f"entry {self.n}, byte {self.offset}: {self.code}: {self.cause}{rule}"


class LogError(Exception):
    """Something about a log that stops what was asked for."""


class FaultError(LogError):
    """The log holds something it must not; carries the Fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return str(self.fault)


class MovedOnError(LogError):
    """Somebody else appended since this log was read; nothing was recorded."""


class NotRecordedError(LogError):
    """The disk refused; nothing was recorded."""


class UnconfirmedError(LogError):
    """The disk did not confirm; nobody can say whether the entry was recorded."""


class NotAllowedError(LogError):
    """Something about the record that may not be done: a name, a position, a seat."""

    entry: Any = None
    """The entry that may not be recorded, where it is one."""


class NotAgreedError(NotAllowedError):
    """Something that may not be done before others have agreed."""

    deed = ""
    """The hash of all that they have to agree to, where that is worked out already."""


class KeyProblemError(LogError):
    """Something about a player's own key, or what is kept beside it, that cannot be used."""


@contextmanager
def not_allowed() -> Iterator[None]:
    """What would be a fault in a log may not be done."""
    try:
        yield
    except FaultError as error:
        fault = error.fault
        kind = NotAgreedError if fault.code == "bad-agreement" else NotAllowedError
        raise kind(f"{fault.cause} ({fault.rule})" if fault.rule else fault.cause) from error
