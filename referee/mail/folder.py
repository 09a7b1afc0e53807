"""The folder of settings in which a player's key lies: whole files, durable when they are said to be, his alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from referee.record.log.disk import OWNER_ONLY, read_named
from referee.record.log.faults import KeyProblemError

FOLDER_MODE = 0o700
MAX_BYTES = 64 * 1024
LOCK_SECONDS = 10.0
"""How long to wait for another program that is at the folder."""


def folder() -> Path:
    """Where this user's settings lie on his system."""
    from platformdirs import user_config_path

    return user_config_path("referee", appauthor=False)


@contextmanager
def locked() -> Iterator[Path]:
    """Hold the folder, made first if there is none, so that one program at a time changes it. KeyProblemError."""
    from filelock import FileLock, Timeout

    place = folder()
    with told(place):
        place.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        place.chmod(FOLDER_MODE)
    lock = FileLock(place / "lock", timeout=LOCK_SECONDS, mode=OWNER_ONLY)
    try:
        lock.acquire()
    except (Timeout, OSError) as error:
        raise KeyProblemError(f"another program has been at {place}, or it cannot be written: {error}") from error
    try:
        yield place
    finally:
        lock.release()


def read_whole(path: Path) -> bytes | None:
    """A small file; None when there is none. KeyProblemError when it cannot be read or is no file."""
    with told(path):
        try:
            return read_named(path, MAX_BYTES)
        except FileNotFoundError:
            return None


def create(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, whole or not at all; the folder is held. KeyProblemError."""
    if os.path.lexists(path):
        raise KeyProblemError(f"there is a file {path} already; nothing was changed")
    replace(path, data)


def replace(path: Path, data: bytes) -> None:
    """Write a file, or the new one in the place of the old, whole or not at all; once this returns, the disk has it.
    The folder is held. KeyProblemError.
    """
    fresh = path.with_name(f"{path.name}.new")
    with told(path):
        with suppress(FileNotFoundError):  # of a program that was killed in the middle
            fresh.unlink()
        _write(fresh, data)
        fresh.replace(path)
        _sync(path.parent)


def remove(path: Path) -> None:
    """Take a file away, durably; the folder is held. KeyProblemError."""
    with told(path):
        path.unlink()
        _sync(path.parent)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """What the system refuses, as a KeyProblemError about this file."""
    try:
        yield
    except OSError as error:
        raise KeyProblemError(f"{path} cannot be used: {error.strerror or error}") from error


def _write(path: Path, data: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, OWNER_ONLY)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(descriptor)


def _sync(place: Path) -> None:
    """Make new names in a folder durable, where folders can be opened."""
    if os.name == "posix":
        descriptor = os.open(place, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
