"""The book of people as friends and cheats meet it: who is the same person, who is not, and who waits at the door."""

# ruff: noqa: RUF001 - letters that are taken for others are part of what this is about

from __future__ import annotations

import json
import shutil

import pytest
from penfriends import read_words, seated

from referee.mail import people as book_of_people
from referee.mail.invitations import MAX_INVITATIONS

FIRST, SECOND = "manoover-2026-01-02", "logs/second.jsonl"
ASKS = "check these six words with them once"


def invites(person, name="Anna", log=SECOND):
    """The first mail of somebody who calls themself like this."""
    person.does(f"new manoover --mail red --seats {name},Bo -o {log}")
    return person(f"-g {log} mail pack").out.encode()


def book_of(person):
    """The file with the people whom somebody knows."""
    return next(iter(person.home.rglob(book_of_people.BOOK_FILE)), None)


def games_of(person):
    return sorted(path.name for path in person.folder.glob("logs/*.jsonl"))


@pytest.fixture
def friends(pair):
    """Anna and Bo, who play together."""
    seated(*pair)
    return pair


@pytest.fixture
def eve(people):
    return people("eve")


# Who is the same


def test_the_true_anna_is_told_by_her_key_and_nobody_is_rung_up_again(friends):
    anna, bo = friends
    told = read_words(bo.gets(invites(anna)))
    assert f"red (Anna) is the same Anna as in {FIRST}." in told
    assert ASKS not in told
    joined = read_words(bo(f"-g logs/{games_of(bo)[0]} join Bo"))
    assert f"red (Anna) is the same Anna as in {FIRST}." in joined
    assert ASKS not in joined
    back = read_words(anna.gets(bo(f"-g logs/{games_of(bo)[0]} mail pack").out.encode()))
    assert f"blue (Bo) is the same Bo as in {FIRST}." in back
    assert ASKS not in back


def test_a_friend_with_their_recovery_key_is_the_same_person_in_a_new_game(friends):
    anna, bo = friends
    anna.does(f"key --trust {bo('--json key').facts['words']}")
    line = bo.does("--json key --backup").facts["backup"]
    first = anna.mails("--from 0 --to blue")
    shutil.rmtree(bo.home)
    bo.gets(first)
    bo.does("key --make")
    assert bo("join blue --recover", stdin=line.encode()).code == 0
    assert anna.gets(bo.mails("--to red")).code == 0
    assert anna("--json key --people").facts["people"][0]["checked"] is True
    bo.does(f"new manoover --mail red --seats Bo,Anna -o {SECOND}")
    told = read_words(anna.gets(bo(f"-g {SECOND} mail pack").out.encode(), "-n"))
    assert f"red (Bo) is the same Bo as in {FIRST}" in told
    assert "NOT" not in told


def test_the_people_you_know_are_in_the_back_up(friends):
    anna, bo = friends
    bo.does(f"key --trust {anna('--json key').facts['words']}")
    known = bo("--json key --people").facts
    assert [one["checked"] for one in known["people"]] == [True]
    bo.does("key --backup mine.json")
    shutil.rmtree(bo.home)
    bo.does("key --restore mine.json")
    assert bo("--json key --people").facts == known


def test_a_key_that_is_known_is_trusted_without_reading_a_log(friends, monkeypatch):
    anna, bo = friends
    words = anna("--json key").facts["words"]
    monkeypatch.setattr("referee.cli.mail.people_answers.open_good_part", None)
    bo.does(f"key --trust {words}")


def test_an_impostor_with_another_key_is_told(friends, eve):
    _, bo = friends
    mail = invites(eve)
    assert ASKS in read_words(bo.gets(mail, "-n"))
    warning = (
        f"red (Anna) is NOT the Anna of {FIRST}: the key is different. Ask the Anna you know by phone before you go on."
    )
    for answer in (bo.gets(mail, "-n"), bo.gets(mail), bo(f"-g logs/{games_of(bo)[0]} mail")):
        assert warning in read_words(answer)
        assert "is the same" not in read_words(answer)
    assert warning in read_words(bo(f"-g logs/{games_of(bo)[0]} join Bo"))
    again = read_words(bo.gets(invites(eve, log="logs/third.jsonl")))
    assert f"red (Anna) is NOT the Anna of {FIRST}: the key is different." in again
    assert f"red (Anna) is the same Anna as in {FIRST}-2." in again
    bo.does(f"key --trust {words_of(eve)}")
    again = read_words(bo.gets(invites(eve, log="logs/fourth.jsonl")))
    assert "NOT the Anna" in again
    assert "Ask the Anna" not in again


