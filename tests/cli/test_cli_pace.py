"""The pace of a game by mail: agreed before, shown to all, resting by agreement, in a calendar, and never a verdict."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import time
from datetime import date, timedelta
from pathlib import Path

import pytest

import referee.cli.mail.pace
import referee.cli.mail.pace_watch
from referee.cli.mail.calendar_file import MAX_LINE_BYTES
from referee.cli.mail.pace_watch import PaceWatch
from referee.cli.turn_hook import TurnHook
from referee.record.archive.audit import audit
from referee.record.table.deeds.pause import PauseEntry
from referee.record.table.opening_logs import open_log


@pytest.fixture
def zone(monkeypatch):
    """A function that puts the computer into a time zone."""

    def move(name):
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield move
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def table(people):
    """Anna and Bo play Manoover by mail, 14 days a turn; red is to move and has the pen."""
    anna, bo = people("anna"), people("bo")
    anna.does("new manoover --mail red --option first=red --seats Anna,Bo --pace 14")
    bo.gets(anna.mails())
    bo.does("join blue")
    anna.gets(bo.mails())
    return anna, bo


def test_it_is_shown_before_somebody_joins(people):
    anna, bo = people("anna"), people("bo")
    anna.does("new manoover --mail red --seats Anna,Bo --pace 14")
    assert "A turn may take 14 days." in bo.gets(anna.mails()).out
    assert '"pace":14' in anna.log.read_text("utf-8")
    anna.does("new manoover --mail red --seats Anna,Bo -o other.jsonl")
    assert "pace" not in (anna.folder / "other.jsonl").read_text("utf-8")


def test_the_days_are_told_to_both(table, later):
    anna, bo = table
    later(9)
    for person, words in ((anna, "status"), (anna, "mail"), (bo, "status")):
        assert "red (Anna): 9 days of 14." in person(words).out
    assert ": 9 days of 14" in anna("mail .").out
    assert anna("--json mail .").facts["games"][0]["wait"] == {
        **{"seat": "red", "pace": 14, "days": 9, "due": "2026-01-16T03:04:05Z", "paused_until": "", "is_over": False}
    }


def test_when_it_is_over_the_others_see_what_they_may_propose(table, later, snapshot):
    anna, bo = table
    later(15)
    assert [re.sub(r"(?s)^.*?\n(?=  (Next|It waits))", "", one("status").out) for one in (anna, bo)] == snapshot
    assert audit(anna.log).fault is None


def test_holidays_are_agreed_on(table, later):
    anna, bo = table
    anna.does("pause 2026-02-01")
    bo.gets(anna.mails())
    bo.does("mail agree")
    anna.gets(bo.mails())
    later(25)
    assert "no days count until 2026-02-01." in anna("status").out
    later(35)  # 2026-02-06
    assert "red (Anna): 5 days of 14." in anna("status").out
    assert [type(entry) for entry in open_log(anna.log).entries].count(PauseEntry) == 1
    assert audit(anna.log).fault is None


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("new manoover --seats Anna,Bo --dice open --pace 3", "--pace is for games by mail."),
        ("new manoover --mail red --pace 0", "--pace must be from 1 to 365, not 0"),
        ("new manoover --mail red --pace -1", "--pace must be from 1 to 365, not -1"),
        ("new manoover --mail red --pace 1000000000", "--pace must be from 1 to 365, not 1000000000"),
        ("pause x", "'x' is not a date; type it like 2026-12-24."),
        ("pause 2026-02-31", "'2026-02-31' is not a date; type it like 2026-12-24."),
        ("pause 2026-01-01", "A pause ends between today and 365 days from now, not on 2026-01-01."),
        ("pause 9999-12-31", "A pause ends between today and 365 days from now, not on 9999-12-31."),
        ("mail --as ics --watch .", "Use only one of --as and --watch."),
    ],
)
def test_bad_input_is_one_sentence(table, words, why):
    answer = table[0](words)
    assert (answer.code, answer.out, answer.err.startswith(why), answer.err.count("\n")) == (2, "", True, 1)


def test_without_a_pace_nothing_rests(people):
    anna = people("anna")
    anna.does("new manoover --mail red --seats Anna,Bo")
    assert "started without --pace" in anna("pause 2026-01-09").shown
    assert "It waits for" not in anna("status").out


# The calendar, read by a parser that is made from RFC 5545 alone


def events_in(data: bytes):
    """The events of a calendar, each as the values of its properties."""
    assert data.endswith(b"\r\n")
    lines = data.split(b"\r\n")[:-1]
    assert all(len(line) <= MAX_LINE_BYTES and b"\n" not in line for line in lines)
    text = data.replace(b"\r\n ", b"").decode()
    events, now = [], None
    for line in text.split("\r\n")[:-1]:
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            now = {}
        elif line == "END:VEVENT":
            events.append(now)
            now = None
        elif now is not None:
            now[name.partition(";")[0]] = re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), value)
    return events


def calendar(person):
    answer = person("mail --as ics")
    assert answer.code == 0
    return answer.out.encode()


def test_a_calendar_has_a_day_for_each_game(table, later):
    anna, _ = table
    (event,) = events_in(calendar(anna))
    assert event["UID"] == f"{open_log(anna.log).reducer.opener.game_id[:32]}@referee"
    assert event["DTSTAMP"] == "20260102T030405Z"
    first, last = (date.fromisoformat(event[name]) for name in ("DTSTART", "DTEND"))
    assert (first, last - first) == (date(2026, 1, 16), timedelta(days=1))
    assert (event["SUMMARY"], "turn 1, red (Anna)" in event["DESCRIPTION"]) == ("manoover: your turn", True)
    later(3)
    assert events_in(calendar(anna)) == [event]
    copy = anna.folder / "logs" / "copy, of; it.jsonl"
    copy.write_bytes(anna.log.read_bytes())
    (again,) = events_in(calendar(anna))
    assert again["UID"] == event["UID"]


def test_texts_are_escaped_and_folded(people):
    """Zoë's name is long enough to be parted at a letter of two bytes, and the log's name has every sign to escape."""
    anna = people("anna")
    anna.does("key --make")
    for blanks in range(3):
        name, log = f"Zo{'o' * blanks}ë {'ëï' * 20}", f"a{blanks}, b; c.jsonl"
        answer = anna("new", "manoover", "--mail", "red", "--seats", f"red=Anna,blue={name}", "--pace", "3", "-o", log)
        assert answer.code == 0, answer.shown
        anna.does("mail pack")
        event = next(one for one in events_in(calendar(anna)) if one["DESCRIPTION"].startswith(log))
        assert event["SUMMARY"] == f"manoover: waits for {name}"


def test_without_a_pace_the_calendar_is_empty(people):
    anna = people("anna")
    anna.does("new manoover --mail red --seats Anna,Bo")
    assert events_in(calendar(anna)) == []


# The reader's own zone


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of this system cannot be changed")
def test_times_are_in_the_zone_of_the_reader(table, zone):
    anna, _ = table
    zone("EST5EDT")
    told = anna("mail .").out
    assert "since 2026-01-01 22:04" in told
    assert told.count("EST") == 1
    assert anna("--json mail .").facts["games"][0]["since"] == "2026-01-02T03:04:05Z"


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_a_clock_that_is_wrong_breaks_nothing(table, monkeypatch, at, later):
    anna, _ = table
    later(0)
    monkeypatch.setattr("referee.record.table.entry_encoder.get_current_time", lambda: at)
    anna.does("note hello", "mail pack --to blue")
    for words in ("status", "mail", "mail .", "mail --as ics", "audit"):
        assert anna(words).code == 0, words


def test_the_hook_gets_the_wait(table, later, tmp_path):
    from referee.cli.turn_hook import _collect_turn_facts
    from referee.record.table.seat_view import SeatView

    later(20)
    facts = json.loads(
        referee.record.log.entry.encode_for_log(_collect_turn_facts(SeatView(open_log(table[0].log)), "red", "turn"))
    )
    assert (facts["wait"]["days"], facts["wait"]["is_over"]) == (20, True)
    assert Path(os.fspath(facts["log"])).exists()


# A program that is told


def hook_program(code="import sys; open('rung.txt', 'a').write(sys.stdin.read() + chr(10))"):
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"


def told_in(folder):
    path = folder / "rung.txt"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def test_a_program_is_told_once_when_a_pace_is_over(table, later, monkeypatch):
    anna, _ = table
    monkeypatch.chdir(anna.folder)
    monkeypatch.setattr(referee.cli.mail.pace_watch, "SECONDS_BETWEEN_CHECKS", 0)
    hook = TurnHook(hook_program(), print)
    paces = PaceWatch(hook)
    for days in (9, 15, 16):
        later(days)
        paces.report_overdue_waits()
        hook.wait_for_programs()
    (told,) = told_in(anna.folder)
    assert (told["because"], told["wait"]["seat"], told["wait"]["days"]) == ("pace", "red", 15)


def test_the_games_are_not_read_all_the_time(table, later, monkeypatch):
    anna, _ = table
    monkeypatch.chdir(anna.folder)
    later(9)
    hook = TurnHook(hook_program(), print)
    paces = PaceWatch(hook)
    paces.report_overdue_waits()
    later(15)
    paces.report_overdue_waits()
    hook.wait_for_programs()
    assert told_in(anna.folder) == []


def test_a_log_that_cannot_be_read_stops_no_other(table, later, monkeypatch):
    anna, _ = table
    monkeypatch.chdir(anna.folder)
    (anna.folder / "logs" / "aaa.jsonl").write_bytes(anna.log.read_bytes()[:-5] + b"x\n")
    later(15)
    hook = TurnHook(hook_program(), print)
    PaceWatch(hook).report_overdue_waits()
    hook.wait_for_programs()
    assert len(told_in(anna.folder)) == 1


def test_watching_mail_looks_at_the_paces(table, later, monkeypatch):
    anna, _ = table
    looks = []

    def look(paces):
        looks.append(paces)

    monkeypatch.setattr(PaceWatch, "report_overdue_waits", look)
    monkeypatch.setattr("referee.cli.mail.folder_watch.time.sleep", stop_watching)
    assert anna("mail", "--watch", "logs", "--run", "true").code == 0
    assert len(looks) == 1
    assert anna("mail --watch logs").code == 0
    assert len(looks) == 1  # without a program there is nobody to tell


def stop_watching(_):
    raise KeyboardInterrupt


def test_a_finished_game_waits_for_nobody(table, later):
    """Its end may still want a signature, which the next step and the list of games name."""
    anna, bo = table
    anna.does("resign")
    bo.gets(anna.mails())
    assert "waits for" not in bo("mail").out
    assert "Next: referee mail pack" in bo("mail").out
    assert "to sign its end: referee -g" in " ".join(bo("mail .").out.split())
    anna.gets(bo.mails())
    later(15)
    for person in (anna, bo):
        shown = person("mail").out
        assert "all have signed the end of the game" in shown
        assert "waits for" not in shown
        assert "waits for" not in person("status").out
        assert "waits for" not in person("mail .").out
    assert not events_in(calendar(anna))
