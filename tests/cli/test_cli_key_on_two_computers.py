"""An honest player whose key is on two computers: the second one is told at once, and nobody is harmed."""

from __future__ import annotations

import shutil
from copy import copy

import pytest
from penfriends import Person, read_words, seated, seated_three, sent_to

import referee.record.table.entry_encoder
from referee.record.archive.audit import audit

LUCK = "luck 4"
"""With this Bo begins the game of three."""


@pytest.fixture
def table(pair, people):
    """A game of Manoover; red, Anna, is to move. A laptop has her key and the same log."""
    anna, bo = pair
    laptop = people("laptop")
    seated(anna, bo, options="--option first=red")
    shutil.copytree(anna.home, laptop.home, dirs_exist_ok=True)
    assert laptop.gets(anna.mails("--from 0")).code == 0
    return anna, bo, laptop


def copy_of(person):
    """Returns the same player with copies of all that they have."""
    other = copy(person)
    other.folder, other.home = person.folder.with_name("ahead"), person.home.with_name("home of ahead")
    shutil.copytree(person.folder, other.folder)
    shutil.copytree(person.home, other.home)
    return other


def turn(person, way):
    die = person("--json").facts["position"]["dice"][0]
    person.does(f"{die} turn {way}", "done!")
    return person.mails()


def test_a_computer_that_has_not_played_is_told_before_it_does(table):
    """Its owner played on the other one, and the answer comes to this one."""
    anna, bo, laptop = table
    bo.gets(turn(anna, "ne"))
    bo.does("done!")
    mail = bo.mails()
    for option in ("-n", ""):
        told = read_words(laptop.gets(mail, option))
        assert "your key has signed entries that are missing here. So somebody has played your seat on another" in told
        assert "If that was you, play nothing here before the missing entries arrive." in told
        assert "Ask the sender to type: referee mail pack --from 8" in told
    assert "somebody has played your seat on another computer" in read_words(laptop("mail"))
    ahead = copy_of(laptop)
    ahead.does("done!")
    assert "Note: A mail waits. This mail shows that your key has signed" in " ".join(ahead("mail pack").err.split())
    assert laptop.gets(bo.mails("--from 8")).code == 0
    assert "on another computer" not in read_words(laptop("mail"))
    assert anna.gets(mail).code == 0
    assert laptop.log.read_bytes() == anna.log.read_bytes()


def test_a_computer_without_the_pen_is_told_too(table):
    """Its copy ends where blue has the pen. The owner has gone on at the other computer since."""
    anna, bo, laptop = table
    mail = turn(anna, "ne")
    for other in (bo, laptop):
        assert other.gets(mail).code == 0
    bo.does("done!")
    anna.gets(bo.mails())
    bo.gets(turn(anna, "nw"))
    bo.does("done!")
    mail, before = bo.mails(), laptop.log.read_bytes()
    for option in ("-n", ""):
        told = read_words(laptop.gets(mail, option))
        assert "Too early" in told
        assert "your key has signed entries that are missing here" in told
    assert "your key has signed entries that are missing here" in read_words(laptop("mail"))
    assert laptop("mail pack").code == 0, "it only sends again what has been sent"
    assert bo.gets(laptop.mails()).code == 0, "and that harms nobody"
    assert laptop.log.read_bytes() == before
    assert laptop.gets(bo.mails("--from 0")).code == 0
    assert "missing here" not in read_words(laptop("mail"))
    assert anna.gets(mail).code == 0
    assert laptop.log.read_bytes() == anna.log.read_bytes()


def test_one_of_three_who_only_lacks_a_mail_is_told_nothing_of_that(cli, tmp_path, monkeypatch):
    """Bo has the mail of Anna that Carla lacks. His own mail never begins after what Carla has signed."""
    anna, bo, carla = [Person(name, tmp_path, cli, monkeypatch, [], LUCK, 2) for name in ("a", "b", "c")]
    seated_three(anna, bo, carla)
    sent_to(anna, bo)
    told = read_words(carla.gets(bo.mails()))
    assert "Too early" not in told
    assert "elsewhere" not in told


def test_who_only_lacks_mails_of_others_is_told_nothing_of_that(table, people):
    anna, bo, _ = table
    spectator = people("spectator")
    assert spectator.gets(anna.mails("--from 0")).code == 0
    bo.gets(turn(anna, "ne"))
    bo.does("done!")
    told = read_words(spectator.gets(bo.mails()))
    assert "Too early" in told
    assert "your seat" not in told


@pytest.fixture
def parted(table):
    """Both computers have played her turn, each in another way. Bo has taken the first, and has gone on."""
    anna, bo, laptop = table
    first, second = turn(anna, "ne"), turn(laptop, "nw")
    assert bo.gets(first).code == 0
    assert "red has signed two different versions of entry 8" in read_words(bo.gets(second))
    bo.does("done!")
    return anna, bo, laptop, first, second


def test_both_computers_are_told_that_it_is_their_own_key(parted):
    anna, _, laptop, first, second = parted
    for one, other in ((anna, second), (laptop, first)):
        answer = one.gets(other)
        assert answer.code == 1
        assert "Your key has signed two different versions of entry 8, so it is in use on two computers" in read_words(
            answer
        )
        assert "Play on at only one computer: the one whose copy the others took." in read_words(answer)
        assert "branch again" not in read_words(answer), "nobody else has to do anything"


