"""The settings folder with a player's key. Files appear whole or not at all, survive a crash, and belong to the player
alone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from referee.record.log import lock
from referee.record.log.log_errors import KeyProblemError
from referee.record.log.safe_files import OWNER_ONLY, read_user_file, replace_file, sync_folder

FOLDER_MODE = 0o700
MAX_SMALL_FILE_BYTES = 64 * 1024
LOCK_SECONDS = 10.0
"""The seconds to wait for another program that uses the folder."""


def find_settings_folder() -> Path:
    """Returns the folder for this user's settings on this system."""
    from platformdirs import user_config_path

    return user_config_path("referee", appauthor=False)


@contextmanager
def lock_settings() -> Iterator[Path]:
    """Locks the folder, so that only one program at a time changes it. Makes the folder if it is missing.

    Raises KeyProblemError if it cannot be written, or if another program keeps it locked for LOCK_SECONDS.
    """
    place = find_settings_folder()
    with raise_as_key_problem(place):
        place.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        place.chmod(FOLDER_MODE)
    with ExitStack() as held:
        try:
            held.enter_context(lock.hold_lock(place / "lock", LOCK_SECONDS, OWNER_ONLY))
        except OSError as error:
            raise KeyProblemError(f"another program is using {place}, or it cannot be written: {error}") from error
        yield place


def read_small_file(path: Path) -> bytes | None:
    """Returns the content of a small file; None if there is none. Raises KeyProblemError if it cannot be read."""
    with raise_as_key_problem(path):
        try:
            return read_user_file(path, MAX_SMALL_FILE_BYTES)
        except FileNotFoundError:
            return None


def create_private_file(path: Path, data: bytes) -> None:
    """Writes a new file, whole or not at all. Raises KeyProblemError, also if the file exists.

    Call it within `lock_settings`.
    """
    if os.path.lexists(path):
        raise KeyProblemError(f"there is a file {path} already; nothing was changed")
    write_private_file(path, data)


def write_private_file(path: Path, data: bytes) -> None:
    """Writes or replaces a file, whole or not at all. Raises KeyProblemError.

    Call it within `lock_settings`. The data is on the disk before this returns.
    """
    with raise_as_key_problem(path):
        replace_file(path, data, OWNER_ONLY)


def remove_private_file(path: Path) -> None:
    """Removes a file for good. Raises KeyProblemError. Call it within `lock_settings`."""
    with raise_as_key_problem(path):
        path.unlink()
        sync_folder(path.parent)


@contextmanager
def raise_as_key_problem(path: Path) -> Iterator[None]:
    """Turns an error of the system into a KeyProblemError about this file."""
    try:
        yield
    except OSError as error:
        raise KeyProblemError(f"{path} cannot be used: {error.strerror or error}") from error
