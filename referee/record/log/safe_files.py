"""Safe access to files that others may have put there. Only regular files are read, and nothing waits for a pipe.

The files of a log lie beside it under names of their own. A link with such a name was made by somebody else, so it is
not followed.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache, partial
from io import BufferedReader, BytesIO, FileIO
from pathlib import Path
from threading import local
from typing import BinaryIO, NewType

BLOCK_BYTES = 128 * 1024
"""The number of bytes that are read at once."""
OWNER_ONLY = 0o600
MAX_PIPED_BYTES = 256 * 1024 * 1024
"""The most bytes of a stream."""
MAX_SEARCHED_FILE_BYTES = 64 * 1024 * 1024
"""The most bytes of a file that is searched for a log."""
PACKED_STARTS = (b"\x1f\x8b", b"PK\x03\x04")
"""The first bytes of a gzip and of a ZIP."""
PACKED_ENDINGS = (".gz", ".zip")
"""The endings of packed files' names. Files with other endings are not unpacked."""
MAX_PIPED_LINE_BYTES = 4 * 1024 * 1024
"""The most bytes of a stream's line. Longer lines are not waited for."""

BINARY_FLAG = getattr(os, "O_BINARY", 0)
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | BINARY_FLAG
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_HANDED_OVER = r"/dev/(?:stdin|fd/([0-9]{1,4}))|/proc/self/fd/([0-9]{1,4})"

PATH_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISLNK, "a link, and links here are not followed"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


AnyPath = str | bytes | os.PathLike[str] | os.PathLike[bytes]
"""The name of a file as programs give it."""


class NoFileError(OSError):
    """An error about a path that is not a file, or a file that is too big."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(errno.EINVAL, why, str(path))

    def __reduce__(self) -> tuple[type[NoFileError], tuple[Path, str]]:  # OSError would be copied with its number first
        return type(self), (Path(self.filename), self.strerror or "")


def parse_path(name: AnyPath) -> Path:
    """Returns the path that a program names, in text or in bytes. Raises NoFileError if no file can have this name."""
    text = os.fsdecode(name)
    path = Path(text)
    if not text or "\0" in text:
        raise NoFileError(path, "this is not a file name")
    if not path.name:
        raise NoFileError(path, "this is not a file but a folder")
    return path


def find_companion_path(log: Path, ending: str) -> Path:
    """Returns the path of a log's companion file. Raises NoFileError for a folder without a name of its own, such as .
    or /.
    """
    if not log.name:
        raise NoFileError(log, "this is not a file but a folder")
    return log.with_name(log.name + ending)


NamePart = NewType("NamePart", str)
"""A text from outside that may be part of a file's name. Only `make_name_part` makes it."""
_NAME_PART = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,127}"


def make_name_part(text: str) -> NamePart:
    """Returns a text from outside as part of a file's name: it names no folder, and all of it can be seen.

    Raises NoFileError for any other text.
    """
    if not re.fullmatch(_NAME_PART, text):
        raise NoFileError(Path(text), "this cannot be part of the name of a file")
    return NamePart(text)


def open_user_file(path: Path) -> BinaryIO:
    """Opens a file that somebody names, for reading from its beginning. Raises NoFileError or OSError.

    A stream from a shell, with a name like `/dev/stdin`, is read to its end first, so that it can be read again. Of a
    packed file, the log in it is opened.
    """
    if not is_packed(path):
        return open_without_unpacking(path)
    found = path.stat()
    return BytesIO(_unpack(path, found.st_mtime_ns, found.st_size))


def open_without_unpacking(path: Path) -> BinaryIO:
    """Opens a file or a stream from a shell as it is, whether it is packed or not. Raises NoFileError or OSError."""
    if is_shell_stream(path):
        return BytesIO(_read_descriptor(_descriptor_in(path)))
    return _open(path, path.stat().st_mode, 0)


def open_companion(path: Path) -> BinaryIO:
    """Opens a log's companion file for reading. Raises NoFileError or OSError."""
    return _open(path, path.lstat().st_mode, _NO_LINK)


def read_companion(path: Path, most: int) -> bytes:
    """Returns the content of a log's companion file. Raises NoFileError if it has more than `most` bytes."""
    with open_companion(path) as file:
        return _read_all(path, file, most)


def read_user_file(path: Path, most: int) -> bytes:
    """Returns the content of a file that somebody names. Raises NoFileError if it has more than `most` bytes."""
    with open_user_file(path) as file:
        return _read_all(path, file, most)


