"""A director of a game for three may end it in place of a late player, once the others agree."""

from __future__ import annotations

import json
from functools import partial
from itertools import product
from shutil import copytree

import pytest
from msgspec.structs import replace
from penfriends import key_of, packet_in, read_words, sent_to

from referee.mail.ascii_armor import encode_ascii_armor
from referee.mail.packet import DirectorConsent, Packet, read_line_hash
from referee.mail.spool import read_waiting_offers, replace_waiting_offer
from referee.record.archive.audit import audit
from referee.record.log.entry import RulingEntry, encode_for_log
from referee.record.log.line_format import BODY_OFFSET, format_entry_line
from referee.record.log.log_errors import LogError
from referee.record.table.opening_logs import open_log

LATE = 15
"""The days after which the pace of a turn is over."""


@pytest.fixture
def seated(people, dee):
    """Anna, Bo and Carla in a game that Dee may settle. Carla has sent her share of the first roll, and Bo has not."""
    anna, bo, carla = (people(name) for name in ("anna", "bo", "carla"))
    director = f"--pace 14 --may-settle --director 'Dee={key_of(dee)}'"
    anna.does(f"new zombies --option players=3 --mail red --seats Anna,Bo,Carla {director}")
    sent_to(anna, bo, carla, dee)
    bo.does("join Bo")
    sent_to(bo, anna, carla, dee)
    carla.does("join Carla")
    sent_to(carla, anna, bo, dee)
    sent_to(anna, bo, carla, dee)
    return {"red": anna, "blue": bo, "green": carla}


@pytest.fixture
def waiting(seated, dee):
    """The same game after the first roll: one player has the pen. Returns that player and the two others."""
    anna, bo, carla = seated.values()
    sent_to(bo, anna, carla, dee)
    sent_to(anna, bo, carla, dee)
    pen = anna("--json mail").facts["pen"]
    assert all(person("--json mail").facts["pen"] == pen for person in (bo, carla))
    late = seated.pop(pen)
    return late, *seated.values()


def offer_end(offering, *others):
    offering.does(f"finish {seat_of(offering)}")
    return sent_to(offering, *others)


def agree(supporting, *others):
    supporting.does("mail agree")
    return sent_to(supporting, *others)


def seat_of(person):
    return person("--json mail").facts["seat"]


def head_of(person):
    return open_log(person.log).head.hash


def move(person):
    """Makes the first move of a player, and returns their mail."""
    person.does("pick LUI")
    return person.mails()


def test_the_share_of_a_late_player_is_not_waited_for_for_ever(seated, dee, later):
    anna, bo, carla = seated.values()
    later(LATE)
    offer_end(anna, bo, carla, dee)
    assert "green must agree first" in read_words(dee("mail agree"))
    assert "to agree, so that the director may end the game without blue (Bo)" in read_words(carla("mail"))
    assert "Next: referee mail agree" in read_words(carla("status"))
    agree(carla, anna, dee)
    assert "you have agreed, and your next mail says so" in read_words(carla("mail"))
    dee.does("mail agree")
    answer = anna.gets(dee.mails())
    assert "Dee has agreed in place of blue (Bo)" in read_words(answer)
    sent_to(anna, bo, carla, dee)
    for person in (anna, bo, carla, dee):
        session, report = open_log(person.log), audit(person.log)
        ruling = next(entry for entry in session.entries if isinstance(entry, RulingEntry))
        assert (ruling.by, ruling.seat, [one.by for one in ruling.consents]) == ("red", "blue", ["green"])
        assert session.moment().outcome.winners == ("red",)
        assert (report.fault, len(report.rulings)) == (None, 1)
        assert "green agrees; Dee, who directs the game, agrees in place of blue" in read_words(person("log"))


def test_a_late_player_with_the_pen(waiting, dee, later):
    late, offering, supporting = waiting
    later(LATE)
    offer_end(offering, late, supporting, dee)
    agree(supporting, offering, dee)
    dee.does("mail agree")
    sent_to(dee, offering)
    sent_to(offering, supporting, dee)
    assert len({head_of(person) for person in (offering, supporting, dee)}) == 1
    assert open_log(offering.log).moment().outcome


