"""Sitting down in a game by mail: who is invited where, in a first mail and in a branch, and two at one seat."""

from __future__ import annotations

import re

import pytest
from penfriends import read_words, seated


@pytest.fixture
def table(pair):
    """A game of Manoover in which Anna is red and Bo is blue; red is to move and has the pen."""
    seated(*pair)
    return pair


def test_three_are_invited_by_name_and_nobody_sits_in_anothers_seat(people):
    anna, bo, carla = (people(name) for name in ("anna", "bo", "carla"))
    begun = read_words(anna.does("new manoover --option form=three --mail red --seats Anna,Bo,Carla"))
    assert "Your key" in begun
    invited = anna.mails()
    assert b"Bo is invited to sit at blue." in invited
    assert b"Carla is invited to sit at green." in invited
    said = read_words(carla.gets(invited))
    assert "The seat blue is for Bo. The seat green is for Carla." in said
    ways = (
        "if you are blue: referee join NAME; if you are green: referee join NAME, once the mail of blue has come; "
        "NAME is your name in this game"
    )
    assert f"Next: {ways}" in said
    assert read_words(carla("join")).partition("Name your seat: ")[2].startswith(ways)
    for words in ("status", "mail agree", "mail pack", "do done!"):
        assert ways in read_words(carla(words))
    refused = carla("join blue")
    assert refused.code == 1
    assert "blue is the seat of Bo; if that is you: referee join Bo" in read_words(refused)
    assert carla("join Carla").code == 1
    bo.gets(invited)
    sat = read_words(bo.does("join Bo"))
    words = {person.name: person("--json key").facts["words"] for person in (anna, bo)}
    assert f"Your key: {words['bo']}" in sat
    assert f"The key of red (Anna): {words['anna']}" in sat
    mail = bo.mails()
    assert f"The key of blue (Bo): {words['bo']}" in read_words(anna.gets(mail))
    carla.gets(mail)
    sat = read_words(carla.does("join Carla"))
    assert f"The key of blue (Bo): {words['bo']}" in sat
    assert f"The key of red (Anna): {words['anna']}" in sat


def test_after_a_branch_everybody_reads_their_own_command_alone_and_it_works(table):
    """The key of this computer had a seat in the parent, so nobody has to say who they are."""
    for person, seat in zip(table, ("red", "blue"), strict=True):
        for name in ("one", "two"):  # the second one leaves the first, in which nobody sits yet
            told = read_words(person.does(f"branch {name}"))
            assert told.partition("Next: ")[2].startswith(f"referee join {seat} ")
            assert "if you are" not in told
            for refused in ("mail agree", "finish nobody", "join"):
                answer = read_words(person(refused))
                assert f"referee join {seat}" in answer
                assert "if you are" not in answer
        assert f"You sit at {seat}" in read_words(person.does(f"join {seat}"))


def test_in_a_branch_that_comes_by_mail_the_guest_reads_their_own_command(table):
    anna, bo = table
    anna.does("branch again", "join red")
    told = read_words(bo.gets(anna.mails()))
    (log,) = bo.folder.glob("logs/*-2.jsonl")
    named = f"-g {log.relative_to(bo.folder)} "
    assert told.partition("Next: ")[2].startswith(f"referee {named}join blue ")
    bo.does(f"{named}join blue")


def test_in_a_branch_a_stranger_has_to_name_themselves(table, people):
    anna, _ = table
    anna.does("branch again")
    log = next(anna.folder.glob("logs/*-again.jsonl"))
    carla = people("carla")
    (carla.folder / "game.jsonl").write_bytes(log.read_bytes())
    carla.does("key --make")
    told = read_words(carla("-g game.jsonl mail"))
    assert "Next: if you are red: referee join NAME; if you are blue: referee join NAME; NAME is your name in" in told
    assert carla("-g game.jsonl join red").code == 1
    carla.does("-g game.jsonl join Anna")


@pytest.mark.parametrize("words", ["mail agree", "mail refuse", "mail pack", "finish nobody", "done!"])
def test_a_guest_without_a_key_is_told_to_sit_down_which_makes_one(people, words):
    anna, bo = people("anna"), people("bo")
    anna.does("new manoover --mail red --seats Anna,Bo")
    bo.gets(anna.mails())
    told = read_words(bo(words))
    assert "there is no key on this computer; if you are blue: referee join blue" in told
    assert "to restore a key that you had before: referee key --restore" in told
    assert "--make" not in told
    assert "A key was made for you" in read_words(bo.does("join blue"))


def test_of_two_at_one_seat_all_three_read_the_same_and_it_helps(people):
    """Carla sits down at Bo's seat by mistake. Whoever opens the mail of the other reads one sentence."""
    anna, bo, carla = everybody = [people(name) for name in ("anna", "bo", "carla")]
    anna.does("new manoover --option form=three --mail red --seats Anna,Bo,Carla")
    invited = anna.mails()
    sent = []
    for person in (bo, carla):
        person.gets(invited)
        person.does("join Bo")
        sent.append(person.mails())
    right, wrong = sent
    anna.gets(right)
    answers = [read_words(person.gets(mail)) for person, mail in ((anna, wrong), (bo, wrong), (carla, right))]
    words = sorted(person("--json key").facts["words"] for person in (bo, carla))
    assert all(one in answers[0] for one in words)
    told = {re.search("Two people sit at .* joins the branch", answer)[0] for answer in answers}
    assert len(told) == 1
    assert "Two people sit at blue, with the keys" in told.pop()
    assert all("Then everybody joins the branch. " in answer for answer in answers)
    for person in everybody:
        said = read_words(person("mail"))
        assert said.count("Two people sit at blue, with the keys") == 1
        assert all(one in said for one in words)
    for mail in (wrong, right):  # she has not signed on top of either, and may change her mind
        assert anna.gets(mail, "--theirs").code == 0
        assert "Two people sit" not in read_words(anna("mail")), "she has chosen"
    assert bo.gets(wrong, "--theirs").code == 1
    anna.does("branch again --at 2", "join Anna")
    mail, branch = anna.mails(), "logs/manoover-2026-01-02-2.jsonl"
    for person, name in ((bo, "Bo"), (carla, "Carla")):
        assert person.gets(mail).code == 0
        person.does(f"-g {branch} join {name}")
        mail = person(f"-g {branch} mail pack --from 0").out.encode()
    assert anna.gets(mail).code == 0
    seats = anna("--json mail").facts["seats"]
    assert [seats[seat]["words"] for seat in ("red", "blue", "green")] == [
        person("--json key").facts["words"] for person in everybody
    ]
