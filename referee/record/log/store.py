"""Writing a log: one writer at a time, whole lines only, and no success before the disk has confirmed it."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path

from msgspec import Struct

from referee.engine.text import count_of
from referee.record.log.entry import Entry
from referee.record.log.field_types import MAX_LINE_BYTES
from referee.record.log.game_files import remove_on_failure
from referee.record.log.log_errors import Fault, FaultError, MovedOnError, NotRecordedError, UnconfirmedError
from referee.record.log.reader import Reader
from referee.record.log.safe_files import (
    UnsureError,
    UnwrittenError,
    check_free_or_file,
    create_file,
    find_companion_path,
    is_stream_or_packed,
    open_to_add,
    open_to_write,
    open_user_file,
    read_companion,
    replace_file,
    sync_file,
    sync_folder,
)

LOCK_SECONDS = 10.0
"""The seconds to wait for another writer."""
BUSY_MESSAGE = "nothing was recorded: another program is writing to this log; try again"
MOVED_ON_MESSAGE = "someone else changed the log meanwhile; look at the game, then try again"
MAX_HEAD_FILE_BYTES = 256
"""The most bytes of the file that remembers the last acknowledged entry."""
_REMEMBERED = re.compile(rb"([1-9][0-9]{0,15}) ([0-9a-f]{64})\r?\n?")

READ_IN_PART = -1
"""The `size` of a head whose log was read only in part. No file has this size, so nothing is ever added to it."""


class LogHead(Struct, frozen=True):
    """The end of a log as it was read. New actions are judged on it."""

    n: int
    """The number of entries."""
    hash: str
    """The hash of the last line."""
    size: int
    """The number of bytes up to the end of the last entry."""
    torn: bytes = b""
    """The bytes after the last whole entry."""
    unterminated: bool = False
    """True if the last entry lacks its line feed."""


def make_head(reader: Reader, *, part: bool = False) -> LogHead:
    """Returns the head of a log from its reader. `part` is True if the log was not read to its end."""
    if part:
        return LogHead(reader.n + 1, reader.hash, READ_IN_PART)
    return LogHead(reader.n, reader.head, reader.offset, reader.torn, reader.unterminated)


def create_log(path: Path, data: bytes) -> LogHead:
    """Starts a log with its first lines, and returns its head.

    Raises FileExistsError if the log exists already, or the file that remembers its last entry. Raises NotRecordedError
    or UnconfirmedError if the disk fails.
    """
    if os.path.lexists(find_head_path(path)):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(find_head_path(path)))
    with remove_on_failure(path, ()), _lock_log(path), _report_disk_errors():  # a log that is not there needs no lock
        create_file(path, data)
        try:
            sync_folder(path.parent)
            return _acknowledge(path, LogHead(data.count(b"\n"), _find_hash(data), len(data)))
        except KeyboardInterrupt:  # nobody knows of the log yet
            for made in (path, find_head_path(path)):
                made.unlink(missing_ok=True)
            raise


def append_lines(path: Path, lines: bytes, head: LogHead, before: Callable[[], None] = lambda: None) -> LogHead:
    """Adds lines that were judged on `head`, and returns the new head. `before` is called once nobody else can write.

    A torn end is moved to `<log>.torn` first. Raises MovedOnError, NotRecordedError or UnconfirmedError.
    """
    with _lock_log(path):
        descriptor = open_to_add(path)
        try:
            _lock_open_log(descriptor)
            _check_unmoved(path, descriptor, head)
            before()
            if head.torn:
                _set_aside(path, descriptor, head)
            start = b"\n" if head.unterminated else b""
            data = start + lines
            _write(descriptor, data, head.size)
        finally:
            _close(descriptor)
        return _acknowledge(path, LogHead(head.n + lines.count(b"\n"), _find_hash(data), head.size + len(data)))


def replace_lines(path: Path, data: bytes, head: LogHead, aside: Path) -> LogHead:
    """Replaces the lines of a log that was read up to `head`. The old log is kept in the file `aside`.

    Raises FileExistsError if something else is in that file; otherwise raises as `append_lines` does. After a crash in
    the middle, the same call finishes the job.
    """
    with _lock_log(path), _report_disk_errors():
        with open_user_file(path) as file:
            _check_unmoved(path, file.fileno(), head)
            file.seek(0)
            before = file.read()
        if not os.path.lexists(aside):
            replace_file(aside, before)
        elif read_companion(aside, len(before)) != before:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(aside))
        find_head_path(path).unlink(missing_ok=True)  # the old memory of its end goes, too
        replace_file(path, data)
        return _acknowledge(path, LogHead(data.count(b"\n"), _find_hash(data), len(data)))


def replace_log(path: Path, before: bytes, data: bytes) -> None:
    """Replaces a whole file by `data`, the log that was found in it. Raises MovedOnError if the file does not hold
    `before`.
    """
    with _lock_log(path), _report_disk_errors():
        with open_user_file(path) as file:
            if file.read(len(before) + 1) != before:
                raise MovedOnError(MOVED_ON_MESSAGE)
        find_head_path(path).unlink(missing_ok=True)  # its old end may stand in another log now
        replace_file(path, data)
        _acknowledge(path, LogHead(data.count(b"\n"), _find_hash(data), len(data)))


@contextmanager
def _report_disk_errors() -> Iterator[None]:
    """Turns failures of the disk into NotRecordedError, and missing confirmations into UnconfirmedError."""
    try:
        yield
    except UnwrittenError as error:
        raise NotRecordedError(f"nothing was recorded: {error.strerror or error}") from error
    except UnsureError as error:
        cause = error.strerror or error
        raise UnconfirmedError(f"nobody can tell whether this was recorded ({cause}); look at the log first") from error


def read_first_lines(path: Path, count: int) -> bytes:
    """Returns the first `count` lines of a log, byte for byte. If the last of them lacks its line feed, adds it."""
    with open_user_file(path) as file:
        lines = b"".join(islice(file, count))
    return lines if lines.endswith(b"\n") else lines + b"\n"


@contextmanager
def _lock_log(path: Path) -> Iterator[None]:
    """Holds the lock `<log>.lock`. The file stays: if it were deleted, two writers could hold two files of one name."""
    from referee.record.log.lock import hold_lock  # only needed for writing

    place = find_companion_path(path, ".lock")
    with ExitStack() as held:
        try:
            check_free_or_file(place)
            held.enter_context(hold_lock(place, LOCK_SECONDS))
        except TimeoutError as error:
            raise NotRecordedError(BUSY_MESSAGE) from error
        except OSError as error:
            raise NotRecordedError(f"nothing was recorded: {place.name}: {error.strerror or error}") from error
        yield


def _lock_open_log(descriptor: int) -> None:
    """Locks the log itself, too, because a second name of it has another lock beside it."""
    from referee.record.log.lock import lock_descriptor

    try:
        lock_descriptor(descriptor, LOCK_SECONDS)
    except TimeoutError as error:
        raise NotRecordedError(BUSY_MESSAGE) from error
    except OSError:
        pass  # a system or a disk without such locks


def has_same_length(path: Path, head: LogHead) -> bool:
    """True if a log still has the length that it had when it was read. Raises OSError.

    This is enough a moment after reading; writers check more closely.
    """
    return path.stat().st_size == head.size + len(head.torn)


def has_same_end(path: Path, head: LogHead) -> bool:
    """True if a log still ends exactly as it did when it was read. Raises OSError."""
    with open_user_file(path) as file:
        return _has_not_moved(file.fileno(), head)


def _has_not_moved(descriptor: int, head: LogHead) -> bool:
    size = os.fstat(descriptor).st_size
    return size == head.size + len(head.torn) and _ends_with(descriptor, head)


def _check_unmoved(path: Path, descriptor: int, head: LogHead) -> None:
    """Raises MovedOnError unless the file ends as it did when the action was judged, and still has its name."""
    if not (os.path.samestat(os.fstat(descriptor), path.stat()) and _has_not_moved(descriptor, head)):
        raise MovedOnError(MOVED_ON_MESSAGE)


def _ends_with(descriptor: int, head: LogHead) -> bool:
    """True if the last entry up to the head's size has the head's hash."""
    at = max(0, head.size - 2 * MAX_LINE_BYTES)
    os.lseek(descriptor, at, os.SEEK_SET)
    tail = os.read(descriptor, head.size - at)
    last = tail.removesuffix(b"\n").rpartition(b"\n")[2]
    return last.startswith(b'{"hash":"' + head.hash.encode())


def _set_aside(path: Path, descriptor: int, head: LogHead) -> None:
    """Moves a torn end to `<log>.torn`. Cuts the end off the log only after it was written there. Raises
    NotRecordedError if that fails.
    """
    try:
        aside = open_to_write(find_companion_path(path, ".torn"), os.O_CREAT)
        try:
            _write(aside, head.torn, os.fstat(aside).st_size)
        finally:
            _close(aside)
        os.ftruncate(descriptor, head.size)
    except (OSError, UnconfirmedError) as error:
        why = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else error
        raise NotRecordedError(f"nothing was recorded: the torn end of the log cannot be moved aside: {why}") from error


def _close(descriptor: int) -> None:
    """Closes a file. Errors are ignored, since the disk has confirmed everything before."""
    with suppress(OSError):
        os.close(descriptor)


def _write(descriptor: int, data: bytes, at: int) -> None:
    """Writes whole lines in one call, and removes them again if the disk refuses them."""
    os.lseek(descriptor, at, os.SEEK_SET)
    try:
        if os.write(descriptor, data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except OSError as error:
        _cut_off(descriptor, at)
        raise NotRecordedError(f"nothing was recorded: {error.strerror or error}") from error
    with _report_disk_errors():
        sync_file(descriptor, Path())


def _cut_off(descriptor: int, size: int) -> None:
    """Cuts a file to its earlier size after a failure. Raises UnconfirmedError if that fails, too."""
    try:
        os.ftruncate(descriptor, size)
    except OSError as error:
        raise UnconfirmedError(
            f"part of an entry may have been written ({error.strerror}); look at the log first"
        ) from error


def _find_hash(data: bytes) -> str:
    last = data.removesuffix(b"\n").rpartition(b"\n")[2]
    return last[len(b'{"hash":"') :][:64].decode()


def find_head_path(path: Path) -> Path:
    """Returns the path of the file that remembers the last acknowledged entry of a log."""
    return find_companion_path(path, ".head")


def find_match_log_path(game_log: Path) -> Path | None:
    """Returns the path of the match log for a game's log, worked out from the name of the game's log.

    None if that name does not end in a dash and a number.
    """
    stem, dash, number = game_log.stem.rpartition("-")
    return game_log.with_name(f"{stem}.jsonl") if stem and dash and number.isdigit() else None


def find_match_log(game_log: Path) -> Path | None:
    """Returns the match log that a game's log belongs to by its name; None if there is none."""
    match = find_match_log_path(game_log)
    return match if match and match.is_file() else None


