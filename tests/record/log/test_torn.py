"""Writes cut short: what was acknowledged stays, what was not is told apart."""

from __future__ import annotations

import pytest
from logfiles import beside, files_of

from referee.record.archive.audit import audit
from referee.record.table.opening_logs import branch, open_log
from referee.record.table.recording import record_note


def restored(path, data, head):
    """The log as a machine leaves it that stopped before it could acknowledge."""
    path.write_bytes(data)
    beside(path, ".head").write_bytes(head)
    beside(path, ".torn").unlink(missing_ok=True)


def one_note(session):
    record_note(session, "Anna came late; é 龍")


def two_plays(session):
    session.do("2 turn ne, 2 turn n")


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("append", [one_note, two_plays])
def test_an_append_cut_at_every_byte_loses_nothing_acknowledged(append, part, control):
    path, head = control.path, beside(control.path, ".head").read_bytes()
    before, acknowledged = path.read_bytes(), list(control.entries)
    append(control)
    after, entries = path.read_bytes(), list(control.entries)
    for size in range(len(before) + part, len(after) + 1, 4):
        restored(path, after[:size], head)
        session = open_log(path)
        kept = len(session.entries)
        assert kept >= len(acknowledged)
        assert list(session.entries) == entries[:kept]
        if size % 32 == part or size > len(after) - 8:
            check_recovery(session, after[:size])


def check_recovery(session, data):
    """What is torn is reported, and moved aside by the next append; a whole entry without line feed is no tear."""
    path, torn = session.path, session.head.torn
    assert data.endswith(torn)
    assert (torn == b"") == (data.endswith(b"\n") or session.head.unterminated)
    kept = data[: len(data) - len(torn)]
    assert kept.count(b"\n") + session.head.unterminated == len(session.entries)
    record_note(session, "after the tear")
    assert audit(path).fault is None
    assert path.read_bytes().startswith(kept)
    aside = beside(path, ".torn")
    assert (aside.read_bytes() if aside.exists() else b"") == torn
    assert open_log(path).moment().state == session.moment().state


def test_looking_at_a_torn_log_changes_nothing(control):
    path = control.path
    path.write_bytes(path.read_bytes() + b'{"hash":"00')
    before = files_of(path)
    assert open_log(path).head.torn == b'{"hash":"00'
    assert audit(path).fault.code == "torn-tail"
    assert files_of(path) == before


def test_torn_writes_are_collected(control):
    for torn in (b"first", b"second"):
        control.path.write_bytes(control.path.read_bytes() + torn)
        record_note(open_log(control.path), "goes on")
    assert beside(control.path, ".torn").read_bytes() == b"firstsecond"


def test_an_entry_that_lacks_only_its_newline_is_kept_and_continued(control):
    path, whole = control.path, control.path.read_bytes()
    path.write_bytes(whole[:-1])
    session = open_log(path)
    assert (len(session.entries), session.head.torn, session.head.unterminated) == (3, b"", True)
    record_note(session, "goes on")
    assert path.read_bytes().startswith(whole + b'{"hash":"')
    assert audit(path).fault is None
    assert not beside(path, ".torn").exists()


def test_a_game_entry_that_lacks_only_its_newline_is_kept_and_continued(table):
    whole = table.path.read_bytes()
    table.path.write_bytes(whole[:-1])
    record_note(open_log(table.path), "goes on")
    assert table.path.read_bytes().startswith(whole + b'{"hash":"')
    assert audit(table.path).entries == 2


def test_a_log_without_newline_can_be_branched(control, tmp_path):
    whole = control.path.read_bytes()
    control.path.write_bytes(whole[:-1])
    other = branch(open_log(control.path), "b", path=tmp_path / "b.jsonl")
    assert other.path.read_bytes().startswith(whole)
    assert audit(other.path).fault is None
