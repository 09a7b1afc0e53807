"""Packets that are altered, that come in any order and again, and computers that die while they take them in."""

from __future__ import annotations

from contextlib import suppress
from itertools import accumulate, count
from random import Random
from unittest.mock import patch

import pytest
from dying import PLACES, dies_at
from hypothesis import given, settings
from hypothesis import strategies as st
from players import Player, at_random, seated
from simulation import Killed
from tampering import Tampering

from referee.mail.packet import parse_packet
from referee.record.archive.audit import audit
from referee.record.log import store


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A game after six mails: its players, all packets that were sent, and who got the first of them only."""
    place = tmp_path_factory.mktemp("told")
    red, blue = players = seated(place, "red", "blue")
    first, packets, random = blue.sends(0), [blue.sends(0)], Random(1)
    red.receives(first)
    third = Player(place / "third", "third")
    third.opens(first)
    for player, other in ((red, blue), (blue, red)) * 3:
        player.plays(at_random, random)
        packets.append(player.sends())
        other.receives(packets[-1])
    return players, packets, third


def test_no_change_of_a_packet_is_accepted(told, tmp_path):
    assert Tampering(told[1], told[2].twin(tmp_path / "third")).accepted(range(1_000)) == []


def dies_after(some):
    """A disk that gets so many bytes of the next write, and no more."""

    def write(descriptor, data, at, whole=store._write):
        whole(descriptor, data[:some], at)
        raise Killed

    return patch.object(store, "_write", write)


def test_who_dies_while_taking_in_opens_it_again(told, tmp_path):
    """At the end of every entry, and at random bytes."""
    players, _, third = told
    packet = parse_packet(players[0].sends(0).encode())
    twin = third.twin(tmp_path / "whole")
    twin.opens(packet)
    whole, begun = twin.log.read_bytes(), len(third.log.read_bytes())
    lines = packet.lines[len(third.hashes) :]
    ends = list(accumulate(map(len, lines), initial=0))
    assert len(whole) == begun + ends[-1]
    for number, some in enumerate([*ends, *Random(3).sample(range(ends[-1]), min(PLACES, ends[-1]))]):
        twin = third.twin(tmp_path / str(number))
        with dies_after(some), suppress(Killed):
            twin.opens(packet)
        assert twin.log.read_bytes() == whole[: begun + some]
        assert twin.opens(packet).packet_verdict.situation in ("new", "known")
        assert twin.log.read_bytes() == whole
    assert audit(twin.log).fault is None


def test_who_dies_while_packing_packs_again(told, tmp_path):
    """What he signs is the same, or the same again; and whoever gets it takes it in."""
    red, blue = told[0]
    red.plays(at_random, Random(4))
    with dies_at(10**9) as steps:
        whole = red.twin(tmp_path / "whole").sends()
    random = Random(5)
    for number in range(PLACES):
        twin, other = red.twin(tmp_path / str(number)), blue.twin(tmp_path / f"{number}-blue")
        with dies_at(random.randrange(steps[0]), random.random()):
            twin.sends()
        packet = twin.sends()
        assert packet == whole
        assert other.receives(packet).situation == "new"
        assert other.log.read_bytes().startswith(twin.log.read_bytes())


ORDERS = count()


@settings(max_examples=12)
@given(st.data())
def test_any_order_ends_at_the_same_head(told, tmp_path_factory, data):
    players, packets, third = told
    order = data.draw(st.permutations([*packets, *data.draw(st.lists(st.sampled_from(packets), max_size=3))]))
    twin = third.twin(tmp_path_factory.mktemp("order") / str(next(ORDERS)))
    for packet in order:
        assert twin.receives(packet).situation in ("new", "known", "ahead", "early")
    assert twin.log.read_bytes() == players[0].log.read_bytes()[: len(twin.log.read_bytes())]
    assert len(twin.hashes) == packets[-1].end
