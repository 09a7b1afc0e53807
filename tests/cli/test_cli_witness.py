"""`audit --witness`: a log that was cut or written anew is told by one file that saw it before."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from penfriends import seated

WITNESSES = ("page.html", "copy.jsonl", "noted.head", "paper.txt")


@pytest.fixture
def seen(cli, control):
    """A log of an evening, with what four files saw of it up to its entry 2."""
    assert cli("log --as html -o page.html").code == 0
    shutil.copy(control, "copy.jsonl")
    shutil.copy(f"{control}.head", "noted.head")
    Path("paper.txt").write_text(f"Friday\n{cli('log --witness').out}", "utf-8")
    cli("note later")
    cli("note", "later still")
    return control


def forget(log):
    """The file that remembers the end of a log goes, as where somebody else has the log."""
    Path(f"{log}.head").unlink(missing_ok=True)


@pytest.mark.parametrize("witness", WITNESSES)
def test_a_log_that_goes_on_is_the_one_that_was_seen(cli, seen, witness):
    answer = cli(f"audit {seen} --witness {witness}")
    assert answer.code == 0
    assert f"{witness} saw this log, up to entry 2." in answer.out
    assert "No witness has seen what follows entry 2: 2 entries." in answer.out
    data = cli(f"--json audit {seen} --witness {witness}").facts
    assert data["clean"]
    assert data["witnesses"] == [{"witness": witness, "upto": 2, "apart": None, "missing": None, "agrees": True}]


def test_several_are_all_heard(cli, seen):
    shutil.copy(seen, "late.jsonl")
    answer = cli(f"audit {seen} --witness page.html --witness late.jsonl")
    assert "page.html saw this log, up to entry 2." in answer.out
    assert "late.jsonl saw the whole of this log, up to entry 4." in answer.out
    assert "No witness" not in answer.out


@pytest.mark.parametrize("witness", WITNESSES)
def test_a_log_that_was_cut_is_clean_alone_and_told_by_a_witness(cli, seen, witness):
    lines = seen.read_bytes().splitlines(keepends=True)
    seen.write_bytes(b"".join(lines[:2]))
    forget(seen)
    assert cli(f"audit {seen}").code == 0
    answer = cli(f"audit {seen} --witness {witness}")
    assert answer.code == 1
    assert f"{witness} saw entry 2, but this log ends with entry 1: its end is missing." in answer.out


CHANGES = {
    "other names": (0, lambda entry: entry["seats"][0].update(name="Zoe")),
    "another nonce": (0, lambda entry: entry.update(nonce="0" * 32)),
    "another time": (2, lambda entry: entry.update(at="2020-01-01T00:00:00Z")),
}


@pytest.mark.parametrize("witness", WITNESSES)
@pytest.mark.parametrize("change", CHANGES)
def test_a_log_that_was_written_anew_is_clean_alone_and_told_by_a_witness(cli, seen, forge, change, witness):
    n, changed = CHANGES[change]
    forge(seen, Path("anew.jsonl"), n, changed)
    assert cli("audit anew.jsonl").code == 0
    answer = cli(f"audit anew.jsonl --witness {witness}")
    told = " ".join(answer.out.split())
    assert answer.code == 1
    apart = 2 if witness in ("noted.head", "paper.txt") else n
    assert f"{witness} saw another log: entry {apart} is not the one that it saw." in told
    assert not cli(f"--json audit anew.jsonl --witness {witness}").facts["witnesses"][0]["agrees"]


def test_a_mail_is_a_witness(pair):
    anna, bo = pair
    seated(anna, bo)
    (anna.folder / "sent.txt").write_bytes(anna.mails("--from 0"))
    answer = anna("audit --witness sent.txt")
    assert answer.code == 0
    assert "sent.txt saw this log, up to entry 5." in answer.out
    lines = anna.log.read_bytes().splitlines(keepends=True)
    (anna.folder / "cut.jsonl").write_bytes(b"".join(lines[:5]))
    answer = anna("audit cut.jsonl --witness sent.txt")
    assert answer.code == 1
    assert "sent.txt saw entry 5, but this log ends with entry 4" in answer.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("audit {log} --witness ours.txt", "has seen nothing of a log"),
        ("audit {log} copy.jsonl --witness page.html", "--witness needs one log in a file"),
        ("audit - --witness page.html", "--witness needs one log in a file"),
        ("audit page.html --witness page.html", "--witness needs one log in a file"),
    ],
)
def test_what_is_no_witness_is_told(cli, seen, words, told):
    Path("ours.txt").write_text("a shopping list\n")
    answer = cli(words.format(log=seen))
    assert answer.code == 2
    assert told in " ".join(answer.err.split())


def test_a_witness_that_is_not_there(cli, seen):
    assert cli(f"audit {seen} --witness none.html").code == 3


# Words that somebody has written down


def test_typed_words_are_a_witness(cli, control):
    words = cli("log --witness").out.strip()
    n, spelt = words.split(" ")
    assert cli("--json log --witness").facts == {"entry": int(n), "words": spelt}
    for typed in (words, words.upper(), words.replace("-", " "), f"{n}: {spelt}"):
        answer = cli("audit", str(control), "--witness", typed)
        assert answer.code == 0, typed
        assert "saw the whole of this log, up to entry 2." in answer.out


def test_words_of_a_log_that_was_cut_or_written_anew(cli, control):
    words = cli("log --witness").out.strip()
    cli("undo --agreed-by all")
    assert cli("audit", str(control), "--witness", words).code == 0, "a takeback is a later entry"
    lines = control.read_bytes().splitlines(keepends=True)
    control.write_bytes(b"".join(lines[:2]))
    forget(control)
    cut = cli("audit", str(control), "--witness", words)
    assert (cut.code, "its end is missing" in " ".join(cut.out.split())) == (1, True)
    assert cli("roll 3 3 4").code == 0
    other = cli("audit", str(control), "--witness", words)
    assert (other.code, "saw another log: entry 2 is not the one that it saw." in " ".join(other.out.split())) == (
        1,
        True,
    )


@pytest.mark.parametrize("typed", ["nonsense", "2", "2 lusab", "2 lusab-babad-gutih", "x lusab-babad-gutih-tugad", ""])
def test_what_is_neither_a_file_nor_words(cli, control, typed):
    assert cli("audit", str(control), "--witness", typed).code in (2, 3)


def test_a_session_ends_with_the_words(cli, evening, process):
    told = process("play", stdin=b"52\nquit\n").out
    assert f"The words of entry {cli('log --witness').out.strip().replace(' ', ': ')}" in told
