"""The folder of settings in which a player's key lies: whole files, durable when they are said to be, his alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from referee.record.log import lock
from referee.record.log.disk import OWNER_ONLY, read_named, replace_file, sync_folder
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
    place = folder()
    with told(place):
        place.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        place.chmod(FOLDER_MODE)
    with ExitStack() as held:
        try:
            held.enter_context(lock.locked(place / "lock", LOCK_SECONDS, OWNER_ONLY))
        except OSError as error:
            raise KeyProblemError(f"another program has been at {place}, or it cannot be written: {error}") from error
        yield place


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
    with told(path):
        replace_file(path, data, OWNER_ONLY)


def remove(path: Path) -> None:
    """Take a file away, durably; the folder is held. KeyProblemError."""
    with told(path):
        path.unlink()
        sync_folder(path.parent)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """What the system refuses, as a KeyProblemError about this file."""
    try:
        yield
    except OSError as error:
        raise KeyProblemError(f"{path} cannot be used: {error.strerror or error}") from error
