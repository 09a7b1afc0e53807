"""Bytes and hashes as words that can be read out, and written down on paper."""

from __future__ import annotations

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
HASH_BYTES = 8
"""The bytes of a hash that become its words: 64 bits, which nobody hits by chance in an evening."""


def spell_bytes(data: bytes) -> str:
    """Returns an even number of bytes as words, one for each two bytes: "lusab-babad-gutih"."""
    return "-".join(_spell_word(int.from_bytes(data[at : at + 2])) for at in range(0, len(data), 2))


def spell_hash(hash_: str) -> str:
    """Returns the first bytes of a hash, given in hex, as four words."""
    return spell_bytes(bytes.fromhex(hash_)[:HASH_BYTES])


def format_entry_witness(n: int, hash_: str) -> str:
    """Returns the number of an entry and the words of its hash, as `audit --witness` reads them."""
    return f"{n} {spell_hash(hash_)}"


def _spell_word(number: int) -> str:
    """Returns sixteen bits as a proquint (arXiv:0901.4016): consonants of four bits, vowels of two."""
    return (
        CONSONANTS[number >> 12]
        + VOWELS[number >> 10 & 3]
        + CONSONANTS[number >> 6 & 15]
        + VOWELS[number >> 4 & 3]
        + CONSONANTS[number & 15]
    )
