"""The gate: whatever comes in, it is a value of the wanted type, or an UnreadableError."""

import json
import lzma
import pickle
import zipfile
import zlib
from base64 import b64encode
from datetime import datetime
from io import BytesIO
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from referee import gate
from referee.gate import (
    MAX_NESTING_DEPTH,
    MAX_VARIABLE_CHARACTERS,
    UnreadableError,
    documents,
    make_json_decoder,
    make_msgpack_decoder,
    read_day,
    read_environment_variable,
    read_json,
    read_msgpack,
    read_text,
    read_time,
    text_encodings,
)
from referee.gate.documents import read_json_text, read_toml_text
from referee.gate.packed_log import unpack_log
from referee.gate.text_encodings import (
    decompress_zlib,
    read_base32,
    read_base64,
    read_loose_base64,
    read_quoted_printable,
)


class Named(Struct):
    name: str


READERS = {
    "json": read_json,
    "json of a type": lambda data: read_json(data, Named),
    "json in text": lambda data: read_json(data.decode("utf-8", "surrogateescape"), Named),
    "a decoder of json": make_json_decoder(Named),
    "packed": read_msgpack,
    "packed of a type": lambda data: read_msgpack(data, Named),
    "a decoder of packed": make_msgpack_decoder(Named),
    "text": read_text,
    "a time": lambda data: read_time(data.decode("latin-1")),
    "a day": lambda data: read_day(data.decode("latin-1")),
    "toml": read_toml_text,
    "a file of json": read_json_text,
    "base64": read_base64,
    "base64 in text": lambda data: read_base64(data.decode("utf-8", "surrogateescape")),
    "base32": lambda data: read_base32(data.decode("utf-8", "surrogateescape")),
    "loose base64": lambda data: read_loose_base64(data.translate(None, bytes(range(128, 256)))),
    "quoted-printable": read_quoted_printable,
    "zlib": lambda data: decompress_zlib(data, 1000),
    "a packed log": lambda data: unpack_log(BytesIO(data), lambda stream: stream.read(10_000)),
}


def zipped(method):
    data = BytesIO()
    with zipfile.ZipFile(data, "w", method) as file:
        file.writestr("game.jsonl", b'{"hash":"0"}\n' * 50)
    return data.getvalue()


SAMPLES = [
    b'{"name":"Anna"}',
    b'{"name":' + b"[" * 20_000,
    b"[" * 20_000 + b"]" * 20_000,
    b'{"a":' * 600 + b"1" + b"}" * 600,
    b"a = " + b"[" * 600 + b"]" * 600,
    b"a = " + b"{a=" * 300 + b"1" + b"}" * 300,
    b"a" + b".a" * 20 + b" = 1",
    b"a = " + b"9" * 5000,
    b"a = nan",
    b"a = -inf",
    b"9" * 5000,
    b"1e999",
    b'"\\ud800"',
    b'{"name":"\xff"}',
    b"\x91" * 20_000,
    b"\x81\xa4name\xa4Anna",
    b"2026-02-30",
    b"2026-12-24T00:00:00Z",
    b"\x1f\x8b\x08\x00",
    b64encode(zlib.compress(b"x" * 100_000)),
    zlib.compress(b"x" * 100_000),
    *map(zipped, (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)),
    b"",
]


def damaged(random: Random, sample: bytes) -> bytes:
    data = bytearray(sample)
    for _ in range(random.randint(0, 4)):
        if data:
            at = random.randrange(len(data))
            data[at : at + random.randint(0, 3)] = random.randbytes(random.randint(0, 3))
    return bytes(data)


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_nothing_else_than_its_own_error_leaves_the_gate(read):
    random = Random(7)
    for sample in SAMPLES:
        for data in (sample, *(damaged(random, sample) for _ in range(40))):
            try:
                read(data)
            except UnreadableError as error:
                assert str(error)


def depth_of(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(depth_of, inner), default=0) if isinstance(value, dict | list) else 0


@pytest.mark.parametrize("read", [read_json, read_json_text])
def test_json_is_never_deeper_than_allowed(read):
    most = b"[" * MAX_NESTING_DEPTH + b"]" * MAX_NESTING_DEPTH
    assert depth_of(read(most)) == MAX_NESTING_DEPTH
    with pytest.raises(UnreadableError) as found:
        read(b"[" + most + b"]")
    assert found.value.reason == "depth"


def test_brackets_in_texts_are_no_nesting():
    assert read_json(json.dumps("[" * 1000).encode()) == "[" * 1000


def test_toml_is_never_deeper_than_allowed():
    assert depth_of(read_toml_text(b"a = " + b"[" * 63 + b"]" * 63)) == MAX_NESTING_DEPTH
    with pytest.raises(UnreadableError) as found:
        read_toml_text(b"a = " + b"[" * 65 + b"]" * 65)
    assert found.value.reason == "depth"


@pytest.mark.parametrize("opening", [b"a = " + b"[" * 5000, b"a = " + b"{a=" * 5000, b"[" * 5000])
def test_deep_toml_is_refused_before_it_is_parsed(opening):
    with pytest.raises(UnreadableError, match=f"more than {MAX_NESTING_DEPTH} deep"):
        read_toml_text(opening)


