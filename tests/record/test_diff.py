"""Diff: where two logs part, and which side broke which rule."""

from __future__ import annotations

import json
import shutil

import pytest
from make_corrupt import AUTO, LAST, TURN, chain, entries

from referee.record.diff import diff
from referee.record.start import branch


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


def test_a_copy_is_the_same(mine, tmp_path):
    copy = shutil.copy(mine, tmp_path / "copy.jsonl")
    found = diff(mine, copy)
    assert (found.same, found.common) == (True, 10)
    assert [side.entry for side in found.sides] == [None, None]


def test_a_missing_last_newline_makes_no_difference(mine, tmp_path):
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(mine.read_bytes()[:-1])
    assert diff(mine, copy).same


def test_one_goes_on_where_the_other_ends(mine, tmp_path):
    short = log_of(entries()[:LAST], tmp_path, "short")
    found = diff(short, mine)
    assert (found.same, found.common) == (False, LAST)
    assert [(side.entry, side.fault, side.after) for side in found.sides] == [
        (None, None, 0),
        ("blue: throw", None, 0),
    ]


def test_who_is_right_where_they_part(mine, cheat):
    found = diff(mine, cheat)
    assert (found.same, found.common) == (False, TURN)
    right, wrong = found.sides
    assert (right.name, right.entry, right.fault) == ("mine.jsonl", "red: 4 turn NW", None)
    assert (wrong.name, wrong.entry) == ("cheat.jsonl", "red: 1 turn NW")
    assert (wrong.fault.code, wrong.fault.n, wrong.fault.rule) == ("illegal-action", TURN, "control.1")
    assert right.after == wrong.after == LAST - TURN


def test_the_order_of_the_two_does_not_matter(mine, cheat):
    one, other = diff(mine, cheat), diff(cheat, mine)
    assert one.sides == other.sides[::-1]
    assert one.common == other.common


def test_both_may_be_right(control, tmp_path):
    other = branch(control, "other", path=tmp_path / "other.jsonl")
    control.do("2 turn ne")
    found = diff(control.path, other.path)
    assert [side.entry for side in found.sides] == ["red: 2 turn NE", "branch"]
    assert [side.fault for side in found.sides] == [None, None]
    assert found.common == 3


def test_both_may_be_wrong(cheat, tmp_path):
    documents = entries()
    documents[TURN]["by"] = "blue"
    found = diff(cheat, log_of(documents, tmp_path, "worse"))
    assert [side.fault.rule for side in found.sides] == ["control.1", "turn.2"]


def test_a_later_fault_is_not_held_against_the_place_where_they_part(mine, tmp_path):
    documents = entries()
    documents[TURN]["at"] = "2026-01-01T00:00:01Z"
    documents[LAST]["rolls"][0]["faces"] = [6, 6, 6]
    found = diff(mine, log_of(documents, tmp_path, "later"))
    assert found.common == TURN
    assert found.sides[1].fault is None


def test_a_fault_in_what_they_share_is_both_sides(cheat, tmp_path):
    longer = [json.loads(line)["entry"] for line in cheat.read_bytes().splitlines()]
    longer.append(longer[4] | {"text": "more"})
    found = diff(cheat, log_of(longer, tmp_path, "longer"))
    assert found.common == 10
    assert [side.fault.n for side in found.sides] == [TURN, TURN]


def test_an_unreadable_line_is_said_to_be(mine, tmp_path):
    lines = mine.read_bytes().splitlines(keepends=True)
    lines[AUTO] = b"nonsense\n"
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(b"".join(lines))
    side = diff(mine, bad).sides[1]
    assert (side.entry, side.fault.code, side.fault.n) == ("(unreadable)", "bad-frame", AUTO)


def test_two_games_have_nothing_in_common(mine, control):
    found = diff(mine, control.path)
    assert (found.same, found.common) == (False, 0)
    assert [side.entry for side in found.sides] == ["game", "game"]


def test_the_command_line_names_the_rule(mine, cheat, cli):
    answer = cli("diff", mine, cheat)
    assert answer.code == 1
    assert b"The same for 3 entries, up to entry 2" in answer.out
    assert answer.out.index(b"legal") < answer.out.index(b"control.1: red: 1 turn NW")


def test_the_command_line_is_silent_about_nothing(mine, cli):
    answer = cli("diff", mine, mine)
    assert (answer.code, answer.out) == (0, b"The same: 10 entries.\n")


def test_one_of_them_is_not_there(mine, tmp_path, cli):
    assert cli("diff", mine, tmp_path / "nowhere.jsonl").code == 3
