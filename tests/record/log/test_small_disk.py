"""A disk that really is full, that may not be written, that is taken out: one sentence each, and nothing is lost.

Each runs in a process that alone sees the disk; where that is not permitted, the faults of `test_disks.py` have to do.
"""

from __future__ import annotations

import subprocess
import sys
from shutil import which

import pytest

MOUNTED = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c")
BEGIN = """
import io, os, subprocess, sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from referee.cli.main import run
from referee.record.archive.audit import audit

def say(*words):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            run(list(words))
        except SystemExit as leaving:
            code = int(leaving.code or 0)
    told = err.getvalue()
    assert code in (0, 3), (words, code, told)
    assert code == 0 or (out.getvalue() == "" and told.count("\\\\n") == 1), (words, out.getvalue(), told)
    return code, told

def mount(*words):
    subprocess.run(["mount", *words], check=True)

here = Path.cwd()
os.chdir("disk")
os.environ["XDG_CONFIG_HOME"] = str(here / "home")
"""
MOUNT = 'mount -t tmpfs -o size=96k none disk && exec "$0" -c "$1"'


def may_mount():
    if not which("unshare"):
        return False
    return subprocess.run([*MOUNTED, "mount -t tmpfs none /tmp"], capture_output=True, check=False).returncode == 0


pytestmark = pytest.mark.skipif(not may_mount(), reason="disks cannot be mounted here")


@pytest.fixture
def on_a_small_disk(tmp_path):
    """Run this in a folder that is a disk of 96 kB."""

    def call(code):
        (tmp_path / "disk").mkdir()
        words = [*MOUNTED, MOUNT, sys.executable, BEGIN.replace("\\\\", "\\") + code]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"

    return call


def test_a_full_disk(on_a_small_disk):
    """What was said to be recorded is there, and goes on once there is room again."""
    on_a_small_disk("""
say("new", "mutants", "--option", "hidden-movement=yes", "--seats", "Ann,Bo", "-o", "a.jsonl")
with open("filling", "wb") as file:
    file.write(b"x" * 40_000)
recorded, failed = 0, 0
for number in range(60):
    code, told = say("note", f"{number} " + "long " * 300)
    recorded += code == 0
    failed += code != 0
    assert code == 0 or "No space left on device" in told, told
assert recorded > 5 and failed > 5
known = audit("a.jsonl")
assert (known.fault, known.entries) == (None, 3 + recorded)
before = Path("a.jsonl").read_bytes()
for words in ("new manoover -o b.jsonl", "branch x --agreed-by all", "match new manoover -o m.jsonl"):
    assert say(*words.split())[0] == 3, words
assert Path("a.jsonl").read_bytes() == before
assert sorted({path.suffix for path in Path().iterdir()} - {".lock"}) == ["", ".head", ".jsonl", ".vault"]
assert [path.name for path in Path().glob("*.jsonl")] == ["a.jsonl"]
Path("filling").unlink()
assert say("do", "wall C3-C4")[0] == 0
assert audit("a.jsonl").entries == 4 + recorded
""")


def test_a_disk_that_may_only_be_read(on_a_small_disk):
    """It can be looked at; whatever would be written is told in a sentence."""
    on_a_small_disk("""
say("new", "manoover", "--dice", "table", "--seats", "Anna,Bo", "-o", "a.jsonl")
mount("-o", "remount,ro", str(here / "disk"))
for words in ("show", "legal", "audit", "log", "use"):
    assert say(*words.split())[0] in (0, 3), words
assert say("show")[0] == say("audit")[0] == 0
for words in ("roll 5 2", "note so", "new manoover", "new manoover -o b.jsonl", "branch x", "use a.jsonl",
              "match new manoover", "resign --yes"):
    code, told = say(*words.split())
    assert code == 3 and "Read-only file system" in told, (words, told)
""")


def test_a_disk_that_is_taken_out(on_a_small_disk):
    """While a session at the table goes on; it goes on when the disk is there again."""
    on_a_small_disk("""
from referee.cli.session.repl import Repl
from referee.cli.screen import Screen
from referee.record.table.opening_logs import open_log

say("new", "manoover", "--dice", "table", "--seats", "Anna,Bo", "-o", "a.jsonl")
talk = Repl(open_log(here / "disk" / "a.jsonl"), Screen)
assert talk.run_line("roll 5 2").answer.code == 0
kept = {path.name: path.read_bytes() for path in Path().iterdir()}
os.chdir(here)
subprocess.run(["umount", "-l", "disk"], check=True)
for line in ("roll 1 2 3", "note so", "undo", "show"):
    reply = talk.run_line(line)
    assert reply.answer.code == 3, (line, reply.render_rows())
    assert len([row for row in reply.render_rows() if row.strip()]) <= 3, reply.render_rows()
assert list((here / "disk").iterdir()) == []
mount("-t", "tmpfs", "none", str(here / "disk"))
for name, data in kept.items():
    (here / "disk" / name).write_bytes(data)
assert talk.run_line("roll 1 2 3").answer.code == 0
assert audit(here / "disk" / "a.jsonl").entries == 3
""")
