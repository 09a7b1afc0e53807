"""Shared logs that somebody has spoilt on purpose, and folders in which nothing can be written: one sentence each."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from referee.record.log.line_format import BODY_OFFSET, format_entry_line

MARKS = ("<<<<<<< HEAD", "=======", "||||||| base", ">>>>>>> theirs", "%%%%%%% diff", "+++++++ side")
WIDE = 1000


def sentences(answer):
    """The lines that came back, without the board."""
    return [line for line in f"{answer.out}\n{answer.err}".splitlines() if line.strip()]


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_in_a_note_is_no_mark_of_a_merge(cli, place, mark):
    assert cli("new", "manoover", "--dice", "table", "--seats", "Anna,Bo", "-o", "g.jsonl").code == 0
    assert cli("note", mark, "--by", "red").code == 0
    assert cli("note", f"a\n{mark}\nb", "--by", "red").code == 1, "a note is one line"
    assert cli("audit", "g.jsonl").out.startswith("CLEAN")
    copy = Path("g (1).jsonl")
    shutil.copy("g.jsonl", copy)
    cli("note", mark, "--by", "red")
    cli("-g", copy, "note", mark + "!", "--by", "blue")
    assert cli("merge", copy, "--keep", "1", "--by", "red").code == 0
    assert cli("audit", ".").code == 0


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda log: log + b"".join(b"<" * number + b" a\n" for number in range(7, 500)),
        lambda log: b"<<<<<<< a\n" * 50_000 + log + b">>>>>>> b\n" * 50_000,
        lambda log: log.replace(b"\n", b"\n=======\n"),
        lambda log: log + b"<<<<<<< a\n" + log + b"||||||| b\n" + log + b"=======\n" + log[:-300] + b"\n>>>>>>> c\n",
        lambda log: b"<<<<<<< a\n=======\n>>>>>>> b\n",
        lambda log: log[:80] + b"<<<<<<< a\n" + log[80:],
    ],
    ids=["nested", "many", "between all lines", "a cut line", "marks alone", "within a line"],
)
def test_marks_in_a_hostile_log_end_in_a_designed_answer(cli, control, spoilt):
    log = control.with_name("spoilt.jsonl")
    log.write_bytes(spoilt(control.read_bytes()))
    before = log.read_bytes()
    for words in ("show", "who", "audit", "log", "diff"):
        told = cli("-g", log, words, *([log] if words in ("audit", "diff") else []))
        assert told.code in (0, 1, 2, 3), told.shown
        assert "bug in the referee" not in told.err
        assert log.read_bytes() == before
    for words in (["merge"], ["do", "2", "turn", "NE"]):
        cli("-g", log, *words)
        assert log.read_bytes() == before or cli("audit", log).code == 0


def test_of_ten_thousand_copies_a_few_are_told(cli, control):
    cli("do 2 turn NE")
    lines = control.read_bytes().splitlines(keepends=True)
    last = lines[-1][BODY_OFFSET:-2]
    for number in range(10_000):
        other = last.replace(b"NE", b"NW").replace(b'"at":"2026', b'"at":"%04d' % (2000 + number % 20))
        control.with_name(f"friday ({number}).jsonl").write_bytes(b"".join(lines[:-1]) + format_entry_line(other))
    told = cli("status", width=WIDE)
    assert told.code == 0
    assert 0 < len([line for line in told.err.splitlines() if "copy" in line]) <= 20
    assert cli("show").code == 0


def test_a_fork_of_a_fork_is_settled_one_end_after_the_other(cli, control):
    base = control.read_bytes()
    cli("do 2 turn NE")
    first = control.read_bytes()
    cli("do 6 go N")
    ends = [control.read_bytes()]
    for start, said in ((first, "note then"), (base, "note instead")):
        control.write_bytes(start)
        control.with_name(f"{control.name}.head").unlink(missing_ok=True)
        cli(said)
        ends.append(control.read_bytes())
    control.write_bytes(b"".join(ends))
    control.with_name(f"{control.name}.head").unlink(missing_ok=True)
    assert cli("audit", control).code == 1
    assert len([line for line in cli("merge").out.splitlines() if "entr" in line]) >= 3
    assert cli("merge --keep 1 --by red").code == 0
    assert cli("audit", control.parent).code == 0
    assert len([*control.parent.glob("*.jsonl")]) == 3


@pytest.mark.parametrize("trouble", ["a lock", "a folder", "another folder"])
def test_git_setup_says_what_it_cannot_write_and_leaves_nothing_half(cli, place, trouble):
    subprocess.run(["git", "init", "-q", "."], check=True)
    config = Path(".git/config").read_bytes()
    if trouble == "a lock":
        Path(".git/config.lock").touch()
    else:
        folder = Path(".gitattributes" if trouble == "a folder" else ".git/info/exclude")
        folder.unlink(missing_ok=True)
        folder.mkdir(parents=True)
    told = cli("git setup", width=WIDE)
    assert told.code in (1, 3), told.shown
    assert len(sentences(told)) == 1, told.shown
    assert Path(".git/config").read_bytes() == config
    assert not Path(".gitattributes").is_file()
    assert trouble == "another folder" or b"vault" not in Path(".git/info/exclude").read_bytes()
