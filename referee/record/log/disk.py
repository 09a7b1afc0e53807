"""Files that others may have put there: only regular ones are read, nothing is waited for, and no link beside a log is
followed.

Whatever belongs to a log lies beside it under a name of its own; a link of that name is somebody else's doing.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from contextlib import suppress
from functools import cache
from io import BufferedReader, BytesIO, FileIO
from pathlib import Path
from typing import BinaryIO

BLOCK = 128 * 1024
"""Bytes that are read and looked through at once."""
OWNER_ONLY = 0o600
MAX_PIPED = 256 * 1024 * 1024
"""Bytes of the longest stream that is read."""
MAX_PIPED_LINE = 4 * 1024 * 1024
"""Bytes of its longest line; what follows is not waited for."""

BINARY = getattr(os, "O_BINARY", 0)
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | BINARY
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_HANDED_OVER = r"/dev/(?:stdin|fd/([0-9]{1,4}))|/proc/self/fd/([0-9]{1,4})"

KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISLNK, "a link, and links here are not followed"),
    (stat.S_ISFIFO, "a pipe that has no end"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


AnyPath = str | bytes | os.PathLike[str] | os.PathLike[bytes]
"""The name of a file as programs give it."""


class NoFileError(OSError):
    """Something is there under the name of a file that is none, or is too big to be what it should be."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(errno.EINVAL, why, str(path))

    def __reduce__(self) -> tuple[type[NoFileError], tuple[Path, str]]:  # an OSError goes elsewhere with its number
        return type(self), (Path(self.filename), self.strerror or "")


def path_from(name: AnyPath) -> Path:
    """The file that a program names, in text or in bytes. NoFileError when that can be no file's name."""
    text = os.fsdecode(name)
    path = Path(text)
    if not text or "\0" in text:
        raise NoFileError(path, "this is no name of a file")
    if not path.name:
        raise NoFileError(path, "this is no file but a folder")
    return path


def beside(log: Path, ending: str) -> Path:
    """Where a file lies that belongs to a log. NoFileError where a folder is named that has no name itself: . or /."""
    if not log.name:
        raise NoFileError(log, "this is no file but a folder")
    return log.with_name(log.name + ending)


def open_named(path: Path) -> BinaryIO:
    """A file that somebody names, to be read from its beginning as often as is wanted. NoFileError, OSError.

    What a shell hands over under a name like `/dev/stdin` is a stream; it is read to its end first.
    """
    if is_handed_over(path):
        return BytesIO(_drained(_descriptor_in(path)))
    return _open(path, path.stat().st_mode, 0)


def open_beside(path: Path) -> BinaryIO:
    """A file that belongs to a log, to be read. NoFileError, OSError."""
    return _open(path, path.lstat().st_mode, _NO_LINK)


def read_small(path: Path, most: int) -> bytes:
    """All of a file that belongs to a log; NoFileError when it has more than so many bytes."""
    with open_beside(path) as file:
        return _all(path, file, most)


def read_named(path: Path, most: int) -> bytes:
    """All of a file that somebody names; NoFileError when it has more than so many bytes."""
    with open_named(path) as file:
        return _all(path, file, most)


def open_to_write(path: Path, flags: int, mode: int = 0o644) -> int:
    """A descriptor of a file that is written by us alone: no link, symbolic or hard, leads to it. NoFileError, OSError.

    `flags` say what is done where there is a file already, or none.
    """
    if not flags & os.O_EXCL:
        check_free_or_file(path)
    descriptor = os.open(path, os.O_RDWR | flags | _AT_ONCE | _NO_LINK, mode)
    try:
        found = os.fstat(descriptor)
        _check_kind(path, found.st_mode)
        if found.st_nlink > 1:
            raise NoFileError(path, "it has a second name, which is not written through")
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def check_free_or_file(path: Path) -> None:
    """NoFileError when there is something of this name that is no file, or a link."""
    with suppress(FileNotFoundError):
        _check_kind(path, path.lstat().st_mode)


def open_to_add(path: Path) -> int:
    """A descriptor of a log that is added to. NoFileError, OSError."""
    _check_kind(path, path.stat().st_mode)
    return os.open(path, os.O_RDWR | _AT_ONCE)


class UnwrittenError(OSError):
    """The disk would not take what was to be written; nothing of it is left."""


class UnsureError(OSError):
    """A file was written, but the disk has not said that it has it."""


