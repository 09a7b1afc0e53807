"""A player's own key: he signs with it, and from the secret beside it come his dice and salts.

Three files in the folder of settings: `key`, which `ssh-keygen` can use, too; `key.pub`, its public half, for others;
and `secret`. `key` is written last, so that it is never there without the others.
"""

from __future__ import annotations

import hmac
import os
from base64 import b32decode, b32encode, b64encode
from binascii import Error as Base32Error
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from referee.mail import folder
from referee.mail.signed import SIGNED
from referee.record.log.disk import is_open_to_others, is_writable_by_others
from referee.record.log.faults import KeyProblemError, NotAllowedError
from referee.record.log.signature import key_blob, public_of, sign

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY, PUBLIC, SECRET = "key", "key.pub", "secret"
SECRET_BYTES = 32
WORDS_BYTES = 12
"""Bytes of a fingerprint that are read out as words: 96 bits, more than anybody can search through."""
CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"

BACKUP = "referee-key-1"
"""What a line of back-up begins with; the number is that of its form."""
BACKUP_GROUP = 7
CHECK_BYTES = 6


class Key:
    """The key of one person."""

    def __init__(self, private: Ed25519PrivateKey, secret: bytes) -> None:
        self._private = private
        self.secret = secret
        """32 bytes that nobody else may know: from them chains of dice and salts derive."""
        self.public = public_of(private)
        """The public half: "ssh-ed25519 AAAA...", without a remark."""

    def sign(self, message: bytes) -> str:
        """The signature of a message, as it stands in a log. First `signed.remember_signed` what is signed."""
        return sign(self._private, message)

    @property
    def words(self) -> str:
        """The fingerprint in words."""
        return words_of(self.public)

    @property
    def fingerprint(self) -> str:
        """The fingerprint as `ssh-keygen -l` shows it."""
        return f"SHA256:{b64encode(sha256(key_blob(self.public)).digest()).decode().rstrip('=')}"

    @property
    def recovery(self) -> str:
        """The hash of the recovery key's public half, as it goes into a log when its owner sits down."""
        return sha256(recovery_key(self.secret).public.encode()).hexdigest()

    @property
    def seed(self) -> bytes:
        """The 32 private bytes of the key itself."""
        return self._private.private_bytes_raw()


def recovery_key(secret: bytes) -> Key:
    """The key with which the owner of a secret takes his seat again, whoever sits there: it comes with the back-up."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    seed = hmac.digest(secret, b"referee/1/recovery", "sha256")
    return Key(Ed25519PrivateKey.from_private_bytes(seed), secret)


def words_of(public: str) -> str:
    """The fingerprint of a public key in six words that can be read out on the telephone: "lusab-babad-gutih-..."."""
    digest = sha256(key_blob(public)).digest()[:WORDS_BYTES]
    return "-".join(_word(int.from_bytes(digest[at : at + 2])) for at in range(0, WORDS_BYTES, 2))


def _word(number: int) -> str:
    """Sixteen bits as a proquint (arXiv:0901.4016): consonants of four bits, vowels of two."""
    return (
        CONSONANTS[number >> 12]
        + VOWELS[number >> 10 & 3]
        + CONSONANTS[number >> 6 & 15]
        + VOWELS[number >> 4 & 3]
        + CONSONANTS[number & 15]
    )


def own_key() -> Key | None:
    """The key of who uses this computer; None when he has none yet. KeyProblemError."""
    place = folder.folder()
    data = folder.read_whole(place / KEY)
    return None if data is None else Key(_private_in(place / KEY, data), _secret_in(place))


def open_to_others() -> list[Path]:
    """Those files of the key that other users of this computer can read or change."""
    place = folder.folder()
    return [path for name in (KEY, SECRET) if is_open_to_others(path := place / name)]


def changeable_by_others() -> list[Path]:
    """Those folders of the key in which others can put files of their own in the place of these."""
    place = folder.folder()
    folders = (place.parent, place, place / SIGNED)
    return [path for path in folders if os.path.lexists(path) and is_writable_by_others(path)]


def own_public() -> str | None:
    """The public half of one's key, which is read faster than the key; None when there is none. KeyProblemError."""
    data = folder.read_whole(folder.folder() / PUBLIC)
    return None if data is None else data.decode("ascii", "replace").strip()


