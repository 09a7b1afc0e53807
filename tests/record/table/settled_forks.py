"""What holds for every merge of two logs, and for each end that is kept."""

from __future__ import annotations

from forked import FORMS, STYLES, fork

from referee.record.archive.audit import audit
from referee.record.table.merging import find_ends_of_files, keep_end
from referee.record.table.opening_logs import open_log

CASES = [(form, style) for form in FORMS for style in STYLES]


def ends_in(path):
    found = open_log(path).ends
    assert found is not None
    return {found.get_lines_of_end(at) for at in range(len(found.tails))}


def check_fork(folder, form, style, random):
    """What holds for every merge of a fork, and for each end that is kept."""
    made = fork(folder, form, random)
    conflicts, data = made.merged(style)
    assert (conflicts > 0) == (style != "union")
    log = folder / "merged.jsonl"
    log.write_bytes(data)
    made.copy_vaults(log)
    sides = {path.read_bytes() for path in made[1:]}
    assert ends_in(log) == sides
    report = audit(log)
    assert report.fault.code == "several-ends"
    assert [end.fault for end in report.ends] == [None, None]
    ends = find_ends_of_files(log)
    keep, again = random.randrange(2), random.random() < 0.5
    kept, other = ends.get_lines_of_end(keep), ends.get_lines_of_end(1 - keep)
    seat = random.choice(open_log(log).reducer.seats)
    found = keep_end(log, ends, keep, seat, again=again)
    check_settled(log, found, kept, other, seat)


def check_settled(log, found, kept, other, seat):
    """The log goes on from the kept end and says who chose; the other end is a log of its own; both are clean."""
    after = log.read_bytes()
    assert after.startswith(kept)
    note = found.session.entries[kept.count(b"\n")]
    assert (note.by, "chose the end" in note.text) == (seat, True)
    assert found.session.entries[-1].n == note.n + len(found.again.said)
    (aside,) = found.aside
    assert aside.read_bytes().startswith(other)
    assert open_log(aside).reducer.branched is not None
    assert [audit(path).fault for path in (log, aside)] == [None, None]
