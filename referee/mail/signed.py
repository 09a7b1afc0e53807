"""What a key has signed last in each game, or branch of one (`record_id`, as `Pact` has it): it never signs two entries
with one number, on whatever copy of a log.
"""

from __future__ import annotations

from pathlib import Path

from referee.mail import folder
from referee.record.log.faults import KeyProblemError, NotAllowedError

SIGNED = "signed"
RESTORED = "restored"
"""The games of which it is known again what a key has signed that was brought back; there is none for other keys."""
HEX = frozenset("0123456789abcdef")


def signed_last(record_id: str) -> tuple[int, str] | None:
    """Number and hash of the last entry up to which the key has signed this game; None: it never has. KeyProblemError
    when that cannot be read, for then nobody knows.
    """
    return _read(_path(folder.folder(), record_id))


def remember_signed(record_id: str, n: int, hash: str) -> None:
    """Remember that entry `n` with this hash is signed; call it first, sign then. Once it returns, the disk has it.

    NotAllowedError when the key has signed a later entry, or another with this number: then nothing may be signed.
    Signing the same again is no harm. KeyProblemError when it cannot be remembered.
    """
    if n < 0 or not _is_hash(hash):
        raise ValueError(f"no entry of a log: {n} {hash!r}")
    with folder.locked() as place:
        path = _path(place, record_id)
        last = _read(path)
        if last == (n, hash):
            return
        if last and last[0] >= n:
            raise NotAllowedError(_refusal(last, n))
        with folder.told(path):
            path.parent.mkdir(folder.FOLDER_MODE, exist_ok=True)
        folder.replace(path, _spelt(n, hash))


def forget_signed(record_id: str, signed: tuple[int, str], before: tuple[int, str] | None) -> None:
    """Remember what was signed `before` again, if this was remembered last and then never signed. KeyProblemError."""
    with folder.locked() as place:
        path = _path(place, record_id)
        if _read(path) != signed:
            return
        if before:
            folder.replace(path, _spelt(*before))
        else:
            folder.remove(path)


def signed_in_all() -> dict[str, tuple[int, str]]:
    """What the key has signed last, by game. KeyProblemError."""
    place = folder.folder()
    names = sorted(path.name for path in (place / SIGNED).glob("*") if _is_hash(path.name))
    found = {name: _read(_path(place, name)) for name in names}
    return {name: last for name, last in found.items() if last}


def believe_signed(record_id: str, last: tuple[int, str]) -> None:
    """Remember what somebody else knows of the key: that it has signed up to here, or later. KeyProblemError."""
    with folder.locked() as place:
        path = _path(place, record_id)
        known = _read(path)
        if known is None or known[0] < last[0]:
            with folder.told(path):
                path.parent.mkdir(folder.FOLDER_MODE, exist_ok=True)
            folder.replace(path, _spelt(*last))


def mark_restored() -> None:
    """The key was brought back: of no game is it known what it has signed since its back-up. KeyProblemError."""
    with folder.locked() as place:
        folder.replace(place / RESTORED, b"")


def is_in_doubt(record_id: str) -> bool:
    """Whether nobody knows what the key has signed in a game: it was brought back, and no mail has shown it yet."""
    data = folder.read_whole(folder.folder() / RESTORED)
    return data is not None and record_id.encode() not in data.split()


def settle_doubt(record_id: str) -> None:
    """From here on it is known what the key has signed in a game. KeyProblemError."""
    if not is_in_doubt(record_id):
        return
    with folder.locked() as place:
        data = folder.read_whole(place / RESTORED)
        if data is not None:
            folder.replace(place / RESTORED, (data + record_id.encode() + b"\n")[-folder.MAX_BYTES :])


def _spelt(n: int, hash: str) -> bytes:
    return f"{n} {hash}\n".encode()


def _refusal(last: tuple[int, str], n: int) -> str:
    if last[0] == n:
        return f"your key has signed another entry {n} of this game already, on another copy of its log"
    return (
        f"your key has signed this game up to entry {last[0]} already, and this copy of its log is only at entry {n}: "
        f"play on from the other copy, or ask the others for what this one lacks: referee pack --from {n + 1}"
    )


def _path(place: Path, record_id: str) -> Path:
    if not _is_hash(record_id):
        raise ValueError(f"no game: {record_id!r}")
    return place / SIGNED / record_id


def _is_hash(text: str) -> bool:
    return len(text) == 64 and HEX.issuperset(text)


def _read(path: Path) -> tuple[int, str] | None:
    data = folder.read_whole(path)
    if data is None:
        return None
    number, _, rest = data.decode("ascii", "replace").partition(" ")
    if not (number.isascii() and number.isdigit() and rest.endswith("\n") and _is_hash(rest[:-1])):
        raise KeyProblemError(
            f"the file {path} was changed, and with it what your key has signed of this game; bring it back"
        )
    return int(number), rest[:-1]
