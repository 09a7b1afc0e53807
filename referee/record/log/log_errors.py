"""The faults of a log, and the errors about logs.

Errors form one small tree:

    LogError
        FaultError       the log holds something forbidden; carries the Fault
        MovedOnError     somebody else has added to the log since it was read
        NotRecordedError the disk refused; nothing was recorded
        UnconfirmedError the disk did not confirm; nobody can say whether the entry was recorded
        KeyProblemError  a player's own key, or a file beside it, cannot be used
        NotAllowedError  a request that the record does not allow, such as a bad name or position
            NotAgreedError   somebody has to agree first
        EnvelopeError    a mail holds no whole packet (referee.mail)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from msgspec import Struct

FaultCode = Literal[
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
    "several-ends",
]
"""Every fault that reading or auditing can find."""

UNREADABLE_CODES = frozenset(
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
"""Faults of files that are not readable logs, or that were cut short. All others are faults within a log."""


CODES_OF_UNKNOWN_LOGS = ("newer-format", "old-form", "unknown-file", "unknown-game")
"""Faults of logs that may be fine: another version of the program wrote them, or the game is not installed."""

CHANGED_ENTRY = "this entry was changed after it was written"
MALFORMED_ENTRY = "this entry does not have the right form: it was changed, or another program wrote it"

FAULT_WORDS: dict[FaultCode, str] = {
    "torn-tail": "its last entry was cut short",
    "byte-order-mark": MALFORMED_ENTRY,
    "line-too-long": MALFORMED_ENTRY,
    "bad-frame": "this line is not an entry",
    "bad-hash": CHANGED_ENTRY,
    "bad-chain": "this entry does not continue the one before it: an entry was changed, removed or added",
    "not-utf8": MALFORMED_ENTRY,
    "control-character": "this entry holds characters that would change what is shown",
    "too-deep": MALFORMED_ENTRY,
    "string-too-long": MALFORMED_ENTRY,
    "number-too-large": MALFORMED_ENTRY,
    "not-json": MALFORMED_ENTRY,
    "not-an-entry": MALFORMED_ENTRY,
    "not-canonical": MALFORMED_ENTRY,
    "old-form": "the form of this entry is too old to be read, or another program wrote it",
    "bad-event": "the events of this entry cannot happen here",
    "bad-vault": "a vault beside this log cannot be used",
}
"""Words for players about faults whose causes speak of bytes. The causes of all others can be read as they are."""


class Fault(Struct, frozen=True):
    """The first fault of a log: the entry, the place in the file, and the cause."""

    code: FaultCode
    n: int
    """The number of the entry at which the good part of the log ends."""
    offset: int
    """The place of that entry's line in the file, in bytes."""
    cause: str
    """The cause as one clause for people."""
    rule: str | None = None
    """The rule of the game that an illegal action breaks; None for other faults."""
    recorded: tuple[str, ...] = ()
    """The recorded events in words, if they are wrong."""
    expected: tuple[str, ...] = ()
    """The events under today's rules in words, if the recorded ones are wrong."""
    within: str = ""
    """The log and the entry, for a fault in a game of a match; otherwise ""."""

    @property
    def is_unreadable(self) -> bool:
        """True if the file cannot be read as a log at all."""
        return self.code in UNREADABLE_CODES

    @property
    def clause(self) -> str:
        """The fault as a clause for players."""
        where = f"{self.within}: " if self.within else ""
        return where + FAULT_WORDS.get(self.code, self.cause)

    @property
    def detail(self) -> str:
        """The fault for experts: its code, its place in the file, and the cause in terms of bytes."""
        cause = f": {self.cause}" if self.code in FAULT_WORDS else ""
        return f"{self.code}, byte {self.offset}{cause}"

    def __str__(self) -> str:
        rule = f" [{self.rule}]" if self.rule else ""
        return f"entry {self.n}, byte {self.offset}: {self.code}: {self.cause}{rule}"


class LogError(Exception):
    """An error about a log that stops a request."""


class FaultError(LogError):
    """An error about a log that holds something forbidden; carries the Fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return str(self.fault)


class MovedOnError(LogError):
    """An error because somebody else has added to the log since it was read. Nothing was recorded."""


class NotRecordedError(LogError):
    """An error because the disk refused. Nothing was recorded."""


class UnconfirmedError(LogError):
    """An error because the disk did not confirm. Nobody can say whether the entry was recorded."""


class NotAllowedError(LogError):
    """An error about a request that the record does not allow, such as a bad name, position or seat."""

    entry: Any = None
    """The entry that may not be recorded; None if there is none."""


class NotAgreedError(NotAllowedError):
    """An error about a request to which others must agree first."""

    deed = ""
    """The hash of the deed that they must agree to; "" if it is not worked out yet."""


class KeyProblemError(LogError):
    """An error about a player's own key, or a file beside it, that cannot be used."""


@contextmanager
def turn_faults_into_not_allowed() -> Iterator[None]:
    """Turns a fault of a log into NotAllowedError, or into NotAgreedError if an agreement is missing."""
    try:
        yield
    except FaultError as error:
        fault = error.fault
        kind = NotAgreedError if fault.code == "bad-agreement" else NotAllowedError
        raise kind(f"{fault.cause} ({fault.rule})" if fault.rule else fault.cause) from error
