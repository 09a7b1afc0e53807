"""Vaults: each holds the secrets of one seat, in `<log>.<seat>.vault` beside the log, readable by its owner alone.

If others get the files of that folder, the vault lies in the user's own folder instead, under the id of its game.

The first line names the game and the seat, and holds the master of all salts. Every other line is a secret with its
leaf. A secret counts only if it fits its leaf, so a forged vault cannot show anything that was not sealed. Lines that
cannot be read are skipped.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from referee.engine.commitment import derive_salt
from referee.engine.dice import SeatName
from referee.engine.event import Seat
from referee.gate import UnreadableError, make_json_decoder, read_json
from referee.record.log.entry import encode_for_log
from referee.record.log.field_types import MAX_LINE_BYTES, Hash
from referee.record.log.game_files import remove_on_failure
from referee.record.log.line_format import BODY_OFFSET, BYTE_ORDER_MARK, LINE_START
from referee.record.log.log_errors import Fault, FaultError, NotRecordedError
from referee.record.log.safe_files import (
    OWNER_ONLY,
    NoFileError,
    create_file,
    find_companion_path,
    make_name_part,
    open_companion,
    open_to_write,
    open_user_file,
)

MAX_LINES = 1_000_000
FOLDER_MODE = 0o700
ID_DIGITS = 16
"""The number of digits of a game's id in the name of its folder. The vault itself holds the whole id."""


class VaultHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a vault."""

    format: Literal[2]
    game: Hash
    """The id of the game: the hash of the first line of its log."""
    seat: SeatName
    master: Hash
    """The master of the seat's salts, 32 bytes as hex."""


class VaultLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a vault after the first: one secret and its leaf."""

    leaf: Hash
    value: msgspec.Raw


class Vault:
    """The secrets of one seat in one game."""

    def __init__(self, path: Path, head: VaultHeader, lines: Iterable[bytes] = ()) -> None:
        self.path = path
        self.head = head
        self._lines = lines
        self._fresh: list[str] = []

    @cached_property
    def values(self) -> dict[str, bytes]:
        """The values of the secrets, as a log spells them, by leaf. The vault is read only on first use, since a log
        that reveals all secrets does not need it.
        """
        lines, self._lines = self._lines, ()
        return dict(_decode_lines(lines))

    def compute_salt(self, item: str, value: bytes) -> bytes:
        """Returns the salt of a secret. It depends on the item and its value, so copies of a log never use one salt for
        two values.
        """
        master = bytes.fromhex(self.head.master)
        return derive_salt(master, self.head.game, f"{item}.{sha256(value).hexdigest()}")

    def add(self, leaf: str, value: bytes) -> None:
        """Adds a secret. It is on the disk only after `save`."""
        if leaf not in self.values:
            self.values[leaf] = value
            self._fresh.append(leaf)

    def save(self) -> None:
        """Writes the added secrets and waits for the disk. Raises NotRecordedError if that fails."""
        if self._fresh:
            lines = [encode_for_log(VaultLine(leaf, msgspec.Raw(self.values[leaf]))) for leaf in self._fresh]
            _append_lines(self.path, lines)
            self._fresh = []

    def discard_added(self) -> None:
        """Forgets the secrets that were added for an entry which was not recorded."""
        for leaf in self._fresh:
            del self.values[leaf]
        self._fresh = []


def find_vault_path(log: Path, seat: Seat, game_id: str = "") -> Path:
    """Returns the path of a seat's vault: beside the log, or in the user's own folder if the log's folder is shared
    with other people.

    A vault that is already beside the log stays there. `game_id` is needed only if the log is not written yet.
    """
    from referee.record.log.shared_folders import find_sharing_program  # few games keep secrets

    beside = find_companion_path(log, f".{make_name_part(seat)}.vault")
    if os.path.lexists(beside) or not find_sharing_program(log.parent):
        return beside
    game = game_id or read_game_id(log)
    return find_private_vault_path(game, seat) if game else beside


def find_private_vault_path(game_id: str, seat: Seat) -> Path:
    """Returns the path of a vault in the user's own folder."""
    return find_private_game_folder(game_id) / f"{make_name_part(seat)}.vault"


def find_private_game_folder(game_id: str) -> Path:
    """Returns the folder for a game's vaults in the user's own folder."""
    return find_private_vault_folder() / make_name_part(game_id[:ID_DIGITS])


def find_private_vault_folder() -> Path:
    """Returns the user's own folder for vaults. It is used for games whose logs are in a folder shared with other
    people.
    """
    from platformdirs import user_data_path  # few games with secrets lie in a shared folder

    return user_data_path("referee", appauthor=False) / "vaults"


