"""The program makes of every vector of the format what stands there. They were made once, by none of our code."""

from __future__ import annotations

import json
from hashlib import sha256

import msgspec
import pytest
from support import FIXTURES

from referee.engine.commitment import derive_salt, make_commitment
from referee.engine.dice_derivation import derive_draw_key, derive_faces
from referee.engine.hash_chain import derive_chain, derive_joint_key, derive_previous_value
from referee.record.log.enrolment import Enrolment
from referee.record.log.entry import encode_for_log, make_offer_types
from referee.record.log.field_types import is_time
from referee.record.log.limits import find_entry_problem
from referee.record.log.line_format import BODY_OFFSET, format_line, hash_entry
from referee.record.log.signature import verify_signature
from referee.record.table.deeds.rejoin import RejoinOffer
from referee.record.table.signed_texts import (
    make_consent_text,
    make_offer_text,
    make_recovery_text,
    make_seal_text,
    make_share_text,
)

FILE = FIXTURES / "format-vectors.json"
VECTORS = json.loads(FILE.read_text("utf-8"))
PINNED = "c14bbc834ff4cbbbf7865912f574acfcf96a64c86d9428dd5059f83a8dc8f0ea"
GAME = VECTORS["chains"][0]["game"]


def test_the_vectors_are_those_that_others_have():
    assert sha256(FILE.read_bytes()).hexdigest() == PINNED


def test_lines():
    for vector in VECTORS["lines"]:
        body, line = vector["entry"].encode(), vector["line"].encode()
        assert (hash_entry(body), format_line(body, vector["hash"])) == (vector["hash"], line + b"\n")
        assert line[BODY_OFFSET:-1] == body == encode_for_log(json.loads(body))
    assert hash_entry(VECTORS["lines"][0]["entry"].encode()) == GAME


def test_spelling():
    assert [text for text in VECTORS["spelt"] if find_entry_problem(text.encode())] == []
    assert [why for why, text in VECTORS["not_spelt"].items() if not find_entry_problem(text.encode("utf-8"))] == []


@pytest.mark.parametrize("form", ['"%s"', '{"%s":1}'])
def test_lengths(form):
    for vector in VECTORS["lengths"]:
        text = form % (vector["sign"] * vector["times"])
        assert (find_entry_problem(text.encode()) is None) == vector["good"]


def test_times():
    for text in (*VECTORS["times"]["good"], *VECTORS["times"]["bad"]):
        assert is_time(text) == (text in VECTORS["times"]["good"])


def test_dice_of_seeds():
    for vector in VECTORS["draws"]:
        key = derive_draw_key(bytes.fromhex(vector["seed"]), vector["d"])
        assert (key.hex(), list(derive_faces(key, vector["sides"]))) == (vector["K"], vector["faces"])
    second, lots = VECTORS["second_block"], VECTORS["lots"]
    assert list(derive_faces(bytes.fromhex(second["K"]), [second["sides"]], second["i"])) == [second["face"]]
    key = derive_draw_key(bytes.fromhex(lots["S"]), lots["d"])
    assert list(derive_faces(key, [lots["sides"]] * len(lots["faces"]))) == lots["faces"]
    assert bytes(face - 1 for face in lots["faces_of_the_seed"]).hex() == lots["S"]


def test_dice_of_throws():
    for vector in VECTORS["chains"]:
        values = [
            value.hex()
            for value in derive_chain(vector["game"], vector["seat"], bytes.fromhex(vector["last"]), vector["length"])
        ]
        assert values == vector["values"]
        assert derive_previous_value(vector["game"], vector["seat"], bytes.fromhex(values[1])).hex() == values[0]
    for vector in VECTORS["throws"]:
        key = derive_joint_key(map(bytes.fromhex, vector["values"]), vector["opener"])
        assert key.hex() == vector["K"]
        for roll in vector["rolls"]:
            sides = [roll["sides"]] * len(roll["faces"])
            assert list(derive_faces(key, sides, roll["first"])) == roll["faces"]


def test_secrets():
    for vector in VECTORS["secrets"]:
        value, item = vector["value"].encode(), vector["item"]
        salted = f"{item}.{sha256(value).hexdigest()}"
        salt = derive_salt(bytes.fromhex(vector["master"]), vector["game"], salted)
        leaf = make_commitment(vector["game"], vector["seat"], item, salt, value)
        assert (item, salt.hex(), leaf) == (f"{vector['prev']}.{vector['count']}", vector["salt"], vector["leaf"])


TEXTS = {
    "seal": lambda record, of: make_seal_text(record, of["n"] - 1, of["prev"], of["to"], of["at"]),
    "offer": lambda record, of: make_offer_text(
        record, of["on"], encode_for_log(msgspec.convert(of["offer"], make_offer_types()))
    ),
    "part": lambda record, of: make_share_text(record, of["cast"], of["opener"], of["value"]),
    "consent": lambda record, of: make_consent_text(
        record, of["seat"], of["on"], encode_for_log(RejoinOffer(chair_of(of)))
    ),
    "recovery": lambda record, of: make_recovery_text(record, of["seat"], encode_for_log(chair_of(of))),
}


def chair_of(of):
    return msgspec.convert(of["chair"], Enrolment)


def test_signatures():
    assert [vector["what"] for vector in VECTORS["signatures"]] == list(TEXTS)
    for vector in VECTORS["signatures"]:
        text = TEXTS[vector["what"]](vector["record"], vector["of"])
        assert text.decode() == vector["text"]
        assert verify_signature(vector["key"], text, vector["signature"])
    for why, vector in VECTORS["not_signed"].items():
        assert not verify_signature(vector["key"], vector["text"].encode(), vector["signature"]), why
