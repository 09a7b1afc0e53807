"""Joint rolls that a player opens at two times: an answer in advance is sent to each of the others otherwise."""

from __future__ import annotations

from pathlib import Path
from random import Random
from unittest.mock import patch

import players as mailed
import pytest
from players import at_random, exchanged, seated

from referee.engine.dice_mode import LATEST_DERIVATION
from referee.record.archive.audit import audit
from referee.record.log.line_format import format_entry_line
from referee.record.log.same_but_times import is_same_but_times

LATER = "2026-01-02T03:04:59Z"


def opened_twice(place, derivation):
    """Three players: one opens a throw, on a computer and on another one a minute later, and both are sent."""
    table = seated(place, "red", "blue", "green", options={"form": "three"}, derivation=derivation)
    random = Random(3)
    for round_ in range(40):
        writer = next(player for player in table if player.has_pen)
        others = [player for player in table if player is not writer]
        second = writer.twin(place / f"second-{round_}")
        state = random.getstate()
        packets = []
        for player, at in ((writer, mailed.AT), (second, LATER)):
            random.setstate(state)
            with patch.object(mailed, "AT", at):
                player.plays(at_random, random)
                packets.append(player.sends())
        cast = writer.desk.protocol.joint_roll
        if cast and cast.n >= packets[0].head.base and set(cast.owing_seats) >= {player.seat for player in others}:
            return writer, second, others, packets
        for player in others:
            player.receives(packets[0])
    raise AssertionError("nobody opened a throw")


@pytest.fixture
def parted(tmp_path):
    writer, second, others, packets = opened_twice(tmp_path, LATEST_DERIVATION)
    for player, packet in zip(others, packets, strict=True):
        assert player.receives(packet).situation == "new"
    return writer, second, others


def test_a_throw_opened_at_two_times_has_one_hash(parted):
    rolls = [player.desk.protocol.find_present_joint_roll(player.session.head.hash) for player in parted[2]]
    assert rolls[0].opener == rolls[1].opener
    assert parted[2][0].hashes != parted[2][1].hashes


def test_nobody_is_stuck_or_accused_because_of_two_times(parted):
    writer, _, others = parted
    for player in others:  # each gives a share to what they were told
        writer.receives(player.sends())
    table = [writer, *others]
    exchanged(table, Random(5), 6)
    common = min(len(player.hashes) for player in table)
    assert common > 12
    assert len({tuple(player.hashes[:common]) for player in table}) == 1
    assert all(audit(player.log).fault is None and not audit(player.log).dropped for player in table)


def test_the_second_computer_takes_in_the_first(parted):
    writer, second, _ = parted
    assert second.receives(writer.sends(0)).situation in ("retold", "known", "ahead", "new")


def test_in_an_older_game_the_dice_depend_on_the_time(tmp_path):
    *_, others, packets = opened_twice(tmp_path, 1)
    for player, packet in zip(others, packets, strict=True):
        player.receives(packet)
    rolls = [player.desk.protocol.find_present_joint_roll(player.session.head.hash) for player in others]
    assert rolls[0].opener != rolls[1].opener


TIMELESS = Path(__file__).with_name("timeless.jsonl")
"""A log of three players whose throws are of the second derivation."""


def test_a_log_of_the_second_derivation_reads_the_same_for_ever():
    report = audit(TIMELESS)
    assert (report.fault, report.throws) == (None, 6)
    assert b'"dice":{"derivation":2,"mode":"pact"}' in TIMELESS.read_bytes()


def test_a_declaration_at_two_times_is_the_same_only_without_times():
    bodies = [
        b'{"actions":[],"at":"%s","by":"red","cast":0,"n":4,"prev":"","type":"declare"}' % at for at in (b"1", b"2")
    ]
    runs = [[format_entry_line(body)] for body in bodies]
    assert not is_same_but_times(*runs)
    assert is_same_but_times(*runs, is_timeless=True)
