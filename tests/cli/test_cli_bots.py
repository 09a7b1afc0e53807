"""Somebody to play against: bots at the table, hints, and how strong they are."""

import itertools
import shutil
import signal
from pathlib import Path

import pytest
import terminal
from support import FIXTURES

from referee.bots.ranking import play_pairing
from referee.bots.strong_bot import SearchedAction, SearchResult
from referee.engine.game import Game
from referee.games.mutants import Mutants
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView
from referee.record.table.session import Session

SEED = "0" * 64
NEW = ("new", "manoover", "--seed", SEED, "--option", "first=red")


@pytest.fixture
def against_a_bot(cli):
    cli(*NEW, "--bots", "blue=steady")


def test_a_bot_speaks_when_it_is_its_turn(cli, against_a_bot):
    cli("throw")
    told = cli("do", "done!").out
    assert "blue: throw" in told
    assert "red: roll 3 dice" in told
    assert cli("audit", "logs/manoover-2026-01-02.jsonl").code == 0


def test_it_begins_where_it_goes_first(cli):
    told = cli("new", "manoover", "--seed", SEED, "--option", "first=blue", "--bots", "blue=random")
    assert "red's throw" in told.out


def test_a_seat_is_named_in_any_letters(cli):
    assert cli(*NEW, "--bots", "BLUE = steady").code == 0


def test_what_it_did_first_is_told(cli):
    told = cli("new", "manoover", "--seed", SEED, "--option", "first=blue", "--bots", "blue=random")
    assert told.out.index("blue: throw") < told.out.index("red's throw")


def test_a_bot_alone_plays_all_seats_but_the_first(cli):
    cli("new", "manoover", "--option", "form=three", "--bots", "steady")
    assert open_log(next(Path().glob("logs/*.jsonl"))).reducer.header.bots == {"blue": "steady", "green": "steady"}
    nobody = cli("new", "zombies", "--option", "players=1", "--bots", "steady")
    assert "Red is the only seat" in nobody.err


@pytest.mark.parametrize("words", ["redo", "fix R6 f3 N, B1 off --agreed-by red", "finish draw --agreed-by red"])
def test_it_agrees_to_whatever_people_want(cli, against_a_bot, words):
    cli("do", "throw, done!")
    if words == "redo":
        cli("undo")
    assert cli(words).code == 0


def test_undo_goes_back_to_what_a_person_said(cli, against_a_bot):
    cli("throw")
    before = cli("show", "--json").facts
    cli("do", "done!")
    assert cli("undo").code == 0
    after = cli("show", "--json").facts
    assert after["to_act"] == before["to_act"] == "red"
    assert "dice" in cli("show").out


def test_it_stands_in_the_header(cli, against_a_bot):
    header = cli("log", "--json").facts
    assert "steady" in str(header)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--bots", "blue=clever"), "there is no bot 'clever'"),
        (("--bots", "pink=steady"), "there is no seat 'pink' for a bot"),
        (("--bots", "clever"), "there is no bot 'clever'; there are random, steady and strong"),
        (("--bots", "stedy"), "there is no bot 'stedy'; did you mean 'steady'?"),
        (("--bots", ""), "there is no bot ''"),
        (("--bots", "steady,random"), "'steady' has no = in it; type it like SEAT=steady"),
        (("--bots", "Blue=steady, blue=random"), "two bots are named for the same seat; name one for each seat"),
        (("--bots", "blue=steady", "--dice", "table"), "so it needs open dice"),
    ],
)
def test_bots_that_cannot_play(cli, words, why):
    words = [word for word in (*NEW, *words) if not (word in ("--seed", SEED) and "--dice" in words)]
    told = cli(*words)
    assert told.code == 2
    assert why.lower() in (told.out + told.err).lower()


