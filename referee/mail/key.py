"""A player's own key, which signs, and the secret beside the key, which gives the player's dice and salts.

The settings folder has three files: `key`, which `ssh-keygen` can use too; `key.pub`, its public half; and `secret`.
`key` is written last, so it is never there without the other two.
"""

from __future__ import annotations

import hmac
import os
from base64 import b32encode, b64encode
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from referee.gate import UnreadableError, read_text
from referee.gate.text_encodings import read_base32
from referee.mail import settings_folder
from referee.mail.signing_journal import SIGNED_FOLDER
from referee.record.log.hash_words import spell_bytes
from referee.record.log.log_errors import KeyProblemError, NotAllowedError
from referee.record.log.safe_files import is_open_to_others, is_writable_by_others
from referee.record.log.signature import decode_key_blob, derive_public_key, sign_message

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_FILE, PUBLIC_KEY_FILE, SECRET_FILE = "key", "key.pub", "secret"
SECRET_BYTES = 32
FINGERPRINT_WORDS_BYTES = 12
"""The bytes of a fingerprint that become words: 96 bits, more than anybody can search through."""
BACKUP_LINE_START = "referee-key-1"
"""The beginning of a back-up line; the number is that of its form."""
BACKUP_GROUP = 7
CHECKSUM_BYTES = 6


class Key:
    """One player's key."""

    def __init__(self, private: Ed25519PrivateKey, secret: bytes) -> None:
        self._private = private
        self.secret = secret
        """32 bytes that nobody else may know. Chains of dice and salts derive from them."""
        self.public = derive_public_key(private)
        """The public half: "ssh-ed25519 AAAA...", without a comment."""

    def sign(self, message: bytes) -> str:
        """Returns the signature of a message in the form that logs have. Before the key signs an entry, call
        `signing_journal.remember_signed_entry`.
        """
        return sign_message(self._private, message)

    @property
    def fingerprint_words(self) -> str:
        """The fingerprint in six words."""
        return spell_fingerprint(self.public)

    @property
    def fingerprint(self) -> str:
        """The fingerprint as `ssh-keygen -l` shows it."""
        return f"SHA256:{b64encode(sha256(decode_key_blob(self.public)).digest()).decode().rstrip('=')}"

    @property
    def recovery_hash(self) -> str:
        """The hash of the recovery key's public half. It goes into the log when the owner sits down."""
        return sha256(derive_recovery_key(self.secret).public.encode()).hexdigest()

    @property
    def private_key_bytes(self) -> bytes:
        """The 32 private bytes of the key."""
        return self._private.private_bytes_raw()


def derive_recovery_key(secret: bytes) -> Key:
    """Returns the recovery key, with which the owner of a secret takes their seat again.

    It is worked out from the secret, so every back-up has it.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    seed = hmac.digest(secret, b"referee/1/recovery", "sha256")
    return Key(Ed25519PrivateKey.from_private_bytes(seed), secret)


def spell_fingerprint(public: str) -> str:
    """Returns a public key's fingerprint in six words to read out on the phone: "lusab-babad-gutih-..."."""
    return spell_bytes(sha256(decode_key_blob(public)).digest()[:FINGERPRINT_WORDS_BYTES])


def read_own_key() -> Key | None:
    """Returns the key on this computer; None if there is none yet. Raises KeyProblemError if it cannot be used."""
    place = settings_folder.find_settings_folder()
    data = settings_folder.read_small_file(place / KEY_FILE)
    return None if data is None else Key(_parse_private_key(place / KEY_FILE, data), _read_secret(place))


def list_exposed_key_files() -> list[Path]:
    """Returns the files of the key that other users of this computer can read or change."""
    place = settings_folder.find_settings_folder()
    return [path for name in (KEY_FILE, SECRET_FILE) if is_open_to_others(path := place / name)]


def list_exposed_key_folders() -> list[Path]:
    """Returns the folders of the key in which other users could replace its files."""
    place = settings_folder.find_settings_folder()
    folders = (place.parent, place, place / SIGNED_FOLDER)
    return [path for path in folders if os.path.lexists(path) and is_writable_by_others(path)]


def read_own_public_key() -> str | None:
    """Returns the public half of this computer's key; None if there is no key. This is faster than `read_own_key`.

    Raises KeyProblemError if the file cannot be read.
    """
    data = settings_folder.read_small_file(settings_folder.find_settings_folder() / PUBLIC_KEY_FILE)
    return None if data is None else data.decode("ascii", "replace").strip()