def create_file(path: Path, data: bytes, mode: int = 0o644, *, lasting: bool = True) -> None:
    """A new file, whole or not at all; `lasting`: once this returns, the disk has it. FileExistsError, UnwrittenError,
    UnsureError, OSError.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | BINARY, mode)
    try:
        if os.write(descriptor, data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if lasting:
            sync(descriptor, path)
    except UnsureError:
        raise
    except OSError as error:
        path.unlink()
        raise UnwrittenError(error.errno, error.strerror, str(path)) from error
    except KeyboardInterrupt:
        path.unlink()
        raise
    finally:
        with suppress(OSError):  # whatever is said to be there is on the disk before
            os.close(descriptor)


def replace_file(path: Path, data: bytes, mode: int = 0o644, *, lasting: bool = True) -> None:
    """A file in place of what has its name, at once and whole; nothing is written through a link. OSError: what was
    there is as it was, and nothing new is left; UnsureError: it is replaced, but the disk has not said that it has it.
    """
    fresh = path.with_name(f"{path.name}.new")
    try:
        fresh.unlink(missing_ok=True)  # of a program that was killed in the middle
        create_file(fresh, data, mode, lasting=lasting)
        fresh.replace(path)
    except OSError as error:  # also where the disk has not said that it has the fresh one: it takes no place then
        with suppress(OSError):
            fresh.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error
    except KeyboardInterrupt:
        fresh.unlink(missing_ok=True)
        raise
    if lasting:
        sync_folder(path.parent)


def sync(descriptor: int, path: Path) -> None:
    """Wait until the disk has a file; UnsureError when it will not say so."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        raise UnsureError(error.errno, error.strerror, str(path)) from error


def sync_folder(folder: Path) -> None:
    """Make new names in a folder durable, where folders can be opened. UnsureError."""
    if os.name != "posix":
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise UnsureError(error.errno, error.strerror, str(folder)) from error
    try:
        sync(descriptor, folder)
    finally:
        with suppress(OSError):
            os.close(descriptor)


def is_open_to_others(path: Path) -> bool:
    """Whether other users of this computer can read or change a file. OSError."""
    return os.name == "posix" and bool(path.lstat().st_mode & ~OWNER_ONLY & 0o777)


def is_writable_by_others(path: Path) -> bool:
    """Whether other users can change a file, or put others in the place of what lies in a folder. A folder in which
    everybody changes only what is his, as where temporary files lie, is not one.
    """
    mode = path.stat().st_mode
    return os.name == "posix" and bool(mode & 0o022) and not mode & stat.S_ISVTX


def real(path: Path) -> Path:
    """The file that a link leads to: a log has one name, beside which all lies that belongs to it."""
    return Path(os.path.realpath(path)) if path.is_symlink() and not is_handed_over(path) else path


def is_handed_over(path: Path) -> bool:
    """Whether a name stands for a stream that a shell hands over, like `/dev/stdin` or what `<(command)` leaves."""
    return str(path).startswith(("/dev/", "/proc/")) and bool(re.fullmatch(_HANDED_OVER, str(path)))


def drain(stream: BinaryIO) -> bytes:
    """All that a stream holds; of what has no end, as much as shows that it is nothing for us. NoFileError."""
    blocks: list[bytes] = []
    size = since_line_end = 0
    while (block := stream.read(BLOCK)) and since_line_end <= MAX_PIPED_LINE:
        blocks.append(block)
        size += len(block)
        since_line_end = len(block) - block.rfind(b"\n") - 1 if b"\n" in block else since_line_end + len(block)
        if size > MAX_PIPED:
            raise NoFileError(Path("-"), f"more than {MAX_PIPED // 2**20} MiB were piped in; save them to a file")
    return b"".join(blocks)


def _descriptor_in(path: Path) -> int:
    found = re.fullmatch(_HANDED_OVER, str(path))
    return int((found and (found[1] or found[2])) or 0)


@cache
def _drained(descriptor: int) -> bytes:
    """A stream gives what it holds only once."""
    with os.fdopen(descriptor, "rb", closefd=False) as stream:
        return drain(stream)


def _open(path: Path, mode: int, flags: int) -> BinaryIO:
    _check_kind(path, mode)  # before it is opened: some devices do something then
    descriptor = os.open(path, os.O_RDONLY | _AT_ONCE | flags)
    try:
        _check_kind(path, os.fstat(descriptor).st_mode)
        return BufferedReader(_Read(descriptor))
    except OSError:
        os.close(descriptor)
        raise


class _Read(FileIO):
    """A file that is read. A disk that fails when it is closed takes nothing back of what was read."""

    def close(self) -> None:
        with suppress(OSError):
            super().close()


def _check_kind(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = next((what for is_kind, what in KINDS if is_kind(mode)), "nothing that can be read")
        raise NoFileError(path, f"this is no file but {kind}")


def _all(path: Path, file: BinaryIO, most: int) -> bytes:
    data = file.read(most + 1)
    if len(data) > most:
        raise NoFileError(path, f"it has more than {_size(most)}, and is not what it should be")
    return data


def _size(most: int) -> str:
    return f"{most // 2**20} MiB" if most >= 2**20 else f"{most} bytes"
