"""A log outlives what is changed in a game: an option, a field, a board, a rule. Tried on a game from outside."""

from __future__ import annotations

import json
from random import Random

import pytest
from calling import called
from third_party import EXAMPLES
from tomorrow import OPTION, STRICTER, field, found_in, race_of_tomorrow

from referee.engine.dice_mode import OpenDice
from referee.record.archive.audit import audit
from referee.record.log.line_format import BODY_OFFSET, format_entry_line, hash_entry
from referee.record.log.log_errors import FaultError, NotAllowedError
from referee.record.table.deeds.upgrade import upgrade_game
from referee.record.table.opening_logs import open_log, replay, start
from referee.record.table.undo_redo import undo

SEED = "5e" * 32


def race(folder, plays=30):
    """A log of today's race."""
    path = folder / "race.jsonl"
    with found_in(EXAMPLES["race"]):
        session = start("race", path, dice=OpenDice(SEED), seats=("Anna", "Bo"))
        random = Random(3)
        for _ in range(plays):
            session.play(random.choice(list(session.legal())))
    return path


def first_of(path):
    return json.loads(path.read_bytes().splitlines()[0])["entry"]


def chained(entries):
    """The log of these entries, each continuing the one before, hashed anew."""
    lines, prev = [], "0" * 64
    for entry in entries:
        body = json.dumps({**entry, "prev": prev}, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        lines.append(format_entry_line(body))
        prev = hash_entry(body)
    return b"".join(lines)


def rewritten(path, to, **fields):
    """The log with other fields in its first entry."""
    first, *others = (json.loads(line[BODY_OFFSET:-1]) for line in path.read_bytes().splitlines())
    to.write_bytes(chained([first | fields, *others]))
    return to


CHANGES = {
    "option": (OPTION, ""),
    "field": (field(way_back=False), ""),
    "field-with-a-way-back": (field(way_back=True), ""),
    "comment": ([], "# a comment more\n\n"),
    "rule": (STRICTER, ""),
}


@pytest.mark.parametrize(("changes", "board"), CHANGES.values(), ids=CHANGES)
def test_a_log_outlives_a_change(tmp_path, changes, board):
    path = race(tmp_path)
    before = path.read_bytes()
    with race_of_tomorrow(tmp_path, changes, board):
        report = audit(path)
        assert report.fault is None
        assert report.plays == 30
        session = open_log(path)
        assert session.moment().to_act is not None
        *_, (entry, known) = replay(path)
        assert (entry.n, known.truth) == (30, session.moment().state)
        assert [one.n for one in session.entries] == list(range(31))
        assert session.moment(7).n == 7
    assert path.read_bytes() == before


def test_an_option_that_came_later_has_the_value_that_games_had_before(tmp_path):
    path = race(tmp_path)
    with race_of_tomorrow(tmp_path, OPTION):
        session = open_log(path)
        assert session.reducer.header.options == {"clock": "no"}
        session.play(next(iter(session.legal())))
        assert open_log(path).reducer.header.options == {"clock": "no"}
        assert (audit(path).fault, audit(path).rules) == (None, (1, 2))
    with found_in(EXAMPLES["race"]):
        assert audit(path).fault is None, "it was played on as it was begun"


def test_who_has_an_older_referee_can_play_in_a_game_begun_by_older_rules(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    begin = ("new", "race", "--seats", "Anna,Bo", "--dice", "open", "--seed", SEED)
    with race_of_tomorrow(tmp_path, OPTION):
        assert called((*begin, "--rules", 1, "-o", "old.jsonl")).code == 0
        assert called(("throw",)).code == called(("audit",)).code == 0
        assert called((*begin, "-o", "new.jsonl")).code == 0
    assert (first_of(tmp_path / "old.jsonl")["rules"], first_of(tmp_path / "new.jsonl")["rules"]) == (1, 2)
    assert "clock" not in first_of(tmp_path / "old.jsonl")["options"]
    with found_in(EXAMPLES["race"]):
        assert [called(("audit", name)).code for name in ("old.jsonl", "new.jsonl")] == [0, 3]


@pytest.mark.parametrize(("rules", "code"), [("1", 1), ("3", 1), ("0", 2), ("two", 2)])
def test_no_game_begins_by_rules_that_it_does_not_keep(tmp_path, monkeypatch, rules, code):
    monkeypatch.chdir(tmp_path)
    with race_of_tomorrow(tmp_path, STRICTER):
        told = called(("new", "race", "--dice", "open", "--rules", rules, "-o", "race.jsonl"))
    assert (told.code, not (tmp_path / "race.jsonl").exists()) == (code, True)
    assert code == 2 or f"rules {rules} of race are not installed here" in told.out.decode()


def test_it_is_played_on_in_its_own_form_where_there_is_a_way_back(tmp_path):
    path = race(tmp_path)
    with race_of_tomorrow(tmp_path, field(way_back=True)):
        session = open_log(path)
        for _ in range(6):
            session.play(next(iter(session.legal())))
        assert audit(path).fault is None
    assert b'"die"' not in path.read_bytes()
    with found_in(EXAMPLES["race"]):
        assert audit(path).plays == 36


def test_where_there_is_none_all_agree_to_go_on_under_other_rules(tmp_path):
    path = race(tmp_path)
    with race_of_tomorrow(tmp_path, field(way_back=False)):
        session = open_log(path)
        with pytest.raises(NotAllowedError, match="referee upgrade"):
            for _ in range(2):  # one of them throws
                session.play(next(iter(session.legal())))
        with pytest.raises(NotAllowedError, match="blue"):
            upgrade_game(session, ("red",))
        upgrade_game(session, ("red", "blue"))
        for _ in range(4):
            session.play(next(iter(session.legal())))
        assert b'"die"' in path.read_bytes()
        assert (audit(path).fault, audit(path).rules) == (None, (2, 2))
        again = open_log(path)
        assert again.moment().state == session.moment().state
        assert [one.n for one in again.entries] == list(range(len(session.entries)))
        undo(again)
        assert audit(path).fault is None
        with pytest.raises(NotAllowedError, match="already"):
            upgrade_game(again, ("red", "blue"))


def test_other_rules_are_nobodys_fault(tmp_path):
    path = race(tmp_path)
    with race_of_tomorrow(tmp_path, STRICTER):
        report = audit(path)
        assert report.fault is None
        assert report.differing == len(report.differences) > 0
        assert report.differences[0].rule == "home"
        assert not report.is_complete
        with pytest.raises(NotAllowedError, match=r"differ in home.*referee upgrade"):
            open_log(path).play(next(iter(open_log(path).legal())))


def test_a_die_that_is_none_is_a_fault_under_all_rules(tmp_path):
    path = race(tmp_path)
    lines = path.read_bytes().splitlines()
    n, entry = next((n, one) for n, line in enumerate(lines) if (one := json.loads(line)["entry"]).get("rolls"))
    entry["rolls"][0]["faces"] = [entry["rolls"][0]["faces"][0] % 4 + 1]
    entry["events"][0]["squares"] = entry["rolls"][0]["faces"][0]
    spelt = [json.loads(line)["entry"] for line in lines]
    spelt[n] = entry
    path.write_bytes(chained(spelt))
    (tmp_path / "race.jsonl.head").unlink()
    with race_of_tomorrow(tmp_path, STRICTER):
        assert audit(path).fault.code == "bad-dice"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"rules": 10**9}, "newer-format"),
        ({"rules": 0}, "not-an-entry"),
        ({"format": 10**9}, "newer-format"),
        ({"format": 0}, "not-an-entry"),
        ({"options": {"clock": "no"}}, "bad-options"),
        ({"options": {"weather": "fine"}, "rules": 3}, "newer-format"),
        ({"files": {"board": {"from": "shipped", "name": "lanes", "sha256": "5" * 64}}}, "unknown-file"),
    ],
)
def test_a_version_that_it_does_not_have(tmp_path, fields, code):
    path = rewritten(race(tmp_path), tmp_path / "other.jsonl", **fields)
    with found_in(EXAMPLES["race"]):
        assert audit(path).fault.code == code
        with pytest.raises(FaultError):
            open_log(path)


def test_a_newer_log_is_told_as_what_it_is(tmp_path):
    path = rewritten(race(tmp_path), tmp_path / "newer.jsonl", rules=2, program="9.1")
    with found_in(EXAMPLES["race"]):
        report = audit(path)
    assert report.fault.is_unreadable
    assert "referee 9.1 wrote this" in report.fault.clause
    assert (report.outline.players, report.outline.entries) == (("red (Anna)", "blue (Bo)"), 31)
    assert report.outline.is_fully_chained


@pytest.mark.parametrize(
    "lift", ["lambda event: event['weather']", "lambda event: {**event, 'sun': 1}", "lambda event: 3", "int"]
)
def test_an_upcast_of_somebody_else_that_does_nonsense(tmp_path, lift):
    path = race(tmp_path)
    changes = [(old, new.replace('lambda event: {"die": 4, **event}', lift)) for old, new in field(way_back=False)]
    with race_of_tomorrow(tmp_path, changes):
        from referee.engine.plugin_errors import GameError

        try:
            assert audit(path).fault.is_unreadable
        except GameError as error:
            assert "race" in str(error)
