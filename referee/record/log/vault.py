"""The vault: the secrets of one seat, kept out of the log, in `<log>.<seat>.vault` beside it, for its eyes alone.

The first line names the game and the seat and holds its salt master; every further line is one secret under its leaf.
A secret counts only if its leaf says so, so a vault from a stranger can show nothing that was not sealed; lines that
cannot be read are passed over.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from referee.engine.dice import SeatName
from referee.engine.event import Seat
from referee.engine.leaf import derive_salt
from referee.record.log.disk import OWNER_ONLY, NoFileError, beside, create_file, open_beside, open_to_write
from referee.record.log.entry import encode
from referee.record.log.faults import Fault, FaultError, NotRecordedError
from referee.record.log.fields import MAX_LINE, Hash
from referee.record.log.files import whole_or_not

MAX_LINES = 1_000_000


class VaultHead(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a vault."""

    format: Literal[2]
    game: Hash
    """Id of the game: hash of the first line of its log."""
    seat: SeatName
    master: Hash
    """Salt master of the seat, 32 bytes as hex."""


class VaultLine(Struct, frozen=True, forbid_unknown_fields=True):
    """Any other line of a vault."""

    leaf: Hash
    value: msgspec.Raw


class Vault:
    """The secrets of one seat in one game."""

    def __init__(self, path: Path, head: VaultHead, lines: Iterable[bytes] = ()) -> None:
        self.path = path
        self.head = head
        self._lines = lines
        self._fresh: list[str] = []

    @cached_property
    def values(self) -> dict[str, bytes]:
        """Secrets in the one spelling, by leaf. Where a log reveals them all, nobody asks for them."""
        lines, self._lines = self._lines, ()
        return dict(_values(lines))

    def salt(self, item: str, value: bytes) -> bytes:
        """The salt of a secret. It is bound to place and value, so that none serves two values on copies of a log."""
        master = bytes.fromhex(self.head.master)
        return derive_salt(master, self.head.game, f"{item}.{sha256(value).hexdigest()}")

    def put(self, leaf: str, value: bytes) -> None:
        """Hold a secret; it is kept once `keep` has returned."""
        if leaf not in self.values:
            self.values[leaf] = value
            self._fresh.append(leaf)

    def keep(self) -> None:
        """Write what was put in, and wait for the disk; NotRecordedError."""
        if self._fresh:
            lines = [encode(VaultLine(leaf, msgspec.Raw(self.values[leaf]))) for leaf in self._fresh]
            _add(self.path, lines)
            self._fresh = []

    def drop(self) -> None:
        """Forget what was put in for an entry that was not recorded after all."""
        for leaf in self._fresh:
            del self.values[leaf]
        self._fresh = []


def vault_path(log: Path, seat: Seat) -> Path:
    """Where the vault of a seat lies."""
    return beside(log, f".{seat}.vault")


def create_vault(log: Path, game_id: str, seat: Seat, master: bytes = b"") -> Vault:
    """Start the vault of a seat, readable by its owner alone; `master` makes its salts, 32 bytes, random if not given.
    FileExistsError, NotRecordedError.
    """
    vault = Vault(vault_path(log, seat), VaultHead(2, game_id, seat, (master or os.urandom(32)).hex()))
    _create(vault.path, [encode(vault.head)])
    return vault


def copy_vaults(log: Path, to: Path, seats: Iterable[Seat]) -> list[Path]:
    """Give a branch the vaults of the log that it leaves, those that are here, and return them. FileExistsError,
    NotRecordedError, OSError; then there are none.
    """
    made: list[Path] = []
    with whole_or_not(to, made):
        for seat in seats:
            source = vault_path(log, seat)
            if os.path.lexists(source):
                with open_beside(source) as file:
                    _create(vault_path(to, seat), file.read().splitlines())
                made.append(vault_path(to, seat))
    return made


def read_vaults(log: Path, game_id: str, seats: Iterable[Seat]) -> dict[Seat, Vault]:
    """The vaults of a log that are here. FaultError when one is no vault, or another game's or seat's."""
    return {seat: vault for seat in seats if (vault := _read(vault_path(log, seat), game_id, seat))}


def _read(path: Path, game_id: str, seat: Seat) -> Vault | None:
    if not os.path.lexists(path):
        return None
    try:
        with open_beside(path) as file:
            head = _head(path, file.readline(MAX_LINE + 1))
            if (head.game, head.seat) != (game_id, seat):
                whose = "game" if head.game != game_id else "seat"
                raise _fault(path, f"holds the secrets of another {whose}; {_AWAY}")
            lines = iter(lambda: file.readline(MAX_LINE + 1), b"")
            return Vault(path, head, list(islice(lines, MAX_LINES)))
    except NoFileError as error:
        raise _fault(path, f"is no vault: {error.strerror}; {_AWAY}") from None


def _head(path: Path, line: bytes) -> VaultHead:
    try:
        return msgspec.json.decode(line, type=VaultHead)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _fault(path, f"is no vault: {error}; {_AWAY}") from None


def _values(lines: Iterable[bytes]) -> Iterable[tuple[str, bytes]]:
    decode = msgspec.json.Decoder(VaultLine).decode
    for line in lines:
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            found = decode(line)  # what was cut short, or is no line of a vault, opens nothing
            yield found.leaf, bytes(found.value)


_AWAY = "put the right one in its place, or move it away to look on as a spectator"


def _fault(path: Path, cause: str) -> FaultError:
    return FaultError(Fault("bad-vault", 0, 0, f"{path.name} {cause}"))


def _create(path: Path, lines: Iterable[bytes]) -> None:
    """A new vault, or none at all."""
    try:
        create_file(path, _spelt(lines), OWNER_ONLY)
    except FileExistsError:
        raise
    except OSError as error:
        with suppress(OSError):
            path.unlink()
        raise _unkept(error) from error


def _spelt(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _add(path: Path, lines: Iterable[bytes]) -> None:
    """Add lines in one go and wait for the disk. A line that an earlier write left unfinished is ended first.

    What somebody has opened to others meanwhile is closed again, where that can be done.
    """
    try:
        descriptor = open_to_write(path, os.O_APPEND, OWNER_ONLY)
    except NoFileError as error:
        raise _unkept(error) from error
    try:
        if hasattr(os, "fchmod"):
            with suppress(OSError):
                os.fchmod(descriptor, OWNER_ONLY)
        data = _spelt(lines)
        if _is_unfinished(descriptor):
            data = b"\n" + data
        if os.write(descriptor, data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(descriptor)
    except OSError as error:
        raise _unkept(error) from error
    finally:
        with suppress(OSError):  # the disk has it, or it was said that it has not
            os.close(descriptor)


def _unkept(error: OSError) -> NotRecordedError:
    return NotRecordedError(f"nothing was recorded, because the vault cannot be written: {error.strerror or error}")


def _is_unfinished(descriptor: int) -> bool:
    size = os.fstat(descriptor).st_size
    os.lseek(descriptor, max(0, size - 1), os.SEEK_SET)
    return size > 0 and os.read(descriptor, 1) != b"\n"
