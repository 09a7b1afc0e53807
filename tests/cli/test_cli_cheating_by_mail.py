"""Cheats by mail as two people type them, each at a computer of his own: seen, refused, or of no use."""

from __future__ import annotations

import re
import shutil
from copy import copy
from pathlib import Path

import pytest
from penfriends import seated

from referee.games import manoover
from referee.record.archive.audit import audit

BLIND = "R1: from a1 N to d5 NE"
"""What the amendment does that is said to be about another robot."""


@pytest.fixture
def table(pair):
    """A game of Manoover in which both sit; red is to move."""
    seated(*pair)
    return pair


def twin(person, name):
    """The same player with copies of all that he has, to look ahead on."""
    other = copy(person)
    other.name, other.folder, other.home = (
        name,
        person.folder.with_name(name),
        person.home.with_name(f"home of {name}"),
    )
    shutil.copytree(person.folder, other.folder)
    shutil.copytree(person.home, other.home)
    return other


def words(answer):
    return " ".join(answer.shown.split())


# Blind consent


def test_what_an_amendment_does_is_worked_out_by_who_is_asked(table):
    anna, bo = table
    assert BLIND in anna.does('amend R1 d5 NE --why "B4 was on c5"').out
    assert BLIND in words(bo.gets(anna.mails()))
    for asked in ("", "mail", "log", "log --full"):
        assert BLIND in words(bo(asked)), asked
    assert bo("--json mail").facts["offers"][0]["does"] == [f"on the board: {BLIND}".replace(": ", ":  ", 1)]
    assert BLIND in words(bo.does("mail", "agree"))
    for later in ("log", "log --full", "audit"):
        assert BLIND in words(bo(later)), later
    anna.gets(bo.mails())
    assert BLIND in words(anna("audit"))


def test_a_takeback_names_the_plays_and_the_throw_that_go(table):
    anna, bo = table
    die = anna("--json").facts["position"]["dice"][0]
    anna.does(f"{die} turn ne", "undo 2")
    shown = words(bo.gets(anna.mails()))
    assert f"red: {die} turn NE no longer counts" in shown
    assert re.search(r"no longer counts: \d+ red: throw \[. . .\]; its dice are rolled again", shown)
    assert re.search(rf"on the board: R{die}: back to \w+ N, from \w+ NE", shown)


def test_what_can_no_longer_be_is_not_agreed_to(table):
    anna, bo = table
    anna.does("finish nobody")
    bo.gets(anna.mails())
    assert bo("mail", "agree").code == 0
    anna.gets(bo.mails())
    anna("finish red")
    answer = anna("resign")
    assert answer.code == 1
    assert audit(anna.log).fault is None


# An offer in place of an answer


def test_who_knows_the_throw_offers_nothing_in_its_place(table):
    """Bo owes his part of a throw. On a copy he sees what it would be; on the other he would rather have a draw."""
    anna, bo = table
    anna.does("done!")
    mail = anna.mails()
    ahead = twin(bo, "ahead")
    ahead.gets(mail)
    throw = ahead.does("log").out.splitlines()[-1]
    bo.does("finish nobody")
    shown = words(anna.gets(bo.mails()))
    assert "nobody has won" in shown
    assert "Roll 1 waits: red has given a share; blue owes a share." in shown
    assert anna("mail", "agree").code == 1  # he has the pen, and nothing of his is on the record
    bo.gets(mail)
    assert bo.does("log").out.splitlines()[-1] == throw
    bo.does("done!")
    shown = words(anna.gets(bo.mails()))
    assert "nobody has won" not in shown or "settled, or the game has gone on" in shown
    assert anna("mail", "agree").code == 1
    assert audit(anna.log).fault is None


# The reveal


@pytest.fixture
def over(pair, ambush):
    """A game with secrets that is over; who wrote last has its end to send."""
    anna, bo = pair
    seated(anna, bo, game="ambush")
    anna.does("hide reef")
    bo.gets(anna.mails())
    bo.does("hide cave")
    anna.gets(bo.mails())
    anna.does("resign")
    return anna, bo


