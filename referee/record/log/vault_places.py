"""The places of vaults, and moving them to another place or another computer."""

from __future__ import annotations

from pathlib import Path

from referee.engine.event import Seat
from referee.gate import UnreadableError, read_json
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.safe_files import OWNER_ONLY, create_file, read_user_file
from referee.record.log.shared_folders import find_sharing_program
from referee.record.log.vault import (
    FOLDER_MODE,
    VaultHeader,
    find_private_game_folder,
    find_private_vault_path,
    find_vault_path,
    read_game_id,
)

MAX_VAULT_BYTES = 256 * 2**20
"""The size of the biggest vault that is copied, in bytes."""


def list_vaults(log: Path) -> list[Path]:
    """Returns the vaults of a log that are on this computer: those beside it, and those in the user's own folder."""
    game = read_game_id(log)
    return [*list_vaults_beside(log), *(sorted(find_private_game_folder(game).glob("*.vault")) if game else ())]


def list_vaults_beside(log: Path) -> list[Path]:
    """Returns the vaults beside a log."""
    return [path for path in sorted(log.parent.glob("*.vault")) if path.name.startswith(f"{log.name}.")]


def list_exposed_vaults(log: Path) -> list[Path]:
    """Returns the vaults beside a log if other people get the files of its folder; empty if nobody else does."""
    beside = list_vaults_beside(log)
    return beside if beside and find_sharing_program(log.parent) else []


def move_exposed_vaults(log: Path) -> list[tuple[Path, Path]]:
    """Moves the vaults in a shared folder to the user's own folder, and returns the old and the new path of each.

    Raises NotAllowedError, FileExistsError or OSError. Then the vault still lies in its old place.
    """
    moved = []
    for path in list_exposed_vaults(log):
        data = read_user_file(path, MAX_VAULT_BYTES)
        head = read_vault_header(data)
        place = find_private_vault_path(head.game, head.seat)
        write_vault(place, data)
        path.unlink()
        moved.append((path, place))
    return moved


def install_vault(log: Path, data: bytes) -> tuple[Seat, Path]:
    """Writes a saved vault where the vaults of this log belong, and returns its seat and its path.

    Raises NotAllowedError if the data is not a vault of this game. Raises FileExistsError if there is another vault.
    """
    head = read_vault_header(data)
    if head.game != read_game_id(log):
        raise NotAllowedError(f"this vault belongs to another game than {log}")
    path = find_vault_path(log, head.seat)
    write_vault(path, data)
    return head.seat, path


def read_vault_header(data: bytes) -> VaultHeader:
    """Returns the first line of a vault. Raises NotAllowedError if there is none."""
    try:
        return read_json(data.partition(b"\n")[0], VaultHeader)
    except UnreadableError as error:
        raise NotAllowedError("this file is not a vault") from error


def write_vault(path: Path, data: bytes) -> None:
    """Writes a vault that only its owner can read. A file with the same content is left as it is.

    Raises FileExistsError or OSError.
    """
    if path.is_file() and read_user_file(path, MAX_VAULT_BYTES) == data:
        return
    path.parent.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    create_file(path, data, OWNER_ONLY)