def read_game_id(log: Path) -> str:
    """Returns the id of the game from the start of its log. Returns "" if no such log can be read."""
    with suppress(OSError), open_user_file(log) as file:
        start = file.read(len(BYTE_ORDER_MARK) + BODY_OFFSET).removeprefix(BYTE_ORDER_MARK)
        digits = start[len(LINE_START) : len(LINE_START) + 64].decode("latin-1")
        if start.startswith(LINE_START) and re.fullmatch("[0-9a-f]{64}", digits):
            return digits
    return ""


def create_vault(log: Path, game_id: str, seat: Seat, master: bytes = b"") -> Vault:
    """Makes the vault of a seat, readable by its owner alone. `master`: 32 bytes for its salts, random by default.

    Raises FileExistsError or NotRecordedError.
    """
    vault = Vault(find_vault_path(log, seat, game_id), VaultHeader(2, game_id, seat, (master or os.urandom(32)).hex()))
    _create(vault.path, [encode_for_log(vault.head)])
    return vault


def copy_vaults(log: Path, to: Path, seats: Iterable[Seat]) -> list[Path]:
    """Copies the vaults on this computer to a branch of the log, and returns the copies.

    Raises FileExistsError, NotRecordedError or OSError, and then leaves no copy.
    """
    made: list[Path] = []
    with remove_on_failure(to, made):
        for seat in seats:
            source, target = find_vault_path(log, seat), find_vault_path(to, seat, read_game_id(log))
            if os.path.lexists(source) and source != target:
                with open_companion(source) as file:
                    _create(target, file.read().splitlines())
                made.append(target)
    return made


def read_vaults(log: Path, game_id: str, seats: Iterable[Seat]) -> dict[Seat, Vault]:
    """Returns the vaults of a log that are on this computer. Raises FaultError if a vault is invalid, or belongs to
    another game or seat.
    """
    return {seat: vault for seat in seats if (vault := _read(find_vault_path(log, seat, game_id), game_id, seat))}


def _read(path: Path, game_id: str, seat: Seat) -> Vault | None:
    if not os.path.lexists(path):
        return None
    try:
        with open_companion(path) as file:
            head = _decode_head(path, file.readline(MAX_LINE_BYTES + 1))
            if (head.game, head.seat) != (game_id, seat):
                whose = "game" if head.game != game_id else "seat"
                raise _fault(path, f"holds the secrets of another {whose}; {_AWAY}")
            lines = iter(lambda: file.readline(MAX_LINE_BYTES + 1), b"")
            return Vault(path, head, list(islice(lines, MAX_LINES)))
    except NoFileError as error:
        raise _fault(path, f"is not a vault: {error.strerror}; {_AWAY}") from None


def _decode_head(path: Path, line: bytes) -> VaultHeader:
    try:
        return read_json(line, VaultHeader)
    except UnreadableError as error:
        raise _fault(path, f"is not a vault: {error}; {_AWAY}") from None


def _decode_lines(lines: Iterable[bytes]) -> Iterable[tuple[str, bytes]]:
    decode = make_json_decoder(VaultLine)
    for line in lines:
        with suppress(UnreadableError):
            found = decode(line)  # a line that was cut short, or that is none of a vault, opens nothing
            yield found.leaf, bytes(found.value)


_AWAY = "put the right one in its place, or move it away to watch as a spectator"


def _fault(path: Path, cause: str) -> FaultError:
    return FaultError(Fault("bad-vault", 0, 0, f"{path.name} {cause}"))


def _create(path: Path, lines: Iterable[bytes]) -> None:
    """Writes a new vault with these lines. If the disk fails, no file is left."""
    try:
        path.parent.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        create_file(path, _join_lines(lines), OWNER_ONLY)
    except FileExistsError:
        raise
    except OSError as error:
        with suppress(OSError):
            path.unlink()
        raise _vault_error(error) from error


def _join_lines(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _append_lines(path: Path, lines: Iterable[bytes]) -> None:
    """Adds lines in one call and waits for the disk. An unfinished line of an earlier write is ended first.

    If others were given access to the file, that is taken away again where possible.
    """
    try:
        descriptor = open_to_write(path, os.O_APPEND, OWNER_ONLY)
    except NoFileError as error:
        raise _vault_error(error) from error
    try:
        if hasattr(os, "fchmod"):
            with suppress(OSError):
                os.fchmod(descriptor, OWNER_ONLY)
        data = _join_lines(lines)
        if _is_unfinished(descriptor):
            data = b"\n" + data
        if os.write(descriptor, data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(descriptor)
    except OSError as error:
        raise _vault_error(error) from error
    finally:
        with suppress(OSError):  # by now the disk has it, or the failure was reported
            os.close(descriptor)


def _vault_error(error: OSError) -> NotRecordedError:
    return NotRecordedError(f"nothing was recorded, because the vault cannot be written: {error.strerror or error}")


def _is_unfinished(descriptor: int) -> bool:
    size = os.fstat(descriptor).st_size
    os.lseek(descriptor, max(0, size - 1), os.SEEK_SET)
    return size > 0 and os.read(descriptor, 1) != b"\n"
