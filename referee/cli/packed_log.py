"""A log in a file that a mail program or a computer has packed: a gzip or a ZIP with one log in it."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from gzip import BadGzipFile, GzipFile
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import BadZipFile, ZipFile

from referee.cli.errors import MisuseError
from referee.record.log.safe_files import open_named

MAX_UNPACKED = 256 * 1024 * 1024
"""The most bytes of an unpacked log."""
GZIP = b"\x1f\x8b"


@contextmanager
def unpack_log(path: Path) -> Iterator[tuple[bytes, Path]]:
    """Yields the log in a packed file: its bytes, and its path in a temporary folder.

    Raises MisuseError if the file does not hold exactly one log, and OSError.
    """
    data = _unpack(path)
    if len(data) > MAX_UNPACKED:
        raise MisuseError(f"{path} holds more than {MAX_UNPACKED // 2**20} MB; unpack it yourself")
    with TemporaryDirectory() as folder:
        log = Path(folder) / "game.jsonl"
        log.write_bytes(data)
        yield data, log


def _unpack(path: Path) -> bytes:
    try:
        with open_named(path) as file:
            is_gzip = file.read(len(GZIP)) == GZIP
            file.seek(0)
            if is_gzip:
                return GzipFile(fileobj=file).read(MAX_UNPACKED + 1)
            with ZipFile(file) as packed:
                return _read_only_log(path, packed)
    except (BadZipFile, BadGzipFile, EOFError, zlib.error, RuntimeError, NotImplementedError) as error:
        raise MisuseError(f"{path} cannot be unpacked: {error}") from None


def _read_only_log(path: Path, packed: ZipFile) -> bytes:
    """Returns the only log in a ZIP. Raises MisuseError if it holds none or several."""
    logs = [name for name in packed.namelist() if name.endswith(".jsonl") and not name.startswith("__MACOSX/")]
    if len(logs) != 1:
        raise MisuseError(f"{path} holds {len(logs) or 'no'} logs; unpack it, then name the log")
    with packed.open(logs[0]) as log:
        return log.read(MAX_UNPACKED + 1)
