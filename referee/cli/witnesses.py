"""`referee audit --witness`: compares a log with the hashes that phones, codes, pages, mails and copies hold.

No witness is signed: it is as good as the person who kept it. A phone's signature would add nothing. Its link comes
from the laptop on trial, and so does the log that could name its key. Browsers sign nothing on a page of plain http.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from referee.cli.answer import NO, Answer, AnswerLine, Text
from referee.cli.errors import MisuseError
from referee.cli.log_paths import open_readable_part
from referee.engine.text import count_of, listing
from referee.record.archive.witness import (
    WitnessComparison,
    WitnessedEntries,
    compare_with_witness,
    find_checkpointed_entries,
    find_hashes_in_words,
    read_hashes_in_lines,
    read_hashes_in_note,
)
from referee.record.log.file_kinds import PAGE, find_path_kind
from referee.record.log.safe_files import MAX_SEARCHED_FILE_BYTES, read_user_file

KINDS_OF_WITNESSES = "a page, a mail, a copy, a .head file, the text of a code, a phone's file or the words of an entry"
"""All that can be a witness, for people."""


class Testimonies(Struct, frozen=True):
    """The comparisons of a log with its witnesses, and the number of the log's last good entry."""

    last: int
    testimonies: tuple[WitnessComparison, ...]


def add_testimonies(answer: Answer, log: Path, witnesses: Sequence[str]) -> Answer:
    """Adds the report of each witness to the verdict on a log. The verdict is negative if a witness saw another log.

    A witness is a file with hashes of entries, or typed text: words or a checkpoint. Raises MisuseError if a witness
    holds no hash, and OSError if a file cannot be read.
    """
    session = open_readable_part(log)
    hashes = [] if session is None else [session.hash_at(n) for n in range(len(session.entries))]
    seen = tuple(compare_with_witness(" ".join(one.split()), hashes, _recall(one, hashes)) for one in witnesses)
    heard = Testimonies(len(hashes) - 1, seen)
    code = answer.code if all(one.agrees for one in seen) else max(answer.code, NO)
    return Answer([*answer.lines, *_describe_testimonies(log, heard)], lambda: _collect_facts(answer, heard), code)


def _collect_facts(answer: Answer, heard: Testimonies) -> dict[str, Any]:
    return {**answer.facts(), "witnesses": [{**asdict(one), "agrees": one.agrees} for one in heard.testimonies]}


def _recall(witness: str, hashes: Sequence[str]) -> WitnessedEntries:
    """Returns the hashes that a witness saw. `witness` is a file, or the text that was typed in its place.

    `hashes` are those of the log. Raises MisuseError if the witness saw none.
    """
    path = Path(witness)
    typed = _recall_text(witness, hashes)
    memory = typed if typed.hashes and not path.exists() else _recall_file(path, hashes)
    if not memory.hashes:
        raise MisuseError(f"there is no trace of a log in {witness}; name {KINDS_OF_WITNESSES}")
    return memory


def _recall_text(text: str, hashes: Sequence[str]) -> WitnessedEntries:
    scanned = find_checkpointed_entries(text, hashes)
    return scanned if scanned.hashes else WitnessedEntries("note", find_hashes_in_words(text, hashes))


def _recall_file(path: Path, hashes: Sequence[str]) -> WitnessedEntries:
    kind = find_path_kind(path)
    if kind.is_log:
        return WitnessedEntries(
            "copy", read_hashes_in_lines(read_user_file(path, MAX_SEARCHED_FILE_BYTES).splitlines(keepends=True))
        )
    if kind == PAGE:
        return WitnessedEntries("page", read_hashes_in_lines(_read_log_in_page(path).splitlines(keepends=True)))
    data = read_user_file(path, MAX_SEARCHED_FILE_BYTES)
    told = _recall_text(data.decode("utf-8", "replace"), hashes)
    if told.kind != "note":
        return told
    noted = {**told.hashes, **read_hashes_in_note(data)}
    return WitnessedEntries("note", noted) if noted else WitnessedEntries("mail", _read_hashes_in_mail(path))


def _read_log_in_page(path: Path) -> bytes:
    from referee.cli.html_page import read_page
    from referee.page.page_parsing import NoPageError

    try:
        paged = read_page(path)
    except NoPageError:
        return b""
    return paged.parsed_page.log if paged else b""


def _read_hashes_in_mail(path: Path) -> dict[int, str]:
    """Returns the hashes of the entries in a mail's packets, by the number of the entry.

    The hash of the entry before each packet is included.
    """
    from referee.mail.continued_log import read_packets_from_mail

    found: dict[int, str] = {}
    for packet in read_packets_from_mail(path):
        before = packet.head.base - 1
        found |= {before: packet.hash_at(before)} if before >= 0 else {}
        found |= read_hashes_in_lines(packet.lines, packet.head.base)
    return found


def _describe_testimonies(log: Path, heard: Testimonies) -> Iterator[AnswerLine]:
    for one in heard.testimonies:
        yield Text(_describe_testimony(log, one, heard.last), "good" if one.agrees else "refused", indent=2)
    if not all(one.agrees for one in heard.testimonies):
        return
    upto = max((one.upto for one in heard.testimonies if one.upto is not None), default=-1)
    if len(heard.testimonies) > 1:
        yield Text(f"This is the log that {_count_kinds(heard)} saw, up to entry {upto}.", "good", indent=2)
    if upto < heard.last:
        after = count_of(heard.last - upto, "entry", "entries")
        yield Text(f"No witness has seen what follows entry {upto}: {after}.", indent=2)


PLURALS = {"copy": "copies"}


def _count_kinds(heard: Testimonies) -> str:
    """Returns the number of witnesses of each kind: "3 phones and 1 page"."""
    counts = Counter(one.kind for one in heard.testimonies)
    return listing([count_of(count, kind, PLURALS.get(kind)) for kind, count in counts.items()], "and")


def _describe_testimony(log: Path, one: WitnessComparison, last: int) -> str:
    if one.apart is not None:
        same = "" if one.upto is None else f" Both logs are the same up to entry {one.upto}."
        compare = f"To compare a copy: referee diff {quote(str(log))} FILE"
        return f"{one.witness} saw another log: entry {one.apart} is not the one that it saw.{same} {compare}"
    if one.missing is not None:
        return f"{one.witness} saw entry {one.missing}, but this log ends with entry {last}: its end is missing."
    if one.twice is not None:
        two = f"it saw two versions of entry {one.twice}"
        again = "In a game by mail, somebody may have made a move again."
        return f"{one.witness} saw this log, but also another one: {two}. {again}"
    whole = "the whole of this log" if one.upto == last else "this log"
    return f"{one.witness} saw {whole}, up to entry {one.upto}."
