"""A back-up of everything that one player alone has: their key, what it signed, the players they know, and vaults.

A single line of back-up brings the key back, but not the secrets of games in progress, and not what the key signed. A
restored key signs nothing in a game before somebody else's mail shows how far it had signed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from referee.engine.dice import SeatName
from referee.engine.event import Seat
from referee.gate import UnreadableError, read_json, read_text
from referee.mail import settings_folder
from referee.mail.key import Key, format_backup_line, read_own_key, restore_key
from referee.mail.people import MAX_PEOPLE, Person, read_people_book_if_possible, restore_people
from referee.mail.signing_journal import advance_last_signed_entry, mark_key_restored, read_last_signed_entries
from referee.record.log.field_types import MAX_NUMBER, Hash
from referee.record.log.log_errors import KeyProblemError, NotAllowedError
from referee.record.log.safe_files import OWNER_ONLY, create_file, make_name_part, read_user_file
from referee.record.log.vault import find_vault_path
from referee.record.log.vault_places import list_vaults, write_vault

MAX_BACKUP_BYTES = 256 * 2**20
"""The size of the biggest back-up that is read, in bytes."""
VAULTS_FOLDER = "vaults"


class VaultCopy(Struct, frozen=True, forbid_unknown_fields=True):
    """The vault of one seat in one game."""

    game: Hash
    """Id of the game: hash of the first line of its log."""
    seat: SeatName
    lines: str
    """The whole text of the vault file."""


class SignedHead(Struct, frozen=True, forbid_unknown_fields=True):
    """The last entry of a game that the key signed."""

    n: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    hash: Hash


class Backup(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that one player alone has."""

    referee: Literal["backup/1"]
    key: str
    """The key as a line of back-up."""
    signed: dict[Hash, SignedHead]
    """The last signed entry of each game or branch, by its `record_id`."""
    vaults: tuple[VaultCopy, ...]
    people: Annotated[tuple[Person, ...], Meta(max_length=MAX_PEOPLE)] = ()
    """The other players that were met, with their keys. Older back-ups have none."""


class _Head(Struct):
    """The fields of a vault that a back-up needs."""

    game: Hash
    seat: SeatName


def write_backup(path: Path, logs: Iterable[Path]) -> Backup:
    """Writes all that one player alone has into a file that only its owner can read.

    The file holds the key, its last signature in each game, the people whom its owner has met, and the vaults of these
    logs. Vaults that cannot be read are left out. Raises NotAllowedError if there is no key, FileExistsError if `path`
    exists, KeyProblemError if the settings folder cannot be read, and OSError.
    """
    key = read_own_key()
    if key is None:
        raise NotAllowedError("you have no key on this computer yet; to make one: referee key --make")
    signed = {record: SignedHead(*last) for record, last in read_last_signed_entries().items()}
    found = {(kept.game, kept.seat): kept for log in logs for kept in _read_vaults(log)}
    made = Backup(
        "backup/1", format_backup_line(key), signed, tuple(found.values()), read_people_book_if_possible().people
    )
    create_file(path, msgspec.json.format(msgspec.json.encode(made, order="sorted")) + b"\n", OWNER_ONLY)
    return made


def _read_vaults(log: Path) -> Iterable[VaultCopy]:
    for path in list_vaults(log):
        with suppress(OSError, UnreadableError):
            text = read_text(read_user_file(path, MAX_BACKUP_BYTES))
            head = read_json(text.partition("\n")[0], _Head)
            yield VaultCopy(head.game, head.seat, text)


def read_backup(path: Path) -> Backup:
    """Returns the back-up in a file. Raises KeyProblemError if the file is not a back-up, and OSError."""
    try:
        return read_json(read_user_file(path, MAX_BACKUP_BYTES), Backup)
    except UnreadableError as error:
        raise KeyProblemError(f"{str(path)!r} is not a back-up of a key: it was changed, or is another file") from error


def restore_backup(backup: Backup) -> Key:
    """Restores a key, the journal of what it signed, and the people whom its owner has met.

    The vaults wait in the settings folder for their games' logs. Raises NotAllowedError if there is another key, and
    KeyProblemError if the back-up or the folder cannot be used.
    """
    key = restore_and_mark_key(backup.key)
    with settings_folder.lock_settings() as place:
        for kept in backup.vaults:
            path = _make_waiting_path(place, kept.game, kept.seat)
            path.parent.mkdir(settings_folder.FOLDER_MODE, exist_ok=True)
            settings_folder.write_private_file(path, kept.lines.encode())
    restore_people(backup.people)
    for record, last in backup.signed.items():
        advance_last_signed_entry(record, (last.n, last.hash))
    return key


def restore_and_mark_key(line: str) -> Key:
    """Restores a key from its back-up line. Raises the errors of `restore_backup`.

    If there was no key here, also notes that the key's signatures since the back-up are unknown.
    """
    had = read_own_key()
    key = restore_key(line)
    if had is None:
        mark_key_restored()
    return key


def install_restored_vaults(log: Path, game_id: str, seats: Sequence[Seat]) -> list[Seat]:
    """Copies the restored vaults of these seats to a log that lacks them. Returns the seats that got one.

    Raises OSError.
    """
    brought = []
    for seat in seats:
        waiting, path = (
            _make_waiting_path(settings_folder.find_settings_folder(), game_id, seat),
            find_vault_path(log, seat),
        )
        if waiting.is_file() and not path.exists():
            write_vault(path, read_user_file(waiting, MAX_BACKUP_BYTES))
            brought.append(seat)
    return brought


def _make_waiting_path(place: Path, game_id: str, seat: Seat) -> Path:
    """Returns the path at which a restored vault waits for its log: always inside `place`, whatever the game id is."""
    return place / VAULTS_FOLDER / f"{make_name_part(game_id)}.{make_name_part(seat)}.vault"