def test_the_second_computer_takes_the_copy_of_the_others_and_plays_on(parted):
    anna, bo, laptop, *_ = parted
    assert "Too early" in read_words(laptop.gets(bo.mails()))
    asked = bo.mails("--from 8")
    assert laptop.gets(asked).code == 1
    assert "referee mail open --theirs MAIL" in read_words(laptop.gets(asked))
    assert laptop.gets(asked, "--theirs").code == 0
    assert bo.gets(turn(laptop, "ne")).code == 0
    bo.does("done!")
    mail = bo.mails("--from 0")
    for one in (laptop, anna):
        assert one.gets(mail).code == 0
        assert audit(one.log).fault is None
    assert anna.log.read_bytes() == laptop.log.read_bytes()


# The same turn on both computers


SAME_TURN = "Your key has signed entry 8 with another time than the one here, so it is in use on two computers"


@pytest.fixture
def same_turn(table, monkeypatch):
    """Both computers play the same turn, the laptop a day later. Bo has taken the first, and goes on."""
    anna, bo, laptop = table
    first = turn(anna, "ne")
    bo.gets(first)
    monkeypatch.setattr(referee.record.table.entry_encoder, "get_current_time", lambda: "2026-01-03T00:00:00Z")
    return anna, bo, laptop, first


def test_the_same_turn_on_two_computers_is_told_and_harms_nobody(same_turn):
    """Also for a mail that is only looked at, and on each of the two computers."""
    anna, bo, laptop, first = same_turn
    second = turn(laptop, "ne")
    for one, mail in ((laptop, first), (anna, second)):
        before = one.log.read_bytes()
        for option in ("-n", "", ""):
            answer = one.gets(mail, option)
            assert (answer.code, one.log.read_bytes()) == (0, before)
            assert SAME_TURN in read_words(answer)
            assert "The game and its dice stay as they are. Play on at only one computer." in read_words(answer)
            assert "Nothing new" not in read_words(answer)
    told = read_words(bo.gets(second))
    assert "Nothing new" in told
    assert "your key" not in told.lower(), "Bo has one computer"
    bo.does("done!")
    told = read_words(laptop.gets(bo.mails()))
    assert "your key has signed entries that are missing here. So somebody has played your seat on another" in told
    mail = bo.mails("--from 0")
    assert SAME_TURN in read_words(laptop.gets(mail, "-n"))
    opened = read_words(laptop.gets(mail))
    assert SAME_TURN in opened
    assert "Your own entries lie in" in opened
    assert "two computers" not in read_words(anna.gets(mail)) + read_words(laptop.gets(mail))
    assert anna.log.read_bytes() == laptop.log.read_bytes()
    assert not list(laptop.folder.glob("logs/*.fork-*"))


def test_the_same_turn_that_the_second_computer_has_not_sent_is_told(same_turn):
    _, bo, laptop, _ = same_turn
    die = laptop("--json").facts["position"]["dice"][0]
    laptop.does(f"{die} turn ne")
    bo.does("done!")
    told = read_words(laptop.gets(bo.mails("--from 0")))
    assert SAME_TURN in told
    assert "Your own entries lie in" in told


def test_a_watched_folder_tells_the_same_turn(same_turn, tmp_path):
    """Under --watch, a mail is shown only if it holds news."""
    _, _, laptop, first = same_turn
    turn(laptop, "ne")
    (tmp_path / "first.txt").write_bytes(first)
    facts = laptop(f"--json mail open {tmp_path / 'first.txt'}").facts
    assert [packet["news"] for packet in facts["packets"]] == [True]


# Three players


def test_three_go_on_after_one_has_declared_the_same_at_two_times(cli, tmp_path, monkeypatch):
    """What Bo declares goes to Anna from one computer, and to Carla from the other one a day later."""
    anna, bo, carla = [Person(name, tmp_path, cli, monkeypatch, [], LUCK, 2) for name in ("a", "b", "c")]
    seated_three(anna, bo, carla)
    sent_to(anna, bo, carla)
    sent_to(bo, anna)
    sent_to(anna, bo, carla)
    laptop = copy_of(bo)
    bo.does("pick LUI")
    sent_to(bo, anna)
    monkeypatch.setattr(referee.record.table.entry_encoder, "get_current_time", lambda: "2026-01-03T00:00:00Z")
    laptop.does("pick LUI")
    sent_to(laptop, carla)
    assert anna.log.read_bytes() != carla.log.read_bytes()
    for other in (anna, carla):  # each gives a share of what they were told
        sent_to(other, bo)
    sent_to(bo, anna, carla)
    everybody = (anna, bo, carla)
    assert len({person.log.read_bytes() for person in everybody}) == 1
    assert all(person("audit").out.startswith("CLEAN  ") for person in everybody)
    assert not [path for person in everybody for path in person.folder.glob("logs/*.fork-*")]
    assert (
        "Nothing new" in read_words(laptop.gets(anna.mails("--from 0")))
        or laptop.log.read_bytes() == bo.log.read_bytes()
    )


def test_a_computer_without_the_secrets_of_its_seat_opens_mail_and_says_so(pair, ambush):
    """Bo has hidden at one computer; the question where he is comes to the other one, too."""
    anna, bo = pair
    seated(anna, bo, game="ambush")
    laptop = copy_of(bo)
    anna.does("hide reef")
    bo.gets(anna.mails())
    bo.does("hide cave")
    anna.gets(bo.mails())
    anna.does("raid cave 1")
    mail = anna.mails("--from 0")
    told = laptop.gets(mail)
    assert told.code == 0, told.shown
    assert "No vault here can open 1 secret of yours. If you sealed them on another" in read_words(told)
    assert bo.gets(mail).code == 0
    assert bo("mail pack").code == 0
