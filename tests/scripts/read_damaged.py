"""Every bad log, changed in every way in which mail changes files, read by every command: no bug, no silence.

python tests/scripts/read_damaged.py                  the whole product, on two processes
python tests/scripts/read_damaged.py --draw 5000      so many cases of it, drawn by --seed
python tests/scripts/read_damaged.py --part 3/47      the third of 47 parts that together are the whole product
python tests/scripts/read_damaged.py --only audit     the cases of commands with this word
python tests/scripts/read_damaged.py --threads        quicker: `audit` judges in a thread, not in a process of its own

A case is a log of fixtures/corrupt, a change, a command, and whether its answer is text or data. Whatever the log
holds, the answer has a designed exit code and says something. Among several logs, the good one is told, too.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import quopri
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import chdir, nullcontext
from functools import cache, partial
from html import escape
from itertools import islice, product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest.mock import patch

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "scripts")]

import make_corrupt
import pytest
from calling import Called, called
from memory import write_in_memory
from third_party import installed

from referee.cli import archive_audit

Change = Callable[[bytes], bytes]
LOG, GOOD = "game.jsonl", "many/good.jsonl"
BAD = "many/bad.jsonl"
BREAK = 76
CODES = {0, 1, 2, 3, 4, 5}
"""The exit codes of designed answers to commands that nobody stops."""


def each(change: Change) -> Change:
    """Returns a change of each line by itself."""
    return lambda data: b"\n".join(map(change, data.split(b"\n")))


def wrapped(data: bytes) -> bytes:
    """Returns the lines broken after 76 characters."""
    lines = data.split(b"\n")
    return b"\n".join(line[at : at + BREAK] for line in lines for at in range(0, max(1, len(line)), BREAK))


MAIL: dict[str, Change] = {
    "Windows line ends": lambda data: data.replace(b"\n", b"\r\n"),
    "a byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "quoted": each(lambda line: b"> " + line),
    "a greeting": lambda data: b"Dear Bo,\n\nhere it is > all of it.\n\n" + data,
    "a signature": lambda data: data + b"\n-- \nAnna\n",
    "blank lines": lambda data: data.replace(b"\n", b"\n\n"),
    "answered, in Windows": lambda data: b"\xef\xbb\xbfThanks!\r\n" + each(lambda line: b"> " + line + b"\r")(data),
    "wrapped": wrapped,
    "quoted-printable": quopri.encodestring,
    "other quotation marks": lambda data: data.replace(b'"', "\u201c".encode()),
    "hard blanks": lambda data: data.replace(b" ", "\u00a0".encode()),
    "cut at a line end": lambda data: data[: data.rfind(b"\n", 0, -1) + 1],
    "cut in the first line": lambda data: data[: data.find(b"\n") // 2],
    "cut and quoted": lambda data: each(lambda line: b"> " + line)(data[: len(data) // 2]),
    "saved as UTF-16": lambda data: data.decode("utf-8", "replace").encode("utf-16"),
    "in HTML": lambda data: b"<p>" + escape(data.decode("latin-1")).replace("\n", "<br>\n").encode("latin-1") + b"</p>",
    "in base64": base64.encodebytes,
    "packed": lambda data: gzip.compress(data, mtime=0),
}
"""The changes of mail programs, by name."""
CHANGES: dict[str, Change] = {"as it is": lambda data: data, **MAIL}

READERS = {
    "show": ("show", "show --as words", "show --as toml", "show --as svg", "show --by red", "--at 0 show"),
    "log": ("log", "--at 1 log", "log --by red", "log --full", "log --as words", "log -o told.html"),
    "status": ("status", "--at last status"),
    "where": ("where R1",),
    "legal": ("legal", "--at 0 legal"),
    "why": ("why 3 go",),
    "odds": ("odds", "odds 3 go"),
    "hint": ("hint --seconds 0.01",),
    "stats": ("stats luck", "stats luck --worth"),
    "do": ("do", "do 3 go", "do -n throw"),
    "roll": ("roll", "roll 1 2"),
    "answer": ("answer", "answer yes"),
    "undo": ("undo", "undo --by red --agreed-by all"),
    "redo": ("redo",),
    "correct": ("correct 1",),
    "note": ("note hello",),
    "fix": ("fix", "fix turn red --why cat --agreed-by all"),
    "resign": ("resign --by red",),
    "leaves": ("leaves red", "leaves red --bot steady --agreed-by all"),
    "sits": ("sits red Dee --agreed-by all",),
    "finish": ("finish --agreed-by all late",),
    "pause": ("pause 2026-12-24",),
    "switch": ("switch null-rotation=refused", "switch ties=survivor --agreed-by all"),
    "upgrade": ("upgrade --agreed-by all",),
    "mail": (
        *("mail", "mail pack", "mail pack -o packed.txt", "mail pack --eml"),
        *("mail agree --by red", "mail refuse --by red"),
    ),
    "reveal": ("reveal --agreed-by all", "reveal 1"),
    "branch": ("branch other", "--at 0 branch other --agreed-by all"),
    "join": ("join red",),
    "rules": ("rules", "rules 1"),
    "help": ("help",),
    "schema": ("schema position",),
    "use": ("use", "use -o taken.jsonl"),
    "audit": ("audit",),
    "match": ("match show", "match next", "match audit", "match undo --agreed-by all"),
}
"""The lines that are typed for each command about the current log, which is named or piped in."""
FILES = {
    "mail": (f"mail open {LOG}", "mail open -"),
    "use": (f"use {LOG}", f"use {LOG} -o taken.jsonl"),
    "diff": (f"diff {LOG} {GOOD}", f"diff {GOOD} {LOG}", f"diff {LOG} {LOG}"),
    "new": (f"new --from {LOG}", f"new manoover --from {LOG}", f"new manoover --own board={LOG}", "new --from -"),
    "fix": (f"-g {GOOD} fix --from {LOG} --why cat --agreed-by all",),
    "do": (f"-g {GOOD} do --file {LOG}",),
    "audit": (f"audit {LOG}", "audit -", f"audit - {GOOD}"),
    "match": (f"match show {LOG}", f"match audit {LOG}", f"match next --match {LOG}"),
    "key": (f"key --use {LOG}", f"key --restore {LOG}"),
    "play": (f"-g {LOG} play",),
}
"""The lines that name the file, or read it from stdin."""
MANY = {
    "audit": ("audit many", f"audit {BAD} {GOOD}", f"audit -j 2 {BAD} {GOOD}"),
    "stats": ("stats many", "stats many --as jsonl", f"stats {BAD} {GOOD}", "stats rolls many"),
    "stats dice": ("stats dice many", f"stats dice {BAD} {GOOD}"),
    "stats luck": ("stats luck many", f"stats luck {BAD} {GOOD}"),
    "mail": ("mail many",),
    "use": ("use", "use what-if"),
}
"""The lines that read the bad log together with a good one."""
MANY_LINES = frozenset(line for lines in MANY.values() for line in lines)
TOLD = {
    "audit": GOOD,
    "stats": GOOD,
    "stats dice": 'typed by red|"by":"red"',
    "stats luck": 'Luck in|"logs":[12]',
    "mail": "manoover",
    "use": "good, turn",
}
"""The pattern of what is told of the good log, by the command."""
NOT_TRIED = {
    "git": "it needs a repository",
    "vault": "it needs secrets; `test_cli_sharing.py` tries it",
    "merge": "it reads a file line by line; `test_merging.py` tries it",
    "demo": "plays a game of its own",
    "games": "reads no log",
    "bots": "plays games of its own",
    "serve": "lasts until it is ended",
    "web": "reads no log",
}
"""The commands that are not tried, each with the reason."""


def named_commands() -> set[str]:
    """Returns the commands that are tried."""
    return {name.partition(" ")[0] for name in (*READERS, *FILES, *MANY)}


class Case(NamedTuple):
    """One line that is typed beside one damaged log."""

    log: str
    change: str
    line: str
    data: bool
    """True if the answer is asked for as data."""
    piped: bool
    """True if the damaged log is piped in."""


def all_lines() -> Iterator[tuple[str, bool]]:
    """Yields each line, with True if the log is piped in."""
    for line in (line for lines in READERS.values() for line in lines):
        yield f"-g {LOG} {line}", False
        yield f"-g - {line}", True
    for line in (line for kind in (FILES, MANY) for lines in kind.values() for line in lines):
        yield line, " -" in f" {line} ".replace(" -g", "").replace(" -o", "").replace(" --", "")


@cache
def bad_logs() -> tuple[str, ...]:
    """Returns the names of all bad logs."""
    return tuple(sorted(path.stem for path in make_corrupt.FOLDER.glob("*.jsonl")))


def all_cases() -> Iterator[Case]:
    """Yields the whole product."""
    for log, change, (line, piped), data in product(bad_logs(), CHANGES, all_lines(), (False, True)):
        yield Case(log, change, line, data, piped)


def part_of_cases(number: int, of: int) -> Iterator[Case]:
    """Yields one of `of` parts of the whole product, numbered from 1. If `of` is a prime number above 43, each part
    meets every log, change and line.
    """
    return islice(all_cases(), number - 1, None, of)


def draw_cases(count: int, seed: int) -> Iterator[Case]:
    """Yields some cases of the product at random, each command as often as the others."""
    random, lines = Random(seed), list(all_lines())
    for number in range(count):
        line, piped = lines[number % len(lines)]
        yield Case(random.choice(bad_logs()), random.choice([*CHANGES]), line, random.random() < 1 / 2, piped)


@cache
def content(log: str, change: str) -> bytes:
    """Returns a bad log after a change."""
    return CHANGES[change]((make_corrupt.FOLDER / f"{log}.jsonl").read_bytes())


@cache
def good_log() -> bytes:
    """Returns a log without a fault, which is of no game among the bad ones."""
    with TemporaryDirectory() as folder, chdir(folder):
        called(shlex.split("new manoover --dice table -o good.jsonl"))
        called(shlex.split("roll 5 2"))
        called(shlex.split("roll 2 2 6"))
        return Path("good.jsonl").read_bytes()


def try_case(case: Case) -> str:
    """Returns what is wrong with the answer in this case; "" if nothing is."""
    bad = content(case.log, case.change)
    with TemporaryDirectory() as folder, chdir(folder):
        Path("many").mkdir()
        Path(GOOD).write_bytes(good_log())
        Path(BAD).write_bytes(bad)
        Path("logs").mkdir()
        Path("logs/good.jsonl").write_bytes(good_log())
        Path(LOG).write_bytes(bad)
        words = [*(["--json"] if case.data else []), *shlex.split(case.line)]
        with pytest.MonkeyPatch.context() as patched:
            for home in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
                patched.setenv(home, folder)
            answer = called(words, bad if case.piped else b"show\n" if words[-1] == "play" else b"")
    return _what_is_wrong(case, answer)


def _what_is_wrong(case: Case, answer: Called) -> str:
    told = (answer.out + b"\n" + answer.err).decode()
    if answer.code not in CODES:
        return f"exit {answer.code}: {told.strip()[:400]}"
    if "bug in the referee" in told or "Traceback" in told:
        return f"it calls itself faulty: {told.strip()[:400]}"
    if not told.strip():
        return f"exit {answer.code} in silence"
    try:
        rows = [json.loads(line) for line in answer.out.splitlines()] if case.data else []
    except ValueError:
        return f"no data: {answer.out[:200]!r}"
    if case.data and not rows:
        return f"no data at all: {told[:200]}"
    return _what_is_left_out(case, told)


def _what_is_left_out(case: Case, told: str) -> str:
    """Returns what an answer on several logs leaves out; "" if nothing."""
    if case.line not in MANY_LINES or case.line == "use what-if":
        return ""
    words = case.line.split()
    wanted = TOLD.get(" ".join(words[:2])) or TOLD[words[0]]
    return "" if re.search(wanted, told) else f"the good log is not told: {told[:400]}"


def try_piece(cases: Sequence[Case], threads: bool = False) -> list[tuple[Case, str]]:
    """Returns the cases that went wrong, each with what is wrong. With `threads`, `audit` judges in threads."""
    write_in_memory()
    with installed(), patch.object(archive_audit, "start_workers", ThreadPoolExecutor) if threads else nullcontext():
        return [(case, wrong) for case in cases if (wrong := try_case(case))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draw", type=int, default=0, help="so many cases; default: all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", default="1/1", metavar="N/OF", help="one part of the whole product")
    parser.add_argument("--only", default="", help="only lines with this word")
    parser.add_argument("--threads", action="store_true", help="audit in threads, not in processes")
    parser.add_argument("--jobs", type=int, default=2)
    said = parser.parse_args()
    number, of = map(int, said.part.split("/"))
    found = draw_cases(said.draw, said.seed) if said.draw else part_of_cases(number, of)
    cases = [case for case in found if said.only in case.line.split() or not said.only]
    pieces = [cases[at : at + 500] for at in range(0, len(cases), 500)]
    wrong, done = 0, 0
    with ProcessPoolExecutor(said.jobs) as pool:
        for piece, bad in zip(pieces, pool.map(partial(try_piece, threads=said.threads), pieces), strict=True):
            done += len(piece)
            for case, told in bad:
                print(f"{case}\n    {told}", flush=True)
            wrong += len(bad)
            sys.stderr.write(f"\r{done:,} of {len(cases):,} cases, {wrong} wrong")
    print(f"\n{done:,} cases, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
