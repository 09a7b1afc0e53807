"""Locks for one program at a time, on a file beside the data. The system releases a lock when its program ends.

The lock is the one that the package `filelock` takes, so both respect each other. That package is needed only on
systems or disks without such locks, because loading it takes a tenth of a command's time.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

LOCK_FILE_MODE = 0o666
"""The permissions of a lock file; the user's mask takes some away."""
POLL_SECONDS = 0.02
_FLAGS = os.O_RDWR | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def hold_lock(place: Path, seconds: float, mode: int = LOCK_FILE_MODE) -> Iterator[None]:
    """Holds the lock on the file `place` for the block. Makes the file with this `mode` if there is none.

    Raises TimeoutError if others hold the lock for `seconds`, or OSError.
    """
    descriptor = _lock_file(place, seconds, mode)
    if descriptor is None:
        from filelock import FileLock

        with FileLock(place, timeout=seconds):
            yield
        return
    try:
        yield
    finally:
        with suppress(OSError):  # by now it is decided whether anything was recorded
            os.close(descriptor)  # this releases the lock


def lock_descriptor(descriptor: int, seconds: float) -> None:
    """Locks an open file until it is closed.

    Raises TimeoutError if others hold it for `seconds`, or OSError if this system or disk has no such locks.
    """
    if fcntl is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    until = time.monotonic() + seconds
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT)) from None
        time.sleep(POLL_SECONDS)


def _lock_file(place: Path, seconds: float, mode: int) -> int | None:
    """Returns the descriptor of the locked file; None if there are no such locks here."""
    while True:
        descriptor, is_new = _open_or_create(place, mode)
        try:
            lock_descriptor(descriptor, seconds)
            is_there = os.fstat(descriptor).st_nlink > 0  # others may have deleted it meanwhile
        except BaseException as error:
            os.close(descriptor)
            if not isinstance(error, OSError) or error.errno != errno.ENOSYS:
                raise
            if is_new:  # otherwise, it would look like a lock of another kind
                place.unlink(missing_ok=True)
            return None
        if is_there:
            return descriptor
        os.close(descriptor)


def _open_or_create(place: Path, mode: int) -> tuple[int, bool]:
    """Returns a descriptor of the file, and True if this call made the file."""
    with suppress(FileExistsError):
        return os.open(place, _FLAGS | os.O_CREAT | os.O_EXCL, mode), True
    return os.open(place, _FLAGS | os.O_CREAT, mode), False
