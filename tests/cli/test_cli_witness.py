"""`audit --witness`: a log that was cut or written anew is told by one file that saw it before."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from decoder import read_off, read_off_terminal
from penfriends import seated

from referee.record.archive.witness import PHONE_FILE_START

WITNESSES = {
    "page.html": "page",
    "copy.jsonl": "copy",
    "noted.head": "note",
    "paper.txt": "note",
    "code.txt": "code",
    "phone.txt": "phone",
}
LATE = ("noted.head", "paper.txt", "code.txt")
"""Those that saw the last entry alone."""


@pytest.fixture
def seen(cli, control):
    """A log of an evening, with what four files saw of it up to its entry 2."""
    assert cli("log --as html -o page.html").code == 0
    shutil.copy(control, "copy.jsonl")
    shutil.copy(f"{control}.head", "noted.head")
    Path("paper.txt").write_text(f"Friday\n{cli('log --witness').out}", "utf-8")
    assert cli("log --witness -o paper.svg").code == 0
    (scanned,) = read_off(Path("paper.svg").read_text("utf-8"))
    Path("code.txt").write_text(scanned.replace("\n", " "), "utf-8")
    seen = [cli(f"--json --at {n} log --witness").facts["checkpoint"] for n in range(3)]
    Path("phone.txt").write_text("\n".join([f"{PHONE_FILE_START} of a game\n", *seen]), "utf-8")
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
    assert data["witnesses"] == [
        {
            "witness": witness,
            "kind": WITNESSES[witness],
            "upto": 2,
            "apart": None,
            "missing": None,
            "twice": None,
            "agrees": True,
        }
    ]


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
    "another option": (0, lambda entry: entry["options"].update({"goal-cells": "third"})),
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
    apart = n if witness not in LATE or (n == 0 and witness == "code.txt") else 2
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
        ("audit {log} --witness ours.txt", "There is no trace of a log in"),
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
    facts = cli("--json log --witness").facts
    assert (facts["entry"], facts["words"]) == (int(n), spelt)
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
    assert f"note the words of entry {cli('log --witness').out.strip().replace(' ', ': ')}" in told


# Codes, and the files of phones


def test_the_code_of_a_log_on_a_terminal_is_read_by_any_phone(cli, control):
    shown = cli("--width 80 log --witness --as qr").out.splitlines()
    (scanned,) = read_off_terminal(shown[1:])
    assert scanned == cli("--json log --witness").facts["checkpoint"]
    assert scanned.splitlines()[1] == "3", "the number of entries, as C2SP wants it"
    answer = cli("audit", str(control), "--witness", scanned)
    assert "saw the whole of this log, up to entry 2." in " ".join(answer.out.split())


def test_a_code_that_does_not_fit_says_so(cli, control):
    assert "needs 37 columns" in " ".join(cli("--width 30 log --witness --as qr").out.split())


def test_a_code_holds_its_words_in_print(cli, control):
    cli("log --witness -o paper.svg")
    assert f"entry {cli('log --witness').out.strip()}</text>" in Path("paper.svg").read_text("utf-8")
    assert cli("log --witness -o paper.svg").code != 0, "a file is replaced only with --force"


@pytest.mark.parametrize(
    "line", ["log --witness --as html", "log --witness -o x.html", "log --witness --as qr -o x.txt"]
)
def test_a_witness_in_no_form_is_refused(cli, control, line):
    assert cli(line).code == 2


def test_a_checkpoint_may_be_signed_by_others(cli, control):
    """A club countersigns length and time in C2SP's form without reading the game."""
    cli("log --witness -o signed.txt")
    signed = (
        Path("signed.txt").read_text("utf-8")
        + "\n\u2014 club.example Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe\n"
    )
    Path("signed.txt").write_text(f"> {signed}".replace("\n", "\n> "), "utf-8")
    assert "signed.txt saw the whole of this log" in cli(f"audit {control} --witness signed.txt").out


def test_three_phones_and_a_page_speak_as_one(cli, seen):
    for name in ("anna.txt", "bo.txt"):
        shutil.copy("phone.txt", name)
    heard = [f"--witness {name}" for name in ("phone.txt", "anna.txt", "bo.txt", "page.html")]
    answer = cli(f"audit {seen} {' '.join(heard)}")
    assert "This is the log that 3 phones and 1 page saw, up to entry 2." in answer.out
    assert "No witness has seen what follows entry 2: 2 entries." in answer.out


def test_a_phone_that_saw_the_log_rewritten_tells_both(cli, seen, forge):
    forge(seen, Path("anew.jsonl"), 2, lambda entry: entry.update(at="2020-01-01T00:00:00Z"))
    other = cli("--json -g anew.jsonl --at 2 log --witness").facts["checkpoint"]
    Path("phone.txt").write_text(f"{Path('phone.txt').read_text('utf-8')}\n{other}", "utf-8")
    for log in (seen, "anew.jsonl"):
        answer = cli(f"audit {log} --witness phone.txt")
        assert answer.code == 1
        assert "phone.txt saw this log, but also another one: it saw two versions of entry 2" in " ".join(
            answer.out.split()
        )


def test_a_code_of_another_game_is_told_at_the_first_entry(cli, seen):
    cli("new manoover -o other.jsonl")
    Path("other.txt").write_text(cli("--json -g other.jsonl log --witness").facts["checkpoint"], "utf-8")
    assert "saw another log: entry 0 is not the one" in " ".join(cli(f"audit {seen} --witness other.txt").out.split())


@pytest.mark.parametrize("agreed", [["red"], ["red", "blue"], []])
def test_an_agreement_that_was_changed_is_told_by_every_witness(cli, control, forge, agreed):
    cli("undo 1 --agreed-by all")
    words = cli("log --witness").out.strip()
    cli("log --witness -o code.txt")
    cli("log --as html -o page.html")
    forge(control, Path("anew.jsonl"), 3, lambda entry: entry.update(agreed=agreed))
    for witness in (words, "code.txt", "page.html"):
        answer = cli("audit", "anew.jsonl", "--witness", witness)
        assert answer.code == 1
        assert "saw another log: entry 3 is not the one that it saw." in " ".join(answer.out.split())


def test_a_game_printed_as_a_code_carries_its_words(cli, control):
    cli("log -o game.svg")
    words = cli("log --witness").out.strip()
    assert f"Entry {words}</text>" in Path("game.svg").read_text("utf-8")
    assert cli("audit", str(control), "--witness", words).code == 0
