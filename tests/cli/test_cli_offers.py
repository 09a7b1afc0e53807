"""Offers by mail: taken back by who made them, said once, and never a way for a refused mail to be the current game."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from penfriends import packet_in, read_words, seated, seated_three, sent_to

from referee.mail.ascii_armor import encode_ascii_armor
from referee.record.log.entry import OfferEntry, RefuseEntry
from referee.record.table.opening_logs import open_log


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
    assert "to take it back: referee mail refuse" in read_words(told)
    assert "to take it back: referee mail refuse." in read_words(bo("mail"))
    assert "You take back your offer, to end the game: nobody has won." in read_words(bo.does("mail", "refuse"))
    assert "offers" not in read_words(bo("mail"))
    assert bo.log.read_bytes() == before
    anna.does("done!")
    assert "offers" not in read_words(bo.gets(anna.mails()))


def test_with_the_pen_an_offer_that_was_not_sent_leaves_no_trace(table):
    anna, _ = table
    anna.does("mail")
    before = anna.log.read_bytes()
    anna.does("finish nobody")
    assert anna.log.read_bytes() != before
    told = read_words(anna.does("mail refuse"))
    assert "You take back your offer, to end the game: nobody has won. Nobody has heard of it" in told
    assert anna.log.read_bytes() == before
    assert "offers" not in read_words(anna("mail"))
    anna.does("finish nobody")
    assert len(offers_in(anna)) == 1


def test_an_offer_that_a_mail_has_carried_is_taken_back_with_a_signature(quiet):
    anna, bo = quiet
    bo.does("finish nobody")
    assert anna.gets(bo.mails()).code == 0
    told = read_words(bo.does("mail refuse"))
    assert "Your next mail ends the offer, unless somebody has already agreed." in told
    assert "blue offers to take back an offer" not in read_words(bo("mail"))
    back = read_words(anna.gets(bo.mails()))
    assert "blue takes back the offer to end the game: nobody has won." in back
    late = anna("mail agree")
    assert (late.code, "has lapsed: blue took it back in entry" in read_words(late)) == (1, True)
    withdrawn = by_blue(anna)[-1]
    assert (withdrawn.offer.withdrawn_hash != "", withdrawn.signature is not None) == (True, True)
    anna.does("done!")
    assert bo.gets(anna.mails()).code == 0
    assert "blue takes back the offer to end the game: nobody has won" in read_words(bo("log"))
    assert "CLEAN" in read_words(bo("audit"))
    assert bo("mail refuse").code == 1


def test_an_offer_that_lapses_says_why_at_both_ends(quiet):
    """Bo's offer and Anna's play cross in the post."""
    anna, bo = quiet
    bo.does("finish nobody")
    offer = bo.mails()
    anna.does("done!")
    told = read_words(bo.gets(anna.mails()))
    assert "Your offer, to end the game: nobody has won, has lapsed: red went on in entry" in told
    assert "offers" not in read_words(bo("mail"))
    late = read_words(anna.gets(offer))
    assert "blue had offered to end the game: nobody has won; that has lapsed: red went on in entry" in late


def test_who_agrees_too_late_is_told_why(quiet):
    anna, bo = quiet
    bo.does("finish nobody")
    anna.gets(bo.mails())
    anna.does("mail refuse")
    answer = anna("mail agree")
    assert answer.code == 1
    assert "the offer of blue, to end the game: nobody has won, has lapsed: red refused it in entry" in read_words(
        answer
    )


def test_an_offer_of_which_only_its_end_has_come_leaves_no_entry(quiet):
    anna, bo = quiet
    bo.does("finish nobody")
    bo.mails()
    bo.does("mail refuse")
    anna.gets(bo.mails())
    assert by_blue(anna) == []


def test_with_the_pen_an_offer_that_was_sent_is_taken_back_in_the_log(table):
    """Three mails: Anna offers, Bo gives no word but the pen, and Anna takes her offer back."""
    anna, bo = table
    anna.does("finish nobody")
    bo.gets(anna.mails())
    told = read_words(anna.does("mail refuse"))
    assert "Next, to tell the others: referee mail pack" in told
    again = anna("mail refuse")
    assert (again.code, "you have taken your offer back already" in read_words(again).lower()) == (1, True)
    assert "red takes back the offer to end the game: nobody has won." in read_words(bo.gets(anna.mails()))
    assert bo("mail agree").code == 1
    assert "CLEAN" in read_words(bo("audit"))


def test_nobody_takes_back_an_offer_of_somebody_else(table):
    anna, bo = table
    anna.does("finish nobody")
    bo.gets(anna.mails())
    bo.does("mail refuse")
    assert open_log(bo.log).reducer.protocol.offers == {}
    assert isinstance(open_log(bo.log).entries[-1], RefuseEntry)


@pytest.mark.parametrize("words", ["mail agree", "mail refuse", "refuse"])
def test_without_an_offer_there_is_nothing_to_reply_to_with_or_without_the_pen(table, words):
    for person in table:
        answer = person(words)
        assert (answer.code, "nobody has made you an offer" in read_words(answer)) == (1, True)
        assert "has the pen" not in read_words(answer)


def test_who_answers_an_offer_without_the_pen_is_told_who_has_it(people):
    anna, bo, carla = everybody = [people(name) for name in ("anna", "bo", "carla")]
    seated_three(*everybody)
    anna.does("mail")
    for person in (bo, carla):
        anna.gets(person.mails())
    anna.does("finish nobody")
    sent_to(anna, bo, carla)
    waits = carla("mail agree")
    assert (waits.code, "blue has the pen" in read_words(waits)) == (1, True)


def test_what_is_offered_already_is_not_offered_again(table):
    """Anna has the pen, so her offer stands in the log. Bo has not, so his waits beside it."""
    for person in table:
        person.does("finish nobody")
        before = person("mail")
        again = person("finish nobody")
        assert (again.code, "you have offered that already" in read_words(again).lower()) == (1, True)
        assert person("mail").out == before.out
    anna, bo = table
    assert len(offers_in(anna)) == 1
    assert bo.gets(anna.mails()).code == 0


def test_without_the_pen_another_offer_takes_the_place_of_the_one_before(table):
    _, bo = table
    bo.does("finish nobody", "finish red")
    assert "to end the game: red has won" in read_words(bo("mail"))
    bo.does("mail refuse", "finish red")


def test_a_refused_mail_does_not_make_its_log_the_current_one(table):
    anna, bo = table
    anna.does("done!")
    mail, first = anna.mails(), bo.log.relative_to(bo.folder)
    bo.does("new manoover --dice open --seats Bo,Cem -o other.jsonl")
    packet = packet_in(mail)
    newer = replace(packet, head=replace(packet.head, rules=99))
    for refused, is_current in ((encode_ascii_armor(newer.encode()).encode(), "other.jsonl"), (mail, str(first))):
        bo.gets(refused)
        assert (bo.folder / ".referee").read_text() == f"{is_current}\n"


def by_blue(person):
    return [entry for entry in offers_in(person) if entry.by == "blue"]


@pytest.fixture
def quiet(table):
    """The same where nothing has happened at Anna's of which Bo has not heard: he has refused an offer of hers."""
    anna, bo = table
    anna.does("finish red")
    bo.gets(anna.mails())
    bo.does("mail refuse")
    anna.gets(bo.mails())
    return anna, bo