def open_to_write(path: Path, flags: int, mode: int = 0o644) -> int:
    """Opens a file that only this program writes, and returns its descriptor. `flags` are those of `os.open`.

    Raises NoFileError if a link, symbolic or hard, leads to it, or OSError.
    """
    if not flags & os.O_EXCL:
        check_free_or_file(path)
    descriptor = os.open(path, os.O_RDWR | flags | _AT_ONCE | _NO_LINK, mode)
    try:
        found = os.fstat(descriptor)
        _check_kind(path, found.st_mode)
        if found.st_nlink > 1:
            raise NoFileError(path, "it has a second name (a hard link), so nothing is written to it")
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def check_free_or_file(path: Path) -> None:
    """Raises NoFileError if the path is a link, or leads to something that is not a file. A file may be missing."""
    with suppress(FileNotFoundError):
        _check_kind(path, path.lstat().st_mode)


def open_to_add(path: Path) -> int:
    """Opens a log for adding, and returns its descriptor. Raises NoFileError or OSError."""
    _check_kind(path, path.stat().st_mode)
    return os.open(path, os.O_RDWR | _AT_ONCE)


class UnwrittenError(OSError):
    """The disk refused to take the data; nothing of it is left."""


class UnsureError(OSError):
    """A file was written, but the disk has not confirmed it."""


def create_file(path: Path, data: bytes, mode: int = 0o644, *, lasting: bool = True) -> None:
    """Makes a new file, whole or not at all. With `lasting`, the disk has confirmed it on return.

    Raises FileExistsError, UnwrittenError, UnsureError or OSError.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK | BINARY_FLAG, mode)
    try:
        if os.write(descriptor, data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if lasting:
            sync_file(descriptor, path)
    except UnsureError:
        raise
    except OSError as error:
        path.unlink()
        raise UnwrittenError(error.errno, error.strerror, str(path)) from error
    except KeyboardInterrupt:
        path.unlink()
        raise
    finally:
        with suppress(OSError):  # the disk has confirmed the file before
            os.close(descriptor)


def replace_file(path: Path, data: bytes, mode: int = 0o644, *, lasting: bool = True) -> None:
    """Replaces a file as a whole, without following links.

    Raises OSError if the old file stays as it was and nothing new is left. Raises UnsureError if the file is replaced,
    but the disk has not confirmed it.
    """
    fresh = path.with_name(f"{path.name}.new")
    try:
        fresh.unlink(missing_ok=True)  # left by a program that was killed
        create_file(fresh, data, mode, lasting=lasting)
        fresh.replace(path)
    except OSError as error:  # also if the disk did not confirm the new file, which then replaces nothing
        with suppress(OSError):
            fresh.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from error
    except KeyboardInterrupt:
        fresh.unlink(missing_ok=True)
        raise
    if lasting:
        sync_folder(path.parent)


def sync_file(descriptor: int, path: Path) -> None:
    """Waits until the disk has stored an open file. Raises UnsureError if the disk does not confirm that."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        raise UnsureError(error.errno, error.strerror, str(path)) from error


def sync_folder(folder: Path) -> None:
    """Makes new names in a folder durable, on systems where folders can be opened. Raises UnsureError."""
    if os.name != "posix":
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise UnsureError(error.errno, error.strerror, str(folder)) from error
    try:
        sync_file(descriptor, folder)
    finally:
        with suppress(OSError):
            os.close(descriptor)


def is_open_to_others(path: Path) -> bool:
    """True if other users of this computer can read or change a file. Raises OSError."""
    return os.name == "posix" and bool(path.lstat().st_mode & ~OWNER_ONLY & 0o777)


def is_writable_by_others(path: Path) -> bool:
    """True if other users can change a file, or can replace files in a folder.

    A folder where users change only their own files, such as the one for temporary files, does not count.
    """
    mode = path.stat().st_mode
    return os.name == "posix" and bool(mode & 0o022) and not mode & stat.S_ISVTX


def resolve_link(path: Path) -> Path:
    """Returns the path that a link leads to; other paths unchanged. The companion files of a log lie beside the file
    itself.
    """
    return Path(os.path.realpath(path)) if path.is_symlink() and not is_shell_stream(path) else path


def is_shell_stream(path: Path) -> bool:
    """True if a name stands for a stream from a shell, such as `/dev/stdin` or the result of `<(command)`."""
    return str(path).startswith(("/dev/", "/proc/")) and bool(re.fullmatch(_HANDED_OVER, str(path)))


