"""What goes into an envelope comes out as it was, or not at all."""

from __future__ import annotations

from base64 import b64decode
from hashlib import sha256
from zlib import decompress

from hypothesis import given
from hypothesis import strategies as st
from packets import OLDER, PACKET, TEXT, damage_in

from referee.cli.errors import UNREADABLE, find_exit_code
from referee.mail.ascii_armor import (
    MAX_MAIL_BYTES,
    MAX_PACKET_BYTES,
    EnvelopeError,
    MailedPackets,
    encode_ascii_armor,
    read_mailed_packets,
)


@given(st.binary(max_size=5000))
def test_what_goes_in_comes_out(data):
    assert read_mailed_packets(encode_ascii_armor(data).encode()).whole == (data,)


def test_an_envelope_can_be_opened_by_hand():
    lines = TEXT.splitlines()
    assert max(map(len, lines)) == 64 and TEXT.isascii()
    assert lines[:4] == ["-----BEGIN REFEREE PACKET-----", "Form: 1", f"Size: {len(PACKET)}", "SHA-256:"]
    assert lines[4] == sha256(PACKET).hexdigest() and lines[-1] == "-----END REFEREE PACKET-----"
    assert decompress(b64decode("".join(lines[5:-1]), validate=True)) == PACKET


def test_several_packets_in_their_order_none_twice():
    mail = f"Hello\n\n{TEXT}\n> {encode_ascii_armor(OLDER)}\nBye\n{TEXT}".encode()
    assert read_mailed_packets(mail) == MailedPackets((PACKET, OLDER), ())


def test_a_damaged_one_beside_a_whole_one_is_told():
    cut, other = TEXT[: len(TEXT) // 2], encode_ascii_armor(OLDER)
    assert read_mailed_packets(f"{cut}\n{other}".encode()) == MailedPackets((OLDER,), ("cut-short",))
    assert read_mailed_packets(f"{other}\n{cut}".encode()) == MailedPackets((OLDER,), ("cut-short",))


def test_a_damaged_copy_of_a_whole_one_is_not_told():
    changed = TEXT.replace("\n", "\nA")
    assert read_mailed_packets((TEXT[:-40] + TEXT + changed[:-40]).encode()).whole == (PACKET,)
    assert read_mailed_packets((TEXT[:-40] + TEXT).encode()).damages == ()


def test_each_damage_is_told():
    assert damage_in("") == damage_in("Nothing here.") == damage_in(TEXT.partition("\n")[2]) == "none"
    assert damage_in(TEXT.replace("END", "")) == "cut-short"
    assert damage_in(TEXT[:300] + encode_ascii_armor(OLDER)[300:] + TEXT[:400] + TEXT[401:]) == "changed"
    assert damage_in(TEXT[:400] + TEXT[:300] + TEXT[301:]) == "cut-short"
    assert damage_in(TEXT[:300] + TEXT[301:]) == "changed"
    assert damage_in(TEXT.replace(f"Size: {len(PACKET)}", f"Size: {len(PACKET) + 1}")) == "changed"
    assert damage_in(TEXT.replace(f"Size: {len(PACKET)}", f"Size: {len(PACKET) - 1}")) == "changed"
    assert damage_in(TEXT.replace("Form: 1", "Form: 2")) == "too-new"
    assert damage_in(TEXT.replace("Form: 1", "Form: 12")) == "too-new"
    assert damage_in(TEXT.replace("Form: 1", "Form: 2")[:60]) == "too-new"
    assert damage_in(TEXT.replace(f"Size: {len(PACKET)}", f"Size: {MAX_PACKET_BYTES + 1}")) == "too-big"
    assert damage_in(b" " * (MAX_MAIL_BYTES + 1)) == "too-big"


def test_a_mail_without_a_packet_is_unreadable_input():
    assert find_exit_code(EnvelopeError("none")) == UNREADABLE