def test_a_hint(cli, against_a_bot):
    cli("throw")
    told = cli("hint", "--seconds", "1")
    assert "±" in told.out
    assert "trial runs" in " ".join(told.out.split())


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "1e9"])
@pytest.mark.parametrize("words", [("hint",), ("rank", "manoover"), ("log", "--judge")])
def test_a_time_that_is_none(cli, against_a_bot, words, seconds):
    told = cli(*words, "--seconds", seconds)
    assert told.code == 2
    assert told.err.startswith("--seconds takes a number above 0, at most ")


def test_no_hint_after_the_end(cli, against_a_bot):
    cli("resign --yes")
    assert cli("hint").out == "Not done: the game is over.\n"
    assert cli("--json hint").facts["message"] == "the game is over"


def test_a_hint_without_a_playout_says_so(cli, monkeypatch):
    monkeypatch.setattr("referee.cli.commands.hint.search_actions", _not_searched)
    cli("new", "manoover", "--option", "first=red", "--seed", SEED)
    cli("throw")
    assert "draws count half. Method: a rule of thumb alone;" in " ".join(cli("hint").out.split())


def _not_searched(seen):
    found = [SearchedAction(action) for action in itertools.islice(seen.legal, 3)]
    return SearchResult(found[0].action, found)


def test_a_hint_for_programs(cli, against_a_bot):
    cli("throw")
    best = cli("hint", "--seconds", "0.1", "--json").facts["best"]
    played = [row["playouts"] > 0 for row in best]
    assert played == sorted(played, reverse=True), "those that were tried come first, however few there are"
    assert all(-1 <= row["worth"] <= 1 for row in best)
    assert cli("why", best[0]["text"]).code == 0


def test_a_hint_where_one_thing_can_be_done(cli, against_a_bot):
    told = cli("hint", "--seconds", "0.1")
    assert "The only legal move: throw." in told.out
    assert "playouts" not in told.out


def test_a_hint_where_little_is_looked_at(cli):
    log = FIXTURES / "manoover" / "games" / "01-base.jsonl"
    assert (
        "The only move that bots consider here: auto."
        in cli("-g", str(log), "--at", "6", "hint", "--seconds", "0.1").out
    )


def test_a_hint_by_the_book(cli):
    cli("new", "mutants", "--seed", SEED)
    assert "A good opening: wall A3-B3." in cli("hint", "--seconds", "0.1").out


def test_a_hint_where_bots_draw_lots(cli, monkeypatch):
    monkeypatch.setattr(Mutants, "recommend_opening", Game.recommend_opening)
    cli("new", "mutants", "--seed", SEED)
    assert "Bots choose this at random: random." in cli("hint", "--seconds", "0.1").out


def test_hints_are_allowed_but_by_mail(cli):
    told = cli(*NEW, "--hints")
    assert (told.code, "--hints is for games by mail" in told.err) == (2, True)


def test_a_hint_by_mail_where_the_header_allows_it(cli):
    cli("new", "manoover", "--mail", "red", "--hints", "--option", "first=red")
    assert cli("hint", "--seconds", "0.1").code == 0


def test_no_hint_by_mail(cli):
    cli("new", "manoover", "--mail", "red")
    told = cli("hint")
    assert told.code == 1
    assert "--hints" in told.out


def test_how_strong_they_are(cli):
    told = cli("bots", "rank", "manoover", "--pairs", "3", "--jobs", "1")
    assert "random against steady" in told.out
    assert "To repeat these games, add: --seed 0." in told.out
    assert "e+" not in told.out
    assert cli("bots", "rank", "manoover", "steady").code == 2
    assert cli("bots", "rank", "manoover", "steady", "clever").code == 2


def test_a_figure_of_a_bot_that_searches_can_be_repeated(cli):
    words = ("rank", "manoover", "steady", "strong", "--pairs", "1", "--playouts", "4", "--jobs", "1", "--json")
    one, other = (cli(*words).facts for _ in range(2))
    assert one["matches"] == other["matches"]
    assert one["playouts"] == 4


