"""How often a mail that is opened has the log of its game read."""

from __future__ import annotations

import pytest

from referee.record.log import safe_files


@pytest.fixture
def opened(monkeypatch):
    """The names of all files that were opened to be read."""
    names = []

    def counted(path, mode, flags, whole=safe_files._open):
        names.append(path.name)
        return whole(path, mode, flags)

    monkeypatch.setattr(safe_files, "_open", counted)
    return names


def reads(person, opened, mail):
    """How often somebody's log is opened to be read while a mail is taken in."""
    (person.folder / "mail.txt").write_bytes(mail)
    opened.clear()
    person.does("mail open mail.txt")
    return opened.count(person.log.name)


def test_the_log_of_a_mail_is_read_once(pair, opened):
    anna, bo = pair
    anna.does("new manoover --mail red --seats Anna,Bo")
    assert bo.gets(anna.mails()).code == 0
    bo.does("join blue")
    assert reads(anna, opened, bo.mails()) == 1, "who has joined"
    anna.does("1 turn ne", "done!")
    assert reads(bo, opened, anna.mails()) == 1, "what was played"


def test_so_it_is_where_secrets_are_kept(pair, opened):
    anna, bo = pair
    anna.does("new mutants --option hidden-movement=yes --mail human --seats Anna,Bo")
    assert bo.gets(anna.mails()).code == 0
    bo.does("join mutant")
    assert reads(anna, opened, bo.mails()) == 1
