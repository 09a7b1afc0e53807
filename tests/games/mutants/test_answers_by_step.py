"""Answers by Step (M68): the Human player tells what Mutants have found when their Step ends, and not before."""

from __future__ import annotations

import pytest

from referee.engine.dice_mode import TableDice
from referee.games.mutants.answers import AnswerQuestion
from referee.record.archive.audit import audit
from referee.record.log.entry import PlayEntry
from referee.record.table.opening_logs import start

SMASHES = ("smash xN1-A1 r1 n5", "smash xN2-B1 r2 n6", "smash xN3-C1 r3 n7", "smash xN4-D1 r4 n8")
INTO = ("move r1 n5 to A1", "move r3 n7 to C1", "move r4 n8 to D1")


def played(folder, answers, *, moves=True):
    """A game in which the Mutants smash three of four doors and enter the rooms behind them. Somebody is in D1."""
    options = {"hidden-movement": "yes", "answers": answers}
    session = start("mutants", folder / f"{answers}.jsonl", dice=TableDice(), options=options)
    for line in ("rest", "ready", "rest", "ready"):
        session.do(line)
    for line, face in zip(SMASHES, (1, 6, 1, 1), strict=True):
        session.do(line, faces=[face])
    for line in ("end", "end", *INTO, "end") if moves else ():
        session.do(line)
    return session


def answers_in(session):
    plays = [entry for entry in session.entries if isinstance(entry, PlayEntry)]
    return [entry.by for entry in plays if type(entry.known_action) is AnswerQuestion]


@pytest.fixture
def by_step(tmp_path):
    return played(tmp_path, "by-step")


def test_nothing_is_asked_before_the_step_ends(tmp_path):
    state = played(tmp_path, "by-step", moves=False).moment().known.truth
    assert (state.phase, state.asked) == ("smash", None)
    assert state.told.due == ("A1", "C1", "D1")
    assert state.told.sighted == ()


def test_each_step_has_one_answer_of_the_human_player(by_step):
    assert answers_in(by_step) == ["human", "human", "mutant"]
    assert audit(by_step.path).fault is None


def test_in_the_end_everybody_knows_what_they_know_when_all_is_told_at_once(tmp_path, by_step):
    at_once = played(tmp_path, "at-once")
    then, now = by_step.moment().known.truth, at_once.moment().known.truth
    assert (then.phase, then.asked, then.told) == (now.phase, now.asked, now.told)
    assert (then.phase, then.told.humans, then.told.mutants) == ("mutant-combat", ("b13",), ("r4", "n8"))
    for seat in (None, "human", "mutant"):
        mine, theirs = (session.moment().view(seat) for session in (by_step, at_once))
        assert (mine.at, mine.walls, mine.told) == (theirs.at, theirs.walls, theirs.told)


def test_a_step_without_news_asks_nothing(tmp_path):
    options = {"hidden-movement": "yes", "answers": "by-step"}
    session = start("mutants", tmp_path / "quiet.jsonl", dice=TableDice(), options=options)
    for line in ("rest", "ready", "rest", "ready", "end", "end", "end"):
        session.do(line)
    assert answers_in(session) == []
    assert session.moment().known.truth.phase == "human-move"


def test_the_option_needs_hidden_movement(tmp_path):
    with pytest.raises(ValueError, match="answers needs hidden-movement=yes"):
        start("mutants", tmp_path / "open.jsonl", dice=TableDice(), options={"answers": "by-step"})
