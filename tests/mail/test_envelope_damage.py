"""Whatever is done to an envelope, nothing comes out that was not put in; and it takes no more than it may."""

from __future__ import annotations

import random
import time
import tracemalloc
import zlib
from base64 import b64encode, encodebytes
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packets import OLDER, PACKET, TEXT, damage_in, taken

from referee.mail import ascii_armor
from referee.mail.ascii_armor import (
    MAX_MAIL_BYTES,
    MAX_PACKET_BYTES,
    MAX_PACKETS_IN_MAIL,
    MAX_UNPACKED_BYTES,
    encode_ascii_armor,
    read_mailed_packets,
)

MAIL = TEXT.encode()
HEAD = TEXT[: TEXT.index("\n", TEXT.index("SHA-256:") + 10) + 1]
"""An envelope as far as its checksum."""
MEGABYTE = 1024 * 1024


def changed(chosen: random.Random, mail: bytes) -> bytes:
    """One random change: of a byte, of a piece, of its place, or of a line."""
    at, to = sorted(chosen.choices(range(len(mail)), k=2))
    piece = mail[at : min(to, at + 80)]
    lines = mail.splitlines(keepends=True)
    match chosen.randrange(8):
        case 0:
            return mail[:at] + chosen.randbytes(1) + mail[at + 1 :]
        case 1:
            return mail[:at] + bytes([mail[at] ^ 1 << chosen.randrange(8)]) + mail[at + 1 :]
        case 2:
            return mail[:at] + chosen.choice(ascii_armor.BASE64_CHARACTERS.decode()).encode() + mail[at + 1 :]
        case 3:
            return mail[:at] + mail[at + len(piece) :]
        case 4:
            return mail[:to] + piece + mail[to:]
        case 5:
            return mail[:at] + chosen.randbytes(chosen.randrange(1, 9)) + mail[at:]
        case 6:
            return b"".join([*lines[1:], lines[0]])
        case _:
            one, other = chosen.choices(range(len(lines)), k=2)
            lines[one], lines[other] = lines[other], lines[one]
            return b"".join(lines)


def test_of_ten_thousand_random_changes_none_is_taken():
    chosen = random.Random(7)
    outcomes = []
    for _ in range(10_000):
        mail = MAIL
        for _ in range(chosen.choice((1, 1, 1, 2, 3))):
            mail = changed(chosen, mail)
        outcomes.append(taken(mail))
    assert set(outcomes) == {(), (PACKET,)}
    assert outcomes.count(()) > 8_000


def test_no_bit_alters_anything():
    mail = encode_ascii_armor(OLDER).encode()
    flipped = (mail[:at] + bytes([mail[at] ^ 1 << bit]) + mail[at + 1 :] for at in range(len(mail)) for bit in range(8))
    assert set(map(taken, flipped)) == {(), (OLDER,)}


def test_cut_at_each_byte():
    begun, ended = TEXT.index(" PACKET") + len(" PACKET"), TEXT.rindex("-----")
    for at in range(len(MAIL)):
        if at >= ended:
            assert taken(MAIL[:at]) == (PACKET,)
        else:
            assert damage_in(MAIL[:at]) == ("cut-short" if at >= begun else "none")


def test_two_packets_mixed():
    one, other = MAIL.splitlines(keepends=True), encode_ascii_armor(OLDER).encode().splitlines(keepends=True)
    for at in range(len(one)):
        for to in range(len(other)):
            assert set(taken(b"".join(one[:at] + other[to:]))) <= {PACKET, OLDER}
        assert OLDER in taken(b"".join(one[:at] + other + one[at:]))
    chosen = random.Random(8)
    for _ in range(1000):
        first, second, mixed = one[:], other[:], []
        while first or second:
            lines = chosen.choice([lines for lines in (first, second) if lines])
            mixed.append(lines.pop(0))
        assert set(taken(b"".join(mixed))) <= {PACKET, OLDER}


@given(st.binary(max_size=500), st.binary(max_size=500))
def test_what_stands_around_does_not_matter(before, behind):
    around = before.replace(b"\xff\xfe", b"").replace(b"\xfe\xff", b"") + b"\n" + MAIL + b"\n" + behind
    assert taken(around) == (PACKET,)


@given(st.binary(max_size=3000))
def test_bytes_of_any_kind_never_raise(data):
    assert taken(data) == ()
    assert set(taken(HEAD.encode() + data + b"\nEND REFEREE PACKET")) <= {PACKET}


def test_half_characters_of_utf_16_never_raise():
    for mark in (BOM_UTF16_LE, BOM_UTF16_BE):
        assert damage_in(mark + b"\x00\xd8\xd8\x00\x00") == "none"
    assert taken(BOM_UTF16_LE + TEXT.encode("utf-16-le") + b"\x00\xd8\x00") == (PACKET,)


