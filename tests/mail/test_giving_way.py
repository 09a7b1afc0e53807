"""Whose copy has parted takes the other's entries: whenever his computer dies meanwhile, he can do it again."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from random import Random
from unittest.mock import patch

import pytest
from dying import dies_at
from players import at_random, seated
from simulation import Killed

from referee.mail.signer import Signer
from referee.mail.signing_journal import read_last_signed_entry
from referee.record.archive.audit import audit


@pytest.fixture(scope="module")
def parted(tmp_path_factory):
    """Somebody's laptop, on which he played what he never sent; and what came of the game that he played elsewhere."""
    place, random = tmp_path_factory.mktemp("parted"), Random(1)
    writer, other = seated(place, "red", "blue")[::-1]
    for _ in range(6):
        other.receives(writer.sends())
        writer, other = other, writer
        laptop = writer.twin(place / f"laptop-{len(writer.hashes)}")
        writer.plays(at_random, random)
    laptop.plays(at_random, Random(2))
    other.receives(writer.sends())
    other.plays(at_random, random)
    return laptop, other.sends(0)


def test_who_dies_while_he_gives_way_does_it_again(parted, tmp_path):
    laptop, packet = parted
    before = laptop.log.read_bytes()
    for number in count():
        twin = laptop.twin(tmp_path / str(number))
        done = None
        with dies_at(number, number % 3 / 2):
            done = twin.opens(packet, give_way=True)
        if done is None:
            assert twin.session.head.n, "the log opens, as it was or as it is to be"
            twin.opens(packet, give_way=True)
        (aside,) = twin.log.parent.glob("*.aside-*.jsonl")
        assert aside.read_bytes() == before
        assert twin.log.read_bytes().startswith(b"".join(packet.lines))
        assert not list(twin.log.parent.glob("*.jsonl.new"))
        if done:
            break
    assert number > 20
    assert audit(twin.log).fault is None


def test_another_file_of_that_name_is_not_lost(parted, tmp_path):
    twin = parted[0].twin(tmp_path / "twin")
    with dies_at(10**6):
        twin.twin(tmp_path / "other").opens(parted[1], give_way=True)
    (name,) = (path.name for path in (tmp_path / "other").glob("*.aside-*.jsonl"))
    twin.log.with_name(name).write_bytes(b"a letter")
    before = twin.log.read_bytes()
    with pytest.raises(FileExistsError):
        twin.opens(parted[1], give_way=True)
    assert twin.log.with_name(name).read_bytes() == b"a letter"
    assert twin.log.read_bytes() == before


def test_who_dies_before_he_writes_down_what_he_signs_can_give_way_and_sign(parted, tmp_path):
    """Nobody has seen that signature; and what he has really signed is remembered as before."""
    laptop, packet = parted
    twin = laptop.twin(tmp_path / "twin")
    record = twin.desk.protocol.record_id
    with twin.at_home():
        signed = read_last_signed_entry(record)
    with patch.object(Signer, "_make_seal", side_effect=Killed), suppress(Killed):
        twin.sends()
    with twin.at_home():
        assert read_last_signed_entry(record) != signed
    twin.opens(packet, give_way=True)
    with twin.at_home():
        assert read_last_signed_entry(record) == signed
    twin.plays(at_random, Random(4))
    assert twin.sends().end > packet.end


def test_what_was_signed_and_written_down_is_not_forgotten(parted, tmp_path):
    laptop, packet = parted
    twin = laptop.twin(tmp_path / "twin")
    twin.sends()
    with twin.at_home():
        signed = read_last_signed_entry(twin.desk.protocol.record_id)
    assert twin.opens(packet).packet_verdict.situation == "forked"
    assert twin.opens(packet, give_way=True).packet_verdict.situation == "new", (
        "the key has signed that, too, elsewhere"
    )
    with twin.at_home():
        assert read_last_signed_entry(twin.desk.protocol.record_id)[0] >= signed[0]
