"""What a mail brings is told the same with `-n` and without, and nothing is called old that the mail brought."""

from __future__ import annotations

import shutil

import pytest
from penfriends import ask_for_blue, read_words, rested, seat_with_director, seated, sent_to

NOTHING_NEW = "Nothing new: everything in this mail is here already."
NO_ENTRIES = "This mail has no new entries."


@pytest.fixture
def table(pair):
    """A game of Manoover; red, Anna, has the pen."""
    anna, bo = pair
    seated(anna, bo, options="--option first=red")
    return pair


def files_of(person):
    return {path: path.read_bytes() for path in person.folder.rglob("*") if path.is_file() and path.name != "mail.txt"}


def look_at(person, mail):
    """Returns the words of a dry run, which changes no file."""
    before = files_of(person)
    answer = person.gets(mail, "-n")
    assert files_of(person) == before
    assert answer.code == 0, answer.shown
    return read_words(answer)


def told_after_heading(words):
    """Returns the part of an answer that tells what the mail brings beside the log."""
    return words.partition(NO_ENTRIES)[2].partition(" [exit")[0].partition(" Now turn")[0]


# A request for another key


def test_a_dry_run_tells_the_whole_request_for_another_key(table, people):
    anna, _ = table
    thief = ask_for_blue(people, anna.mails("--from 0"))
    mail, words = thief.mails(), thief("--json key").facts["words"]
    looked_at = look_at(anna, mail)
    assert f"For blue (Bo), somebody asks to play on with another key, {words}" in looked_at
    assert "from then on the holder of the new key plays blue" in looked_at
    assert "referee mail agree; otherwise: referee mail refuse" in looked_at
    assert "must still agree" not in looked_at
    opened = read_words(anna.gets(mail))
    for told in (looked_at, opened):
        assert NOTHING_NEW not in told
        assert NO_ENTRIES in told
    assert told_after_heading(looked_at) in opened
    anna.does("mail agree")
    for told in (look_at(anna, mail), read_words(anna.gets(mail))):
        assert "You have agreed to a request for blue" in told


def test_a_dry_run_tells_the_roll_that_a_request_would_drop(people):
    """The human has lost their key while a roll waits. The mutant has the pen and is asked."""
    human, mutant, other = people("human"), people("mutant"), people("other")
    rested(human, mutant)
    mutant.does("rest", "ready", "smash xN1-A1 r1")
    other.gets(mutant.mails("--from 0"))
    other.does("join human --lost-key")
    request = other.mails()
    for told in (look_at(mutant, request), read_words(mutant.gets(request))):
        assert "never made: roll 0, which waits; human may already know its dice" in told
        assert NOTHING_NEW not in told


def test_a_dry_run_of_a_recovery_tells_that_a_key_changes(table):
    anna, bo = table
    line = bo("--json key --backup").facts["backup"]
    anna.does("done!")
    mail = anna.mails()
    shutil.rmtree(bo.home)
    bo.gets(mail)
    bo.does("key --make")
    assert bo("join blue --recover", stdin=line.encode()).code == 0
    bo.does("done!")
    mail = bo.mails()
    looked_at, opened = look_at(anna, mail), read_words(anna.gets(mail))
    assert "nothing was recorded" in looked_at
    for told in (looked_at, opened):
        assert "blue (Bo) sits down again, with their recovery key" in told


def test_a_dry_run_refuses_what_opening_refuses(table, people):
    """The entries are judged before anybody says that the mail would add them."""
    anna, bo = table
    thief = ask_for_blue(people, anna.mails("--from 0"))
    anna.does("done!")
    bo.gets(anna.mails())
    anna.gets(thief.mails())
    anna.does("mail", "agree")
    assert thief.gets(anna.mails()).code == 0
    thief.does("resign")
    stolen = thief.mails("--from 0")
    for option in ("-n", ""):
        answer = bo.gets(stolen, option)
        assert answer.code == 1
        assert "in this mail another key plays your seat" in read_words(answer)


# Offers and rulings beside the log


@pytest.fixture
def quiet(table):
    """The same after Bo has refused an offer of Anna's. So an offer of his does not lapse."""
    anna, bo = table
    anna.does("finish red")
    bo.gets(anna.mails())
    bo.does("mail refuse")
    anna.gets(bo.mails())
    return anna, bo


def test_an_offer_and_its_end_are_news_once(quiet):
    """They come beside the log, so the mail has no new entries. When the mail is opened again, it has no news."""
    anna, bo = quiet
    bo.does("finish nobody")
    offer = bo.mails()
    bo.does("mail refuse")
    end = bo.mails()
    for mail, words in ((offer, "blue offers to end the game"), (end, "blue takes back the offer to end the game")):
        for option in ("-n", ""):
            told = read_words(anna.gets(mail, option))
            assert words in told
            assert NO_ENTRIES in told
            assert NOTHING_NEW not in told
    assert "Nothing new" in read_words(anna.gets(end))


def test_a_folder_tells_each_offer_once(quiet, tmp_path):
    anna, bo = quiet
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared/first.txt").write_bytes(bo.mails("--from 0"))
    bo.does("finish nobody")
    (tmp_path / "shared/second.txt").write_bytes(bo.mails())
    told = read_words(anna(f"mail open {tmp_path / 'shared'}"))
    assert "blue offers to end the game" in told
    assert "Nothing new in 1 other packet" in told
    again = anna(f"--json mail open {tmp_path / 'shared'}").facts
    assert [packet["news"] for packet in again["packets"]] == [False, False]


def test_a_ruling_is_news(pair, dee, later):
    anna, bo = pair
    seat_with_director(anna, bo, dee, "--option first=red --pace 14 --may-settle")
    die = anna("--json").facts["position"]["dice"][0]
    anna.does(f"{die} turn ne", "done")
    sent_to(anna, bo, dee)
    anna.does("finish red")
    dee.gets(anna.mails())
    later(15)
    dee.does("mail agree")
    ruling = dee.mails()
    for told in (look_at(anna, ruling), read_words(anna.gets(ruling))):
        assert NOTHING_NEW not in told
        assert NO_ENTRIES in told
