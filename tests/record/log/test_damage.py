"""Damage at random: killed writers and flipped bits. The scripts of the same names do it at full length."""

from __future__ import annotations

import random

import flip_bits
import pytest

from referee.record.archive.audit import audit
from referee.record.table.opening_logs import open_log


@pytest.fixture
def tmp_path(disk):
    return disk


KILLS = 20
WHOLE_LINE = 17


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    return flip_bits.make_log(tmp_path_factory.mktemp("flips"))


@pytest.mark.parametrize("seed", range(2))
def test_a_killed_writer_loses_no_acknowledged_entry(seed, script, tmp_path):
    said = script("kill_writer.py", "--kills", KILLS, "--seed", seed, "--folder", tmp_path)
    assert f"{KILLS} kills, no acknowledged entry lost" in said
    times = {what: int(count) for count, _, what in (line.partition(" times ") for line in said.splitlines()[1:])}
    assert times["acknowledged"] > 0, "every writer was killed before it wrote anything"


def test_the_long_log_is_good_and_always_the_same(long, tmp_path):
    assert flip_bits.make_log(tmp_path) == long
    path = tmp_path / "copy.jsonl"
    path.write_bytes(long)
    report = audit(path)
    assert (report.fault, report.entries) == (None, 500)
    assert report.takebacks > 0
    assert open_log(path).moment().outcome == report.outcome


@pytest.mark.parametrize("seed", range(2))
def test_a_flipped_bit_anywhere_is_found(seed, long):
    bits = random.Random(seed).sample(range(len(long) * 8), 60)
    assert [bit for bit in bits if not flip_bits.is_found(flip_bits.flipped(long, bit))] == []


@pytest.mark.parametrize("n", [WHOLE_LINE, 499])
def test_every_flipped_bit_of_a_line_is_found(n, long):
    bits = flip_bits.bits_of_line(long, n)
    assert long[bits.start // 8 : bits.stop // 8].count(b"\n") == 1
    assert flip_bits.survivors_of(long, n) == []


def test_the_quick_way_of_the_script_agrees_with_whole_audits(long):
    bits = flip_bits.bits_of_line(long, WHOLE_LINE)
    begin = bits.start // 8
    for bit in bits[::40]:
        quick = flip_bits.is_found_by_reader(long, begin, WHOLE_LINE, bit)
        assert quick <= flip_bits.is_found(flip_bits.flipped(long, bit))


def test_a_fault_that_is_none_would_be_told(long):
    """The audit of an unharmed log finds nothing: what finds the flips is not a blanket refusal."""
    assert not flip_bits.is_found(long)
    assert not flip_bits.is_found(flip_bits.flipped(flip_bits.flipped(long, 12_345), 12_345))
