"""Throws that somebody would rather not have: left by a branch, or by another key. Each is told before the yes."""

from __future__ import annotations

import json
import re

import pytest
from penfriends import read_words, rested, seated

from referee.record.archive.audit import audit


@pytest.fixture
def table(pair):
    """A game of Manoover in which both sit; red is to move, and knows her throw. Nothing of it is sent yet."""
    anna, bo = pair
    seated(anna, bo, options="--option first=red")
    assert len(anna("--json").facts["position"]["dice"]) == 3
    return pair


def branch_of(person):
    (log,) = (path for path in person.folder.glob("logs/*.jsonl") if path.stem.endswith("-again"))
    return log


THROW = "which blue began in entry"


def test_a_branch_that_throws_again_is_told_before_anybody_joins(table):
    """Anna has seen her dice, goes back to before they were begun, and calls it a branch."""
    anna, bo = table
    anna.does("branch again --at 1", "join Anna")
    mail = anna.mails()
    (before,) = bo.folder.glob("logs/*.jsonl")
    for option in ("-n", ""):
        told = read_words(bo.gets(mail, option))
        assert f"this branch leaves {before.relative_to(bo.folder)}, where you sit at blue, after entry 1" in told
        assert f"Roll 0 of {before.name}, {THROW}" in told
        assert "its dice may be known to red (Anna)." in told, "who owed the last part of it"
        assert f"Until you join, that game goes on: referee use {before.relative_to(bo.folder)}" in told
    (new,) = (path for path in bo.folder.glob("logs/*.jsonl") if path != before)
    assert "Roll 0 of" in read_words(bo(f"-g {new} mail"))
    bo.does(f"-g {new} join Bo")
    assert "Roll 0 of" in read_words(bo(f"-g {new} mail"))
    told = bo(f"audit {new}")
    assert (told.code, told.out.split("  ")[0]) == (0, "CLEAN EXCEPT FOR A ROLL")
    assert "its dice may be known to red (Anna)" in read_words(told)
    assert bo("--json audit logs").facts[-1]["summary"]["clean_but_for_a_throw"] == 1
    mine = anna(f"audit {branch_of(anna).relative_to(anna.folder)}")
    assert mine.out.startswith("CLEAN EXCEPT FOR A ROLL")
    assert "its dice may be known to red (Anna)" in read_words(mine), "in her log it is whole"
    assert "its dice may be known to red (Anna) and" not in read_words(mine), "no mail has carried her share"


def test_who_makes_a_branch_reads_at_once_what_it_drops(table):
    """The same words stand in the answers of `branch`, `mail` and `join`."""
    anna, _ = table
    (before,) = anna.folder.glob("logs/*.jsonl")
    told = read_words(anna.does("branch again --at 1"))
    leaves = f"branch leaves {before.relative_to(anna.folder)}, where you sit at red, after entry 1. In the branch:"
    assert f"Before you join: this {leaves}" in told
    start, end = leaves, "Until you join"
    dropped = told.partition(start)[2].partition(end)[0]
    assert f"Roll 0 of {before.name}, {THROW}" in dropped
    assert "its dice may be known to red (Anna)." in dropped
    for words in ("mail", "join Anna"):
        assert dropped in read_words(anna.does(words))


def test_a_branch_at_a_table_drops_nothing_that_others_could_know(cli, control):
    assert "leaves" not in cli("branch again --at 1").out


def test_plays_that_no_longer_count_in_a_branch_are_told(table):
    anna, bo = table
    die = anna("--json").facts["position"]["dice"][0]
    anna.does(f"{die} turn ne, done!")
    bo.gets(anna.mails())
    anna.does("branch again --at 4", "join Anna")
    told = read_words(bo.gets(anna.mails()))
    assert re.search(rf"no longer counts: \d+ red: {die} turn NE", told)
    assert "its dice may be known to red (Anna) and blue (Bo)." in told


def test_a_branch_that_drops_nothing_is_clean(table):
    """Anna's throw is made before the branch leaves, and counts in it."""
    anna, bo = table
    anna.does("branch again", "join Anna")
    told = read_words(bo.gets(anna.mails()))
    assert "this branch leaves" in told
    assert "everything still counts" in told
    for one in (anna, bo):
        log = min(one.folder.glob("logs/*.jsonl"))  # "-again" or "-2"
        report = audit(log)
        assert (report.fault, report.dropped, report.parent, report.throws) == (None, (), "", 1)
        assert one(f"audit {log.relative_to(one.folder)}").out.startswith("CLEAN  ")


def test_of_a_branch_alone_nobody_can_tell_what_it_has_left(table, people):
    anna, _ = table
    anna.does("branch again --at 1", "join Anna")
    stranger = people("stranger")
    told = read_words(stranger.gets(anna.mails()))
    assert "which is not here, so nobody can tell which rolls were dropped there" in told
    verdict = stranger(f"audit {stranger.log.relative_to(stranger.folder)}")
    assert verdict.out.startswith("CLEAN SO FAR")
    assert "which is not here" in read_words(verdict)


