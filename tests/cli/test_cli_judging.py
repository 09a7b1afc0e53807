"""A game looked back on: `replay --judge`, and what throws were worth whose dice are only read."""

import re
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace
from support import FIXTURES

import referee
from referee.bots import play_evaluation
from referee.bots.bot import Observation
from referee.cli import game_review, roll_worth

GAME = FIXTURES / "manoover" / "games" / "05-survivor-ties.jsonl"
HIDDEN = FIXTURES / "sheboygan" / "games" / "learning.jsonl"
QUICK = ("--seconds", "0.01")


@pytest.fixture
def short(cli, tmp_path):
    """A game that red gives up after a few moves: each is judged, and that takes its time."""
    log = tmp_path / "short.jsonl"
    log.write_bytes(b"".join(GAME.read_bytes().splitlines(keepends=True)[:16]))
    assert cli("-g", str(log), "resign", "--by", "red", "--yes").code == 0
    return log


def test_the_line_and_what_cost_most(cli, short):
    told = cli("-g", str(short), "log", "--judge", *QUICK).out
    assert "Chance to win after each move" in told
    assert "red (Anna) " in told
    assert "rule of thumb" in told


def test_for_programs(cli, short):
    facts = cli("-g", str(short), "--json", "log", "--judge", *QUICK).facts
    assert all(0 <= point["chance"] <= 1 and point["error"] > 0 for point in facts["line"])
    sure = {point["entry"] for point in facts["line"] if point["cost"] > 2 * point["cost_error"]}
    assert set(facts["costly"]) <= sure, "nothing is told within two errors"


def test_what_has_cost_next_to_nothing_is_not_told(cli, monkeypatch):
    little = play_evaluation.EvaluatedPlay(
        0.5, 0.01, 0.004, 0.001, referee.find_game("manoover").verbs.verbs_by_word["done"].action(), 40
    )
    monkeypatch.setattr("referee.cli.game_review.evaluate_play", lambda *_: little)
    told = cli("-g", str(GAME), "log", "--judge").out
    assert "No move was clearly a mistake." in told
    monkeypatch.setattr(
        "referee.cli.game_review.evaluate_play", lambda *_: replace(little, cost=0.034, cost_error=0.012)
    )
    assert ": 3.4 % ~ 1.2" in " ".join(cli("--ascii", "-g", str(GAME), "log", "--judge").out.split())
    assert ": 3.4 % ± 1.2; better: done" in " ".join(cli("-g", str(GAME), "log", "--judge").out.split())


def test_as_a_picture(cli, short, tmp_path):
    picture = tmp_path / "chances.svg"
    cli("-g", str(short), "log", "--judge", *QUICK, "-o", str(picture))
    assert any("Chances in" in (one.text or "") for one in ElementTree.parse(picture).iter())


def test_as_a_page_that_is_judged_itself(cli, short, tmp_path):
    page = tmp_path / "game.html"
    told = cli("-g", str(short), "log", "--judge", *QUICK, "-o", str(page))
    assert told.code == 0
    assert "Chances to win as each played" in page.read_text()
    audited = cli("audit", str(page))
    assert audited.code == 0
    assert "The chances to win come from the person who made the page." in audited.out.replace("\n    ", " ")
    page.write_text(re.sub("(worked them out: (?:red|blue) )", r"\g<1>9", page.read_text()))
    assert cli("audit", str(page)).code == 1


@pytest.mark.parametrize("said", ["9999:50:1", "11:50", "1:1:1:1", "-1:2:3", "x", "1" * 200_000])
def test_a_page_from_a_stranger_may_say_anything_of_it(cli, tmp_path, said):
    page = tmp_path / "game.html"
    cli("-g", str(GAME), "log", "-o", str(page))
    page.write_text(page.read_text().replace('}">', f',&quot;judged&quot;:&quot;{said}&quot;}}">', 1))
    assert cli("audit", str(page)).code in (1, 3)


@pytest.mark.parametrize(("output", "code"), [("game.html", 1), ("game.txt", 2), ("none/game.svg", 2)])
def test_what_cannot_be_written_is_said_before_the_work(cli, monkeypatch, output, code):
    Path("game.html").write_text("mine")
    monkeypatch.setattr(game_review, "evaluate_play", lambda *_: pytest.fail("it has worked"))
    assert cli("-g", str(GAME), "log", "--judge", "-o", output).code == code


def test_a_game_that_goes_on_is_not_judged(cli):
    cli("new", "manoover", "--seed", "0" * 64)
    told = cli("log", "--judge")
    assert (told.code, "the game is not over" in told.out + told.err) == (1, True)


def test_with_secrets_nobody_else_is_judged(cli):
    told = cli("-g", str(HIDDEN), "log", "--judge", *QUICK)
    assert "--by SEAT" in told.out.replace("\n", " ")


def test_stopped_it_tells_what_was_found(cli, monkeypatch):
    some = []

    def stopping(seen, action):
        if some:
            raise KeyboardInterrupt
        some.append(action)
        return play_evaluation.evaluate_play(seen, action)

    monkeypatch.setattr(game_review, "evaluate_play", stopping)
    told = cli("-g", str(GAME), "log", "--judge", *QUICK)
    assert (told.code, len(some)) == (130, 1)
    assert "Stopped" in told.out


def test_a_blunder_costs_and_the_best_does_not():
    """One step from the goal, anything else than going in."""
    game = referee.table("manoover", {"first": "red"}, seed="1" * 64)
    game.do("throw")
    seen = Observation(game.game, game.view("red"), "red", Random(1), 0.01)
    for action in list(seen.legal)[:3]:
        found = play_evaluation.evaluate_play(seen, action)
        assert found.cost >= 0
        assert found.best == action or found.cost > 0


def test_what_throws_were_worth(cli):
    told = cli("stats", "luck", str(GAME), "--worth", "--json").facts["worth"]
    assert not told["stopped"]
    assert set(told["seats"]) == {"red", "blue"}
    assert all(one["luck"] is None or abs(one["luck"]) > 2 * one["error"] > 0 for one in told["seats"].values())


def test_what_is_not_clear_has_no_figure():
    assert "about as much as average dice" in roll_worth.describe_worth(play_evaluation.RollWorth(4, 0.1, 0.06))
    assert "+0.20 ± 0.06" in roll_worth.describe_worth(play_evaluation.RollWorth(4, 0.2, 0.06))


def test_worth_stopped_tells_what_was_found(cli, monkeypatch):
    def stopping(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(roll_worth, "evaluate_roll", stopping)
    assert "Stopped before all rolls" in cli("stats", "luck", str(GAME), "--worth").out


@pytest.mark.parametrize("seconds", ["0", "x"])
def test_a_time_that_is_none(cli, seconds):
    assert cli("-g", str(GAME), "log", "--judge", "--seconds", seconds).code == 2
