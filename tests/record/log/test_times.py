"""When an entry was made: a day of the calendar and a time of that day, in every kind of entry, however it is read."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default

import msgspec
import pytest
from corrupt.book import chain
from support import FIXTURES
from third_party import installed

from referee.mail.mail_message import make_mail_message
from referee.record.archive.audit import audit
from referee.record.archive.match import start_match
from referee.record.archive.match_audit import audit_match
from referee.record.log.entry import NoteEntry, SealEntry
from referee.record.log.line_format import NO_PREVIOUS_HASH
from referee.record.table.opening_logs import open_log

NONE = ("2026-02-30T12:00:00Z", "2026-13-01T12:00:00Z", "0000-01-01T00:00:00Z", "2026-01-02T25:61:00Z")
SOME = ("0001-01-01T00:00:00Z", "2024-02-29T12:00:00Z", "2000-02-29T23:59:59Z", "9999-12-31T23:59:59Z")
LOGS = (
    FIXTURES / "corrupt" / "missing-newline-only.jsonl",
    FIXTURES / "corrupt" / "secrets-revealed-with-a-seed.jsonl",
    FIXTURES / "manoover" / "games" / "15-by-mail.jsonl",
)


@pytest.fixture(scope="module", autouse=True)
def ambush_is_installed():
    """Secrets are those of a game that is installed beside ours."""
    with installed():
        yield


def entries_of(path):
    return [json.loads(line)["entry"] for line in path.read_bytes().splitlines()]


def firsts_of(path):
    """The first entry of each kind in a log, by its number."""
    found = {}
    for n, entry in enumerate(entries_of(path)):
        found.setdefault(entry["type"], n)
    return found


def put(path, entries, n, time):
    """Write a log up to an entry, which was made at this time."""
    path.write_bytes(b"".join(chain([*entries[:n], entries[n] | {"at": time}])))
    return path


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_no_kind_of_entry_has_a_time_that_is_none(log, tmp_path):
    for kind, n in firsts_of(log).items():
        for time in NONE:
            fault = audit(put(tmp_path / "log.jsonl", entries_of(log), n, time)).fault
            assert (fault.code, fault.n) == ("not-an-entry", n), (kind, time)
            assert time in fault.cause


def test_they_are_of_every_kind():
    kinds = {kind for log in LOGS for kind in firsts_of(log)}
    assert kinds >= {"game", "join", "play", "takeback", "amend", "note", "reveal", "answer", "seal"}


@pytest.mark.parametrize("time", SOME)
def test_every_time_of_the_calendar_is_read_as_it_was(time, tmp_path):
    log = LOGS[0]
    for n in firsts_of(log).values():
        path = put(tmp_path / "log.jsonl", entries_of(log), n, time)
        assert audit(path).fault is None
        assert open_log(path).entries[n].at == time


@pytest.mark.parametrize("time", SOME)
def test_every_time_that_is_read_can_be_the_date_of_a_mail(time):
    mail = message_from_bytes(make_mail_message("0" * 64, 0, 1, "turn", ["hello"], time), policy=default)
    assert mail["Date"].datetime.tzinfo == UTC
    assert (mail["Date"].datetime == datetime.fromisoformat(time)) == (time > "0100")  # mails take year 1 for 2001


@pytest.mark.parametrize("time", NONE)
def test_no_entry_can_be_made_with_a_time_that_is_none(time):
    """Who decodes an entry by itself, or makes one, meets the same."""
    body = msgspec.json.encode(SealEntry(1, NO_PREVIOUS_HASH, "red", SOME[0], "blue", "AAAA")).replace(
        SOME[0].encode(), time.encode()
    )
    with pytest.raises(msgspec.ValidationError, match="a real date and time"):
        msgspec.json.decode(body, type=SealEntry)
    with pytest.raises(ValueError, match="a real date and time"):
        NoteEntry(1, NO_PREVIOUS_HASH, "red", time, "hello")


@pytest.mark.parametrize("time", NONE)
def test_no_match_begins_at_one(time, tmp_path):
    path = start_match("manoover", tmp_path / "cup.jsonl").path
    fault = audit_match(put(path, entries_of(path), 0, time)).fault
    assert (fault.code, fault.n) == ("not-an-entry", 0)