def _acknowledge(path: Path, head: LogHead) -> LogHead:
    """Writes the last acknowledged entry beside the log, so that a lost end is noticed."""
    with suppress(OSError):
        replace_file(find_head_path(path), f"{head.n} {head.hash}\n".encode(), lasting=False)
    return head


def read_head_file(path: Path) -> tuple[int, str] | None:
    """Returns the number of acknowledged entries and the hash of the last, from the file beside a log. None if that
    file is missing or damaged.
    """
    try:
        found = _REMEMBERED.fullmatch(read_companion(find_head_path(path), MAX_HEAD_FILE_BYTES))
    except OSError:
        return None
    return (int(found[1]), found[2].decode()) if found else None


def explain_unreadable_head_file(path: Path) -> str | None:
    """Returns a clause if somebody changed a log's head file, so that nobody can tell whether the log has lost its end.

    None if the head file is missing or readable, or if the log is packed or a stream.
    """
    note = find_head_path(path)
    if is_stream_or_packed(path) or not os.path.lexists(note) or read_head_file(path):
        return None
    return f"{note.name} was changed, so nobody can tell whether the end of the log is missing"


def make_lost_tail_fault(count: int, known: str, *, n: int, offset: int) -> Fault:
    """Returns the fault of a log that lost acknowledged entries.

    `count` is their number and `known` the hash of the last one. `n` and `offset` say where the log breaks off.
    """
    cause = f"entry {count - 1} with hash {known[:8]}... was recorded here, but the log no longer holds it"
    return Fault("lost-tail", n, offset, f"{cause}; if you meant that, delete the .head file beside it")


def make_torn_tail_fault(reader: Reader) -> Fault:
    """Returns the fault of a log whose last entry was cut short. `reader` has read the log to its end."""
    cut = count_of(len(reader.torn), "byte")
    return Fault("torn-tail", reader.n, reader.offset, f"{cut} of an entry cut short")


def check_not_shortened(last: tuple[int, str] | None, entries: Sequence[Entry], head: LogHead) -> None:
    """Raises FaultError if a log has lost acknowledged entries. `last` is the result of `read_head_file`."""
    if last is None or last == (head.n, head.hash):
        return
    n, known = last
    if not (0 < n < head.n and entries[n].prev == known):
        raise FaultError(make_lost_tail_fault(n, known, n=head.n, offset=head.size))