def test_what_cannot_be_repeated_is_not_said_to_be(cli):
    told = cli("bots", "rank", "manoover", "random", "strong", "--pairs", "1", "--seconds", "0.01", "--jobs", "1").out
    assert "to repeat games: --playouts N." in " ".join(told.split())
    assert "--seed 0" not in told


def test_nobody_foretells_a_bot_that_keeps_secrets(cli):
    """It draws lots from its vault: the same as long as the log is, and others for who has the log alone."""
    cli("new", "mutants", "--seed", SEED, "--option", "hidden-movement=yes", "--bots", "human=random", "-o", "a.jsonl")
    lots = SeatView(open_log("a.jsonl"), "human").lot_seed
    assert lots == SeatView(open_log("a.jsonl"), "human").lot_seed
    shutil.copy("a.jsonl", "b.jsonl")
    assert SeatView(open_log("b.jsonl"), "human").lot_seed != lots


@pytest.mark.parametrize(
    ("over", "told"), [(0, "Stopped before any game was over."), (3, "Stopped before all games were")]
)
def test_a_match_that_is_stopped_tells_what_was_found(cli, monkeypatch, over, told):
    count = itertools.count()

    def some(game):
        if next(count) == over:
            raise KeyboardInterrupt
        return play_pairing(game)

    monkeypatch.setattr("referee.bots.ranking.play_pairing", some)
    stopped = cli("bots", "rank", "manoover", "--pairs", "3", "--jobs", "1")
    assert stopped.code == 130
    assert told in stopped.out
    assert ("games a second" in stopped.out) == bool(over)


def test_a_match_tells_from_the_start_what_is_played():
    words = ("rank", "manoover", "steady", "strong", "--seconds", "60", "--pairs", "6")
    with terminal.Terminal(*words, columns=60) as table:
        table.wait("0 of 12 games over; now steady against strong")
        table.type("\x03")
        assert table.left() == 130
    assert table.text.splitlines()[-1] == "Stopped before any game was over."
    assert "0 of 12" not in table.text


def test_it_tells_how_many_are_over_and_leaves_nothing_of_it():
    with terminal.Terminal("rank", "manoover", "--pairs", "2", "--jobs", "1", columns=60) as table:
        assert table.left() == 0
    assert b"3 of 4 games over; now steady against random" in table.shown
    assert "over;" not in table.text


def test_what_a_bot_has_said_is_told_even_if_it_was_stopped_just_then(cli, against_a_bot, monkeypatch):
    def pressed_meanwhile(session, said):
        if said[0].seat == "blue":
            signal.raise_signal(signal.SIGINT)
        record(session, said)

    record = Session.record
    monkeypatch.setattr(Session, "record", pressed_meanwhile)
    cli("throw")
    answer = cli("done!")
    assert "blue: throw" in answer.out
    assert "Stopped while steady was thinking for blue." in answer.out + answer.err
    assert "blue: throw" in cli("log").out


def test_in_a_session_it_is_told_how_far_it_has_thought(cli):
    cli("new", "manoover", "--seed", SEED, "--option", "first=red", "--bots", "blue=strong")
    with terminal.Terminal("play", columns=60, lines=20) as table:
        table.wait("> ")
        table.say("throw")
        table.type("done!\r")
        table.wait("Now turn 3")
        assert b"strong thinks for blue, action " in table.shown
        assert "thinks" not in table.text + table.scrolled_away


def test_below_the_board_it_is_told_too_and_ctrl_c_makes_it_hurry(cli):
    cli("new", "manoover", "--seed", SEED, "--option", "first=red", "--bots", "blue=strong")
    with terminal.Terminal("play", columns=60, lines=60) as table:
        table.wait("> ")
        table.say("throw")
        table.type("done!\r")
        table.passes("strong thinks for blue, action ")
        table.type("\x03")
        heard = ("Stopped while strong was thinking", "Now turn 3, red")  # outside of its search it stops
        table.until(lambda: any(words in table.text for words in heard), "that Ctrl-C was heard")
        assert "thinks" not in table.text
