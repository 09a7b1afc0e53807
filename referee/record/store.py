"""The file under a log: one writer at a time, whole lines, and nothing said to be recorded before the disk has it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

from msgspec import Struct

from referee.record.entry import Entry
from referee.record.faults import Fault, FaultError, MovedOnError, NotRecordedError, UnconfirmedError
from referee.record.reader import Reader

LOCK_SECONDS = 10.0
"""How long to wait for another writer."""


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
    if head_path(path).exists():
        raise FileExistsError(17, "exists", str(head_path(path)))
    with _locked(path):
        _create(path, data)
        _sync_folder(path)
        return _acknowledge(path, Head(data.count(b"\n"), _hash_in(data), len(data)))


def append(path: Path, lines: bytes, head: Head) -> Head:
    """Add lines that were judged on `head`; return the new head. MovedOnError, NotRecordedError, UnconfirmedError.

    A torn write at the end is moved to `<log>.torn` first.
    """
    with _locked(path):
        descriptor = os.open(path, os.O_RDWR | _BINARY)
        try:
            _check_unmoved(descriptor, head)
            if head.torn:
                _set_aside(path, descriptor, head)
            start = b"\n" if head.unterminated else b""
            data = start + lines
            _write(descriptor, data, head.size)
        finally:
            os.close(descriptor)
        return _acknowledge(path, Head(head.n + lines.count(b"\n"), _hash_in(data), head.size + len(data)))


def exchange(path: Path, data: bytes, head: Head, aside: Path) -> Head:
    """Put other lines in the place of a log that was read up to `head`; as it was it lies in `aside` from then on.
    FileExistsError when there is such a file; else as `append`.
    """
    with _locked(path):
        descriptor = os.open(path, os.O_RDONLY | _BINARY)
        try:
            _check_unmoved(descriptor, head)
        finally:
            os.close(descriptor)
        _create(aside, path.read_bytes())
        fresh = path.with_name(f"{path.name}.new")
        fresh.unlink(missing_ok=True)
        _create(fresh, data)
        fresh.replace(path)
        _sync_folder(path)
        return _acknowledge(path, Head(data.count(b"\n"), _hash_in(data), len(data)))


def _create(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, durably, or not at all."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o644)
    try:
        _write(descriptor, data, 0)
    except NotRecordedError:
        path.unlink()
        raise
    finally:
        os.close(descriptor)


def first_lines(path: Path, count: int) -> bytes:
    """The first `count` lines of a log, byte for byte."""
    with path.open("rb") as file:
        lines = b"".join(islice(file, count))
    return lines if lines.endswith(b"\n") else lines + b"\n"


_BINARY = getattr(os, "O_BINARY", 0)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold `<log>.lock`. The file stays: deleting it would let two writers lock two different files of one name."""
    from filelock import FileLock, Timeout  # a slow import, needed only when something is written

    try:
        with FileLock(path.with_name(path.name + ".lock"), timeout=LOCK_SECONDS):
            yield
    except Timeout as error:
        raise NotRecordedError("nothing was recorded: another program has been writing to this log") from error


def is_unmoved(path: Path, head: Head) -> bool:
    """Whether a log ends exactly as it did when it was read; OSError."""
    descriptor = os.open(path, os.O_RDONLY | _BINARY)
    try:
        return _is_unmoved(descriptor, head)
    finally:
        os.close(descriptor)


def _is_unmoved(descriptor: int, head: Head) -> bool:
    size = os.fstat(descriptor).st_size
    return size == head.size + len(head.torn) and _ends_with(descriptor, head)


def _check_unmoved(descriptor: int, head: Head) -> None:
    """The file must end exactly as it did when the action was judged."""
    if not _is_unmoved(descriptor, head):
        raise MovedOnError("the log moved on underneath: somebody else recorded something; look again, then repeat")


def _ends_with(descriptor: int, head: Head) -> bool:
    """Whether the last entry up to the head's size is the one with its hash."""
    at = max(0, head.size - 2 * 64 * 1024)
    os.lseek(descriptor, at, os.SEEK_SET)
    tail = os.read(descriptor, head.size - at)
    last = tail.rstrip(b"\n").rpartition(b"\n")[2]
    return last.startswith(b'{"hash":"' + head.hash.encode())


def _set_aside(path: Path, descriptor: int, head: Head) -> None:
    with path.with_name(path.name + ".torn").open("ab") as file:
        file.write(head.torn)
    os.ftruncate(descriptor, head.size)


def _write(descriptor: int, data: bytes, at: int) -> None:
    """Write whole lines in one go; take them back when the disk will not have them."""
    os.lseek(descriptor, at, os.SEEK_SET)
    try:
        written = os.write(descriptor, data)
        if written != len(data):
            raise OSError(f"only {written} of {len(data)} bytes fitted")
    except OSError as error:
        _take_back(descriptor, at)
        raise NotRecordedError(f"nothing was recorded: {error.strerror or error}") from error
    try:
        os.fsync(descriptor)
    except OSError as error:
        cause = error.strerror or error
        raise UnconfirmedError(f"it is not known whether this was recorded ({cause}): look at the log first") from error


def _take_back(descriptor: int, size: int) -> None:
    try:
        os.ftruncate(descriptor, size)
    except OSError as error:
        raise UnconfirmedError(f"part of an entry may have been written ({error.strerror}): look at the log") from error


def _sync_folder(path: Path) -> None:
    """Make the new file's name durable too, where folders can be opened."""
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        except OSError as error:
            raise UnconfirmedError(
                f"it is not known whether this was recorded ({error.strerror}): look first"
            ) from error
        finally:
            os.close(folder)


def _hash_in(data: bytes) -> str:
    last = data.rstrip(b"\n").rpartition(b"\n")[2]
    return last[len(b'{"hash":"') :][:64].decode()


def head_path(path: Path) -> Path:
    """The file beside a log that remembers its last acknowledged entry."""
    return path.with_name(path.name + ".head")


def _acknowledge(path: Path, head: Head) -> Head:
    """Remember the last acknowledged entry beside the log, so that a lost tail is noticed."""
    note = head_path(path)
    fresh = note.with_name(note.name + ".new")
    with suppress(OSError):
        fresh.write_text(f"{head.n} {head.hash}\n", "ascii")
        fresh.replace(note)
    return head


def remembered(path: Path) -> tuple[int, str] | None:
    """How many entries of a log were once acknowledged here, and the hash of the last; None when nothing is known."""
    try:
        count, _, known = head_path(path).read_text("ascii").strip().partition(" ")
        return int(count), known
    except (OSError, ValueError):
        return None


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
