"""`referee odds`: what are my chances?"""

import pytest
from support import FIXTURES

SEED = "0" * 64
VERSUS, DOORS, MONSTER, HIDDEN = (
    str(FIXTURES / log)
    for log in (
        "zombies/games/versus.jsonl",
        "mutants/games/alternate.jsonl",
        "sheboygan/games/learning.jsonl",
        "mutants/games/all-options.jsonl",
    )
)


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
    assert "rolls no dice" in cli("odds", words.partition("/")[0]).out


def test_two_actions_at_once_are_misuse(cli, begun):
    told = cli("odds", "throw, done")
    assert told.code == 2
    assert "one move at a time" in told.err


def test_a_number_among_several_dice(cli, begun):
    assert "At least one die shows a number of your choice: 91 in 216 (42.1 %)." in cli("odds", "throw").out


def test_few_outcomes_are_all_told_in_order(cli):
    lines = cli("-g", VERSUS, "--at", "40", "odds").out.splitlines()
    told = [line.split()[-2] for line in lines if "JAX moves" in line]
    assert told == ["1", "2", "3", "4", "5", "6"]


def test_of_many_actions_the_least_and_the_whole(cli):
    told = cli("-g", DOORS, "--at", "60", "odds").out
    assert "for example smash C4-D4 r1:\n      2 or less" in told
    assert "for example smash C4-D4 r1 r19 n2 n9 n15 n16 n22 n23:\n      6 or less" in told


def test_lots_that_come_out_each_time_otherwise_are_not_listed(cli):
    cli("new", "mutants", "--seed", SEED)
    told = cli("odds", "random").out
    assert "There are too many results to list" in told
    assert len(told.splitlines()) < 5
    assert "too many results" in cli("odds").out


def test_who_speaks_may_stand_before_it_as_in_why(cli, begun):
    odds, why = cli("odds", "blue:", "throw"), cli("why", "blue:", "throw")
    assert (odds.out, odds.err, odds.code) == (why.out, why.err, why.code)
    assert "exact" in cli("odds", "red:", "throw").out


@pytest.mark.parametrize(("log", "at"), [(VERSUS, 40), (DOORS, 60), (MONSTER, 70), (HIDDEN, 60)])
def test_whatever_is_illegal_is_answered_as_why_does(cli, log, at):
    """Phrases that were legal at other moments of the same game, and some that are nothing."""
    entries = cli("-g", log, "log", "--json").facts
    phrases = {one["text"].partition("   ")[0] for one in entries if one["entry"]["type"] == "play"}
    tried = 0
    for phrase in [*sorted(phrases)[:40], "nonsense", "9 go", "done done", "no:", ""]:
        why, odds = (cli("-g", log, "--at", str(at), word, phrase) for word in ("why", "odds"))
        if why.code:
            assert (odds.out, odds.err, odds.code) == (why.out, why.err, why.code), phrase
            tried += 1
    assert tried > 20


def test_stopped_it_throws_at_random(cli, begun, monkeypatch):
    def stopped(count):
        if count > 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("referee.cli.commands.odds.make_count_progress", lambda _: stopped)
    told = cli("odds", "throw")
    assert told.code == 130
    assert "sampled, 2,000 rolls" in told.out
    assert "Stopped before all ways were counted" in told.out


def test_nobody_is_told_to_answer_in_the_past(cli):
    told = cli("-g", str(FIXTURES / "mutants" / "games" / "all-options.jsonl"), "--at", "200", "odds")
    assert (told.code, told.out) == (1, "Not done: human (mutant) had to answer first.\n")