def test_nothing_is_settled_before_all_others_agree(waiting, dee, later):
    late, offering, supporting = waiting
    later(LATE)
    offer_end(offering, late, supporting, dee)
    supporting.does("mail refuse")
    assert "must agree first" in read_words(dee("mail agree"))
    assert dee("mail pack").code == 1


def test_nothing_is_settled_before_the_pace_is_over(waiting, dee, later):
    late, offering, supporting = waiting
    offer_end(offering, late, supporting, dee)
    agree(supporting, offering, dee)
    later(LATE - 2)
    assert "nothing is stuck" in read_words(dee("mail agree"))


def test_an_offer_that_stands_in_the_log(waiting, dee, later):
    """The player with the pen offers an end, and the first one who has to reply does not answer."""
    offering, late, supporting = waiting
    offer_end(offering, late, supporting, dee)
    assert supporting("--json mail").facts["pen"] == seat_of(late)
    later(LATE)
    offer_end(offering, supporting, dee)
    agree(supporting, offering, dee)
    dee.does("mail agree")
    sent_to(dee, offering)
    sent_to(offering, late, supporting, dee)
    assert open_log(late.log).moment().outcome
    assert len({head_of(person) for person in (*waiting, dee)}) == 1


def test_a_player_who_agreed_in_the_log_need_not_sign_again(waiting, dee, later):
    offering, first, late = waiting
    offer_end(offering, first, late, dee)
    first.does("mail agree")
    sent_to(first, offering, late, dee)
    assert offering("--json mail").facts["pen"] == seat_of(late)
    later(LATE)
    offer_end(offering, first, dee)
    dee.does("mail agree")
    sent_to(dee, offering)
    sent_to(offering, first, late, dee)
    ruling = next(entry for entry in open_log(first.log).entries if isinstance(entry, RulingEntry))
    assert (ruling.seat, ruling.consents) == (seat_of(late), ())
    assert all(audit(person.log).fault is None for person in (*waiting, dee))


@pytest.mark.parametrize(
    ("at_director", "at_supporting", "plays_on"), list(product((True, False), (True, False), (True, False)))
)
def test_a_ruling_that_crosses_a_late_mail_leaves_one_game(
    waiting,
    dee,
    later,
    at_director,
    at_supporting,
    plays_on,
):
    """The late player's mail comes after the ruling to whoever offered, and before it to some of the others."""
    late, offering, supporting = waiting
    later(LATE)
    offer_end(offering, supporting, dee)
    agree(supporting, offering, dee)
    dee.does("mail agree")
    ruling = dee.mails()
    mail = move(late)
    if at_director:
        dee.gets(mail)
    if at_supporting:
        supporting.gets(mail)
        if plays_on:
            supporting("mail pack")
    offering.gets(ruling)
    answer = offering.gets(mail)
    assert "The director ended the game at entry" in read_words(answer)
    end = offering.mails()
    assert "The director has ended the game at entry" in read_words(late.gets(end))
    for person in (late, supporting, dee):
        if person.gets(end).code:
            assert person.gets(end, "--theirs").code == 0
    people = (late, offering, supporting, dee)
    assert len({head_of(person) for person in people}) == 1
    assert all(open_log(person.log).moment().outcome for person in people)
    assert not any("proof" in read_words(person("mail")) for person in people)
    assert all(audit(person.log).fault is None for person in people)
    sent_to(late, offering, supporting, dee)


def test_a_late_mail_that_comes_first_keeps_the_game_going(waiting, dee, later):
    late, offering, supporting = waiting
    later(LATE)
    offer_end(offering, supporting, dee)
    agree(supporting, offering, dee)
    dee.does("mail agree")
    ruling = dee.mails()
    mail = move(late)
    for person in (offering, supporting, dee):
        person.gets(mail)
    offering.gets(ruling)
    assert not any(isinstance(entry, RulingEntry) for entry in open_log(offering.log).entries)
    assert len({head_of(person) for person in (late, offering, supporting, dee)}) == 1


