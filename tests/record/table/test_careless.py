"""What the careless miss: reveals that open nothing, writers at the same moment, what is left over in vaults."""

from __future__ import annotations

import errno
import os
import re
from io import BytesIO

import pytest
from logfiles import files_of
from support import FIXTURES

from referee.record.archive.audit import audit
from referee.record.log.log_errors import MovedOnError, NotAllowedError, NotRecordedError
from referee.record.log.vault import find_vault_path
from referee.record.table import log_walker as walking
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.entry_draft import draft_play
from referee.record.table.opening_logs import open_log, start
from referee.record.table.prescan import Prescan, prescan_log
from referee.record.table.recording import record_note
from referee.record.table.undo_redo import undo

pytestmark = pytest.mark.usefixtures("ambush")


def vaults_of(session):
    return {seat: find_vault_path(session.path, seat).read_bytes() for seat in session.reducer.seats}


def without_vaults(session):
    for seat in session.reducer.seats:
        find_vault_path(session.path, seat).unlink()


def test_a_reveal_that_opened_nothing_is_a_fault(over, monkeypatch):
    """However it came about: what was never opened was never judged, and looked clean."""
    reveal_secrets(over)
    without_vaults(over)
    assert (audit(over.path).fault, audit(over.path).unjudged) == (None, {})
    monkeypatch.setattr(walking, "prescan_log", lambda file: Prescan({}, {}))
    report = audit(over.path)
    assert report.fault.code == "bad-reveal"
    assert "not in the form that can be opened" in report.fault.cause


@pytest.fixture(params=["read_vaults", "prescan_log"])
def overtaken(request, hidden, monkeypatch):
    """Somebody takes back and plays just when the log is looked ahead at, or its vaults are read."""
    real = getattr(walking, request.param)

    def read(*words):
        monkeypatch.setattr(walking, request.param, real)
        found = real(*words)
        other = open_log(hidden.path)
        undo(other, by="red", agreed=["blue"])
        other.do("hide adrift")
        return found

    monkeypatch.setattr(walking, request.param, read)
    return hidden.path


def test_somebody_plays_while_a_log_is_being_opened(overtaken):
    session = open_log(overtaken)
    assert len(session.entries) == 5
    assert all(session.moment().known.can_open_view_of(seat) for seat in session.reducer.seats)
    with pytest.raises(MovedOnError):
        record_note(session, "too late")


def test_somebody_plays_while_a_log_is_being_audited(overtaken):
    report = audit(overtaken)
    assert (report.fault, report.entries, report.unjudged) == (None, 5, {})
    assert (audit(overtaken).fault, audit(overtaken).entries) == (None, 7)


def test_who_loses_a_race_leaves_nothing_in_a_vault(laptop):
    other = open_log(laptop.path)
    other.do("hide reef")
    before, files = vaults_of(other), files_of(laptop.path)
    with pytest.raises(MovedOnError):
        laptop.do("hide cave")
    assert vaults_of(other) == before
    assert files_of(laptop.path) == files
    with pytest.raises(MovedOnError):
        record_note(laptop, "nor later")
    assert vaults_of(other) == before


def test_a_secret_that_was_not_recorded_is_kept_the_next_time(laptop, monkeypatch):
    """The same deed at the same place has the same leaf."""
    before, real = vaults_of(laptop), os.write

    def full(descriptor, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(NotRecordedError):
        laptop.do("hide cave")
    assert vaults_of(laptop) == before
    monkeypatch.setattr(os, "write", real)
    laptop.do("hide cave")
    assert open_log(laptop.path).moment().state.chests["red"].value == "cave"


def test_what_may_not_be_recorded_leaves_nothing_for_later(hidden):
    """What was sealed for it is not kept with the next entry."""
    with pytest.raises(NotAllowedError):
        hidden.append([*_sealed_and_refused(hidden)])
    before = vaults_of(hidden)
    record_note(hidden, "nothing secret")
    assert vaults_of(hidden) == before


def _sealed_and_refused(session):
    """A play with a secret, then what nobody may record."""
    for said in session.judge("raid reef 1").said:
        yield draft_play(said), None
    yield _refused, None


def _refused(**fields):
    raise NotAllowedError("no")


def test_two_games_of_one_second_are_two_games(tmp_path):
    one, other = (start("ambush", tmp_path / f"{name}.jsonl") for name in ("one", "other"))
    assert one.reducer.opener.game_id != other.reducer.opener.game_id


def test_a_salt_in_another_spelling_opens_nothing_ahead():
    """No reveal may have it so; its entry is the fault."""
    log = (FIXTURES / "mutants" / "games" / "all-options.jsonl").read_bytes()
    changed = re.sub(rb'(?<="salt":")[0-9a-f]{64}', lambda salt: salt[0].upper(), log)
    assert prescan_log(BytesIO(log)).openings
    assert not prescan_log(BytesIO(changed)).openings