def test_brackets_in_texts_and_comments_of_toml_are_no_nesting():
    many = b"[" * 100
    assert read_toml_text(b"# " + many + b"\na = '" + many + b"'\nb = [" + b"[1], " * 100 + b"]")["a"] == many.decode()


@pytest.mark.parametrize(
    ("read", "data", "reason", "at"),
    [
        (read_text, b"ab\xff", "encoding", 2),
        (read_toml_text, b"a = '\xff'", "encoding", 5),
        (read_toml_text, b"a = " + b"1" * 5000, "number", 0),
        (read_toml_text, b"a = nan", "form", 0),
        (read_toml_text, b"a.b.c.d.e.f.g.h.i.j.k = 1", "keys", 0),
        (read_json, b"1e999", "number", 0),
        (read_json, b"{", "form", 0),
        (lambda data: read_json(data, Named), b"{}", "form", 0),
    ],
)
def test_the_error_says_the_kind_of_fault(read, data, reason, at):
    with pytest.raises(UnreadableError) as found:
        read(data)
    assert (found.value.reason, found.value.at) == (reason, at)


def test_the_error_is_the_same_in_another_process():
    error = UnreadableError("it is not text", "encoding", 3)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.reason, again.at) == ("it is not text", "encoding", 3)


def test_values_come_in_their_type():
    assert read_json(b'{"name":"Anna"}', Named) == make_json_decoder(Named)(b'{"name":"Anna"}') == Named("Anna")
    assert read_msgpack(b"\x81\xa4name\xa4Anna", Named) == Named("Anna")
    assert read_time("2026-12-24T00:00:00Z") == datetime.fromisoformat("2026-12-24T00:00:00+00:00")
    assert decompress_zlib(zlib.compress(b"abc") + b"more", 3).data == b"abc"


@pytest.mark.parametrize(
    ("packed", "most", "whole", "too_long", "rest"),
    [
        (zlib.compress(b"abc"), 4, True, False, False),
        (zlib.compress(b"abc") + b"more", 4, True, False, True),
        (zlib.compress(bytes(90_000)), 1000, False, True, False),
        (zlib.compress(b"abc")[:-1], 4, False, False, False),
    ],
)
def test_unpacking_says_how_it_ended(packed, most, whole, too_long, rest):
    found = decompress_zlib(packed, most)
    assert (found.is_whole, found.is_too_long, found.has_rest) == (whole, too_long, rest)
    assert len(found.data) <= most


def test_a_packed_log_that_was_damaged_is_a_fault_of_the_file():
    data = bytearray(zipped(zipfile.ZIP_LZMA))
    at = data.index(b"game.jsonl") + len(b"game.jsonl") + 9
    data[at : at + 8] = b"\xff" * 8
    with pytest.raises((lzma.LZMAError, EOFError, zipfile.BadZipFile)), zipfile.ZipFile(BytesIO(data)) as file:
        file.read("game.jsonl")
    with pytest.raises(UnreadableError):
        unpack_log(BytesIO(data), lambda stream: stream.read())


def test_a_long_variable_is_cut(monkeypatch):
    monkeypatch.setenv("REFEREE_GAME", "x" * (MAX_VARIABLE_CHARACTERS + 1))
    assert read_environment_variable("REFEREE_GAME") == "x" * MAX_VARIABLE_CHARACTERS
    monkeypatch.delenv("REFEREE_GAME")
    assert read_environment_variable("REFEREE_GAME") == ""


# Sizes


@pytest.mark.parametrize(
    "read",
    [
        *(
            gate.read_json,
            gate.read_text,
            gate.make_json_decoder(int),
            gate.make_msgpack_decoder(int),
            gate.read_msgpack,
        ),
        *(documents.read_toml_text, documents.read_json_text),
        *(text_encodings.read_base64, text_encodings.read_loose_base64, text_encodings.read_quoted_printable),
    ],
)
def test_every_reader_bounds_what_it_takes(read, monkeypatch):
    """Also where whoever has read the file has forgotten to."""
    monkeypatch.setattr(gate, "MAX_BYTES", 100)
    monkeypatch.setattr(gate.check_size, "__defaults__", (100,))
    monkeypatch.setattr(documents, "MAX_TOML_BYTES", 100)
    with pytest.raises(gate.UnreadableError) as refused:
        read(b"1" * 101)
    assert refused.value.reason == "size"


@pytest.mark.parametrize("read", [gate.read_time, gate.read_day, text_encodings.read_base32])
def test_every_reader_of_text_does_so_too(read, monkeypatch):
    monkeypatch.setattr(gate.check_size, "__defaults__", (100,))
    with pytest.raises(gate.UnreadableError) as refused:
        read("A" * 101)
    assert refused.value.reason == "size"


@pytest.mark.parametrize("document", [10**400, [[[]]], "\ud800", {"a": 1}, float("nan")])
def test_plain_data_of_another_type_are_refused(document):
    with pytest.raises(gate.UnreadableError):
        gate.convert_value(document, tuple[int, str])
