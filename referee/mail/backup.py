"""A back-up of all that a player alone has: his key, what it has signed, and the vaults of his games.

From a line of back-up a key comes back, but neither what was sealed in games that go on nor what the key has signed. A
key that was brought back signs nothing in a game before a mail of somebody else has shown up to where it has.
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
from referee.mail import folder
from referee.mail.key import Key, backup_of, own_key, restore_key
from referee.mail.signed import believe_signed, mark_restored, signed_in_all
from referee.record.log.disk import OWNER_ONLY, create_file, read_named
from referee.record.log.faults import KeyProblemError, NotAllowedError
from referee.record.log.fields import MAX_NUMBER, Hash
from referee.record.log.vault import vault_path

MAX_BACKUP = 256 * 2**20
"""Bytes of the biggest back-up that is read."""
VAULTS = "vaults"


class KeptVault(Struct, frozen=True, forbid_unknown_fields=True):
    """The vault of one seat in one game."""

    game: Hash
    """Id of the game: hash of the first line of its log."""
    seat: SeatName
    lines: str
    """All of the file."""


class Signed(Struct, frozen=True, forbid_unknown_fields=True):
    """The last entry of a game that the key has signed."""

    n: Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
    hash: Hash


class Backup(Struct, frozen=True, forbid_unknown_fields=True):
    """All that a player alone has."""

    referee: Literal["backup/1"]
    key: str
    """The key as a line of back-up."""
    signed: dict[Hash, Signed]
    """By game, or by branch."""
    vaults: tuple[KeptVault, ...]


class _Head(Struct):
    """What is looked at of a vault."""

    game: Hash
    seat: SeatName


def back_up(path: Path, logs: Iterable[Path]) -> Backup:
    """Write the key, what it has signed and the vaults beside these logs into a file for its owner alone.
    NotAllowedError when there is no key; FileExistsError, OSError, KeyProblemError.
    """
    key = own_key()
    if key is None:
        raise NotAllowedError("you have no key on this computer yet; make one with: referee key --make")
    signed = {record: Signed(*last) for record, last in signed_in_all().items()}
    found = {(kept.game, kept.seat): kept for log in logs for kept in _vaults_beside(log)}
    made = Backup("backup/1", backup_of(key), signed, tuple(found.values()))
    create_file(path, msgspec.json.format(msgspec.json.encode(made, order="sorted")) + b"\n", OWNER_ONLY)
    return made


def _vaults_beside(log: Path) -> Iterable[KeptVault]:
    for path in sorted(log.parent.glob(f"{log.name}.*.vault")):
        with suppress(OSError, UnicodeDecodeError, msgspec.DecodeError):
            text = read_named(path, MAX_BACKUP).decode()
            head = msgspec.json.decode(text.partition("\n")[0], type=_Head)
            yield KeptVault(head.game, head.seat, text)


def read_backup(path: Path) -> Backup:
    """A back-up from its file. KeyProblemError when it is none; OSError."""
    try:
        return msgspec.json.decode(read_named(path, MAX_BACKUP), type=Backup)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise KeyProblemError(f"{str(path)!r} is no back-up of a key: it was changed, or is another file") from error


def restore(backup: Backup) -> Key:
    """Bring back a key and what it had signed; its vaults wait among the settings for the logs of their games.
    KeyProblemError; NotAllowedError when there is another key.
    """
    key = restore_line(backup.key)
    with folder.locked() as place:
        for kept in backup.vaults:
            path = _waiting(place, kept.game, kept.seat)
            path.parent.mkdir(folder.FOLDER_MODE, exist_ok=True)
            folder.replace(path, kept.lines.encode())
    for record, last in backup.signed.items():
        believe_signed(record, (last.n, last.hash))
    return key


def restore_line(line: str) -> Key:
    """Bring back a key from its line, and remember that nobody knows what it has signed since the line was written."""
    had = own_key()
    key = restore_key(line)
    if had is None:
        mark_restored()
    return key


def bring_vaults(log: Path, game_id: str, seats: Sequence[Seat]) -> list[Seat]:
    """Give a log the vaults of its game that were brought back, where it has none; whose they are. OSError."""
    brought = []
    for seat in seats:
        waiting, path = _waiting(folder.folder(), game_id, seat), vault_path(log, seat)
        if waiting.is_file() and not path.exists():
            create_file(path, read_named(waiting, MAX_BACKUP), OWNER_ONLY)
            brought.append(seat)
    return brought


def _waiting(place: Path, game_id: str, seat: Seat) -> Path:
    """Where a vault waits for its log: names from a checked file, which lead nowhere else."""
    return place / VAULTS / f"{game_id}.{seat}.vault"
