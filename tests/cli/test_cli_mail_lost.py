"""A lost disk: what a back-up brings back, what it lacks, and that a key which was brought back contradicts nobody."""

from __future__ import annotations

import os
import shutil

import pytest
from penfriends import read_words

from referee.record.archive.audit import audit


@pytest.fixture
def table(people):
    """A game of Hidden Movement: the human has set up in secret, and the mutant has the pen."""
    human, mutant = people("human"), people("mutant")
    human.does("new mutants --option hidden-movement=yes --mail human")
    mutant.gets(human.mails())
    mutant.does("join mutant")
    human.gets(mutant.mails())
    human.does("rest", "ready")
    mutant.gets(human.mails())
    return human, mutant


def lose(person):
    """His disk is gone, with all that was on it but what he has put elsewhere."""
    for folder in (person.home, person.folder / "logs"):
        shutil.rmtree(folder)
    (person.folder / ".referee").unlink(missing_ok=True)


def secrets_open(person):
    (vault,) = person.folder.glob("logs/*.vault")
    return len(vault.read_bytes().splitlines()) - 1


def test_a_back_up_brings_back_key_and_secrets(table):
    human, mutant = table
    said = human.does("key --backup mine.json")
    assert "your key, what it has signed, the people you know, and 1 vault" in read_words(said)
    assert "keep this file secret" in read_words(said)
    before, words = secrets_open(human), human("--json key").facts["words"]
    if os.name == "posix":
        assert (human.folder / "mine.json").stat().st_mode & 0o777 == 0o600
    assert human("key --backup mine.json").code != 0, "it does not fall on what is there"
    mutant.does("rest", "ready")
    mail = mutant.mails("--from 0 --to human")
    lose(human)
    said = read_words(human.does("key --restore mine.json"))
    assert "first open the last mail of each other player" in said
    assert human("--json key").facts["words"] == words
    said = read_words(human.gets(mail))
    assert "This mail shows that your key has signed this game up to entry" in said
    assert "If you remember signing later entries" in said
    assert "No vault here can open" not in said
    assert secrets_open(human) == before
    assert human("show --by human").code == 0
    assert audit(human.log).unjudged == {"mutant": audit(human.log).unjudged.get("mutant", 0)}


def test_the_line_says_what_it_lacks(table):
    human, mutant = table
    told = human("key --backup")
    assert "holds neither your secrets nor the list of what your key has signed" in read_words(told)
    mutant.does("rest", "ready")
    mail = mutant.mails("--from 0 --to human")
    lose(human)
    said = read_words(human("key --restore", stdin=told.out.encode()))
    assert "holds neither your secrets nor the list of what your key has signed" in said
    assert "secrets of yours" in read_words(human.gets(mail))


def test_a_key_that_was_brought_back_signs_nothing_before_it_has_read(people):
    anna, bo = people("anna"), people("bo")
    anna.does("new manoover --mail red --seats Anna,Bo")
    bo.gets(anna.mails())
    bo.does("join blue")
    anna.gets(bo.mails())
    anna.does("key --backup mine.json")
    old = anna.log.read_bytes()
    anna.does("1 turn ne, done")
    bo.gets(anna.mails())
    lose(anna)
    (anna.folder / "logs").mkdir()
    log = anna.folder / "logs" / "manoover-2026-01-02.jsonl"
    log.write_bytes(old)  # a copy of her log as it was before her turn
    anna.does("key --restore mine.json", "1 turn nw, done")
    refused = anna("mail", "pack")
    assert refused.code == 1
    assert "was restored, so its later signatures in this game are not known here" in read_words(refused)
    bo.does("done!")
    answer = anna.gets(bo.mails("--from 0"), "--theirs")
    assert answer.code == 0
    assert "your key has signed this game up to entry 13" in read_words(answer) or "up to entry" in read_words(answer)
    anna.does("done!")
    assert bo.gets(anna.mails()).code == 0
    assert not list(bo.log.parent.glob("*.fork-*"))


def test_a_new_game_is_not_in_doubt(people):
    anna = people("anna")
    anna.does("key --make", "key --backup mine.json")
    shutil.rmtree(anna.home)
    anna.does("key --restore mine.json", "new manoover --mail red")
    assert b"BEGIN REFEREE PACKET" in anna.mails()


@pytest.mark.parametrize("data", [b"", b"{}", b'{"referee":"backup/2"}', b"\xff", b"referee-key-1 abc"])
def test_what_is_no_back_up_changes_nothing(people, data):
    anna = people("anna")
    (anna.folder / "mine.json").write_bytes(data)
    answer = anna("key --restore mine.json")
    assert (answer.code, "is not a back-up of a key" in read_words(answer)) == (3, True)
    assert anna("key").code == 1
    assert anna("key mine.json").code == 2
