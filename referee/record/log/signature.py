"""Signatures in OpenSSH's form (PROTOCOL.sshsig) by Ed25519 keys, as `ssh-keygen -Y verify -n referee` checks them.

A log holds a signature without armour, as one line of base64. Each signature has only one valid spelling, the one that
this module writes.
"""

from __future__ import annotations

from base64 import b64encode
from functools import lru_cache
from hashlib import sha512
from typing import TYPE_CHECKING

from referee.gate import UnreadableError
from referee.gate.text_encodings import read_base64
from referee.record.log.ed25519 import D, P, is_valid_signature

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

NAMESPACE = "referee"
"""The namespace of our signatures. SSH signatures are valid only in their namespace, so nobody can use one of ours for
another purpose, or another one here.
"""
KEY_KIND = "ssh-ed25519"
HASH_NAME = b"sha512"
MAGIC = b"SSHSIG"
KEY_BYTES = 32
SIGNATURE_BYTES = 64
ARMOUR_COLUMNS = 70

_Y8 = 0x5FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_WEAK = frozenset({0, 1, P - 1, _Y8, P - _Y8})
"""The heights (y) of the eight points of small order. Everybody can sign under such a key, so it binds nobody."""


def sign_message(private: Ed25519PrivateKey, message: bytes) -> str:
    """Returns the signature of a message, as it stands in a log."""
    return _encode_base64(_make_signature_head(derive_public_key(private)) + private.sign(_make_signed_data(message)))


def derive_public_key(private: Ed25519PrivateKey) -> str:
    """Returns the public half of a key in OpenSSH's form, on one line without a remark."""
    return format_public_key(private.public_key().public_bytes_raw())


def format_public_key(raw: bytes) -> str:
    """Returns a public key, given as 32 bytes, in OpenSSH's form."""
    return f"{KEY_KIND} {_encode_base64(_encode_field(KEY_KIND.encode()) + _encode_field(raw))}"


def verify_signature(public: str, message: bytes, signature: str) -> bool:
    """True if this is a log's signature of the message by this key. It never raises, whatever it is given."""
    if find_key_problem(public):
        return False
    blob = _decode_canonical(signature)
    if blob is None or blob[:-SIGNATURE_BYTES] != _make_signature_head(public):
        return False
    return _is_signed(decode_key_blob(public)[-KEY_BYTES:], _make_signed_data(message), blob[-SIGNATURE_BYTES:])


def _is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ModuleNotFoundError:  # there is no compiled library in a browser
        return is_valid_signature(key, message, signature)
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def armour_signature(signature: str) -> str:
    """Returns a log's signature as the file that `ssh-keygen -Y verify` reads."""
    lines = [signature[at : at + ARMOUR_COLUMNS] for at in range(0, len(signature), ARMOUR_COLUMNS)]
    return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""])


def decode_key_blob(public: str) -> bytes:
    """Returns the bytes behind the base64 of a public key's line. Fingerprints are made from them."""
    return read_base64(public.partition(" ")[2])


@lru_cache(maxsize=16)  # a game has few keys, and each of its signatures asks again
def find_key_problem(text: str) -> str | None:
    """Returns, as a clause, why a text is not a public key; None if it is one.

    A key is faulty, too, if others than its owner could make its signatures.
    """
    kind, _, base64 = text.partition(" ")
    if kind != KEY_KIND:
        return f"a key that does not begin with {KEY_KIND}"
    blob, start = _decode_canonical(base64), _encode_field(KEY_KIND.encode()) + KEY_BYTES.to_bytes(4)
    if blob is None or len(blob) != len(start) + KEY_BYTES or not blob.startswith(start):
        return f"not a key on one line that begins with {KEY_KIND}, as OpenSSH writes it without a remark"
    height = int.from_bytes(blob[-KEY_BYTES:], "little") & (1 << 255) - 1
    if height in _WEAK:
        return "a key with which everybody can sign"
    if height >= P or not _is_on_curve(height):
        return "a key with which nobody can sign"
    return None


def _is_on_curve(height: int) -> bool:
    """True if the curve has a point with this y-coordinate, called `height`.

    There is such a point if x^2 = (y^2 - 1) / (d y^2 + 1) is a square (RFC 8032, 5.1.3).
    """
    square = height * height
    return pow((square - 1) * (D * square + 1), (P - 1) // 2, P) == 1


def _make_signed_data(message: bytes) -> bytes:
    """Returns the bytes that the key signs (PROTOCOL.sshsig, 2): namespace, an empty field, the hash's name, the
    hash.
    """
    return MAGIC + _encode_purpose() + _encode_field(sha512(message).digest())


def _make_signature_head(public: str) -> bytes:
    """Returns a signature without its last 64 bytes (PROTOCOL.sshsig, 1): version 1, key, purpose and kind."""
    kind = _encode_field(KEY_KIND.encode()) + SIGNATURE_BYTES.to_bytes(4)
    size = len(kind) + SIGNATURE_BYTES
    return (
        MAGIC + (1).to_bytes(4) + _encode_field(decode_key_blob(public)) + _encode_purpose() + size.to_bytes(4) + kind
    )


def _encode_purpose() -> bytes:
    return _encode_field(NAMESPACE.encode()) + _encode_field(b"") + _encode_field(HASH_NAME)


def _encode_field(data: bytes) -> bytes:
    """Returns a string as SSH writes it: its length in four bytes, big-endian, then its bytes (RFC 4251, 5)."""
    return len(data).to_bytes(4) + data


def _encode_base64(data: bytes) -> str:
    return b64encode(data).decode()


def _decode_canonical(text: str) -> bytes | None:
    """Returns the bytes behind base64 if the text is their only valid spelling; None otherwise."""
    try:
        data = read_base64(text)
    except UnreadableError:
        return None
    return data if _encode_base64(data) == text else None
