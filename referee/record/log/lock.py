"""One program at a time: a lock on a file that lies beside what is written. The system takes it off when who holds it
ends, in whatever way; the file stays.

It is the lock that `filelock` takes, so both keep each other out. That package is needed only where a system or a disk
has no such locks: to load it takes a tenth of a command.
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

MODE = 0o666
"""What the user's mask leaves of it decides who else may write."""
POLL_SECONDS = 0.02
_FLAGS = os.O_RDWR | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def locked(place: Path, seconds: float, mode: int = MODE) -> Iterator[None]:
    """Hold a file, made with this `mode` if there is none. TimeoutError where others hold it for so long; OSError."""
    descriptor = _held(place, seconds, mode)
    if descriptor is None:
        from filelock import FileLock

        with FileLock(place, timeout=seconds):
            yield
        return
    try:
        yield
    finally:
        with suppress(OSError):  # by now it is decided whether anything was recorded
            os.close(descriptor)  # which takes the lock off


def lock_open(descriptor: int, seconds: float) -> None:
    """Lock an open file until it is closed. TimeoutError where others hold it for so long; OSError where there is no
    such lock.
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


def _held(place: Path, seconds: float, mode: int) -> int | None:
    """The descriptor of a file that is locked; None: here is no such lock."""
    while True:
        descriptor, is_new = _opened(place, mode)
        try:
            lock_open(descriptor, seconds)
            is_there = os.fstat(descriptor).st_nlink > 0  # others may have taken it away meanwhile
        except BaseException as error:
            os.close(descriptor)
            if not isinstance(error, OSError) or error.errno != errno.ENOSYS:
                raise
            if is_new:  # else it would look like a lock of another kind
                place.unlink(missing_ok=True)
            return None
        if is_there:
            return descriptor
        os.close(descriptor)


def _opened(place: Path, mode: int) -> tuple[int, bool]:
    """A descriptor of the file, and whether it was made by this."""
    with suppress(FileExistsError):
        return os.open(place, _FLAGS | os.O_CREAT | os.O_EXCL, mode), True
    return os.open(place, _FLAGS | os.O_CREAT, mode), False
