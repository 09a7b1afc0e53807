import hashlib
import hmac
import json

import pytest
from support import FIXTURES

from referee.engine.commitment import derive_salt, make_commitment

VECTORS = json.loads((FIXTURES / "dice-vectors.json").read_text())
GAME, MASTER = VECTORS["game"], bytes.fromhex(VECTORS["salt_master"])
INPUTS = VECTORS["leaf_U17_inputs"]


def test_salt_vector():
    assert derive_salt(MASTER, GAME, "U17").hex() == VECTORS["salt_U17"]


def test_leaf_vector():
    salt = bytes.fromhex(VECTORS["salt_U17"])
    assert make_commitment(GAME, INPUTS["seat"], INPUTS["item"], salt, INPUTS["value"].encode()) == VECTORS["leaf_U17"]


def test_derivation_agrees_with_hashlib_alone():
    salt = hmac.new(MASTER, b"refdice/1/salt\n" + bytes.fromhex(GAME) + b"item", hashlib.sha256).digest()
    assert derive_salt(MASTER, GAME, "item") == salt
    data = b"refdice/1/leaf\n" + bytes.fromhex(GAME) + b"\x03red" + b"\x04item" + salt + b"value"
    assert make_commitment(GAME, "red", "item", salt, b"value") == hashlib.sha256(data).hexdigest()


def test_names_cannot_run_into_one_another():
    salt = bytes(32)
    assert make_commitment(GAME, "ab", "c", salt, b"v") != make_commitment(GAME, "a", "bc", salt, b"v")
    with pytest.raises(ValueError, match="at most 255 are allowed"):
        make_commitment(GAME, "a" * 256, "c", salt, b"v")


def test_a_name_may_be_as_long_as_one_byte_can_count():
    longest = make_commitment("0" * 64, "red", "x" * 255, b"", b"1")
    assert longest != make_commitment("0" * 64, "red", "x" * 254, b"", b"1")
    with pytest.raises(ValueError, match="at most 255 are allowed"):
        make_commitment("0" * 64, "red", "x" * 256, b"", b"1")