@pytest.mark.parametrize("name", ["Anná", "anna", "ANNA", "'An na'", "'Anna.'"])
def test_a_name_that_only_looks_like_hers_is_told(friends, eve, name):
    _, bo = friends
    told = read_words(bo.gets(invites(eve, name)))
    assert f"is NOT the Anna of {FIRST}: the name only looks the same, and the key is different." in told


def test_letters_of_another_alphabet_are_told(people, eve):
    max_, bo = people("max"), people("bo")
    max_.does("new manoover --mail red --seats Max,Bo")
    bo.gets(max_.mails())
    bo.does("join Bo")
    told = read_words(bo.gets(invites(eve, "Мах")))
    assert f"red (Мах) is NOT the Max of {FIRST}: the name only looks the same, and the key is different." in told


def test_who_comes_with_another_name_is_known_by_the_key(friends):
    anna, bo = friends
    assert f"red (Zoe) has the key of Anna in {FIRST}." in read_words(bo.gets(invites(anna, "Zoe")))


def test_a_friend_who_takes_the_name_of_another_is_told(friends, people):
    _, bo = friends
    carla = people("carla")
    carla.does("new manoover --mail red --seats Carla,Bo")
    bo.gets(carla.mails())
    bo.does("-g logs/manoover-2026-01-02-2.jsonl join Bo")
    told = read_words(bo.gets(invites(carla, "Anna")))
    assert f"red (Anna) is NOT the Anna of {FIRST}: the key is different." in told
    assert f"red (Anna) has the key of Carla in {FIRST}-2." in told


def test_players_without_names_are_told_apart_by_keys_alone(pair, eve):
    anna, bo = pair
    anna.does("new manoover --mail red")
    bo.gets(anna.mails())
    bo.does("join blue")
    anna.does(f"new manoover --mail red -o {SECOND}")
    assert f"red is the same player as in {FIRST}." in read_words(bo.gets(anna(f"-g {SECOND} mail pack").out.encode()))
    eve.does("new manoover --mail red")
    told = read_words(bo.gets(eve.mails()))
    assert "NOT" not in told
    assert ASKS in told
    assert f"red (Anna) is the same player as in {FIRST}." in read_words(bo.gets(invites(anna, log="logs/third.jsonl")))


def test_a_known_key_that_asks_for_the_seat_of_another_is_told(people):
    """Carla, whom Anna knows, says that she is Bo and has lost the key."""
    anna, bo, carla = (people(name) for name in ("anna", "bo", "carla"))
    seated(anna, carla)
    (carla.folder / "mail.txt").unlink()
    anna.does(f"new manoover --mail red --seats Anna,Bo -o {SECOND}")
    bo.gets(anna(f"-g {SECOND} mail pack").out.encode())
    bo.does("join Bo")
    anna.gets(bo.mails())
    carla.gets(anna(f"-g {SECOND} mail pack --from 0").out.encode(), "-o logs/stolen.jsonl")
    carla.does("-g logs/stolen.jsonl join blue --lost-key")
    told = read_words(anna.gets(carla("-g logs/stolen.jsonl mail pack").out.encode()))
    assert f"You know this key: it is that of Bo in {FIRST}." in told


def test_who_has_not_sat_down_knows_nobody(friends, eve):
    """A mail is no acquaintance: nobody gets into the book by writing."""
    _, bo = friends
    before = book_of(bo).read_bytes()
    bo.gets(invites(eve, "Eve"))
    bo.gets(invites(eve, "Eve", "logs/third.jsonl"))
    assert book_of(bo).read_bytes() == before
    assert "Eve" not in bo("key --people").out


def test_programs_are_told_who_is_the_same(friends, eve):
    anna, bo = friends
    (bo.folder / "mail.txt").write_bytes(invites(anna))
    (bo.folder / "eve.txt").write_bytes(invites(eve, "anna"))
    true, false = (
        bo(f"--json mail open {name}").facts["packets"][0]["people"]["red"] for name in ("mail.txt", "eve.txt")
    )
    assert (true["name"], true["checked"], true["same"]) == ("Anna", False, [FIRST])
    assert (true["other_key"], true["looks_like"]) == ([], [])
    assert (false["same"], false["looks_like"]) == ([], [{"name": "Anna", "log": FIRST}])
    told = bo(f"-g logs/{FIRST}-2.jsonl --json mail").facts["people"]["red"]
    assert told == true


