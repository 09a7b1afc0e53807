"""Bytes that travel as letters or packed: base64, base32, quoted-printable and zlib."""

from __future__ import annotations

import zlib
from base64 import b32decode, b64decode
from binascii import a2b_base64, a2b_qp

from msgspec import Struct

from referee.gate import check_size, make_unreadable_error


class Decompressed(Struct, frozen=True):
    """Bytes that were unpacked with zlib, up to the allowed size."""

    data: bytes
    is_whole: bool
    """True if the packed bytes reach their end within the allowed size."""
    is_too_long: bool
    """True if there is more than the allowed size."""
    has_rest: bool
    """True if other bytes follow the packed ones."""


def decompress_zlib(packed: bytes, most: int) -> Decompressed:
    """Unpacks at most `most` bytes. Raises UnreadableError if the bytes were not packed with zlib."""
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(packed, most)
    except zlib.error as error:
        raise make_unreadable_error(error) from None
    return Decompressed(data, unpacking.eof, bool(unpacking.unconsumed_tail), bool(unpacking.unused_data))


def read_base64(text: str | bytes) -> bytes:
    """Decodes base64. Raises UnreadableError for a character outside base64, such as a blank, or for a wrong length."""
    check_size(text)
    try:
        return b64decode(text, validate=True)
    except ValueError as error:
        raise make_unreadable_error(error) from None


def read_loose_base64(letters: bytes) -> bytes:
    """Decodes letters of base64 whose end is unknown. The result may have extra bytes at its end.

    Characters that are not base64 are skipped. Raises UnreadableError if the rest cannot be decoded.
    """
    check_size(letters)
    try:
        return a2b_base64(letters + b"A" * (-len(letters) % 4))
    except ValueError as error:
        raise make_unreadable_error(error) from None


def read_base32(text: str) -> bytes:
    """Decodes base32 as it is typed: in small or capital letters, 0 for O, and 1 for L. Raises UnreadableError."""
    check_size(text)
    try:
        return b32decode(text, casefold=True, map01="L")
    except ValueError as error:
        raise make_unreadable_error(error) from None


def read_quoted_printable(text: bytes) -> bytes:
    """Decodes quoted-printable. Any bytes can be decoded. Raises UnreadableError if there are too many."""
    check_size(text)
    return a2b_qp(text)
