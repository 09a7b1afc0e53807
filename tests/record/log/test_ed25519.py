"""Signatures checked in plain Python: the vectors of RFC 8032, and OpenSSL's word on spoiled ones."""

from __future__ import annotations

import sys
from hashlib import sha512
from random import Random

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from referee.record.log import ed25519, signature
from referee.record.log.ed25519 import BASE, ORDER, P, decode_point, is_valid_signature

# RFC 8032, 7.1: tests 1 to 3
VECTORS = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe246"
        "55141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb0"
        "0d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc0"
        "27beceea1ec40a",
    ),
]


def by_openssl(key, message, signed):
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signed, message)
    except InvalidSignature:
        return False
    return True


def flipped(data, bit):
    return (int.from_bytes(data, "little") ^ 1 << bit).to_bytes(len(data), "little")


@pytest.mark.parametrize(("private", "public", "message", "signed"), VECTORS, ids=lambda text: text[:6])
def test_the_vectors_of_the_rfc(private, public, message, signed):
    assert Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private)).public_key().public_bytes_raw().hex() == public
    key, text, made = map(bytes.fromhex, (public, message, signed))
    assert is_valid_signature(key, text, made)
    assert not is_valid_signature(key, text + b"!", made)


def test_a_flipped_bit_signs_nothing():
    private = Ed25519PrivateKey.from_private_bytes(bytes(32))
    key, message = private.public_key().public_bytes_raw(), b"entry 9"
    made = private.sign(message)
    for bit in range(0, 512, 17):
        spoiled = flipped(made, bit)
        assert not is_valid_signature(key, message, spoiled)
        assert not by_openssl(key, message, spoiled)


def test_one_signature_has_one_spelling():
    private = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    key, message = private.public_key().public_bytes_raw(), b"entry 9"
    made = private.sign(message)
    again = made[:32] + (int.from_bytes(made[32:], "little") + ORDER).to_bytes(32, "little")
    assert is_valid_signature(key, message, made)
    assert not is_valid_signature(key, message, again)
    assert not by_openssl(key, message, again)


def test_a_key_with_a_part_of_small_order_signs_what_openssl_says():
    """Implementations part here: some let pass whatever fits but for that part."""
    small = decode_point(signature._Y8.to_bytes(32, "little"))
    random, verdicts = Random(8), set()
    secret = random.randrange(ORDER)
    key = ed25519._encode_point(ed25519._add_points(ed25519._multiply_both(secret, BASE, 0, BASE), small))
    for number in range(24):
        message, nonce = b"entry %d" % number, random.randrange(ORDER)
        start = ed25519._encode_point(ed25519._multiply_both(nonce, BASE, 0, BASE))
        hashed = int.from_bytes(sha512(start + key + message).digest(), "little") % ORDER
        made = start + ((nonce + hashed * secret) % ORDER).to_bytes(32, "little")
        assert is_valid_signature(key, message, made) == by_openssl(key, message, made)
        verdicts.add(is_valid_signature(key, message, made))
    assert verdicts == {True, False}


def test_what_is_no_point_signs_nothing():
    made = Ed25519PrivateKey.from_private_bytes(bytes(32)).sign(b"")
    for height in (2, 7, P - 2, 2**255 - 1):
        key = height.to_bytes(32, "little")
        assert is_valid_signature(key, b"", made) == by_openssl(key, b"", made)


def test_it_is_asked_where_there_is_no_compiled_library(monkeypatch):
    private = Ed25519PrivateKey.from_private_bytes(bytes(32))
    line, made = signature.derive_public_key(private), signature.sign_message(private, b"entry 9")
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    assert signature.verify_signature(line, b"entry 9", made)
    assert not signature.verify_signature(line, b"entry 8", made)
