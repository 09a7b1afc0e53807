"""The book of people: hostile until it is checked, whole whoever writes it, and about keys that have signed alone."""

# ruff: noqa: RUF001 - letters that are taken for others are part of what this is about

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from forger import Forger
from msgspec.structs import replace
from players import Player, seated

from referee.engine.hash_chain import derive_chain
from referee.mail import people
from referee.mail.invitations import MAX_INVITATIONS, InvitationCheck, find_signing_keys
from referee.mail.key import Key, make_key
from referee.mail.people import (
    GameWithPerson,
    PeopleBook,
    Person,
    forget_key,
    mark_key_checked,
    read_people_book,
    recognise_key_of_seat,
)
from referee.mail.settings_folder import find_settings_folder
from referee.record.log.enrolment import Enrolment, RecoveryWarrant
from referee.record.log.entry import JoinEntry, OfferEntry, SealEntry
from referee.record.log.log_errors import KeyProblemError, NotAllowedError
from referee.record.table.deeds.rejoin import RejoinOffer
from referee.record.table.player_names import is_look_alike


def key_of(number):
    return Key(Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32), bytes(32)).public


def met(name, log="friday", record="a" * 64):
    return GameWithPerson(record, log, name)


@pytest.fixture
def path():
    """Where the book lies. There is nothing yet."""
    find_settings_folder().mkdir(parents=True)
    return find_settings_folder() / people.BOOK_FILE


# Names


@pytest.mark.parametrize("other", ["Anná", "Аnna", "anna", "ANNA", " Anna", "An na", "Ａnna", "Anna.", "ȧnna", "Ạńna"])
def test_names_that_look_like_a_known_one(other):
    assert is_look_alike("Anna", other)


@pytest.mark.parametrize(
    ("one", "other"), [("Max", "Мах"), ("Bill", "BiII"), ("Otto", "0tto"), ("Tim", "Tirn"), ("Łukasz", "lukasz")]
)
def test_other_names_that_look_alike(one, other):
    assert is_look_alike(one, other)


@pytest.mark.parametrize("other", ["Anne", "Hanna", "Ann", "Annabel", "Bo"])
def test_names_that_do_not(other):
    assert not is_look_alike("Anna", other)


# The file