def make_key() -> Key:
    """Makes a key and keeps it on this computer. Raises NotAllowedError if there is a key already.

    Raises KeyProblemError if the settings folder cannot be used.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return _write_key(Ed25519PrivateKey.generate(), None)


def import_ssh_key(path: Path) -> Key:
    """Copies a private SSH key to be this computer's key. Raises NotAllowedError if there is a key already.

    Raises KeyProblemError if the file is missing or holds no unlocked ed25519 key.
    """
    data = settings_folder.read_small_file(path)
    if data is None:
        raise KeyProblemError(f"there is no file {path}; nothing was changed")
    return _write_key(_parse_private_key(path, data), None)


def format_backup_line(key: Key) -> str:
    """Returns the whole key on one line, in letters and digits that are not confused in handwriting."""
    held = key.private_key_bytes + key.secret
    text = b32encode(held + _compute_checksum(held)).decode().lower()
    return " ".join([BACKUP_LINE_START, *(text[at : at + BACKUP_GROUP] for at in range(0, len(text), BACKUP_GROUP))])


def restore_key(line: str) -> Key:
    """Restores a key from its back-up line, which may have line breaks anywhere. If this key is here already, it stays.

    Raises KeyProblemError if the line has a mistake, and NotAllowedError if there is another key.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    held = parse_backup_line(line)
    found = read_own_key()
    if found and (found.private_key_bytes, found.secret) == (held.private_key_bytes, held.secret):
        return found
    return _write_key(Ed25519PrivateKey.from_private_bytes(held.private_key_bytes), held.secret)


def parse_backup_line(line: str) -> Key:
    """Returns the key in a back-up line without keeping it. Raises KeyProblemError if the line has a mistake."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    held = _decode_backup_line(line)
    return Key(Ed25519PrivateKey.from_private_bytes(held[:-SECRET_BYTES]), held[-SECRET_BYTES:])


def _decode_backup_line(line: str) -> bytes:
    """Returns the 64 bytes in a back-up line: the seed of the key, then the secret."""
    begin, *groups = line.split() or [""]
    if begin.lower() != BACKUP_LINE_START:
        raise KeyProblemError(f"this is not a back-up of a key; the line of a back-up begins with {BACKUP_LINE_START}")
    try:
        data = read_base32("".join(groups))
    except UnreadableError:
        data = b""
    held, check = data[:-CHECKSUM_BYTES], data[-CHECKSUM_BYTES:]
    if len(held) != 2 * SECRET_BYTES or check != _compute_checksum(held):
        raise KeyProblemError("this back-up has a typing mistake: a letter is wrong, missing or extra")
    return held


def _compute_checksum(held: bytes) -> bytes:
    return sha256(b"referee/1/backup\n" + held).digest()[:CHECKSUM_BYTES]


def _write_key(private: Ed25519PrivateKey, secret: bytes | None) -> Key:
    """Writes the files of a key, with a fresh secret if none is given. Completes what a killed program began.

    Raises NotAllowedError if there is a key, or another secret without a key.
    """
    with settings_folder.lock_settings() as place:
        if found := read_own_key():
            raise NotAllowedError(
                f"there is a key already, {found.fingerprint_words}; "
                f"if you mean another, first move the folder {place} away and keep it"
            )
        left = _read_secret(place) if os.path.lexists(place / SECRET_FILE) else None
        if left is None:
            left = secret or os.urandom(SECRET_BYTES)
            settings_folder.create_private_file(place / SECRET_FILE, left.hex().encode() + b"\n")
        elif secret not in (None, left):
            raise NotAllowedError(
                f"the folder {place} holds a secret without its key; move that folder away first, and keep it"
            )
        key = Key(private, left)
        settings_folder.write_private_file(place / PUBLIC_KEY_FILE, f"{key.public}\n".encode())
        settings_folder.create_private_file(place / KEY_FILE, _encode_in_openssh_form(private))
    return key


def _encode_in_openssh_form(private: Ed25519PrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())


def _read_secret(place: Path) -> bytes:
    """Returns the secret beside a key."""
    path = place / SECRET_FILE
    data = settings_folder.read_small_file(path)
    if data is None:
        raise KeyProblemError(f"the file {path} is missing: bring it back from a copy, or move {place} away")
    try:
        secret = bytes.fromhex(read_text(data))
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise KeyProblemError(f"the file {path} was changed: bring it back from a copy, or move {place} away")
    return secret


def _parse_private_key(path: Path, data: bytes) -> Ed25519PrivateKey:
    """Returns the private key in a file. Raises KeyProblemError with one clause about why it cannot be used."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    if data.startswith((b"ssh-", b"ecdsa-", b"sk-")):
        raise KeyProblemError(
            f"the file {path} holds the public half of a key; the private half is in the file without .pub"
        )
    try:
        private = load_ssh_private_key(data, None)
    except TypeError:
        raise KeyProblemError(
            f"the key in {path} is locked with a passphrase; make a key for games alone: referee key --make"
        ) from None
    except (ValueError, UnsupportedAlgorithm):
        told = f"the file {path} does not hold a private key of the form that ssh-keygen writes"
        raise KeyProblemError(told) from None
    if not isinstance(private, Ed25519PrivateKey):
        raise KeyProblemError(f"the key in {path} is of the wrong kind; it must be what ssh-keygen calls ed25519")
    return private
