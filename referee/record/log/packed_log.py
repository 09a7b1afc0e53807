"""A log in a file that a mail program or a computer has packed: a gzip or a ZIP with one log in it."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from gzip import BadGzipFile, GzipFile
from typing import BinaryIO
from zipfile import BadZipFile, ZipFile

from referee.engine.text import printable

GZIP = b"\x1f\x8b"


class PackedError(ValueError):
    """Raised for a packed file that cannot be unpacked, or does not hold exactly one log. Its text is a clause."""


def unpack_log(file: BinaryIO, read: Callable[[BinaryIO], bytes]) -> bytes:
    """Returns the log in a packed file. `read` reads a stream, and bounds it. Raises PackedError."""
    try:
        is_gzip = file.read(len(GZIP)) == GZIP
        file.seek(0)
        if is_gzip:
            return read(GzipFile(fileobj=file))  # type: ignore[arg-type]  # it reads like any file
        with ZipFile(file) as packed:
            return _read_only_log(packed, read)
    except (BadZipFile, BadGzipFile, EOFError, zlib.error, RuntimeError, NotImplementedError) as error:
        raise PackedError(f"this cannot be unpacked: {printable(str(error))}") from None


def _read_only_log(packed: ZipFile, read: Callable[[BinaryIO], bytes]) -> bytes:
    """Returns the only log in a ZIP. Raises PackedError if it holds none or several."""
    logs = [name for name in packed.namelist() if name.endswith(".jsonl") and not name.startswith("__MACOSX/")]
    if len(logs) != 1:
        raise PackedError(f"this holds {len(logs) or 'no'} logs; unpack it, then name the log")
    with packed.open(logs[0]) as log:
        return read(log)  # type: ignore[arg-type]  # it reads like any file
