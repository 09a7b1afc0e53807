"""The file under a log: one writer at a time, whole lines, and nothing said to be recorded before the disk has it."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path

from msgspec import Struct

from referee.record.log.disk import (
    UnsureError,
    UnwrittenError,
    beside,
    check_free_or_file,
    create_file,
    is_handed_over,
    open_named,
    open_to_add,
    open_to_write,
    read_small,
    replace_file,
    sync,
    sync_folder,
)
from referee.record.log.entry import Entry
from referee.record.log.faults import Fault, FaultError, MovedOnError, NotRecordedError, UnconfirmedError
from referee.record.log.fields import MAX_LINE
from referee.record.log.reader import Reader

LOCK_SECONDS = 10.0
"""How long to wait for another writer."""
BUSY = "nothing was recorded: another program has been writing to this log"
MAX_HEAD = 256
"""Bytes of what remembers the last acknowledged entry, at most."""
_REMEMBERED = re.compile(rb"([1-9][0-9]{0,15}) ([0-9a-f]{64})\r?\n?")

PART = -1
"""Size in the head of a log that was read only in part; no file ends there, so nothing is ever added to it."""


class Head(Struct, frozen=True):
    """How far a log had been read: what an action was judged on."""

    n: int
    """Number of entries."""
    hash: str
    """Hash of the last line."""
    size: int
    """Bytes up to the end of the last entry."""
    torn: bytes = b""
    """Bytes after it that are no whole entry."""
    unterminated: bool = False
    """Whether the last entry lacks its line feed."""


def head_of(reader: Reader, *, part: bool = False) -> Head:
    """How far a reader has read: to the end, or `part` of the log."""
    if part:
        return Head(reader.n + 1, reader.hash, PART)
    return Head(reader.n, reader.head, reader.offset, reader.torn, reader.unterminated)


def create(path: Path, data: bytes) -> Head:
    """Start a log with its first lines. FileExistsError when there is a file already, or one that remembers a log of
    this name: what was acknowledged of that would be forgotten.
    """
    if os.path.lexists(head_path(path)):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(head_path(path)))
    with _locked(path), _told():
        create_file(path, data)
        try:
            sync_folder(path.parent)
            return _acknowledge(path, Head(data.count(b"\n"), _hash_in(data), len(data)))
        except KeyboardInterrupt:  # nobody has heard yet that it is there
            for made in (path, head_path(path)):
                made.unlink(missing_ok=True)
            raise


def append(path: Path, lines: bytes, head: Head, before: Callable[[], None] = lambda: None) -> Head:
    """Add lines that were judged on `head`; return the new head. MovedOnError, NotRecordedError, UnconfirmedError.

    A torn write at the end is moved to `<log>.torn` first. `before` is done first of all, once nobody else can write.
    """
    with _locked(path):
        descriptor = open_to_add(path)
        try:
            _hold(descriptor)
            _check_unmoved(path, descriptor, head)
            before()
            if head.torn:
                _set_aside(path, descriptor, head)
            start = b"\n" if head.unterminated else b""
            data = start + lines
            _write(descriptor, data, head.size)
        finally:
            _close(descriptor)
        return _acknowledge(path, Head(head.n + lines.count(b"\n"), _hash_in(data), head.size + len(data)))


def exchange(path: Path, data: bytes, head: Head, aside: Path) -> Head:
    """Put other lines in the place of a log that was read up to `head`; as it was it lies in `aside` from then on.
    FileExistsError when something else lies there; else as `append`. Who was killed in the middle does it again.
    """
    with _locked(path), _told():
        with open_named(path) as file:
            _check_unmoved(path, file.fileno(), head)
            file.seek(0)
            before = file.read()
        if not os.path.lexists(aside):
            replace_file(aside, before)
        elif read_small(aside, len(before)) != before:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(aside))
        head_path(path).unlink(missing_ok=True)  # what it remembers gives way, too
        replace_file(path, data)
        return _acknowledge(path, Head(data.count(b"\n"), _hash_in(data), len(data)))


@contextmanager
def _told() -> Iterator[None]:
    """What the disk would not take has failed; what it does not confirm is unknown."""
    try:
        yield
    except UnwrittenError as error:
        raise NotRecordedError(f"nothing was recorded: {error.strerror or error}") from error
    except UnsureError as error:
        cause = error.strerror or error
        raise UnconfirmedError(f"it is not known whether this was recorded ({cause}): look at the log first") from error


def first_lines(path: Path, count: int) -> bytes:
    """The first `count` lines of a log, byte for byte."""
    with open_named(path) as file:
        lines = b"".join(islice(file, count))
    return lines if lines.endswith(b"\n") else lines + b"\n"


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold `<log>.lock`. The file stays: deleting it would let two writers lock two different files of one name."""
    from referee.record.log.lock import locked  # needed only when something is written

    place = beside(path, ".lock")
    with ExitStack() as held:
        try:
            check_free_or_file(place)
            held.enter_context(locked(place, LOCK_SECONDS))
        except TimeoutError as error:
            raise NotRecordedError(BUSY) from error
        except OSError as error:
            raise NotRecordedError(f"nothing was recorded: {place.name}: {error.strerror or error}") from error
        yield