def make_key() -> Key:
    """Make a key. NotAllowedError when there is one; KeyProblemError."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return _keep(Ed25519PrivateKey.generate(), None)


def use_key(path: Path) -> Key:
    """Take a copy of a private SSH key that somebody has. NotAllowedError when there is a key; KeyProblemError."""
    data = folder.read_whole(path)
    if data is None:
        raise KeyProblemError(f"there is no file {path}; nothing was changed")
    return _keep(_private_in(path, data), None)


def backup_of(key: Key) -> str:
    """All of a key on one line, in letters and digits that are not mixed up when they are copied by hand."""
    held = key.seed + key.secret
    text = b32encode(held + _check(held)).decode().lower()
    return " ".join([BACKUP, *(text[at : at + BACKUP_GROUP] for at in range(0, len(text), BACKUP_GROUP))])


def restore_key(line: str) -> Key:
    """Bring back a key from its back-up, however it is broken into lines. KeyProblemError when it is mistyped;
    NotAllowedError when there is another key.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    held = key_in(line)
    found = own_key()
    if found and (found.seed, found.secret) == (held.seed, held.secret):
        return found
    return _keep(Ed25519PrivateKey.from_private_bytes(held.seed), held.secret)


def key_in(line: str) -> Key:
    """The key that a line of back-up holds, which is kept nowhere. KeyProblemError when it is mistyped."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    held = _held_in(line)
    return Key(Ed25519PrivateKey.from_private_bytes(held[:-SECRET_BYTES]), held[-SECRET_BYTES:])


def _held_in(line: str) -> bytes:
    begin, *groups = line.split() or [""]
    if begin.lower() != BACKUP:
        raise KeyProblemError(f"this is no back-up of a key: one begins with {BACKUP}")
    try:
        data = b32decode("".join(groups), casefold=True, map01="L")
    except (Base32Error, ValueError):
        data = b""
    held, check = data[:-CHECK_BYTES], data[-CHECK_BYTES:]
    if len(held) != 2 * SECRET_BYTES or check != _check(held):
        raise KeyProblemError("this back-up has a slip in it: a letter is wrong, missing or too many; nothing was kept")
    return held


def _check(held: bytes) -> bytes:
    return sha256(b"referee/1/backup\n" + held).digest()[:CHECK_BYTES]


def _keep(private: Ed25519PrivateKey, secret: bytes | None) -> Key:
    """Write the files of a key, with a fresh secret unless one is given. What a program that was killed has left of a
    key goes on from there.
    """
    with folder.locked() as place:
        if found := own_key():
            raise NotAllowedError(
                f"there is a key already, {found.words}; "
                f"if you mean another, first move the folder {place} away and keep it"
            )
        left = _secret_in(place) if os.path.lexists(place / SECRET) else None
        if left is None:
            left = secret or os.urandom(SECRET_BYTES)
            folder.create(place / SECRET, left.hex().encode() + b"\n")
        elif secret not in (None, left):
            raise NotAllowedError(f"in {place} lies a secret without its key; move that folder away first, and keep it")
        key = Key(private, left)
        folder.replace(place / PUBLIC, f"{key.public}\n".encode())
        folder.create(place / KEY, _written(private))
    return key


def _written(private: Ed25519PrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())


def _secret_in(place: Path) -> bytes:
    """The secret beside a key."""
    path = place / SECRET
    data = folder.read_whole(path)
    if data is None:
        raise KeyProblemError(f"the file {path} is missing: bring it back from a copy, or move {place} away")
    try:
        secret = bytes.fromhex(data.decode("ascii"))
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise KeyProblemError(f"the file {path} was changed: bring it back from a copy, or move {place} away")
    return secret


def _private_in(path: Path, data: bytes) -> Ed25519PrivateKey:
    """The private key in a file; KeyProblemError says in one clause why it cannot be used."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    if data.startswith((b"ssh-", b"ecdsa-", b"sk-")):
        raise KeyProblemError(f"in {path} is the public half of a key; the private one is in the file without .pub")
    try:
        private = load_ssh_private_key(data, None)
    except TypeError:
        raise KeyProblemError(
            f"the key in {path} is locked with a passphrase; make a key for games alone: referee key --make"
        ) from None
    except (ValueError, UnsupportedAlgorithm):
        raise KeyProblemError(f"in {path} is no private key as ssh-keygen writes them") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise KeyProblemError(f"the key in {path} is of another kind; what is needed, ssh-keygen calls ed25519")
    return private