# Checked by telephone


def words_of(person):
    return person("--json key").facts["words"]


def test_a_key_that_was_checked_once_is_checked_for_all_games(friends):
    anna, bo = friends
    words = words_of(anna)
    told = read_words(bo(f"key --trust {words}"))
    assert f"You have checked the key of Anna, for all games: {words}" in told
    assert f"To take that back: referee key --forget {words}" in told
    assert f"key {words}, which you have checked" in read_words(bo("mail"))
    assert f"is the same Anna as in {FIRST}; you have checked this key." in read_words(bo.gets(invites(anna)))
    assert bo("--json key --people").facts["people"][0]["checked"] is True


def test_a_key_is_checked_before_sitting_down(pair):
    """Somebody writes for the first time; you ring them up, and only then you join."""
    anna, bo = pair
    anna.does("new manoover --mail red --seats Anna,Bo")
    assert "referee key --trust WORDS" in read_words(bo.gets(anna.mails()))
    words = words_of(anna)
    assert bo("key", "--trust", words.upper().replace("-", " ")).code == 0
    assert "You have checked the key of red (Anna)." in read_words(bo("join Bo"))


def test_words_of_no_key_here_are_refused(friends, eve):
    _, bo = friends
    eve.does("key --make")
    before = book_of(bo).read_bytes()
    answer = bo(f"key --trust {words_of(eve)}")
    assert (answer.code, "the key in your game is not theirs: do not trust it" in read_words(answer)) == (1, True)
    own = bo(f"key --trust {words_of(bo)}")
    assert (own.code, "your own key" in read_words(own)) == (1, True)
    for typed in ("lusab-babad", "", "1 2 3", "Anna"):
        answer = bo("key", "--trust", typed)
        assert (answer.code, "a key has six words, and you typed" in read_words(answer).lower()) == (2, True)
    assert book_of(bo).read_bytes() == before


def test_who_is_known_is_listed(friends, people):
    anna, bo = friends
    assert "You know nobody yet" in read_words(people("dora")("key --people"))
    assert bo("--json key --people").facts == {
        "people": [
            {
                "name": "Anna",
                "names": ["Anna"],
                "words": words_of(anna),
                "key": anna("--json key").facts["public"],
                "checked": False,
                "games": [FIRST],
            }
        ]
    }
    told = bo("key --people").out.splitlines()
    assert told == [f"Anna, not checked yet: {words_of(anna)}", f"    in 1 game: {FIRST}"]


def test_who_is_forgotten_is_new_again(friends):
    anna, bo = friends
    assert bo("key --forget Zoe").code == 1
    assert "Forgotten: Anna" in read_words(bo("key --forget anna"))
    assert bo("--json key --people").facts == {"people": []}
    assert ASKS in read_words(bo.gets(invites(anna)))


def test_of_two_with_one_name_the_words_name_one(friends, eve):
    _, bo = friends
    bo.gets(invites(eve))
    bo.does(f"-g logs/{FIRST}-2.jsonl join Bo")
    several = bo("key --forget Anna")
    assert (several.code, "2 keys were called Anna" in read_words(several)) == (1, True)
    bo.does(f"key --forget {words_of(eve)}")
    assert [one["games"] for one in bo("--json key --people").facts["people"]] == [[FIRST]]


def test_one_thing_at_a_time(friends):
    _, bo = friends
    for words in ("key --people --make", "key --trust a --forget b", "key --people FILE"):
        assert bo(words).code == 2


# The file


@pytest.mark.parametrize("data", [b"{", b'{"referee":"people/9"}'])
def test_a_damaged_book_never_loses_a_game(friends, data):
    anna, bo = friends
    path = book_of(bo)
    path.write_bytes(data)
    answer = bo.gets(invites(anna))
    assert answer.code == 0
    assert read_words(answer).count("Until then, nobody is recognised.") == 1
    assert bo(f"-g logs/{FIRST}-2.jsonl join Bo").code == 0
    assert bo("mail").code == 0
    for words in ("key --people", "key --forget Anna", f"key --trust {words_of(anna)}"):
        told = bo(words)
        assert (told.code, len(told.err.splitlines())) == (3, 1)
    assert path.read_bytes() == data