def test_an_offer_that_comes_late_and_was_said_again_makes_no_second_entry(quiet):
    """Bo's mail with his offer crosses one of Anna's; with the pen he says it again, and then the first mail comes."""
    anna, bo = quiet
    bo.does("finish nobody")
    late = bo.mails()
    anna.does("finish red")
    bo.gets(anna.mails())
    bo.does("mail refuse", "finish nobody")
    assert anna.gets(bo.mails()).code == 0
    assert len(by_blue(anna)) == 1
    for words in ("mail", "mail refuse", "mail"):
        assert anna.gets(late).code == 0
        assert len(by_blue(anna)) == 1
        anna.does(words)


def test_an_offer_that_is_said_twice_before_it_is_heard_makes_one_entry(quiet):
    anna, bo = quiet
    bo.does("finish nobody")
    first = bo.mails()
    assert bo("finish nobody").code == 1
    bo.does("mail refuse", "finish nobody")
    second = bo.mails()
    for mail in (first, second, first):
        assert anna.gets(mail).code == 0
        assert len(by_blue(anna)) == 1


def test_what_was_refused_may_be_offered_once_more(quiet):
    anna, bo = quiet
    bo.does("finish nobody")
    anna.gets(bo.mails())
    anna.does("mail refuse", "finish red")
    bo.gets(anna.mails())
    bo.does("mail refuse")
    anna.gets(bo.mails())
    bo.does("finish nobody")
    anna.gets(bo.mails())
    assert len(by_blue(anna)) == 2


