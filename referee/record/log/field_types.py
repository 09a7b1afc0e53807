"""The types of entries' fields: numbers, hashes, texts, times and keys, each with its bounds."""

from typing import Annotated

from msgspec import Meta

from referee.engine.dice import SeatName
from referee.gate import UnreadableError, read_time

LOG_FORMAT = 2
"""The number of the log format that is written. Lower formats are lifted when they are read; higher ones are refused.

1. The first format. It grew over time, so later logs have more fields. Shipped files are named by the hash of their
   bytes.
2. Shipped files are named by the hash of their content. The first entry says which referee wrote the log.
"""

MAX_ENTRY_BYTES = 64 * 1024
"""The most bytes of an entry, from brace to brace."""
MAX_LINE_BYTES = MAX_ENTRY_BYTES + 85
"""The most bytes of a line with frame and line feed. Lines of a vault have a frame of the same size."""
MAX_DEPTH = 16
MAX_STRING = 4096
MAX_NUMBER = 2**53 - 1

BRANCH_NAME_PATTERN = "[A-Za-z0-9][A-Za-z0-9_.-]{0,63}"
MAX_PARENT_CHARACTERS = 120
"""The most characters of a parent's name."""
GAME_LOG_PATTERN = r"[^/\\.][^/\\]{0,190}\.jsonl"
"""The pattern that the file name of each game's log fits in a match."""

EntryNumber = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
"""The number of an entry, from 0."""
Identifier = Annotated[str, Meta(pattern="^[a-z][a-z0-9_-]{0,31}$")]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Text = Annotated[str, Meta(min_length=1, max_length=MAX_STRING)]
Time = Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")]
TypedChanges = Annotated[tuple[Annotated[str, Meta(min_length=1, max_length=200)], ...], Meta(max_length=64)]
"""Changes as they are typed, each a piece and its new place: `B4 c4`."""
AgreedSeats = Annotated[tuple[SeatName, ...], Meta(max_length=16)]
PublicKey = Annotated[str, Meta(pattern="^ssh-ed25519 [A-Za-z0-9+/]{68}$")]
"""An Ed25519 key in OpenSSH's one-line form, without a comment."""
Signature = Annotated[str, Meta(pattern="^[A-Za-z0-9+/]{1,600}={0,2}$")]
"""A signature in OpenSSH's form (SSHSIG), as one line of base64."""
EntryNumbers = Annotated[tuple[EntryNumber, ...], Meta(max_length=4096)]

Day = Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
MAX_PACE_DAYS = 365
"""The most days that a turn may take by agreement."""

NO_TIME = "0001-01-01T00:00:00Z"
"""The time that replaces all times when entries are compared without them."""

_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)


def is_day(text: str) -> bool:
    """True if text is a day of a calendar, such as 2026-12-24."""
    return is_time(f"{text}T00:00:00Z")


def is_time(text: str) -> bool:
    """True if text is a `Time` that a clock can show: a real date and a time of day."""
    if text.encode("utf-8", "replace").translate(_DIGITS) != b"0000-00-00T00:00:00Z":
        return False
    if text[11:13] > "23":  # later versions of Python read 24:00:00 as the next day
        return False
    try:
        read_time(text)
    except UnreadableError:
        return False
    return True
