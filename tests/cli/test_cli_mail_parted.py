"""Copies that have parted, forks and proofs: two honest players always find a way on, and a cheat finds none."""

from __future__ import annotations

import shutil

import pytest
from penfriends import Person, read_words, rested, seated

import referee.record.table.entry_encoder
from referee.record.archive.audit import audit

LATER = "2026-01-03T00:00:00Z"


@pytest.fixture
def table(cli, tmp_path, monkeypatch):
    """A game of Manoover; red, Anna, has copied all that she has to a laptop."""
    anna, bo = (Person(name, tmp_path, cli, monkeypatch, [], "luck 26") for name in ("anna", "bo"))
    seated(anna, bo)
    laptop = Person("laptop", tmp_path, cli, monkeypatch, [], "luck 26")
    for mine, other in ((anna.folder, laptop.folder), (anna.home, laptop.home)):
        shutil.copytree(mine, other, dirs_exist_ok=True)
    return anna, bo, laptop


@pytest.fixture
def later(monkeypatch):
    """From now on it is the next day."""
    return lambda: monkeypatch.setattr(referee.record.table.entry_encoder, "get_current_time", lambda: LATER)


def forks(person):
    return list(person.log.parent.glob("*.fork-*"))


def test_the_same_turn_said_again_on_a_new_computer_is_no_fraud(table, later):
    anna, bo, laptop = table
    anna.does("1 turn ne, done")
    bo.gets(anna.mails())
    later()
    laptop.does("1 turn ne, done")
    again = laptop.mails()
    assert laptop.log.read_bytes() != anna.log.read_bytes()
    before = bo.log.read_bytes()
    answer = bo.gets(again)
    assert (answer.code, forks(bo)) == (0, [])
    assert "Nothing new" in read_words(answer)
    assert bo.log.read_bytes() == before
    bo.does("done!")
    bo.mails()
    assert "new entries from blue" in read_words(laptop.gets(bo.mails("--from 0")))
    laptop.does("done!")
    assert bo.gets(laptop.mails()).code == 0
    assert bo.log.read_bytes().startswith(laptop.log.read_bytes()[: len(before)])
    assert audit(laptop.log).fault is None


@pytest.mark.parametrize("derivation", [1, 2])
def test_what_is_declared_again_at_another_time(cli, tmp_path, monkeypatch, later, derivation):
    """Where dice hang on times, it is a second throw and a proof; otherwise it is the same throw, and no fraud."""
    human, mutant, laptop = (
        Person(name, tmp_path, cli, monkeypatch, [], "luck 26", derivation) for name in ("a", "b", "laptop")
    )
    rested(human, mutant)
    mutant.does("rest", "ready")
    for mine, other in ((mutant.folder, laptop.folder), (mutant.home, laptop.home)):
        shutil.copytree(mine, other, dirs_exist_ok=True)
    mutant.does("smash xN1-A1 r1")
    human.gets(mutant.mails())
    later()
    laptop.does("smash xN1-A1 r1")
    answer = human.gets(laptop.mails())
    assert ("mutant has signed two different versions of entry" in read_words(answer)) == (derivation == 1)
    assert len(forks(human)) == 2 - derivation
    assert audit(human.log).fault is None


def test_where_one_has_signed_two_turns_the_other_may_take_either(table):
    anna, bo, laptop = table
    anna.does("1 turn ne, done")
    bo.gets(anna.mails())
    laptop.does("1 turn nw, done")
    other = laptop.mails()
    before = bo.log.read_bytes()
    said = read_words(bo.gets(other))
    assert "red has signed two different versions of entry" in said
    assert "referee diff MAIL" in said
    assert "referee mail open --theirs MAIL" in said
    assert len(forks(bo)) == 1
    assert bo.log.read_bytes() == before
    compared = bo("diff mail.txt")
    assert compared.code == 1
    assert "red: 1 turn NE" in compared.shown
    assert "red: 1 turn NW" in compared.shown
    assert "mail.txt" in compared.shown
    assert "But red signed two versions of entry 9, so red has lied." in read_words(compared)
    assert bo("--json diff mail.txt").facts["signed_both"] == "red"
    assert "new entries from red" in read_words(bo.gets(other, "--theirs"))
    bo.does("done!")
    assert laptop.gets(bo.mails()).code == 0
    assert audit(bo.log).fault is None


def test_two_who_have_both_signed_settle_on_one_history_by_a_branch(table):
    anna, bo, laptop = table
    anna.does("1 turn ne, done")
    bo.gets(anna.mails())
    bo.does("done!")
    bo.mails()
    laptop.does("1 turn nw, done")
    other = laptop.mails()
    said = read_words(bo.gets(other))
    assert "Your key has signed your entries, so it cannot sign others in their place." in said
    last = said.partition("referee branch again --at ")[2].split(",")[0]
    before = bo.log.read_bytes()
    assert bo.gets(other, "--theirs").code == 1
    assert bo.log.read_bytes() == before
    bo.does(f"branch again --at {last}", "join Bo")
    said = read_words(laptop.gets(bo.mails()))
    assert "join red" in said
    (log,) = (path for path in laptop.folder.glob("logs/*.jsonl") if path.stem.endswith("-2"))
    laptop.does(f"-g logs/{log.name} join Anna")
    laptop.does("1 turn nw, done")
    assert bo.gets(laptop.mails()).code == 0
    bo.does("done!")
    assert laptop.gets(bo.mails()).code == 0
    assert audit(log).fault is None


def test_a_branch_that_rewrites_what_was_played_is_told(table):
    """Whoever branches signs nothing of what came before: Anna's laptop has it that she had turned the other way."""
    anna, bo, laptop = table
    anna.does("1 turn ne, done")
    bo.gets(anna.mails())
    laptop.does("1 turn nw, done", "branch again", "join Anna")
    mail = laptop.mails()
    warning = "Before you join: this branch and logs/"
    looked_at = read_words(bo.gets(mail, "-n"))
    assert warning in looked_at
    assert "referee diff" not in looked_at  # it is gone by now
    told = read_words(bo.gets(mail))
    assert warning in told
    shown = told.partition("referee diff ")[2].split(" if you")[0].split()[:2]
    assert "red: 1 turn NW" in bo(f"diff {' '.join(shown)}").shown


def test_an_honest_branch_is_told_without_a_word_of_that(table):
    anna, bo, _ = table
    anna.does("1 turn ne, done")
    bo.gets(anna.mails())
    anna.does("branch again --at 6", "join Anna")
    assert "another history" not in read_words(bo.gets(anna.mails()))


def test_a_mail_is_compared_with_the_current_game(table):
    anna, bo, _ = table
    anna.does("1 turn ne, done")
    mail = anna.mails()
    (bo.folder / "mail.txt").write_bytes(mail)
    assert "one of them ends" in read_words(bo("diff mail.txt"))
    bo.gets(mail)
    assert bo("diff mail.txt").code in (0, 1)
    (bo.folder / "words.txt").write_text("hello")
    assert bo("diff words.txt").code == 3
