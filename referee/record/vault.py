"""The vault: secrets that are kept out of the log, in `<log>.vault` beside it, for its owner's eyes alone.

The first line names the game and holds a salt master for each seat; every further line is one secret under its leaf.
A secret counts only if its leaf says so, so a vault from a stranger can show nothing that was not sealed; lines that
cannot be read are passed over.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from referee.engine.game import REFEREE, Seat
from referee.engine.sealed import derive_salt, leaf_of
from referee.engine.series import SeatName
from referee.record.entry import MAX_LINE, Hash, SealedEntry, encode
from referee.record.faults import Fault, FaultError, NotRecordedError

SUFFIX = ".vault"
OWNER_ONLY = 0o600
MAX_LINES = 1_000_000


class Opening(Struct, frozen=True):
    """What opens a leaf."""

    salt: str
    """32 bytes as hex."""
    value: bytes
    """The secret in the one spelling."""


class VaultHead(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a vault."""

    format: Literal[1]
    game: Hash
    """Id of the game: hash of the first line of its log."""
    masters: Annotated[dict[SeatName, Hash], Meta(max_length=64)]
    """Salt master of each seat, 32 bytes as hex."""


class VaultLine(Struct, frozen=True, forbid_unknown_fields=True):
    """Any other line of a vault."""

    leaf: Hash
    secret: msgspec.Raw


class Vault:
    """The secrets of one game that are kept here."""

    def __init__(self, path: Path, head: VaultHead, secrets: Mapping[str, bytes] | None = None) -> None:
        self.path = path
        self.head = head
        self._secrets = dict(secrets or {})

    def seal(self, seat: Seat, item: str, value: bytes) -> str:
        """Keep a secret of a seat and return its leaf, once the disk has it. NotRecordedError when it has not."""
        leaf = leaf_of(self.head.game, seat, item, self._salt(seat, item), value)
        self._secrets[leaf] = value
        _write(self.path, os.O_APPEND, encode(VaultLine(leaf, msgspec.Raw(value))))
        return leaf

    def open(self, entry: SealedEntry) -> Opening | None:  # type: ignore[type-arg]  # whatever its events
        """What opens a sealed entry; None when it is not kept here."""
        value = self._secrets.get(entry.leaf)
        if value is None or entry.by not in self.head.masters:
            return None
        return Opening(self._salt(entry.by, entry.prev).hex(), value)

    @property
    def is_open_to_others(self) -> bool:
        """Whether other users of this computer can read or change it."""
        return os.name == "posix" and bool(self.path.stat().st_mode & ~OWNER_ONLY & 0o777)

    def _salt(self, seat: Seat, item: str) -> bytes:
        return derive_salt(bytes.fromhex(self.head.masters[seat]), self.head.game, item)


def vault_path(log: Path) -> Path:
    """Where the vault of a log lies."""
    return log.with_name(log.name + SUFFIX)


def create_vault(log: Path, game_id: str, seats: Iterable[Seat]) -> Vault:
    """Start the vault of a new log, readable by its owner alone. FileExistsError, NotRecordedError."""
    masters = {seat: os.urandom(32).hex() for seat in (*seats, REFEREE)}
    vault = Vault(vault_path(log), VaultHead(1, game_id, masters))
    _write(vault.path, os.O_CREAT | os.O_EXCL, encode(vault.head))
    return vault


def copy_vault(log: Path, to: Path) -> None:
    """Give a branch the secrets of the log that it leaves, if they are kept here. FileExistsError."""
    source = vault_path(log)
    if source.exists():
        _write(vault_path(to), os.O_CREAT | os.O_EXCL, source.read_bytes().rstrip(b"\n"))


def read_vault(log: Path, game_id: str) -> Vault | None:
    """The vault of a log; None when there is none here. FaultError when it is no vault, or another game's."""
    path = vault_path(log)
    if not path.exists():
        return None
    with path.open("rb") as file:
        head = _head(path, file.readline(MAX_LINE + 1))
        if head.game != game_id:
            raise _fault(path, f"holds the secrets of another game; {_AWAY}")
        lines = iter(lambda: file.readline(MAX_LINE + 1), b"")
        return Vault(path, head, dict(_secrets(islice(lines, MAX_LINES))))


def _head(path: Path, line: bytes) -> VaultHead:
    try:
        return msgspec.json.decode(line, type=VaultHead)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _fault(path, f"is no vault: {error}; {_AWAY}") from None


def _secrets(lines: Iterable[bytes]) -> Iterable[tuple[str, bytes]]:
    decode = msgspec.json.Decoder(VaultLine).decode
    for line in lines:
        try:
            found = decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue  # cut short, or no line of a vault: nothing can be opened with it
        yield found.leaf, bytes(found.secret)


_AWAY = "put the right one in its place, or move it away to look on as a spectator"


def _fault(path: Path, cause: str) -> FaultError:
    return FaultError(Fault("bad-vault", 0, 0, f"{path.name} {cause}"))


def _write(path: Path, flags: int, line: bytes) -> None:
    """Write a line in one go and wait for the disk. A line that an earlier write left unfinished is ended first.

    What somebody has opened to others meanwhile is closed again, where that can be done.
    """
    descriptor = os.open(path, os.O_RDWR | flags, OWNER_ONLY)
    try:
        if hasattr(os, "fchmod"):
            with suppress(OSError):
                os.fchmod(descriptor, OWNER_ONLY)
        data = (b"\n" if _is_unfinished(descriptor) else b"") + line + b"\n"
        if os.write(descriptor, data) != len(data):
            raise OSError("the disk is full")
        os.fsync(descriptor)
    except OSError as error:
        raise NotRecordedError(f"nothing was recorded, because the vault cannot be written: {error}") from error
    finally:
        os.close(descriptor)


def _is_unfinished(descriptor: int) -> bool:
    size = os.fstat(descriptor).st_size
    os.lseek(descriptor, max(0, size - 1), os.SEEK_SET)
    return size > 0 and os.read(descriptor, 1) != b"\n"