@pytest.mark.parametrize("missing", ["nobody", "twice", "forged"])
def test_consents_cannot_be_left_out_or_forged(waiting, dee, later, missing):
    late, offering, supporting = waiting
    later(LATE)
    offer_end(offering, late, supporting, dee)
    agree(supporting, offering, dee)
    dee.does("mail agree")
    (ask,) = read_waiting_offers(dee.log)
    (consent,) = ask.consents
    forged = {"nobody": (), "twice": (consent, consent), "forged": (type(consent)(consent.by, ask.ruled.signature),)}
    session = open_log(offering.log)
    entry = partial(
        RulingEntry,
        by=ask.by,
        offer=ask.offer,
        seat=ask.ruled.seat,
        signature=ask.ruled.signature,
        consents=forged[missing],
    )
    with pytest.raises(LogError):
        session.append([(entry, None)])


def test_a_consent_that_nobody_gave_is_not_kept(waiting, dee, later):
    """Whoever offers puts a consent of their own making into the mail."""
    _, offering, supporting = waiting
    later(LATE)
    offering.does(f"finish {seat_of(offering)}")
    (ask,) = read_waiting_offers(offering.log)
    false = type(ask)(
        ask.by, ask.offer, ask.on, ask.signature, consents=({"by": seat_of(supporting), "signature": ask.signature},)
    )
    replace_waiting_offer(offering.log, ask.by, false)
    dee.gets(offering.mails())
    assert "must agree first" in read_words(dee("mail agree"))
    assert read_waiting_offers(dee.log)[0].consents == ()


def test_a_consent_of_the_director_that_nobody_gave_bars_nothing(waiting, dee, later):
    """Whoever does not want the end puts a false signature of the director into their mail."""
    late, offering, supporting = waiting
    later(LATE)
    offer_end(offering, late, supporting, dee)
    supporting.does("mail agree")
    (ask,) = read_waiting_offers(supporting.log)
    false = DirectorConsent(seat_of(late), ask.signature)
    replace_waiting_offer(supporting.log, ask.by, replace(ask, ruled=false))
    sent_to(supporting, offering, dee)
    assert read_waiting_offers(offering.log)[0].ruled is None
    dee.does("mail agree")
    sent_to(dee, offering)
    assert open_log(offering.log).moment().outcome


def test_whoever_offers_cannot_have_both(waiting, people, dee, later):
    """On one copy whoever offers records the ruling, and on another they sign what came in its place."""
    late, offering, supporting = waiting
    later(LATE)
    offer_end(offering, supporting, dee)
    agree(supporting, offering, dee)
    dee.does("mail agree")
    twin = people("twin")
    copytree(offering.folder, twin.folder, dirs_exist_ok=True)
    copytree(offering.home, twin.home)
    sent_to(dee, offering)
    end = offering.mails()
    late.does("pick LUI", f"mail pack --to {seat_of(offering)}")
    sent_to(late, twin)
    supporting.gets(twin.mails("--from 0"))
    answer = supporting.gets(end)
    assert f"{seat_of(offering)} has signed two different versions" in read_words(answer)


def test_a_forged_ruling_is_refused_and_not_told(waiting, dee, later):
    """Whoever offers changes the director's signature in the mail with the ruling. The late player has moved."""
    late, offering, supporting = waiting
    later(LATE)
    offer_end(offering, supporting, dee)
    agree(supporting, offering, dee)
    dee.does("mail agree")
    sent_to(dee, offering)
    end = packet_in(offering.mails())
    move(late)
    at, prev, lines = late.log.read_bytes(), end.head.after, []
    for line in end.lines:
        entry = json.loads(line[BODY_OFFSET:-2]) | {"prev": prev}
        if entry["type"] == "ruling":
            entry["signature"] = entry["consents"][0]["signature"]
        lines.append(format_entry_line(encode_for_log(entry)))
        prev = read_line_hash(lines[-1])
    forged = encode_ascii_armor(Packet(replace(end.head, head=prev), tuple(lines)).encode()).encode()
    for option in ("", "--theirs"):
        told = read_words(late.gets(forged, option))
        assert "Refused: entry" in told
        assert "has ended the game" not in told
    assert late.log.read_bytes() == at