@pytest.mark.parametrize("option", ["", "--theirs"])
def test_no_kind_of_refused_mail_makes_its_log_the_current_one(table, option):
    anna, bo = table
    anna.does("done!")
    packet = packet_in(anna.mails())
    bo.does("new manoover --dice open --seats Bo,Cem -o other.jsonl")
    before = bo.log.read_bytes()
    head = replace(packet.head, head=packet.hash_at(packet.end - 2))
    unsigned = replace(packet, head=head, lines=packet.lines[:-1])
    early = replace(packet, lines=packet.lines[1:])
    early = replace(early, head=replace(packet.head, base=packet.head.base + 1, after=packet.hash_at(packet.head.base)))
    for one, code in ((unsigned, 1), (early, 1)):
        answer = bo.gets(encode_ascii_armor(one.encode()).encode(), option)
        assert answer.code == code, answer.shown
        assert (bo.folder / ".referee").read_text() == "other.jsonl\n"
        assert "is the current game now" not in read_words(answer)
    assert bo.log.read_bytes() == before


def test_an_offer_after_the_own_turn_reaches_the_other_alive(table):
    """The next player can only roll. The share of that roll would go on with the game, so it waits for the reply."""
    anna, bo = table
    anna.does("done!", "switch null-rotation=refused")
    bo.gets(anna.mails())
    bo.does("mail agree")
    assert "null-rotation is refused" in read_words(bo("audit"))


LAPSED = "Your offer, to end the game: nobody has won, has lapsed: red went on in entry"


def test_whoever_plays_on_after_their_own_offer_is_told_that_it_has_lapsed(table):
    anna, bo = table
    anna.does("finish nobody")
    die = anna("--json").facts["position"]["dice"][0]
    for words in (f"{die} turn ne", "mail", "status"):
        assert read_words(anna.does(words)).count(LAPSED) == 1
    assert bo.gets(anna.mails("--to blue")).code == 0
    for person in table:
        assert "has lapsed" not in read_words(person("mail"))


def test_an_offer_made_again_after_playing_on_has_not_lapsed(table):
    anna, _ = table
    anna.does("finish nobody", "done!")
    assert LAPSED in read_words(anna("mail"))
    anna.does("finish nobody")
    assert "has lapsed" not in read_words(anna("mail"))


def test_an_offer_that_was_taken_back_or_carried_out_has_not_lapsed(table):
    anna, bo = table
    anna.does("finish nobody", "mail refuse", "done!")
    assert "has lapsed" not in read_words(anna("mail"))
    anna.does("finish nobody")
    bo.gets(anna.mails())
    bo.does("mail agree")
    for words in ("mail", "mail pack"):
        assert "has lapsed" not in read_words(bo(words))


ALREADY = "Not recorded: the game is played under rules"


def test_by_mail_nobody_is_asked_to_agree_to_what_cannot_be(table):
    anna, bo = table
    told = anna("upgrade")
    assert (told.code, ALREADY in told.out, "agree" in told.out) == (1, True, False)
    assert anna("--json upgrade").facts["error"] == "NotAllowedError"
    assert offers_in(anna) == []
    anna.does("finish nobody")
    bo.gets(anna.mails())
    bo.does("mail agree")
    anna.gets(bo.mails())
    for words in ("finish red", "upgrade", "switch null-rotation=refused", "resign --yes"):
        told = bo(words)
        assert (told.code, "agree" in told.out.replace("agreement", "")) == (1, False), told.shown


def test_at_a_table_nobody_is_asked_to_agree_to_what_cannot_be(cli, control):
    told = cli("upgrade")
    assert (told.code, told.out.startswith(ALREADY), "agree" in told.out) == (1, True, False)
    assert cli("--json upgrade").facts["type"] is None
