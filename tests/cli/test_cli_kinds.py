"""A file that is not of the kind that was wanted is told for what it is, by every command, from one row of a table."""

from __future__ import annotations

import pytest

from referee.record.log import file_kinds
from referee.record.log.file_kinds import FileContent, FileKind

RIDDLE = FileKind(
    "riddle",
    lambda file: FileContent.begins_with(file, "riddle "),
    "this is a riddle, and no log; guess it",
    "it is a riddle, and no mail.",
    "it is a riddle, and no position",
)
"""A kind that comes to be."""
WANTED = {
    "audit riddle.txt": "This is a riddle, and no log; guess it",
    "use riddle.txt": "this is a riddle, and no log; guess it",
    "luck riddle.txt": "this is a riddle, and no log; guess it",
    "diff riddle.txt game.jsonl": "this is a riddle, and no log; guess it",
    "-g riddle.txt show": "this is a riddle, and no log; guess it",
    "-g riddle.txt mail": "this is a riddle, and no log; guess it",
    "open riddle.txt": "it is a riddle, and no mail.",
    "new manoover --dice open --from riddle.txt": "it is a riddle, and no position",
}


@pytest.fixture
def riddle(place, cli):
    """A file of that kind, beside a game."""
    (place / "riddle.txt").write_text("Riddle of the day: which robot is it?\n", "utf-8")
    assert cli("new manoover --dice open -o game.jsonl").code == 0


@pytest.mark.parametrize("words", WANTED)
def test_a_new_kind_is_known_to_every_command_by_its_row(riddle, cli, monkeypatch, words):
    before = cli(words)
    assert "riddle, and no" not in before.out + before.err
    monkeypatch.setattr(file_kinds, "FILE_KINDS", (RIDDLE, *file_kinds.FILE_KINDS))
    told = cli(words)
    assert (told.code, WANTED[words] in " ".join((told.out + told.err).split())) == (before.code, True), told.shown
    assert told.code in (1, 2, 3)


def test_what_pack_prints_is_told_for_a_mail_where_a_log_is_wanted(place, cli):
    cli("new manoover --mail red --seats Anna,Bo -o game.jsonl")
    (place / "mail.txt").write_text(cli("mail", "pack").out, "utf-8")
    for words in ("audit mail.txt", "use mail.txt", "-g mail.txt show"):
        assert "his is a mail, not a log; to open it: referee mail open MAIL" in " ".join(cli(words).shown.split())


def test_a_page_is_audited_and_a_log_taken_out_of_it_by_what_it_holds(place, cli):
    """Whatever stands in its name but its ending."""
    cli("new manoover --dice open -o game.jsonl")
    assert cli("log -o game.html").code == 0
    (place / "game.html").rename(place / "saved (1).HTM")
    assert "The page shows exactly this log" in " ".join(cli("audit", "saved (1).HTM").out.split())
    assert cli("use", "saved (1).HTM", "-o", "again.jsonl").code == 0
    assert (place / "again.jsonl").read_bytes() == (place / "game.jsonl").read_bytes()
