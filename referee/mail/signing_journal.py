"""The last entry that a key signed in each game or branch (`record_id`, as in `MailProtocol`).

So a key never signs two entries with one number, on any copy of a log.
"""

from __future__ import annotations

from pathlib import Path

from referee.mail import settings_folder
from referee.record.log.log_errors import KeyProblemError, NotAllowedError

SIGNED_FOLDER = "signed"
RESTORED_FILE = "restored"
"""The name of a file that only a restored key has. It lists the games in which its signatures are known again."""
HEX_DIGITS = frozenset("0123456789abcdef")


def read_last_signed_entry(record_id: str) -> tuple[int, str] | None:
    """Returns the number of the last entry that the key signed in this game, with its hash; None if there is none.

    Raises KeyProblemError if the journal cannot be read.
    """
    return _read(_find_path(settings_folder.find_settings_folder(), record_id))


def remember_signed_entry(record_id: str, n: int, hash: str) -> None:
    """Remembers that entry `n` with this hash is signed. Call it first, then sign. The disk has it before this returns.

    Raises NotAllowedError if the key has signed a later entry, or another one with this number. Then nothing may be
    signed; to sign the same entry again does no harm. Raises KeyProblemError if the journal cannot be written.
    """
    if n < 0 or not _is_hash(hash):
        raise ValueError(f"no entry of a log: {n} {hash!r}")
    with settings_folder.lock_settings() as place:
        path = _find_path(place, record_id)
        last = _read(path)
        if last == (n, hash):
            return
        if last and last[0] >= n:
            raise NotAllowedError(_describe_refusal(last, n))
        with settings_folder.raise_as_key_problem(path):
            path.parent.mkdir(settings_folder.FOLDER_MODE, exist_ok=True)
        settings_folder.write_private_file(path, _encode(n, hash))


def forget_signed_entry(record_id: str, signed: tuple[int, str], before: tuple[int, str] | None) -> None:
    """Forgets `signed`, if it was remembered last. After that, `before` is the last signed entry again.

    If `before` is None, no entry is remembered any more. Call this only for a signature that was never written, or was
    replaced. Raises KeyProblemError.
    """
    with settings_folder.lock_settings() as place:
        path = _find_path(place, record_id)
        if _read(path) != signed:
            return
        if before:
            settings_folder.write_private_file(path, _encode(*before))
        else:
            settings_folder.remove_private_file(path)


def read_last_signed_entries() -> dict[str, tuple[int, str]]:
    """Returns the last signed entry of every game or branch, by its `record_id`. Raises KeyProblemError."""
    place = settings_folder.find_settings_folder()
    names = sorted(path.name for path in (place / SIGNED_FOLDER).glob("*") if _is_hash(path.name))
    found = {name: _read(_find_path(place, name)) for name in names}
    return {name: last for name, last in found.items() if last}


def advance_last_signed_entry(record_id: str, last: tuple[int, str]) -> None:
    """Remembers that the key signed this entry, as a back-up or a mail shows, unless a later one is known.

    Raises KeyProblemError.
    """
    with settings_folder.lock_settings() as place:
        path = _find_path(place, record_id)
        known = _read(path)
        if known is None or known[0] < last[0]:
            with settings_folder.raise_as_key_problem(path):
                path.parent.mkdir(settings_folder.FOLDER_MODE, exist_ok=True)
            settings_folder.write_private_file(path, _encode(*last))


def mark_key_restored() -> None:
    """Notes that the key was restored, so its signatures since the back-up are unknown. Raises KeyProblemError."""
    with settings_folder.lock_settings() as place:
        settings_folder.write_private_file(place / RESTORED_FILE, b"")


def has_unknown_signatures(record_id: str) -> bool:
    """True if the key was restored and no mail has shown yet what it signed in this game."""
    data = settings_folder.read_small_file(settings_folder.find_settings_folder() / RESTORED_FILE)
    return data is not None and record_id.encode() not in data.split()


def mark_signatures_known(record_id: str) -> None:
    """Notes that the key's signatures in a game are known from now on. Raises KeyProblemError."""
    if not has_unknown_signatures(record_id):
        return
    with settings_folder.lock_settings() as place:
        data = settings_folder.read_small_file(place / RESTORED_FILE)
        if data is not None:
            settings_folder.write_private_file(
                place / RESTORED_FILE, (data + record_id.encode() + b"\n")[-settings_folder.MAX_SMALL_FILE_BYTES :]
            )


def _encode(n: int, hash: str) -> bytes:
    return f"{n} {hash}\n".encode()


def _describe_refusal(last: tuple[int, str], n: int) -> str:
    if last[0] == n:
        return (
            f"your key has signed another entry {n} of this game, on another copy of its log: play on from "
            "that copy, or open what the others send: referee mail open --theirs MAIL"
        )
    return (
        f"your key has already signed entry {last[0]}, but this copy of the log ends at entry {n}; "
        f"play on from the other copy, or ask the others to type: referee mail pack --from {n + 1}"
    )


def _find_path(place: Path, record_id: str) -> Path:
    if not _is_hash(record_id):
        raise ValueError(f"no game: {record_id!r}")
    return place / SIGNED_FOLDER / record_id


def _is_hash(text: str) -> bool:
    return len(text) == 64 and HEX_DIGITS.issuperset(text)


def _read(path: Path) -> tuple[int, str] | None:
    data = settings_folder.read_small_file(path)
    if data is None:
        return None
    number, _, rest = data.decode("ascii", "replace").partition(" ")
    if not (number.isascii() and number.isdigit() and rest.endswith("\n") and _is_hash(rest[:-1])):
        raise KeyProblemError(
            f"the file {path} with what your key has signed in this game was changed; bring it back from a copy"
        )
    return int(number), rest[:-1]
