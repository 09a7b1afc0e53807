"""By mail somebody else takes over a seat: with a key of their own, and with the signatures of all others."""

from __future__ import annotations

import csv
import re
import shutil
from io import StringIO

import pytest
from msgspec.structs import replace
from penfriends import FIRST_TURN, packet_in, read_words, sent_to

from referee.mail.ascii_armor import encode_ascii_armor
from referee.mail.packet import Packet
from referee.mail.spool import read_key_requests
from referee.record.archive.audit import audit
from referee.record.table.opening_logs import open_log


@pytest.fixture
def table(people):
    """A game of Manoover in which Anna is red and Bo is blue; red has moved, and blue has the pen."""
    anna, bo, dee = people("anna"), people("bo"), people("dee")
    anna.does("new manoover --mail red --seats Anna,Bo")
    bo.gets(anna.mails())
    bo.does("join blue")
    anna.gets(bo.mails())
    anna.does(FIRST_TURN)
    bo.gets(anna.mails())
    dee.gets(anna.mails("--from 0"))
    return anna, bo, dee


def taken_over(anna, dee):
    """Dee asks for the seat, Anna agrees, and Dee sits there."""
    dee.does("join blue --as Dee")
    anna.gets(dee.mails())
    anna.does("mail agree")
    return dee.gets(anna.mails())


def test_a_friend_takes_over_with_a_key_of_their_own(table):
    anna, _, dee = table
    asked = read_words(dee("join blue --as Dee"))
    assert "All others have to agree that Dee plays blue." in asked
    told = read_words(anna.gets(dee.mails()))
    assert re.search(
        r"For blue \(Bo\), somebody asks to play on as Dee, \w+(-\w+){5}|somebody asks to play on as Dee, ", told
    )
    assert "Ask Bo on the phone if Dee takes over" in told
    assert "from then on Dee plays blue" in told
    anna.does("mail agree")
    assert "You sit at blue now, agreed by red." in read_words(dee.gets(anna.mails()))
    dee.does("roll")
    anna.gets(dee.mails())
    assert "blue (Dee) sits down, agreed by red" in read_words(anna("log"))
    assert "turn 2, blue (Dee)" in read_words(anna("status"))
    report = anna("audit").out
    assert report.startswith("CLEAN")
    assert "A KEY" not in report
    assert "Dee plays blue." in report


def test_a_friend_may_also_say_that_they_sit_down(table):
    anna, _, dee = table
    asked = dee("sits blue Dee")
    assert (asked.code, "All others have to agree that Dee plays blue." in read_words(asked)) == (0, True)
    anna.gets(dee.mails())
    anna.does("mail agree")
    assert "You sit at blue now, agreed by red." in read_words(dee.gets(anna.mails()))


def test_the_words_of_the_table_lead_to_lines_that_work(table):
    """Bo wants to leave, and types what the referee tells them; so does Dee."""
    anna, bo, dee = table
    lines = re.findall(r"referee (mail pack[^;]*|join [^;.]*)", read_words(bo("sits blue Dee")))
    assert lines == ["mail pack --from 0", "join blue --as Dee"]
    dee.gets(bo.does(lines[0]).out.encode())
    dee.does(lines[1])
    told = read_words(bo.gets(dee.mails()))
    assert "If you want that, send nothing more. If not, tell the others: your next mail ends this request." in told
    anna.gets(dee.mails())
    anna.does("mail agree")
    assert "You sit at blue now, agreed by red." in read_words(dee.gets(anna.mails()))


def test_a_friend_takes_over_while_the_others_give_their_shares_of_a_roll(people):
    """Nobody sits at green who could record the share of blue, which comes beside the log: the friend does."""
    anna, bo, cem, dee = (people(name) for name in ("anna", "bo", "cem", "dee"))
    anna.does("new manoover --option form=three --option first=red --mail red --seats Anna,Bo,Cem")
    sent_to(anna, bo)
    bo.does("join Bo")
    sent_to(bo, anna, cem)
    cem.does("join green")
    sent_to(cem, anna, bo)
    sent_to(bo, anna)
    dee.gets(anna.mails("--from 0"))
    dee.does("join green --as Dee")
    sent_to(dee, anna, bo)
    for one in (anna, bo):
        one.does("mail agree")
    anna.does("done!")
    sent_to(anna, bo, dee)
    sent_to(bo, anna, dee)
    assert "You sit at green; " in read_words(dee("mail"))
    sent_to(dee, anna, bo)
    assert "green (Dee)" in read_words(anna("mail"))
    assert anna("audit").code == 0


