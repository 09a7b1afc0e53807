"""The ledger of joint rolls over a game and its branches: the fate of each, and who could know its dice."""

from __future__ import annotations

import json
from html import unescape

import pytest
from penfriends import read_words, rested, seated

from referee.record.table.joint_roll import list_knowing_seats
from referee.record.table.opening_logs import open_log


@pytest.fixture
def table(pair):
    """A game of Manoover in which both sit and each has had a turn. Both have the same log."""
    anna, bo = pair
    seated(anna, bo, options="--option first=red")
    anna.does("done!")
    bo.gets(anna.mails())
    bo.does("done!")
    anna.gets(bo.mails())
    return pair


def rolls_of(person, log=""):
    return person(f"--json audit {log} --rolls").facts["rolls"]


def fates(person, log=""):
    return {(roll["log"], roll["number"]): roll["fate"] for roll in rolls_of(person, log)}


def logs_of(person):
    """Returns the log of the game, then the branch."""
    logs = sorted(person.folder.glob("logs/*.jsonl"), key=lambda log: log.stem.endswith(("-again", "-2")))
    return [str(log.relative_to(person.folder)) for log in logs]


def test_each_roll_says_who_began_it_and_who_could_know_it_first(table):
    anna, bo = table
    for one in (anna, bo):
        (log,) = logs_of(one)
        first = rolls_of(one, log)[0]
        assert (first["fate"], first["by"], first["known"]) == ("made", "blue", ["red"])
        assert list(first["shares"]) == ["blue", "red"]
        told = read_words(one(f"audit {log} --rolls"))
        entries = first["shares"]
        begun = f"Roll 0: blue began it in entry {first['n']}"
        assert f"{begun}; shares by blue in entry {entries['blue']} and red in entry {entries['red']}" in told
        assert f"made in entry {first['at']}; red (Anna) could know it first." in told


def test_a_log_at_the_table_has_no_such_roll(cli, evening):
    answer = cli(f"audit {evening} --rolls")
    assert (answer.code, "0 joint rolls" in answer.out) == (0, True)


def test_one_log_alone_has_a_ledger(table):
    anna, _ = table
    answer = anna("audit logs --rolls")
    assert (answer.code, "--rolls needs one log in a file" in read_words(answer)) == (2, True)


@pytest.fixture
def branched(table):
    """A branch that both have joined. The log that it leaves goes further."""
    anna, bo = table
    anna.does("branch again --at 1", "join Anna")
    bo.gets(anna.mails())
    bo.does(f"-g {logs_of(bo)[1]} join Bo")
    anna.gets(bo.mails())
    return anna, bo


def test_a_branch_drops_the_rolls_of_the_log_that_it_leaves(branched):
    for one in branched:
        left, branch = logs_of(one)
        name = left.rpartition("/")[2]
        told = fates(one, branch)
        assert {fate for (log, _), fate in told.items() if log == name} == {"dropped"}
        assert "dropped" in fates(one, left).values(), "all have joined the branch: the game goes on there"
        answer = one(f"audit {branch} --rolls")
        assert "CLEAN EXCEPT FOR A ROLL" in answer.out
        told = "dropped in entry 2, since that entry begins branch again, which leaves this roll out;"
        assert told in read_words(answer), "nobody takes entry 2 for one of the log that was left"


def test_a_branch_that_one_player_only_tries_drops_nothing_of_the_game(table):
    anna, _ = table
    anna.does("branch what-if --at 1", "join Anna")
    (left,) = (log for log in logs_of(anna) if "what-if" not in log)
    assert "dropped" not in fates(anna, left).values()


def test_a_season_counts_rolls_of_a_log_that_is_ahead_of_its_branch(branched):
    """The left log has more entries, so it stands for the game; its rolls are dropped all the same."""
    for one in branched:
        left, branch = logs_of(one)
        (row,) = [json.loads(line) for line in one.does("stats logs --as jsonl").out.splitlines()]
        assert row["log"] == left, "it has more plays"
        counted = [roll for roll in rolls_of(one, branch) if roll["fate"] == "dropped"]
        assert row["dropped"] == {
            seat: sum(seat in roll["known"] for roll in counted)
            for seat in ("red", "blue")
            if any(seat in roll["known"] for roll in counted)
        }
        assert row["dropped"]


def test_a_roll_that_another_key_drops_stands_in_the_ledger(people):
    human, mutant, other = people("human"), people("mutant"), people("other")
    rested(human, mutant)
    mutant.does("rest", "ready", "smash xN1-A1 r1")
    other.gets(mutant.mails("--from 0"))
    (waits,) = rolls_of(mutant)
    assert (waits["fate"], waits["owing"], waits["known"]) == ("waits", ["human"], ["human"])
    other.does("join human --lost-key")
    mutant.gets(other.mails())
    mutant.does("mail", "agree")
    other.gets(mutant.mails())
    (gone,) = rolls_of(other)
    assert (gone["fate"], gone["by"], gone["owing"], gone["known"]) == ("dropped", "mutant", ["human"], ["human"])
    assert "still owed by human; dropped in entry" in read_words(other("audit --rolls"))
    assert other("audit --rolls").out.startswith("CLEAN EXCEPT FOR A KEY")
    other.does("log -o page.html")
    page = (other.folder / "page.html").read_text()
    assert "dropped in entry" in page.partition('<details id="ledger">')[2].partition("</details>")[0]
    assert "The page shows exactly this log" in read_words(other("audit page.html"))


