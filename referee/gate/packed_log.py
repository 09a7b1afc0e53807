"""A log in a file that a mail program or a computer has packed: a gzip or a ZIP with one log in it."""

from __future__ import annotations

from collections.abc import Callable
from gzip import GzipFile
from typing import BinaryIO
from zipfile import ZipFile

from referee.gate import UnreadableError

GZIP_START = b"\x1f\x8b"


def unpack_log(file: BinaryIO, read: Callable[[BinaryIO], bytes]) -> bytes:
    """Returns the log in a packed file. `read` reads a stream, and bounds it.

    Raises UnreadableError if the file cannot be unpacked or does not hold exactly one log. Errors of `read` that name a
    file pass through.
    """
    try:
        is_gzip = file.read(len(GZIP_START)) == GZIP_START
        file.seek(0)
        if is_gzip:
            return read(GzipFile(fileobj=file))  # type: ignore[arg-type]  # it reads like any file
        with ZipFile(file) as packed:
            return _read_only_log(packed, read)
    except Exception as error:  # the standard library documents few of the errors about damaged files
        if isinstance(error, UnreadableError) or (isinstance(error, OSError) and error.filename is not None):
            raise
        raise UnreadableError(f"this cannot be unpacked: {error}") from None


def _read_only_log(packed: ZipFile, read: Callable[[BinaryIO], bytes]) -> bytes:
    """Returns the only log in a ZIP. Raises UnreadableError if it holds none or several."""
    logs = [name for name in packed.namelist() if name.endswith(".jsonl") and not name.startswith("__MACOSX/")]
    if len(logs) != 1:
        raise UnreadableError(f"this ZIP file holds {len(logs) or 'no'} logs, and has to hold exactly one")
    with packed.open(logs[0]) as log:
        return read(log)  # type: ignore[arg-type]  # it reads like any file