def is_packed(path: Path) -> bool:
    """True if a file is a gzip or a ZIP by its name and its first bytes. The log in it can be read, not played on."""
    if path.suffix.lower() not in PACKED_ENDINGS or path.is_dir():
        return False
    with suppress(OSError), open_without_unpacking(path) as file:
        return file.read(len(max(PACKED_STARTS, key=len))).startswith(PACKED_STARTS)
    return False


def is_stream_or_packed(path: Path) -> bool:
    """True if a log can only be read: a stream from a shell, or one in a packed file."""
    return is_shell_stream(path) or is_packed(path)


@lru_cache(maxsize=1)
def _unpack(path: Path, _changed: int, _size: int) -> bytes:
    """Returns the log in a packed file. It is cached until the file changes, because a log is read several times.

    Raises NoFileError.
    """
    from referee.engine.text import make_printable
    from referee.gate import UnreadableError
    from referee.gate.packed_log import unpack_log  # few logs are packed

    with open_without_unpacking(path) as file:
        try:
            return unpack_log(file, partial(read_stream, path=path, what="are packed in it; unpack it yourself"))
        except UnreadableError as error:
            raise NoFileError(path, make_printable(str(error))) from None


def read_stream(stream: BinaryIO, path: Path = Path("-"), what: str = "were piped in; save them to a file") -> bytes:
    """Returns the content of a stream. Of an endless one, it returns enough to show that it is not a log.

    Raises NoFileError about `path` if there is too much. The clause of this error ends with `what`.
    """
    blocks: list[bytes] = []
    size = since_line_end = 0
    while (block := stream.read(BLOCK_BYTES)) and since_line_end <= MAX_PIPED_LINE_BYTES:
        blocks.append(block)
        size += len(block)
        since_line_end = len(block) - block.rfind(b"\n") - 1 if b"\n" in block else since_line_end + len(block)
        if size > MAX_PIPED_BYTES:
            raise NoFileError(path, f"more than {MAX_PIPED_BYTES // 2**20} MiB {what}")
    return b"".join(blocks)


def _descriptor_in(path: Path) -> int:
    found = re.fullmatch(_HANDED_OVER, str(path))
    return int((found and (found[1] or found[2])) or 0)


@cache
def _read_descriptor(descriptor: int) -> bytes:
    """Returns the content of a stream. It is cached, because a stream can be read only once."""
    with os.fdopen(descriptor, "rb", closefd=False) as stream:
        return read_stream(stream)


def _open(path: Path, mode: int, flags: int) -> BinaryIO:
    _check_kind(path, mode)  # before opening it, since some devices act when they are opened
    descriptor = os.open(path, os.O_RDONLY | _AT_ONCE | flags)
    try:
        _check_kind(path, os.fstat(descriptor).st_mode)
        return BufferedReader(_Read(descriptor))
    except OSError:
        os.close(descriptor)
        raise


class _Read(FileIO):
    """A file for reading. Errors on closing are ignored, since the content was read already."""

    def close(self) -> None:
        with suppress(OSError):
            super().close()


def _check_kind(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = next((what for is_kind, what in PATH_KINDS if is_kind(mode)), "something that cannot be read")
        raise NoFileError(path, f"this is not a file but {kind}")


def _read_all(path: Path, file: BinaryIO, most: int) -> bytes:
    data = file.read(most + 1)
    if len(data) > most:
        raise NoFileError(path, f"it has more than {_size_text(most)}, so it cannot be the right file")
    return data


def _size_text(most: int) -> str:
    return f"{most // 2**20} MiB" if most >= 2**20 else f"{most} bytes"


# Opened logs, on which errors can be blamed

MAX_OPENED = 16
"""The most opened logs that are remembered: those that were opened last."""


class _Watch(local):
    """The logs that a thread has opened.

    The thread that runs the command has a list of its own, and so has each thread that answers a phone.
    """

    def __init__(self) -> None:
        self.opened: deque[Callable[[], BinaryIO]] = deque(maxlen=0)


_watch = _Watch()


def watch_opened_logs() -> deque[Callable[[], BinaryIO]]:
    """Returns a list that grows with each log that this thread opens from here on, so that errors can be blamed on the
    logs. Each item is a function that opens its log again.
    """
    _watch.opened = deque(maxlen=MAX_OPENED)
    return _watch.opened


def note_opened_log(open_again: Callable[[], BinaryIO]) -> None:
    """Remembers a log that is opened, if this thread watches."""
    _watch.opened.append(open_again)