def test_a_roll_whose_player_resigned_is_given_up(people):
    human, mutant = people("human"), people("mutant")
    rested(human, mutant)
    mutant.does("rest", "ready", "smash xN1-A1 r1", "resign --yes", "mail pack")
    (roll,) = rolls_of(mutant)
    assert (roll["fate"], roll["at"]) == ("given up", len(open_log(mutant.log).entries) - 2), "before the seal"
    assert "0 rolls made by all seats together" in read_words(mutant("audit"))
    assert "never made, since its player resigned in entry" in read_words(mutant("audit --rolls"))


def ledger_on_page(text):
    """Returns the sentences of the ledger of a page."""
    inside = text.partition('<details id="ledger">')[2].partition("</details>")[0]
    return [unescape(line) for line in inside.split("<li>")[1:]]


def test_a_page_of_a_branch_tells_the_same_ledger_as_the_audit(branched):
    for one in branched:
        _, branch = logs_of(one)
        one.does(f"-g {branch} log -o logs/page.html")
        page = (one.folder / "logs/page.html").read_text()
        told = ledger_on_page(page)
        printed = read_words(one(f"audit {branch} --rolls"))
        assert told
        assert all(line.removesuffix("</ul>").rstrip() in printed for line in told)
        assert len(told) == len(rolls_of(one, branch))
        assert "which is not here" not in page
        assert "was dropped in entry" in page.partition('<ul id="treaty">')[2].partition("</ul>")[0]
        (one.folder / "page.html").write_text(page)
        for place in ("logs/page.html", "page.html"):
            answer = one(f"audit {place}")
            assert (answer.code, answer.out.split("  ")[0]) == (0, "CLEAN EXCEPT FOR A ROLL")
            assert read_words(answer).endswith("The page shows exactly this log: every word and every board. [exit 0]")


def test_a_roll_that_was_open_where_the_branch_left_is_dropped_on_its_page(table):
    """The branch has the beginning of the roll, too. Who gave shares stands in the log that it left."""
    anna, _ = table
    (left,) = logs_of(anna)
    opening = rolls_of(anna, left)[0]["n"]
    anna.does(f"branch again --at {opening}", "join Anna", "log -o page.html")
    told = ledger_on_page((anna.folder / "page.html").read_text())
    assert "still owed by" not in told[0]
    assert "shares by blue in entry" in told[0]
    assert f"dropped in entry {opening + 1}, since that entry begins branch again" in told[0]
    assert anna("audit page.html").out.startswith("CLEAN EXCEPT FOR A ROLL")


def test_a_page_of_a_branch_alone_says_where_its_facts_come_from(branched, people):
    anna, _ = branched
    left, branch = logs_of(anna)
    anna.does(f"-g {branch} log -o page.html")
    stranger = people("stranger")
    page = stranger.folder / "page.html"
    page.write_bytes((anna.folder / "page.html").read_bytes())
    answer = stranger("audit page.html")
    assert (answer.code, answer.out.split("  ")[0]) == (0, "CLEAN SO FAR")
    assert "What the page tells of other logs of this game comes from the person who made the page." in read_words(
        answer
    )
    changed = page.read_text().replace("&quot;number&quot;:0", "&quot;number&quot;:7")
    assert changed != page.read_text()
    page.write_text(changed)
    assert stranger("audit page.html").out.startswith("FAULT")
    page.write_text(changed.replace("Roll 0 of", "Roll 7 of").replace("Roll 0 of", "Roll 7 of"))
    (stranger.folder / "logs").mkdir()
    (stranger.folder / left).write_bytes((anna.folder / left).read_bytes())
    assert "Other logs of this game here tell its rolls differently" in read_words(stranger("audit page.html"))


def test_a_page_that_was_made_without_the_parent_uses_it_where_it_lies(branched):
    anna, _ = branched
    left, branch = logs_of(anna)
    (anna.folder / left).rename(anna.folder / "away")
    anna.does(f"-g {branch} log -o page.html")
    assert "which is not here" in (anna.folder / "page.html").read_text()
    assert anna("audit page.html").out.startswith("CLEAN SO FAR")
    (anna.folder / "away").rename(anna.folder / left)
    answer = anna("audit page.html")
    assert answer.out.startswith("CLEAN EXCEPT FOR A ROLL")
    assert "Other logs of this game here tell its rolls differently" in read_words(answer)


def test_a_page_whose_ledger_has_another_form_is_not_accused(branched):
    anna, _ = branched
    _, branch = logs_of(anna)
    anna.does(f"-g {branch} log -o page.html")
    page = anna.folder / "page.html"
    page.write_text(page.read_text().replace("&quot;form&quot;:9", "&quot;form&quot;:8"))
    answer = anna("audit page.html")
    assert answer.out.startswith("LOG CLEAN, PAGE UNKNOWN")
    assert "makes pages in another form now" in read_words(answer)


@pytest.mark.parametrize(
    ("seats", "signed", "known"),
    [
        ("ab", "", ""),
        ("ab", "a", "b"),
        ("ab", "ab", "ab"),
        ("abc", "", ""),
        ("abc", "a", "abc"),
        ("abc", "ac", "abc"),
        ("abc", "abc", "abc"),
    ],
)
def test_who_may_know_a_roll_needs_the_values_of_all_others(seats, signed, known):
    """Of three, each sends their value to everyone at once, beside the log: it may have come to any seat."""
    assert "".join(list_knowing_seats(tuple(seats), "a", signed, is_secret=False)) == known
    assert "".join(list_knowing_seats(tuple(seats), "a", signed, is_secret=True)) == ("a" if "a" in known else "")
