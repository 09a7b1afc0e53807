"""`referee odds`: what are my chances?"""

import pytest

SEED = "0" * 64


@pytest.fixture
def begun(cli):
    cli("new", "manoover", "--seed", SEED, "--option", "first=red")


def test_an_action_with_its_chances(cli, begun, snapshot):
    assert cli("odds", "throw").shown == snapshot


def test_all_that_throws_side_by_side(cli, begun, snapshot):
    assert cli("odds").shown == snapshot


def test_chances_add_up(cli, begun):
    facts = cli("odds", "throw", "--json").facts
    assert facts["exact"]
    assert sum(row["chance"] for row in facts["outcomes"]) == pytest.approx(1)


def test_what_may_not_be_done_is_answered_as_why_does(cli, begun):
    odds, why = cli("odds", "done"), cli("why", "done")
    assert (odds.out, odds.code) == (why.out, why.code)
    assert odds.code == 1


def test_nothing_is_recorded(cli, begun):
    before = cli("log").out
    cli("odds")
    cli("odds", "throw")
    assert cli("log").out == before


def test_what_throws_nothing(cli, begun):
    cli("throw")
    words = cli("legal", "--json").facts["choices"][0]["text"]
    assert "throws no dice" in cli("odds", words.partition("/")[0]).out


def test_two_actions_at_once_are_misuse(cli, begun):
    told = cli("odds", "throw, done")
    assert told.code == 2
    assert "one action at a time" in told.err