SIGNS = {
    "less": b"<", "greater": b">", "and": b"&", "equals": b"=", "dash": b"-", "tags": b"<>", "tag": b"<a", "E": b"E ",
    "entities": b"&a;", "numbers": b"&#1;", "letters": b"A", "blanks": b" ", "lines": b"A\n", "nul": b"\0", "B": b"B ",
    "initials": b"AB>\n", "first": b"BEGIN REFEREE PACKET\n", "last": b"END REFEREE PACKET\n", "END": b"END REFEREE ",
    "base64": b"A" * 201 + b"-", "soft": b"=\n", "coded": b"=41", "wide": "REFEREE".encode("utf-16-le"), "BE": b"BE<",
    "bold": b"<B>", "spaced": b"<B>&nbsp;", "spelt": b"".join(b"<B>" * 24 + b"%c" % letter for letter in b"EGINREF"),
    "bars": b"| ", "parts": b"--x\nContent-Type: multipart/mixed; boundary=x\n\n", "digits": b"&#", "cr": b"\r",
}  # fmt: skip


@pytest.mark.parametrize("name", SIGNS)
def test_half_a_megabyte_of_what_is_looked_for_takes_no_time(name):
    """Were any of it quadratic, this would take hours."""
    signs = SIGNS[name] * (MEGABYTE // 2 // len(SIGNS[name]))
    for mail in (signs, HEAD.encode() + signs, HEAD.encode() + signs + b"END REFEREE PACKET"):
        damage_in(mail)


def seconds(mail: bytes) -> float:
    """How long it takes to look through it; the best of three, for others use the machine as well."""
    taken_so_long = []
    for _ in range(3):
        began = time.process_time()
        damage_in(mail)
        taken_so_long.append(time.process_time() - began)
    return min(taken_so_long)


@pytest.mark.parametrize("name", ["bold", "spaced", "spelt", "E", "tag"])
def test_twice_the_mail_takes_twice_the_time(name):
    few = SIGNS[name] * (MEGABYTE // 8 // len(SIGNS[name]))
    assert seconds(few * 4) < 10 * seconds(few) + 0.1  # sixteen times, if it were quadratic


@pytest.mark.parametrize("signs", [b"<>", b"&a;", b"AB>\n"])
def test_what_is_taken_out_costs_little_memory(signs):
    mail = HEAD.encode() + signs * (8 * MEGABYTE // len(signs)) + b"END REFEREE PACKET"
    tracemalloc.start()
    assert damage_in(mail) == "changed"
    assert tracemalloc.get_traced_memory()[1] < 100 * MEGABYTE
    tracemalloc.stop()


def envelope_of(packed: bytes, size: int, digest: str = "0" * 64) -> bytes:
    body = encodebytes(packed).decode()
    return f"BEGIN REFEREE PACKET\nForm: 1\nSize: {size}\nSHA-256: {digest}\n{body}END REFEREE PACKET\n".encode()


def test_a_bomb_costs_no_more_than_it_may():
    bomb = zlib.compress(bytes(20 * MAX_PACKET_BYTES), 9)
    tracemalloc.start()
    assert damage_in(envelope_of(bomb, 100)) == damage_in(envelope_of(bomb, MAX_PACKET_BYTES)) == "changed"
    assert damage_in(envelope_of(bomb, 20 * MAX_PACKET_BYTES)) == "too-big"
    assert tracemalloc.get_traced_memory()[1] < 3 * MAX_PACKET_BYTES
    tracemalloc.stop()


def test_many_bombs_cost_no_more_than_a_mail_may():
    bomb = zlib.compress(bytes(MAX_PACKET_BYTES + 1), 9)
    many = b"".join(
        envelope_of(bomb, MAX_PACKET_BYTES, f"{n:064x}") for n in range(MAX_UNPACKED_BYTES // MAX_PACKET_BYTES + 5)
    )
    assert read_mailed_packets(MAIL + many).damages == ("changed",) * 7 + ("too-big",) * 6


def test_so_many_packets_and_no_more():
    many = "".join(encode_ascii_armor(b"%d" % n) for n in range(MAX_PACKETS_IN_MAIL))
    assert len(read_mailed_packets(many.encode()).whole) == MAX_PACKETS_IN_MAIL
    assert damage_in(many + TEXT) == "too-big"


def test_the_biggest_that_there_may_be():
    biggest = random.Random(9).randbytes(MAX_PACKET_BYTES)
    mail = encode_ascii_armor(biggest).encode()
    assert read_mailed_packets(mail + b" " * (MAX_MAIL_BYTES - len(mail))).whole == (biggest,)
    assert damage_in(mail + b" " * (MAX_MAIL_BYTES - len(mail) + 1)) == "too-big"
    with pytest.raises(ascii_armor.EnvelopeError):
        encode_ascii_armor(biggest + b"0")


def test_parts_of_mails_in_parts_of_mails():
    deep = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(10_000))
    assert taken(deep + MAIL) == (PACKET,)
    assert taken(b"Content-Type: message/rfc822\n\n" * 10_000 + MAIL) == (PACKET,)


def test_base64_within_base64_so_often_and_no_more():
    mail = MAIL
    for _ in range(ascii_armor.MAX_BASE64_LAYERS):
        mail = encodebytes(mail)
        assert taken(mail) == (PACKET,)
    assert damage_in(encodebytes(mail)) == "none"


def test_a_checksum_that_somebody_claims_hides_no_packet():
    claimed = envelope_of(zlib.compress(b"other"), 5, sha256(PACKET).hexdigest())
    assert read_mailed_packets(claimed + MAIL) == read_mailed_packets(MAIL + claimed) == read_mailed_packets(MAIL)
    assert b64encode(b"other") not in claimed