def test_figures_follow_who_sat_there(table):
    anna, _, dee = table
    taken_over(anna, dee)
    dee.does("roll")
    anna.gets(dee.mails())
    dee.gets(anna.mails())
    rows = list(csv.DictReader(StringIO(anna("stats rolls logs").out)))
    assert {(row["seat"], row["player"]) for row in rows if row["seat"] == "blue"} == {("blue", "Dee")}
    (game,) = csv.DictReader(StringIO(anna("stats games logs").out))
    assert game["names"] == "red=Anna; blue=Bo, then Dee"


def test_no_takeback_brings_the_player_before_back_since_their_key_is_gone(table):
    anna, _, dee = table
    taken_over(anna, dee)
    assert "You offer to take back" in read_words(dee("undo 2"))
    anna.gets(dee.mails())
    anna.does("mail agree")
    assert "takes back" in read_words(anna("log"))
    assert open_log(anna.log).moment().facts.names["blue"] == "Dee"
    assert audit(anna.log).names["blue"] == "Dee"
    assert audit(anna.log).fault is None


def test_the_player_before_ends_it_by_playing_on(table):
    anna, bo, dee = table
    dee.does("join blue --as Dee")
    asked = dee.mails()
    assert "If not, tell the others: your next mail ends this request." in read_words(bo.gets(asked))
    anna.gets(asked)
    anna.does("mail agree")
    bo.does("done!")
    mail = bo.mails()
    anna.gets(mail)
    dee.gets(mail)
    assert open_log(anna.log).moment().facts.names["blue"] == "Bo"
    assert dee("roll").code == 1


def test_the_signatures_are_for_this_name_alone(table):
    """Who has the word of all for one name cannot sit down by another."""
    anna, _, dee = table
    dee.does("join blue --as Dee")
    anna.gets(dee.mails())
    anna.does("mail agree")
    packet = packet_in(anna.mails())
    (ask,) = packet.head.asks
    forged = replace(ask, offer=replace(ask.offer, name="Eve"))
    dee.gets(encode_ascii_armor(Packet(replace(packet.head, asks=(forged,)), packet.lines).encode()).encode())
    assert open_log(dee.log).moment().facts.names["blue"] == "Bo"


@pytest.mark.parametrize("name", ["Anna", "anna", "Ánna", "bo", "Bó", "red", "nobody", "", "Dee (x)"])
def test_who_could_be_taken_for_another_cannot_ask(table, name):
    _, _, dee = table
    before = dee.log.read_bytes()
    assert dee("join", "blue", "--as", name).code == 1
    assert (dee.log.read_bytes(), dee.home.exists()) == (before, False)
    assert not read_key_requests(dee.log)


def test_who_sits_elsewhere_takes_no_second_seat(table):
    anna, _, _ = table
    assert "your key still plays red" in read_words(anna("join blue --as Dee"))


def test_a_name_is_for_games_by_mail(cli, place):
    cli("new manoover --seats Anna,Bo -o m.jsonl")
    answer = cli("join blue --as Dee")
    assert (answer.code, "at a table: referee sits" in read_words(answer)) == (2, True)


def test_secrets_of_the_seat_are_needed_first(people):
    anna, bo, dee = people("anna"), people("bo"), people("dee")
    anna.does("new mutants --mail human --seats Anna,Bo --option hidden-movement=yes")
    bo.gets(anna.mails())
    bo.does("join mutant")
    anna.gets(bo.mails())
    dee.gets(anna.mails("--from 0"))
    assert "you need the secrets of mutant first" in read_words(dee("join mutant --as Dee"))
    bo.does("vault --save mutant.secrets")
    shutil.copy(bo.folder / "mutant.secrets", dee.folder)
    dee.does("vault --load mutant.secrets")
    assert "You ask to play on at mutant (Bo)." in read_words(dee("join mutant --as Dee"))


def test_a_newcomer_comes_back_with_their_own_back_up(table):
    anna, _, dee = table
    taken_over(anna, dee)
    line = dee("--json key --backup").facts["backup"]
    dee.does("roll")
    mail = dee.mails()
    anna.gets(mail)
    shutil.rmtree(dee.home)
    shutil.rmtree(dee.folder / "logs")
    dee.gets(anna.mails("--from 0"))
    assert "You sit at blue (Dee)." in read_words(dee("join blue --recover", stdin=line.encode()))
    anna.gets(dee.mails("--to red"))
    assert audit(anna.log).fault is None
