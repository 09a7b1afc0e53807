"""Offers by mail: taken back by who made them, said once, and never a way for a refused mail to be the current game."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from penfriends import packet_in, seated

from referee.mail.ascii_armor import armour
from referee.record.log.entry import OfferEntry
from referee.record.table.opening_logs import open_log


def flat(answer):
    return " ".join(answer.shown.split())


@pytest.fixture
def table(pair):
    """A game of Manoover; red, Anna, has the pen."""
    anna, bo = pair
    seated(anna, bo, options="--option first=red")
    return pair


def offers_in(person):
    return [entry for entry in open_log(person.log).entries if isinstance(entry, OfferEntry)]


def test_an_offer_that_was_not_sent_is_taken_back_as_if_never_said(table):
    anna, bo = table
    before = bo.log.read_bytes()
    told = bo.does("finish nobody")
    assert "to take it back: referee mail refuse" in flat(told)
    assert "to take it back: referee mail refuse." in flat(bo("mail"))
    assert "You take back your offer, to end the game: nobody has won." in flat(bo.does("mail", "refuse"))
    assert "offers" not in flat(bo("mail"))
    assert bo.log.read_bytes() == before
    anna.does("done!")
    assert "offers" not in flat(bo.gets(anna.mails()))


def test_who_has_not_the_pen_and_offered_nothing_is_told_so(table):
    answer = table[1]("refuse")
    assert answer.code == 1
    assert "has the pen" in flat(answer)


def test_what_is_offered_already_is_not_offered_again(table):
    anna, bo = table
    anna.does("finish nobody")
    again = anna("finish nobody")
    assert (again.code, "you have offered that already" in flat(again).lower()) == (1, True)
    assert len(offers_in(anna)) == 1
    assert bo.gets(anna.mails()).code == 0


def test_a_refused_mail_does_not_make_its_log_the_current_one(table):
    anna, bo = table
    anna.does("done!")
    mail, first = anna.mails(), bo.log.relative_to(bo.folder)
    bo.does("new manoover --dice open --seats Bo,Cem -o other.jsonl")
    packet = packet_in(mail)
    newer = replace(packet, head=replace(packet.head, rules=99))
    for refused, is_current in ((armour(newer.encode()).encode(), "other.jsonl"), (mail, str(first))):
        bo.gets(refused)
        assert (bo.folder / ".referee").read_text() == f"{is_current}\n"