DAMAGE = {
    "not JSON": b"{",
    "nothing": b"",
    "no text": b"\xff\xfe\x00",
    "deep": b"[" * 100_000,
    "another thing": b'{"referee":"backup/1","people":[]}',
    "an unknown field": b'{"referee":"people/1","people":[],"more":1}',
    "no key": b'{"referee":"people/1","people":[{"key":"ssh-rsa AAAA","checked":true,"games":[]}]}',
    "a long name": json.dumps(
        {
            "referee": "people/1",
            "people": [
                {"key": key_of(1), "checked": True, "games": [{"record": "a" * 64, "log": "x", "name": "A" * 61}]}
            ],
        }
    ).encode(),
    "too many people": json.dumps(
        {"referee": "people/1", "people": [{"key": key_of(1), "checked": True, "games": []}] * 1_001}
    ).encode(),
    "too big": b" " * (people.MAX_BOOK_BYTES + 1),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_book_is_one_sentence_and_stays_as_it_is(path, name):
    path.write_bytes(DAMAGE[name])
    for use in (read_people_book, lambda: mark_key_checked(key_of(2), [met("Anna")]), lambda: forget_key(key_of(1))):
        with pytest.raises(KeyProblemError) as told:
            use()
        assert str(path) in str(told.value)
        assert "\n" not in str(told.value)
    assert path.read_bytes() == DAMAGE[name]
    assert people.read_people_book_if_possible() == PeopleBook()


def test_a_folder_in_place_of_the_book_is_told(path):
    path.mkdir()
    with pytest.raises(KeyProblemError, match="folder"):
        read_people_book()


def test_a_book_of_a_newer_referee_is_told(path):
    path.write_bytes(b'{"referee":"people/2","friends":{}}')
    with pytest.raises(KeyProblemError, match="a newer referee"):
        read_people_book()


def test_a_book_of_today_is_read_for_ever(path):
    """The first form of a book, byte for byte."""
    first = (
        b'{"people": [{"checked": true, "games": [{"log": "friday", "name": "Anna", "record": "' + b"a" * 64 + b'"}], '
        b'"key": "' + key_of(1).encode() + b'"}], "referee": "people/1"}'
    )
    path.write_bytes(first)
    assert read_people_book() == PeopleBook(people=(Person(key_of(1), True, (met("Anna"),)),))


def test_trust_and_forgetting(path):
    assert mark_key_checked(key_of(1), [met("Anna")]).checked
    mark_key_checked(key_of(2), [met("Bo")])
    assert [one.names for one in read_people_book().people] == [("Anna",), ("Bo",)]
    assert mark_key_checked(key_of(1), [met("Anna"), met("Ann", "saturday", "b" * 64)]).names == ("Ann", "Anna")
    forget_key(key_of(1))
    forget_key(key_of(1))
    assert [one.key for one in read_people_book().people] == [key_of(2)]


def test_nobody_trusts_their_own_key():
    own = make_key()
    with pytest.raises(NotAllowedError, match="your own key"):
        mark_key_checked(own.public, [met("Anna")])


def test_only_the_owner_can_read_the_book(path):
    mark_key_checked(key_of(1), [met("Anna")])
    if os.name == "posix":
        assert path.stat().st_mode & 0o077 == 0
    assert read_people_book().people[0].checked


def test_who_was_checked_never_gives_way(monkeypatch):
    monkeypatch.setattr(people, "MAX_PEOPLE", 3)
    book = PeopleBook(people=(Person(key_of(1), True, ()), Person(key_of(2), False, ()), Person(key_of(3), True, ())))
    after = people._add_games(book, [(key_of(4), met("Dora"))])
    assert [one.key for one in after.people] == [key_of(1), key_of(3), key_of(4)]
    for number in range(70):
        after = people._add_games(after, [(key_of(4), met("Dora", f"g{number}", f"{number:064x}"))])
    assert len(after.people[-1].games) == people.MAX_GAMES_OF_KEY
    assert after.people[-1].games[-1].log == "g69"


WRITER = """
import sys
from referee.mail.people import GameWithPerson, mark_key_checked
from referee.mail.key import Key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
for number in range(int(sys.argv[1]), int(sys.argv[1]) + 8):
    key = Key(Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32), bytes(32)).public
    mark_key_checked(key, [GameWithPerson("a" * 64, "friday", f"P{number}")])
"""


def test_two_programs_write_at_once():
    """Nothing that one of them has written is lost."""
    both = [subprocess.Popen([sys.executable, "-c", WRITER, start]) for start in ("1", "101")]
    assert [one.wait(60) for one in both] == [0, 0]
    assert {one.names[0] for one in read_people_book().people} == {f"P{n}" for s in (1, 101) for n in range(s, s + 8)}


# Keys that have signed


def test_a_key_that_has_not_signed_is_nobodys(tmp_path):
    """Anybody can write somebody's key into a log of their own. Only a signature shows whose hand it is."""
    red, blue = seated(tmp_path, "red", "blue")
    book = PeopleBook(people=tuple(Person(one.key.public, True, (met(one.seat),)) for one in (red, blue)))
    one, other = (recognise_key_of_seat(blue.session, seat, book) for seat in ("red", "blue"))
    assert (one.has_signed, one.is_checked, one.same_key_games) == (True, True, (met("red"),))
    assert (other.has_signed, other.is_checked, other.same_key_games) == (False, False, ())
    blue.sends()
    assert recognise_key_of_seat(blue.session, "blue", book).same_key_games == (met("blue"),)
    alone = Player(tmp_path / "alone", "red")
    alone.begins("manoover")
    assert recognise_key_of_seat(alone.session, "blue", book) is None


def test_nobody_puts_the_key_of_another_into_a_mail(tmp_path):
    """Eve begins a game and writes that Anna sits at blue: whether she hands her the pen or not, it is refused."""
    for to in (None, "blue"):
        eve = Player(tmp_path / f"eve {to}", "red")
        eve.begins("manoover", {"form": "three"})
        forged = Forger(eve).seal(to) if to else Forger(eve)
        tip = derive_chain(forged.game_id, "blue", bytes(32), 30)[0].hex()
        forged.add(JoinEntry, by="blue", seed=None, chair=Enrolment(key_of(1), tip, None, 30, forged.head))
        guest = Player(tmp_path / f"bo {to}", "green")
        assert guest.receives(forged.seal("green").packet()).situation == "faulty"
        assert guest.receives(forged.seal("green", by="blue").packet()).situation == "faulty"


def test_signers_are_those_who_sign_at_last(tmp_path):
    red, blue = seated(tmp_path, "red", "blue")
    packet = blue.sends(0)
    assert find_signing_keys(packet.lines) == (signers := find_signing_keys([b"", b"{" * 90_000, *packet.lines]))
    assert (signers.last, signers.all) == (blue.key.public, {red.key.public, blue.key.public})
    forged = Forger(blue)
    offered = RejoinOffer(Enrolment(key_of(1), "a" * 64, None, 30, forged.head))
    doubt = forged.add(OfferEntry, by="blue", offer=offered, on=1, signature=None).seal("red").packet()
    assert find_signing_keys(doubt.lines).last == "", "it may be the key that nobody has agreed to yet"


def test_one_mail_of_strangers_begins_one_game_and_nobody_too_many(tmp_path):
    red, blue = seated(tmp_path, "red", "blue")
    packet = red.sends(0)
    others = [replace(packet, head=replace(packet.head, record=f"{n:064x}")) for n in range(MAX_INVITATIONS + 1)]

    def begin(gate, mail="one"):
        told = []
        for one in others:
            told.append(gate.find_obstacle(one, mail))
            if told[-1] is None:
                gate.count_begun_game(one, mail)
        return told

    assert begin(InvitationCheck(PeopleBook(), None, list, asked=True)) == [None, *["one a mail"] * MAX_INVITATIONS]
    assert begin(InvitationCheck(PeopleBook(), None, list, asked=False)) == ["stranger"] * (MAX_INVITATIONS + 1)
    friends = PeopleBook(people=(Person(red.key.public, False, ()),))
    assert begin(InvitationCheck(friends, None, list, asked=False)) == [*[None] * MAX_INVITATIONS, "too many"]
    logs = lambda: [red.log] * (MAX_INVITATIONS - 1)  # noqa: E731
    assert begin(InvitationCheck(friends, None, logs, asked=True))[:2] == [None, "too many"]
    blue.sends()
    mine = InvitationCheck(PeopleBook(), red.key.public, list, asked=False)
    assert begin(mine) == [None] * (MAX_INVITATIONS + 1), "games that the owner has joined come back"


def test_a_first_packet_that_names_another_record_is_refused(tmp_path):
    """By that name its mail counts its games: with one name for all of them, it would begin any number."""
    red, _ = seated(tmp_path, "red", "blue")
    packet = red.sends(0)
    guest = Player(tmp_path / "guest", "green")
    lies = replace(packet, head=replace(packet.head, record="a" * 64))
    assert guest.receives(lies).situation == "other-game"
    assert [path.name for path in guest.log.parent.iterdir()] == []
    assert guest.receives(packet).situation == "new"


# A key that comes back with its recovery key


def forged_joins(player, victim, signs):
    """The entries of a log in which a key of somebody else gives way to the forger's own, by a recovery key of theirs.

    `signs` is true if the key of the victim has signed in between.
    """
    mine, theirs = key_of(7), victim
    chair = Enrolment(theirs, "a" * 64, None, 30, "0" * 64, "b" * 64)
    common = {"prev": "0" * 64, "at": "2026-01-02T03:04:05Z", "by": "blue", "seed": None}
    first = JoinEntry(n=1, chair=chair, **common)
    seal = [entry for entry in player.session.entries if isinstance(entry, SealEntry)][:1]
    again = JoinEntry(n=3, chair=replace(chair, key=mine), warrant=RecoveryWarrant(mine, "c" * 64), **common)
    return [first, *(replace(one, by="blue") for one in seal if signs), again], mine


@pytest.mark.parametrize("signs", [True, False])
def test_a_key_is_followed_only_if_the_old_one_has_signed(tmp_path, signs):
    red, _ = seated(tmp_path, "red", "blue")
    entries, mine = forged_joins(red, key_of(8), signs)

    class Log:
        """As much of a session as is read."""

    log = Log()
    log.entries = entries
    assert list(people._list_recovered_keys(log)) == ([(key_of(8), mine)] if signs else [])


def test_both_keys_of_a_person_are_one_and_stay_so():
    anna = Person(key_of(1), checked=True, games=(met("Anna"),))
    book = people._follow_keys(PeopleBook(people=(anna,)), [(key_of(1), key_of(2))])
    assert book.people == (Person(key_of(2), checked=True, games=(met("Anna"),), former=(key_of(1),)),)
    assert people._follow_keys(book, [(key_of(1), key_of(2))]) == book
    again = people._add_games(book, [(key_of(1), met("Anna", "sunday", "b" * 64))])
    assert [(one.key, len(one.games)) for one in again.people] == [(key_of(2), 2)]