def test_a_book_that_cannot_be_written_loses_no_game(friends, monkeypatch):
    anna, bo = friends
    bo.gets(invites(anna))

    def full(*_):
        raise book_of_people.KeyProblemError("the disk is full")

    monkeypatch.setattr(book_of_people, "_change_book", full)
    answer = bo(f"-g logs/{FIRST}-2.jsonl join Bo")
    assert (answer.code, "The players were not remembered: the disk is full." in read_words(answer)) == (0, True)


def test_what_the_book_says_goes_to_nobody(friends, people):
    """Neither with a mail, nor with a page, nor into the log: whoever looks on learns of no other game."""
    anna, bo = friends
    carla = people("carla")
    carla.does("new manoover --mail red --seats Carla,Bo")
    bo.gets(carla.mails())
    bo.does(f"-g logs/{FIRST}-2.jsonl join Bo", f"key --trust {words_of(anna)}")
    log = f"-g logs/{FIRST}-2.jsonl"
    sent = [bo(f"{log} mail pack").shown, bo(f"{log} --json mail pack --from 0").shown]
    bo.does(f"{log} log -o page.html", f"{log} mail pack --from 0 --eml turn.eml")
    sent += [(bo.folder / name).read_text("utf-8") for name in ("page.html", "turn.eml")]
    sent += [(bo.folder / f"logs/{FIRST}-2.jsonl").read_text("utf-8")]
    sent += [bo(f"{log} {words}").shown for words in ("--json", "--json log", "--json show", "audit", "--json audit")]
    for text in sent:
        assert "Anna" not in text
        assert words_of(anna) not in text
        assert anna("--json key").facts["public"] not in text


# Strangers


@pytest.fixture
def flood(eve):
    """One mail with 25 games."""
    return b"".join(invites(eve, "Eve", f"logs/g{number}.jsonl") for number in range(25))


def test_a_mail_with_many_games_of_a_stranger_begins_one(friends, flood):
    _, bo = friends
    answer = bo.gets(flood)
    assert answer.code == 0, "something was taken in"
    assert len(games_of(bo)) == 2
    assert "24 other games wait" in read_words(answer)
    assert "To take the next: referee mail open mail.txt" in read_words(answer)
    again = bo("--json mail open mail.txt").facts
    assert again["waiting"] == [{"mail": "mail.txt", "why": "one a mail", "games": 23}]
    assert len(games_of(bo)) == 3


def test_looking_at_such_a_mail_keeps_nothing(friends, flood):
    _, bo = friends
    assert "24 other games wait" in read_words(bo.gets(flood, "-n"))
    assert len(games_of(bo)) == 1


def test_a_friend_begins_many_games_but_not_any_number(friends):
    anna, bo = friends
    flood = b"".join(invites(anna, "Anna", f"logs/g{number}.jsonl") for number in range(MAX_INVITATIONS + 3))
    told = read_words(bo.gets(flood))
    assert len(games_of(bo)) == 1 + MAX_INVITATIONS
    assert f"3 games wait: {MAX_INVITATIONS} games of that sender are here, and you do not play in them." in told
    assert read_words(bo("mail open mail.txt")).count("3 games wait") == 1
    assert len(games_of(bo)) == 1 + MAX_INVITATIONS


def test_a_folder_of_mails_of_many_people_is_opened(people):
    """Each mail is looked at by itself: who looks on at a club opens all that lies there."""
    drop = people("looker")
    (drop.folder / "drop").mkdir()
    for name in ("dora", "emil", "fritz"):
        (drop.folder / "drop" / f"{name}.txt").write_bytes(invites(people(name), name))
    assert drop("mail open drop").code == 0
    assert len(games_of(drop)) == 3


def test_who_has_lost_everything_but_the_key_gets_all_games_back(friends):
    anna, bo = friends
    bo.gets(invites(anna))
    bo.does(f"-g logs/{FIRST}-2.jsonl join Bo")
    anna.gets(bo(f"-g logs/{FIRST}-2.jsonl mail pack").out.encode())
    both = (
        anna(f"-g logs/{FIRST}.jsonl mail pack --from 0").out.encode()
        + anna(f"-g {SECOND} mail pack --from 0").out.encode()
    )
    shutil.rmtree(bo.folder / "logs")
    book_of(bo).unlink()
    assert bo.gets(both).code == 0
    assert len(games_of(bo)) == 2
    assert [one["name"] for one in json.loads(bo("--json key --people").out)["people"]] == ["Anna"]