def test_secrets_are_revealed_and_sent_when_the_game_is_over(over):
    anna, bo = over
    assert "Next: referee reveal, which opens your secrets" in words(anna(""))
    shown = words(anna("mail"))
    assert "red (Anna) has" in shown
    assert "sealed: nobody can check them before they are revealed" in shown
    anna.does("reveal")
    assert "Next: referee mail pack" in words(anna(""))
    assert bo.gets(anna.mails()).code == 0
    assert "Next: referee reveal" in words(bo(""))
    bo.does("reveal")
    assert anna.gets(bo.mails()).code == 0
    for one in (anna, bo):
        assert "all have signed the end" in words(one("mail"))
        report = audit(one.log)
        assert (report.fault, report.unjudged, report.secrets) == (None, {}, 0)
    assert anna.log.read_bytes() == bo.log.read_bytes()


def test_a_reveal_is_sent_after_all_have_signed(over):
    anna, bo = over
    bo.gets(anna.mails())
    anna.gets(bo.mails())
    assert "Next: referee reveal" in words(anna(""))
    anna.does("reveal")
    assert bo.gets(anna.mails()).code == 0
    assert "red" not in audit(bo.log).unjudged
    assert "blue (Bo) has" in words(bo("mail"))


# What a guest joins


def moved_goal(folder):
    """The shipped board with red's goal elsewhere and a robot turned, as somebody's own."""
    shipped = (Path(manoover.__file__).parent / "shipped" / "base.toml").read_text("utf-8")
    path = folder / "ours.toml"
    path.write_text(shipped.replace('red = "d6"', 'red = "d5"').replace("B6 a4 S", "B6 a4 SE"), "utf-8")
    return path


def test_who_only_looks_at_a_mail_sees_what_is_special_of_a_game_that_is_not_here(pair):
    anna, bo = pair
    board = moved_goal(anna.folder)
    anna.does(f"new manoover --mail red --seats Anna,Bo --option rotation=one-step --board {board}")
    mail = anna.mails()
    shown = words(bo.gets(mail, "-n"))
    assert "This mail would add 3 new entries from red; nothing was recorded." in shown
    assert "rotation is one-step (default: any)" in shown
    assert "goals.red: from d6 to d5" in shown
    assert "The game is in" not in shown
    assert [path.name for path in bo.folder.iterdir()] == ["mail.txt"]
    facts = bo("--json open -n mail.txt").facts
    assert facts["packets"][0]["special"]["options"][0]["name"] == "rotation"
    assert facts["after"] is None


def test_a_guest_sees_odd_options_and_another_board_before_he_joins(pair):
    anna, bo = pair
    board = moved_goal(anna.folder)
    anna.does(f"new manoover --mail red --seats Anna,Bo --option rotation=one-step --board {board}")
    shown = words(bo.gets(anna.mails()))
    assert "rotation is one-step (default: any)" in shown
    assert "A board of the players' own, which differs in:" in shown
    assert "goals.red: from d6 to d5" in shown
    assert "start: without B6:a4:S, with B6:a4:SE" in shown
    bo.does("join blue")
    for answer in (anna("audit"), bo("audit")):
        assert "rotation is one-step (default: any)" in words(answer)
        assert "goals.red: from d6 to d5" in words(answer)
    assert bo("--json audit").facts["special"]["options"][0]["name"] == "rotation"


def test_a_guest_sees_from_which_position_it_begins(pair):
    anna, bo = pair
    anna.does("new manoover --template -o p.toml", "new manoover --mail red --seats Anna,Bo --from p.toml")
    answer = bo.gets(anna.mails())
    assert "The game begins from a position of the players' own" in words(answer)
    assert "In red's goal" in answer.out  # the picture
    assert "The game begins from a position of the players' own" in words(bo("audit"))


def test_a_usual_game_is_told_in_no_more_words(table):
    assert "usual" not in words(table[0]("audit"))