@pytest.fixture
def declared(people):
    """A throw that the human has declared; the mutant owes the last part, and so can know it alone."""
    human, mutant, other = people("human"), people("mutant"), people("other")
    rested(human, mutant)
    mutant.does("rest", "ready", "smash xN1-A1 r1")
    return human, mutant, other


def test_who_asks_for_another_key_drops_a_throw_and_that_is_told(declared):
    human, mutant, other = declared
    mail = mutant.mails("--from 0")
    assert other.gets(mail).code == 0
    other.does("join human --lost-key")
    request = other.mails()
    told = read_words(mutant.gets(request))
    waits = "never made: roll 0, which waits; human may already know its dice"
    assert waits in told
    assert waits in read_words(mutant("mail"))
    assert waits in read_words(mutant.does("mail", "agree"))
    assert human.gets(mail).code == 0, "who has lost nothing goes on, and the request lapses"
    assert "has lapsed" in read_words(mutant.gets(human.mails()))


def test_after_another_key_the_audit_counts_the_throw_as_dropped(declared):
    human, mutant, other = declared
    del human
    other.gets(mutant.mails("--from 0"))
    other.does("join human --lost-key")
    mutant.gets(other.mails())
    mutant.does("mail", "agree")
    other.gets(mutant.mails())
    assert "mutant" in read_words(other("mail"))
    report = audit(other.log)
    assert report.heirs, "he sits there now"
    assert [(one.number, one.known) for one in report.dropped] == [(0, ("human",))]
    assert report.throws == 0
    told = other("audit")
    assert told.out.startswith("CLEAN EXCEPT FOR A KEY")
    assert "Roll 0, which mutant began in entry" in read_words(told)
    assert "human joined with another key; its dice may be known to human" in read_words(told)
    assert "0 rolls made by all seats together" in read_words(told)


def test_what_is_offered_while_a_throw_waits_says_that_it_goes(declared):
    human, mutant, _ = declared
    mutant.does("undo")
    mail = mutant.mails()
    assert mail
    told = read_words(human.gets(mail))
    assert "offers to take back" in told
    assert "never made: roll 0, which waits; human may already know its dice" in told
    human.does("mail", "agree")
    mutant.gets(human.mails())
    report = audit(mutant.log)
    assert [(one.number, one.because) for one in report.dropped] == [(0, "an accepted offer ended it")]
    assert mutant("audit").out.startswith("CLEAN EXCEPT FOR A ROLL")
    assert re.search(r"was dropped in entry \d+: an accepted offer ended it;", read_words(mutant("mail")))
    assert re.search(r"dropped in entry \d+, since an accepted offer ended it;", read_words(mutant("audit --rolls")))


def test_an_ordinary_game_has_dropped_nothing(table):
    anna, bo = table
    anna.does("done!")
    bo.gets(anna.mails())
    for one in (anna, bo):
        assert audit(one.log).dropped == ()
        assert one("audit").out.startswith("CLEAN  ")


def test_a_season_counts_each_dropped_throw_once_by_who_may_know_it(table):
    anna, bo = table
    anna.does("branch again --at 1", "join Anna")
    bo.gets(anna.mails())
    (new,) = bo.folder.glob("logs/*-2.jsonl")
    bo.does(f"-g {new.relative_to(bo.folder)} join Bo")
    anna.gets(bo.mails())
    anna.does("done!")
    bo.gets(anna.mails())
    bo.does("done!")
    for one in (anna, bo):
        rows = [json.loads(line) for line in one.does("stats logs --as jsonl").out.splitlines()]
        assert [(row["names"]["red"], row["dropped"]) for row in rows] == [("Anna", {"red": 1})]
    assert bo.does("stats logs").out.splitlines()[0].endswith(",dropped,except_for")
    assert ",red=1," in bo.does("stats logs").out.splitlines()[1]


def test_a_season_names_what_an_audit_excepts(declared):
    """`clean` stays yes, since there is no fault; the exception has a column of its own."""
    human, mutant, other = declared
    assert read_rows(human)[0]["except_for"] == []
    other.gets(mutant.mails("--from 0"))
    other.does("join human --lost-key")
    mutant.gets(other.mails())
    mutant.does("mail", "agree")
    other.gets(mutant.mails())
    (row,) = read_rows(other)
    assert (row["clean"], row["except_for"]) == (True, ["a key", "a roll"])
    assert other("audit").out.startswith("CLEAN EXCEPT FOR A KEY")
    header, line = other.does("stats logs").out.splitlines()
    assert header.endswith(",except_for")
    assert line.endswith(",a key; a roll")


def read_rows(person):
    return [json.loads(line) for line in person.does("stats logs --as jsonl").out.splitlines()]
