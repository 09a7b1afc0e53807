"""Witnesses: files that saw the hashes of a log while it was played, and so can tell if it was cut or written anew.

No audit of a log alone can find that. A witness need not be signed: it is as good as the one who kept it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from referee.record.archive.checkpoint import find_checkpoints
from referee.record.log.hash_words import spell_hash
from referee.record.log.line_format import BODY_OFFSET, LINE_START, format_entry_line

HEAD_LINE = re.compile(rb"([1-9][0-9]{0,15}) ([0-9a-f]{64})")
"""The number of entries and the hash of the last one, as the file beside a log has them."""


HASH_WORDS_LINE = re.compile(r"(0|[1-9][0-9]{0,15})[ :]+((?:[a-z]{5}[ -]){3}[a-z]{5})", re.IGNORECASE)
"""The number of an entry and the four words of its hash, as somebody has written them down."""


PHONE_FILE_START = "What this phone saw"
"""The beginning of the file that a phone hands over. Checkpoints follow."""


class WitnessedEntries(Struct, frozen=True):
    """The entries that a witness saw."""

    kind: str
    """The kind of witness: page, mail, copy, note, code or phone."""
    hashes: Mapping[int, str]
    """The hashes by the number of their entry."""
    twice: int | None = None
    """The first entry that the witness saw in two forms; None if there is none."""


class WitnessComparison(Struct, frozen=True):
    """The comparison of a log with what one witness saw of it."""

    witness: str
    """The name of the file, or the words that were typed."""
    kind: str
    """The kind of witness, as in `WitnessedEntries`."""
    upto: int | None
    """The last entry that is the same in both; None if there is none."""
    apart: int | None = None
    """The first entry that the witness saw otherwise; None if there is none."""
    missing: int | None = None
    """The last entry that the witness saw, if the log ends before it; None otherwise."""
    twice: int | None = None
    """The first entry that the witness saw in two forms, one of which the log has; None if there is none."""

    @property
    def agrees(self) -> bool:
        """True if the log begins with all the entries that the witness saw."""
        return self.apart is None and self.missing is None and self.twice is None


def read_hashes_in_lines(lines: Iterable[bytes], first: int = 0) -> dict[int, str]:
    """Returns the hashes of a log's lines by number, up to the first line that does not fit its own hash."""
    found: dict[int, str] = {}
    for n, line in enumerate(lines, first):
        if line.rstrip(b"\r\n") + b"\n" != format_entry_line(line.rstrip(b"\r\n")[BODY_OFFSET:-1]):
            break
        found[n] = line[len(LINE_START) :][:64].decode()
    return found


def read_hashes_in_note(text: bytes) -> dict[int, str]:
    """Returns the hashes in a note: on each line the number of entries and the hash of the last."""
    heads = (HEAD_LINE.fullmatch(line.strip()) for line in text.splitlines())
    return {int(head[1]) - 1: head[2].decode() for head in heads if head}


def find_hashes_in_words(text: str, hashes: Sequence[str]) -> dict[int, str]:
    """Returns the hashes of the entries whose words stand in a text, each on a line of its own.

    `hashes` are those of the log. If the words do not fit the log's entry with the same number, the words themselves
    are returned for that number.
    """
    noted = (HASH_WORDS_LINE.fullmatch(line.strip()) for line in text.splitlines())
    found = {int(one[1]): one[2].lower().replace(" ", "-") for one in noted if one}
    return {n: hashes[n] if n < len(hashes) and spell_hash(hashes[n]) == words else words for n, words in found.items()}


def find_checkpointed_entries(text: str, hashes: Sequence[str]) -> WitnessedEntries:
    """Returns the entries that the checkpoints in a text name, with their hashes. `hashes` are those of the log."""
    seen: dict[int, set[str]] = {}
    for one in find_checkpoints(text):
        seen.setdefault(one.n, set()).add(one.hash)
        first = hashes[0] if hashes and hashes[0].startswith(one.id) else one.id
        seen.setdefault(0, set()).add(first)
    found = {n: _prefer(hashes[n] if n < len(hashes) else "", some) for n, some in seen.items()}
    twice = min((n for n, some in seen.items() if len(some) > 1), default=None)
    return WitnessedEntries(
        "phone" if text.lstrip("\ufeff \r\n").startswith(PHONE_FILE_START) else "code", found, twice
    )


def _prefer(wanted: str, some: set[str]) -> str:
    return wanted if wanted in some else min(some)


def compare_with_witness(name: str, hashes: Sequence[str], memory: WitnessedEntries) -> WitnessComparison:
    """Returns the comparison of a log, of which all hashes are given, with what a witness saw."""
    seen = memory.hashes
    within = {n: seen[n] for n in sorted(seen) if n < len(hashes)}
    apart = next((n for n, hash_ in within.items() if hashes[n] != hash_), None)
    same = [n for n in within if apart is None or n < apart]
    last = max(seen, default=-1)
    missing = last if apart is None and last >= len(hashes) else None
    twice = memory.twice if apart is None else None
    return WitnessComparison(name, memory.kind, same[-1] if same else None, apart, missing, twice)
