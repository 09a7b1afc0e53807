"""Good samples of each format that the program reads, and the commands that read it: the part of `fuzz_formats.py`."""

from __future__ import annotations

import shlex
from contextlib import chdir
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import letters
from calling import called
from corrupt import mailed

from referee import games
from referee.record.archive.equivocation import encode_equivocation, find_equivocation

ROOT = Path(__file__).parents[2]
ARCHIVE = ROOT / "fixtures" / "archive"
SHIPPED = Path(games.__file__).parent
"""The games of the package under test: in the checkout, or where a wheel was installed."""
LARGEST = 60_000
"""How many bytes a log may have that is changed; longer ones take too long."""
LOOKS = ("show", "log --as words", "log -o told.html", "legal", "status", "audit", "stats luck", "hint --seconds 0.01")
LOOKS += ("mail pack --eml turn.eml", "undo", "note so", "log -o told.txt", "show --as toml", "use", "correct 1")
FILE = "given"
"""The name of the file that holds the changed sample."""
ENDINGS = {"page": ".html", "board": ".toml", "deck": ".toml", "mail": ".eml", "log": ".jsonl", "match": ".jsonl"}
"""The ending of the name of a file in each format; others have none."""
READERS: dict[str, tuple[str, ...]] = {
    "log": (*(f"-g {FILE} {line}" for line in LOOKS), f"audit {FILE}", f"use {FILE}", f"diff {FILE} good.jsonl"),
    "match": tuple(f"match {line}" for line in (f"show {FILE}", f"audit {FILE}", f"next --match {FILE}")),
    "position": (
        f"new manoover --from {FILE}",
        f"new mutants --from {FILE}",
        f"new sheboygan --from {FILE}",
        f"new zombies --from {FILE}",
        f"-g good.jsonl fix --from {FILE} --why cat --agreed-by all",
    ),
    "board": tuple(f"new {game} --own board={FILE}" for game in ("manoover", "mutants", "sheboygan", "zombies")),
    "deck": tuple(f"new zombies --own {part}={FILE}" for part in ("components", "board")),
    "packet": (f"mail open {FILE}", f"mail open -n {FILE}", f"audit {FILE}", f"diff {FILE} good.jsonl"),
    "mail": (f"mail open {FILE}", f"mail open --theirs {FILE}", f"audit {FILE}"),
    "page": (f"audit {FILE}", f"use {FILE} -o taken.jsonl", f"diff {FILE} good.jsonl"),
    "proof": (f"audit {FILE}", f"diff {FILE} good.jsonl"),
    "sheet": (f"new --from {FILE}", "new --from -", f"new zombies --from {FILE}"),
    "code": (f"new --from {FILE}", f"audit {FILE}"),
    "backup": (f"key --restore {FILE}", "key --restore", f"key --use {FILE}"),
    "settings": ("", "show", "use", "status", "match show", "roll", "mail", "new manoover"),
    "lines": (f"-g good.jsonl do --file {FILE}", "-g good.jsonl play", f"audit {FILE}"),
}
"""The lines that read each format."""


def type_lines(*lines: str) -> None:
    """Types these lines, one after the other."""
    for line in lines:
        called(shlex.split(line))


@cache
def good_log() -> bytes:
    """Returns a short log without a fault."""
    with TemporaryDirectory() as folder, chdir(folder):
        type_lines("new manoover --dice table -o good.jsonl", "roll 5 2", "roll 2 2 6")
        return Path("good.jsonl").read_bytes()


def read_all(*paths: Path) -> list[bytes]:
    """Returns the content of the files that are short enough."""
    return [data for path in sorted(paths) if path.is_file() and len(data := path.read_bytes()) <= LARGEST]


@cache
def samples(kind: str) -> list[bytes]:
    """Returns the good samples of a format."""
    made = _made().get(kind, [])
    match kind:
        case "log":
            return [good_log(), *read_all(*ARCHIVE.glob("1-*/logs/*.jsonl"))]
        case "match":
            return [*made, *read_all(*ARCHIVE.glob("*/matches/*-cup.jsonl"))]
        case "position":
            return [*made, *read_all(*ARCHIVE.glob("*/positions/*"), *ROOT.glob("fixtures/*/positions/*.toml"))]
        case "board":
            return read_all(*SHIPPED.glob("*/shipped/*.toml"), *ROOT.glob("fixtures/*/boards/*.toml"))
        case "deck":
            return read_all(*SHIPPED.glob("*/shipped/components.toml"))
        case "packet":
            return read_all(*ARCHIVE.glob("*/packets/*/*.txt"))
        case "page":
            return [*made, *[path.read_bytes() for path in sorted(ARCHIVE.glob("*/pages/*.html"))[:3]]]
        case "sheet":
            return [*made, *read_all(*ARCHIVE.glob("*/sheets/*.txt"))]
        case _:
            return made


@cache
def _made() -> dict[str, list[bytes]]:
    """Returns what the program itself writes, by format."""
    lines = ["new manoover --dice table -o good.jsonl", "roll 5 2", "roll 2 2 6", "log -o a.html", "log -o a.txt"]
    lines += ["show -o a.toml", "show -o a.json", "key --make", "key --backup back.txt"]
    mailed = ["new manoover --mail red --pace 14 -o mail.jsonl", "mail pack --eml turn.eml"]
    with TemporaryDirectory() as folder, chdir(folder):
        type_lines(*lines)
        settings = Path(".referee").read_bytes() if Path(".referee").is_file() else b"good.jsonl\n"
        data = called(["--json", "show"]).out + called(["--json", "legal"]).out
        line, codes = called(["key", "--backup"]).out, called(["log", "--as", "qr"]).out
        type_lines("match new manoover --seats Anna,Bo -o cup.jsonl", *mailed)
        read = {path.name: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    return {
        "match": [read[name] for name in read if name.endswith("cup.jsonl")],
        "position": [read[name] for name in ("a.toml", "a.json") if name in read],
        "mail": [read["turn.eml"]] if "turn.eml" in read else [],
        "page": [read["a.html"]] if "a.html" in read else [],
        "sheet": [read["a.txt"]] if "a.txt" in read else [],
        "code": [codes] if codes else [read.get("a.txt", b"")],
        "backup": [line, *([read["back.txt"]] if "back.txt" in read else [])],
        "settings": [settings],
        "lines": [data, b"3 go\n2 go\ndone\n"],
        "proof": [_proof()],
    }


def _proof() -> bytes:
    """Returns the proof that red has signed two entries with one number."""
    opening, join, seal, *_ = letters.base().documents
    note = {"at": seal["at"], "by": "red", "type": "note", "text": "otherwise"}
    one, other = letters.lines_of([opening, join, seal]), letters.lines_of([opening, join, note, seal])
    key = mailed.key_of("red").public
    found = find_equivocation(one[0][9:73].decode(), "red", key, 2, (one[2:], other[2:]))
    return encode_equivocation(found) if found else b""