def _hold(descriptor: int) -> None:
    """Lock the log itself, too: beside a second name of it lies another lock."""
    from referee.record.log.lock import lock_open

    try:
        lock_open(descriptor, LOCK_SECONDS)
    except TimeoutError as error:
        raise NotRecordedError(BUSY) from error
    except OSError:
        pass  # a system that has no such locks, or a disk


def is_as_long(path: Path, head: Head) -> bool:
    """Whether a log is as long as it was when it was read, which a moment later is all that can be different; OSError.
    Who adds to it looks closer.
    """
    return path.stat().st_size == head.size + len(head.torn)


def is_unmoved(path: Path, head: Head) -> bool:
    """Whether a log ends exactly as it did when it was read; OSError."""
    with open_named(path) as file:
        return _is_unmoved(file.fileno(), head)


def _is_unmoved(descriptor: int, head: Head) -> bool:
    size = os.fstat(descriptor).st_size
    return size == head.size + len(head.torn) and _ends_with(descriptor, head)


def _check_unmoved(path: Path, descriptor: int, head: Head) -> None:
    """The file must end exactly as it did when the action was judged, and still have its name."""
    if not (os.path.samestat(os.fstat(descriptor), path.stat()) and _is_unmoved(descriptor, head)):
        raise MovedOnError("the log moved on underneath: somebody else recorded something; look again, then repeat")


def _ends_with(descriptor: int, head: Head) -> bool:
    """Whether the last entry up to the head's size is the one with its hash."""
    at = max(0, head.size - 2 * MAX_LINE)
    os.lseek(descriptor, at, os.SEEK_SET)
    tail = os.read(descriptor, head.size - at)
    last = tail.removesuffix(b"\n").rpartition(b"\n")[2]
    return last.startswith(b'{"hash":"' + head.hash.encode())


def _set_aside(path: Path, descriptor: int, head: Head) -> None:
    """Move a torn write out of the way; it is safe there before it is cut off here."""
    try:
        aside = open_to_write(beside(path, ".torn"), os.O_CREAT)
        try:
            _write(aside, head.torn, os.fstat(aside).st_size)
        finally:
            _close(aside)
        os.ftruncate(descriptor, head.size)
    except (OSError, UnconfirmedError) as error:
        why = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else error
        raise NotRecordedError(f"nothing was recorded, for what was torn cannot be set aside: {why}") from error


def _close(descriptor: int) -> None:
    """Whatever is said to be recorded is on the disk before; closing can do nothing about that."""
    with suppress(OSError):
        os.close(descriptor)


def _write(descriptor: int, data: bytes, at: int) -> None:
    """Write whole lines in one go; take them back when the disk will not have them."""
    os.lseek(descriptor, at, os.SEEK_SET)
    try:
        if os.write(descriptor, data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError as error:
        _take_back(descriptor, at)
        raise NotRecordedError(f"nothing was recorded: {error.strerror or error}") from error
    with _told():
        sync(descriptor, Path())


def _take_back(descriptor: int, size: int) -> None:
    try:
        os.ftruncate(descriptor, size)
    except OSError as error:
        raise UnconfirmedError(f"part of an entry may have been written ({error.strerror}): look at the log") from error


def _hash_in(data: bytes) -> str:
    last = data.removesuffix(b"\n").rpartition(b"\n")[2]
    return last[len(b'{"hash":"') :][:64].decode()


def head_path(path: Path) -> Path:
    """The file beside a log that remembers its last acknowledged entry."""
    return beside(path, ".head")


def _acknowledge(path: Path, head: Head) -> Head:
    """Remember the last acknowledged entry beside the log, so that a lost tail is noticed."""
    with suppress(OSError):
        replace_file(head_path(path), f"{head.n} {head.hash}\n".encode(), lasting=False)
    return head


def remembered(path: Path) -> tuple[int, str] | None:
    """How many entries of a log were once acknowledged here, and the hash of the last; None when nothing is known."""
    try:
        found = _REMEMBERED.fullmatch(read_small(head_path(path), MAX_HEAD))
    except OSError:
        return None
    return (int(found[1]), found[2].decode()) if found else None


def why_forgotten(path: Path) -> str | None:
    """Why nobody can tell whether a log has lost its end, as a clause; None: it is known, or nothing was recorded."""
    note = head_path(path)
    if is_handed_over(path) or not os.path.lexists(note) or remembered(path):
        return None
    return f"{note.name} is not as it was written, so that nobody can tell whether the end of the log is missing"


def lost_tail(count: int, known: str, *, n: int, offset: int) -> Fault:
    """The fault of a log that no longer holds what was acknowledged; it ends with entry `n`, at `offset`."""
    cause = f"entry {count - 1} with hash {known[:8]}... was recorded here, but the log does not hold it any more"
    return Fault("lost-tail", n, offset, f"{cause}; if that is meant, delete the .head file beside it")


def check_not_shortened(last: tuple[int, str] | None, entries: Sequence[Entry], head: Head) -> None:
    """Refuse a log that has lost entries which were acknowledged here, `last` of all; FaultError."""
    if last is None or last == (head.n, head.hash):
        return
    n, known = last
    if not (0 < n < head.n and entries[n].prev == known):
        raise FaultError(lost_tail(n, known, n=head.n, offset=head.size))
