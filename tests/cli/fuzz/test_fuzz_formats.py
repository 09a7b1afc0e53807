"""A draw of what `fuzz_formats.py` tries for hours: each format, changed in its structure, is answered as designed."""

from __future__ import annotations

from random import Random

import pytest
from calling import Called
from format_samples import READERS, samples
from fuzz_formats import changed, fault_of, report, try_seed

KINDS = tuple(READERS)


@pytest.mark.parametrize("first", range(0, 160, 40))
def test_changed_formats_are_answered_as_designed(first):
    found = [one for seed in range(first, first + 40) if (one := try_seed(seed, KINDS))]
    assert not found, "\n".join(map(report, found))


@pytest.mark.parametrize("kind", KINDS)
def test_each_format_has_samples_that_change(kind):
    assert all(samples(kind))
    made = {changed(Random(seed), kind) for seed in range(8)}
    assert len(made - {*samples(kind)}) > 1


@pytest.mark.parametrize(
    ("out", "err", "code", "wrong"),
    [
        (b"", b"this is a bug", 70, "exit 70"),
        (b"", b"Traceback", 1, "faulty"),
        (b"", b"", 1, "in silence"),
        (b"so", b"", 0, ""),
    ],
)
def test_a_finding_is_seen(out, err, code, wrong):
    found = fault_of(Called(out, err, code))
    assert (wrong in found) if wrong else not found
