"""`referee audit --witness`: what pages, mails, copies and notes saw of a log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from referee.cli.answer import NO, Answer, Shown, Text
from referee.cli.errors import MisuseError
from referee.cli.log_paths import open_if_readable
from referee.engine.text import count_of
from referee.record.archive.witness import (
    Testimony,
    compare_with_witness,
    hashes_in_lines,
    hashes_in_note,
    hashes_in_words,
)
from referee.record.log.file_kinds import PAGE, path_kind
from referee.record.log.safe_files import MAX_LETTER, read_named


class Testimonies(Struct, frozen=True):
    """The testimonies about a log, and the number of its last good entry."""

    last: int
    testimonies: tuple[Testimony, ...]


def add_testimonies(answer: Answer, log: Path, witnesses: Sequence[Path]) -> Answer:
    """Adds to the verdict on a log what the witnesses saw of it. The verdict is negative if one saw another log.

    A witness is a file with hashes of entries, or the words of an entry as they are typed. Raises MisuseError if a file
    holds no hash, and OSError.
    """
    session = open_if_readable(log)
    hashes = [] if session is None else [session.hash_at(n) for n in range(len(session.entries))]
    seen = tuple(compare_with_witness(str(path), hashes, _hashes_in(path, hashes)) for path in witnesses)
    heard = Testimonies(len(hashes) - 1, seen)
    code = answer.code if all(one.agrees for one in seen) else max(answer.code, NO)
    return Answer([*answer.lines, *_testimony_lines(log, heard)], lambda: _facts(answer, heard), code)


def _facts(answer: Answer, heard: Testimonies) -> dict[str, Any]:
    return {**answer.facts(), "witnesses": [{**asdict(one), "agrees": one.agrees} for one in heard.testimonies]}


def _hashes_in(path: Path, hashes: Sequence[str]) -> dict[int, str]:
    """Returns the hashes that a file holds, by the number of their entry. The typed words of an entry are not a file.

    `hashes` are those of the log.
    """
    typed = hashes_in_words(str(path), hashes)
    if typed and not path.exists():
        return typed
    kind = path_kind(path)
    if kind.is_log:
        seen = hashes_in_lines(read_named(path, MAX_LETTER).splitlines(keepends=True))
    elif kind == PAGE:
        seen = hashes_in_lines(_log_in_page(path).splitlines(keepends=True))
    else:
        note = read_named(path, MAX_LETTER)
        words = hashes_in_words(note.decode("utf-8", "replace"), hashes)
        seen = hashes_in_note(note) | words or _hashes_in_mail(path)
    if not seen:
        raise MisuseError(
            f"{path} has seen nothing of a log; name a page, a mail, a copy, a .head file or the words of an entry"
        )
    return seen


def _log_in_page(path: Path) -> bytes:
    from referee.cli.html_page import read_page
    from referee.page.page_parsing import NoPageError

    try:
        paged = read_page(path)
    except NoPageError:
        return b""
    return paged.taken.log if paged else b""


def _hashes_in_mail(path: Path) -> dict[int, str]:
    """Returns the hashes in the packets of a mail by entry, with that of the entry before each packet."""
    from referee.mail.packet_log import read_packets

    found: dict[int, str] = {}
    for packet in read_packets(path):
        before = packet.head.base - 1
        found |= {before: packet.hash_at(before)} if before >= 0 else {}
        found |= hashes_in_lines(packet.lines, packet.head.base)
    return found


def _testimony_lines(log: Path, heard: Testimonies) -> Iterator[Shown]:
    for one in heard.testimonies:
        yield Text(_testimony_text(log, one, heard.last), "good" if one.agrees else "refused", indent=2)
    upto = max((one.upto for one in heard.testimonies if one.upto is not None), default=-1)
    if upto < heard.last and all(one.agrees for one in heard.testimonies):
        after = count_of(heard.last - upto, "entry", "entries")
        yield Text(f"No witness has seen what follows entry {upto}: {after}.", indent=2)


def _testimony_text(log: Path, one: Testimony, last: int) -> str:
    if one.apart is not None:
        same = "" if one.upto is None else f" It is the same up to entry {one.upto}."
        compare = f"To compare a copy: referee diff {quote(str(log))} FILE"
        return f"{one.witness} saw another log: entry {one.apart} is not the one that it saw.{same} {compare}"
    if one.missing is not None:
        return f"{one.witness} saw entry {one.missing}, but this log ends with entry {last}: its end is missing."
    whole = "the whole of this log" if one.upto == last else "this log"
    return f"{one.witness} saw {whole}, up to entry {one.upto}."
