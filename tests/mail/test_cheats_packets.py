"""Packets that are none, that are strange, or that would fill a disk."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

import pytest
from cheating import Cheat, refused
from forger import Forger
from msgspec.structs import replace
from players import Player, seated

from referee.mail import sync
from referee.mail.packet import PacketError, parse_packet
from referee.mail.spool import find_spool_path
from referee.record.log.entry import (
    NoteEntry,
)
from referee.record.log.line_format import BODY_OFFSET


def test_old_and_strange_packets(both, tmp_path):
    cheat = Cheat(*both)
    refused(both, Forger(both[0], 10).packet(0), "ahead")
    strange = seated(tmp_path / "others", "red", "blue", luck="strange")
    refused(both, strange[1].sends(), "other-game")
    refused(both, cheat.honestly().seal(cheat.other).packet(cheat.sent, rules=99), "other-rules")


EVIL = {
    "a line of 10 MB": lambda head, lines: head + b'{"hash":"' + b"0" * 10_000_000 + b"\n",
    "a deep line": lambda head, lines: head + lines[0][:BODY_OFFSET] + b'{"prev":' + b"[" * 60_000 + b"\n",
    "a deep head": lambda head, lines: b'{"format":' + b"[" * 1_000_000 + b"\n",
    "control characters": lambda head, lines: head + lines[0].replace(b"T", b"\x1b]52;c;\x07", 1),
    "NUL": lambda head, lines: b"\0" * 5000,
    "a name with ways": lambda head, lines: re.sub(rb'"module":"[^"]*"', b'"module":"../../x"', head) + b"".join(lines),
    "a seat with ways": lambda head, lines: re.sub(rb'"by":"[^"]*"', b'"by":"../x"', head) + b"".join(lines),
    "a huge number": lambda head, lines: re.sub(rb'"base":\d+', b'"base":' + b"9" * 5000, head),
    "a doubled key": lambda head, lines: head.replace(b'{"', b'{"surprise":1,"', 1) + b"".join(lines),
    "a BOM": lambda head, lines: b"\xef\xbb\xbf" + head + b"".join(lines),
    "a lone surrogate": lambda head, lines: head.replace(b'"module":"', b'"module":"\xed\xa0\x80', 1),
    "a newer form": lambda head, lines: re.sub(rb'"format":\d+', b'"format":7', head) + b"".join(lines),
    "lines that do not follow": lambda head, lines: head + b"".join(reversed(lines)),
    "a line left out": lambda head, lines: head + b"".join(lines[1:]),
    "the last line left out": lambda head, lines: head + b"".join(lines[:-1]),
    "nothing": lambda head, lines: b"",
}


@pytest.mark.parametrize("name", EVIL)
def test_what_is_no_packet_is_refused_in_a_sentence(both, name):
    cheat = Cheat(*both)
    spelt = cheat.honestly().seal(cheat.other).packet(cheat.sent).encode()
    head, *lines = spelt.splitlines(keepends=True)
    with pytest.raises(PacketError) as error:
        parse_packet(EVIL[name](head, lines))
    assert len(str(error.value)) < 400
    assert str(error.value).isprintable()


def test_a_stranger_fills_no_box(both):
    """Ten kilobytes become megabytes of blanks. What nobody who plays has signed is not kept."""
    cheat, honest = both
    sent = len(honest.hashes)
    for number in range(5):
        forged = Forger(cheat, sent)
        for _ in range(40):
            forged.add(NoteEntry, by=cheat.seat, text=str(number) + " " * 4000)
        forged.seal(honest.seat, key=Player(honest.log.parent / f"stranger {number}", "stranger").key)
        verdict = honest.receives(forged.packet(sent + 2))
        assert (verdict.situation, verdict.is_kept) == ("early", False)
    assert not find_spool_path(honest.log).exists()


def test_what_a_player_signs_is_kept_as_far_as_there_is_room(both, monkeypatch):
    cheat, honest = both
    sent = len(honest.hashes)
    monkeypatch.setattr(sync, "MAX_SPOOL_BYTES", 10_000)
    for number in range(5):
        forged = Forger(cheat, sent)
        for _ in range(4):
            forged.add(NoteEntry, by=cheat.seat, text=str(number) + " " * 1000)
        assert honest.receives(forged.seal(honest.seat).packet(sent + 1)).is_kept == (number < 2)
    assert sum(path.stat().st_size for path in find_spool_path(honest.log).iterdir()) < 10_000


def test_a_file_that_the_game_does_not_name_is_refused(both):
    cheat, _ = both
    packet = cheat.sends(0)
    data = b"anything"
    extra = {sha256(data).hexdigest(): b64encode(data).decode()}
    forged = replace(packet, head=replace(packet.head, files=extra))
    with pytest.raises(PacketError, match="a file that its game does not name"):
        parse_packet(forged.encode())
