"""Diff: where two logs part, and which side broke which rule."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from logfiles import forge
from make_corrupt import AUTO, LAST, TURN, chain, entries

from referee.engine.dice_mode import TableDice
from referee.record.archive.audit import audit
from referee.record.archive.diff import compare_logs, find_distinct_path_ends
from referee.record.table.opening_logs import branch, start
from referee.record.table.recording import record_note
from referee.record.table.undo_redo import undo


def log_of(documents, tmp_path, name):
    path = tmp_path / f"{name}.jsonl"
    path.write_bytes(b"".join(chain(documents)))
    return path


@pytest.fixture
def mine(tmp_path):
    return log_of(entries(), tmp_path, "mine")


@pytest.fixture
def cheat(tmp_path):
    documents = entries()
    documents[TURN]["action"]["robot"] = "1"
    return log_of(documents, tmp_path, "cheat")


def texts(found):
    """The entries where two logs part, as the log has them."""
    return [
        None if side.first_own_entry is None else side.session.game.format(side.first_own_entry.action)
        for side in found.sides
    ]


def verdict_of(found):
    return [side.report.is_complete for side in found.sides]


def test_a_copy_is_the_same(mine, tmp_path):
    found = compare_logs(mine, shutil.copy(mine, tmp_path / "copy.jsonl"))
    assert (found.has_same_plays, found.what, [side.last for side in found.sides]) == (True, "nothing", [LAST, LAST])
    assert [side.first_own_entry for side in found.sides] == [None, None]
    assert verdict_of(found) == [True, True]


def test_a_missing_last_newline_makes_no_difference(mine, tmp_path):
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(mine.read_bytes()[:-1])
    assert compare_logs(mine, copy).has_same_plays


def test_times_make_no_difference(mine, tmp_path):
    """The same plays, typed a day later: every hash differs."""
    documents = [document | {"at": "2027-05-06T07:08:09Z"} for document in entries()]
    later = log_of(documents, tmp_path, "later")
    assert compare_logs(mine, later).has_same_plays
    assert mine.read_bytes() != later.read_bytes()


def test_remarks_and_branches_make_no_difference(control, tmp_path):
    """Though entries behind them have other numbers, and takebacks name those."""
    other = branch(control, "other", path=tmp_path / "other.jsonl")
    record_note(other, "here we parted")
    for session in (control, other):
        session.do("2 turn ne")
        undo(session)
        session.do("2 turn nw")
    found = compare_logs(control.path, other.path)
    assert found.has_same_plays
    assert [side.last for side in found.sides] == [5, 7]
    control.do("6 go")
    other.do("6 turn nw")
    found = compare_logs(control.path, other.path)
    assert (found.what, texts(found), [side.last for side in found.sides]) == ("play", ["6 go N", "6 turn NW"], [5, 7])


def test_one_goes_on_where_the_other_ends(mine, tmp_path):
    short = log_of(entries()[:LAST], tmp_path, "short")
    found = compare_logs(short, mine)
    assert (found.what, [side.first_own for side in found.sides]) == ("end", [None, LAST])
    assert verdict_of(found) == [True, True]


def test_the_same_play_with_other_dice(control, tmp_path):
    """At a table nobody but the players can tell which fell."""
    other = branch(control, "other", path=tmp_path / "other.jsonl")
    for session, faces in ((control, [4, 6, 1]), (other, [4, 6, 2])):
        session.do("2 go, 2 go, 6 go, auto")
        session.do("throw", faces=faces)
    found = compare_logs(control.path, other.path)
    assert (found.what, [side.first_own_entry.rolls[0].faces for side in found.sides]) == (
        "dice",
        [(4, 6, 1), (4, 6, 2)],
    )
    assert [side.first_own for side in found.sides] == [7, 8]
    assert verdict_of(found) == [True, True]


def test_the_same_play_with_another_outcome(mine, tmp_path):
    documents = entries()
    documents[TURN]["events"][0]["toward"] = "SE"
    found = compare_logs(mine, log_of(documents, tmp_path, "moved"))
    assert (found.what, verdict_of(found)) == ("events", [True, False])


def test_who_is_right_where_they_part(mine, cheat):
    found = compare_logs(mine, cheat)
    assert (found.what, [side.last for side in found.sides]) == ("play", [TURN - 1, TURN - 1])
    assert texts(found) == ["4 turn NW", "1 turn NW"]
    right, wrong = found.sides
    assert (right.name, right.fault, wrong.name) == ("mine.jsonl", None, "cheat.jsonl")
    assert (wrong.fault.code, wrong.fault.n, wrong.fault.rule) == ("illegal-action", TURN, "control.1")
    assert right.later_own_entry_count == wrong.later_own_entry_count == LAST - TURN


def test_the_order_of_the_two_does_not_matter(mine, cheat):
    one, other = compare_logs(mine, cheat), compare_logs(cheat, mine)
    assert [(s.name, s.first_own, s.report) for s in one.sides] == [
        (s.name, s.first_own, s.report) for s in other.sides[::-1]
    ]
    assert (one.common, one.what) == (other.common, other.what)


def test_both_may_be_wrong(cheat, tmp_path):
    documents = entries()
    documents[TURN]["by"] = "blue"
    found = compare_logs(cheat, log_of(documents, tmp_path, "worse"))
    assert [side.fault.rule for side in found.sides] == ["control.1", "turn.2"]


def test_a_fault_long_after_the_parting_counts(mine, tmp_path):
    """Whether a log holds is asked of all of it."""
    documents = entries()
    documents[TURN]["action"]["toward"] = documents[TURN]["events"][0]["toward"] = "NE"
    documents[LAST]["rolls"][0]["faces"] = [6, 6, 6]
    found = compare_logs(mine, log_of(documents, tmp_path, "later"))
    assert (found.what, found.sides[1].first_own) == ("play", TURN)
    assert (found.sides[1].fault.n, verdict_of(found)) == (LAST, [True, False])


def test_a_fault_in_what_they_share_is_both_sides(cheat, tmp_path):
    longer = [json.loads(line)["entry"] for line in cheat.read_bytes().splitlines()]
    longer.append(longer[4] | {"text": "more"})
    found = compare_logs(cheat, log_of(longer, tmp_path, "longer"))
    assert found.has_same_plays
    assert [side.fault.n for side in found.sides] == [TURN, TURN]


def test_a_line_that_cannot_be_read(mine, tmp_path):
    lines = mine.read_bytes().splitlines(keepends=True)
    lines[AUTO] = b"nonsense\n"
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b"".join(lines))
    found = compare_logs(mine, bad)
    side = found.sides[1]
    assert (found.what, side.first_own_entry, side.fault.code, side.fault.n) == ("unreadable", None, "bad-frame", AUTO)


def test_two_games_have_nothing_in_common(mine, control):
    found = compare_logs(mine, control.path)
    assert (found.what, found.common) == ("game", 0)
    assert {"dice"} <= set(found.fields) <= {"dice", "options", "seats"}


def test_two_records_of_one_game(tmp_path):
    """Both wrote down what happened at one table, each from the beginning."""
    logs = [start("manoover", tmp_path / f"{who}.jsonl", seats=["Anna", "Bo"], dice=TableDice()) for who in ("a", "b")]
    for log in logs:
        log.do("throwoff", faces=[6, 1])
    assert compare_logs(logs[0].path, logs[1].path).has_same_plays


@pytest.mark.parametrize(
    ("one", "other", "names"),
    [
        ("mine.jsonl", "theirs.jsonl", ("mine.jsonl", "theirs.jsonl")),
        ("mine/game.jsonl", "theirs/game.jsonl", ("mine/game.jsonl", "theirs/game.jsonl")),
        ("a/x/game.jsonl", "b/x/game.jsonl", ("a/x/game.jsonl", "b/x/game.jsonl")),
        ("c/a/x/game.jsonl", "c/b/x/game.jsonl", ("a/x/game.jsonl", "b/x/game.jsonl")),
        ("game.jsonl", "theirs/game.jsonl", ("game.jsonl", "theirs/game.jsonl")),
        ("game.jsonl", "game.jsonl", ("game.jsonl", "game.jsonl")),
    ],
)
def test_paths_that_tell_them_apart(one, other, names):
    assert find_distinct_path_ends(Path(one), Path(other)) == names


def test_the_command_line_names_the_rule(mine, cheat, cli):
    answer = cli("diff", mine, cheat)
    assert answer.code == 1
    told = " ".join(answer.out.decode().split())
    assert "Both have the same moves up to entry 2." in told
    assert "Entry 3 breaks control.1: red: 1 turn NW" in told
    assert "VERDICT mine.jsonl is valid; cheat.jsonl is not." in told


def test_the_command_line_is_brief_about_nothing(mine, cli):
    answer = cli("diff", mine, mine)
    assert (answer.code, answer.out.splitlines()[1:]) == (
        0,
        [b"Both have the same moves up to entry 9.", b"VERDICT  Both are valid."],
    )


def test_one_of_them_is_not_there(mine, tmp_path, cli):
    assert cli("diff", mine, tmp_path / "nowhere.jsonl").code == 3


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("options", lambda header: header["options"].update(ties="survivor")),
        ("seats", lambda header: header["seats"][0].update(name="Cleo")),
    ],
)
def test_what_no_play_hangs_on_can_be_forged_and_is_found_by_another_copy(control, tmp_path, field, change):
    """The forger hashes all anew: the log is sound by itself, and README says so."""
    forged = tmp_path / "forged" / "game.jsonl"
    forged.parent.mkdir()
    shutil.copy(control.path, forged)
    forge(forged, lambda entries: change(entries[0]))
    assert audit(forged).fault is None
    found = compare_logs(control.path, forged)
    assert (found.has_same_plays, found.what, found.fields) == (False, "game", (field,))
