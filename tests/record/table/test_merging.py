"""Two people play on in copies of one log, and Git merges them: nothing is lost, and one command settles it."""

from __future__ import annotations

from random import Random

import pytest
from forked import fork
from settled_forks import CASES, check_fork, ends_in

from referee.record.archive.audit import audit
from referee.record.log.log_ends import LogEnds, find_log_ends
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.merging import find_ends_of_files, keep_end
from referee.record.table.opening_logs import open_log
from referee.record.table.recording import record_note


@pytest.mark.parametrize(("form", "style"), CASES)
def test_both_ends_are_found_and_settled_whatever_the_merge_wrote(tmp_path, form, style):
    check_fork(tmp_path, form, style, Random(f"{form} {style}"))


# Merges in other orders


def test_any_interleaving_that_keeps_the_order_of_each_end_is_understood(tmp_path):
    random = Random(7)
    made = fork(tmp_path, "manoover", random)
    ours, theirs = ([*path.read_bytes().splitlines(keepends=True)] for path in made[1:])
    for _ in range(20):
        one, other = list(ours), list(theirs)
        mixed = []
        while one or other:
            mixed.append((one if not other or (one and random.random() < 0.5) else other).pop(0))
        ends = find_log_ends(b"".join(mixed))
        assert {ends.get_lines_of_end(0), ends.get_lines_of_end(1)} == {b"".join(ours), b"".join(theirs)}


@pytest.mark.parametrize("system", ["jj", "hg", "nested"])
def test_marks_of_other_systems_are_understood(tmp_path, system):
    made = fork(tmp_path, "manoover", Random(8))
    base = made.base.read_bytes()
    ours, theirs = (path.read_bytes()[len(base) :] for path in made[1:])
    signed = b"".join(b"+" + line for line in ours.splitlines(keepends=True))
    text = {
        "jj": b"%b<<<<<<< Conflict 1 of 1\n%%%%%%%%%%%%%% Changes from base to side #1\n%b"
        b"+++++++ Contents of side #2\n%b>>>>>>> Conflict 1 of 1 ends\n" % (base, signed, theirs),
        "hg": b"%b<<<<<<< working copy: 3c\n%b=======\n%b>>>>>>> merge rev: 4d\n" % (base, ours, theirs),
        "nested": b"%b<<<<<<< a\n<<<<<<<<< b\n%b=========\n%b>>>>>>>>> c\n=======\n%b>>>>>>> d\n"
        % (base, ours, theirs, theirs),
    }[system]
    log = tmp_path / "merged.jsonl"
    log.write_bytes(text)
    assert ends_in(log) == {path.read_bytes() for path in made[1:]}


# Where nobody has to choose


def test_one_end_that_continues_the_other_is_taken(tmp_path):
    made = fork(tmp_path, "manoover", Random(9))
    ends = find_ends_of_files(made.base, [made.ours])
    whole = made.ours.read_bytes()
    found = keep_end(made.base, ends, 0, "red", copies=[made.ours])
    assert made.base.read_bytes() == whole
    assert (found.aside, found.removed, made.ours.exists()) == ((), (made.ours,), False)


def test_the_same_moves_at_other_times_are_one_game(tmp_path, monkeypatch):
    made = fork(tmp_path, "manoover", Random(10))
    ours, theirs = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    for path, time in ((ours, "2026-01-02T03:04:05Z"), (theirs, "2026-01-02T03:05:05Z")):
        path.write_bytes(made.base.read_bytes())
        monkeypatch.setattr("referee.record.table.entry_encoder.get_current_time", lambda time=time: time)
        session = open_log(path)
        session.play(next(iter(session.legal().choices)).pick(Random(1)))
    data = ours.read_bytes() + theirs.read_bytes()[made.base.stat().st_size :]
    for name, content in (("one", data), ("other", theirs.read_bytes() + ours.read_bytes())):
        log = tmp_path / f"{name}.jsonl"
        log.write_bytes(content)
        session = open_log(log)
        assert (session.ends, session.letter.undone) == (None, ("the same moves at other times",))
    assert len({open_log(tmp_path / f"{name}.jsonl").letter.log for name in ("one", "other")}) == 1


# What is no merge


@pytest.mark.parametrize("spoil", ["a line of text", "a changed entry", "two games", "a cut line"])
def test_what_is_no_merge_stays_a_fault(tmp_path, spoil):
    made = fork(tmp_path, "manoover", Random(11))
    data = made.merged("merge")[1]
    (tmp_path / "others").mkdir()
    others = fork(tmp_path / "others", "mutants", Random(12))
    wrong = {
        "a line of text": data + b"hello\n",
        "a changed entry": data.replace(b'"red"', b'"rot"', 1),
        "two games": data + others.base.read_bytes(),
        "a cut line": data[:-200],
    }[spoil]
    assert find_log_ends(wrong) is None
    log = tmp_path / "merged.jsonl"
    log.write_bytes(wrong)
    assert audit(log).fault.code != "several-ends"


def test_more_than_two_ends_are_told_and_one_is_kept(tmp_path):
    made = fork(tmp_path, "manoover", Random(13))
    log = tmp_path / "merged.jsonl"
    lines = made.ours.read_bytes() + made.theirs.read_bytes()
    third = open_log(made.base)
    record_note(third, "not this way", "blue")
    log.write_bytes(lines + made.base.read_bytes())
    ends = find_ends_of_files(log)
    assert isinstance(ends, LogEnds)
    assert len(ends.tails) == 3
    found = keep_end(log, ends, 2, "red")
    assert len(found.aside) == 2
    assert [audit(path).fault for path in (log, *found.aside)] == [None, None, None]


def test_nothing_is_recorded_before_somebody_has_chosen(tmp_path):
    made = fork(tmp_path, "manoover", Random(14))
    log = tmp_path / "merged.jsonl"
    log.write_bytes(made.merged("merge")[1])
    session, before = open_log(log), log.read_bytes()
    with pytest.raises(NotAllowedError, match="several ends"):
        session.play(session.legal().pick(Random(1)))
    assert log.read_bytes() == before
    assert len(session.entries) == find_ends_of_files(log).common_entry_count >= len(open_log(made.base).entries)
