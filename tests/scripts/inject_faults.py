"""Make every call fail with which a command touches its files, one after another, and see what it says and leaves.

    python tests/scripts/inject_faults.py                  all commands; --write puts the table in README.md
    python tests/scripts/inject_faults.py do undo          some of them

A command runs once under strace, which lists its calls; then once for each call on a file of the game and each way in
which that can fail. Whatever happens: nothing is called recorded that the disk has not confirmed, the log is whole,
what failed has left nothing behind, one sentence tells whether it failed or nobody knows, the next command works.
"""

from __future__ import annotations

import argparse
import compileall
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from referee.cli.main import run
from referee.record.archive.audit import audit
from referee.record.archive.match_audit import audit_match

CALLS = (
    "openat",
    "write",
    "fsync",
    "rename",
    "ftruncate",
    "close",
    "flock",
    "read",
    "unlink",
    "link",
    "mkdir",
    "fchmod",
)
WAYS = {
    "EIO": ("openat", "write", "fsync", "rename", "ftruncate", "close", "flock", "read", "unlink", "link"),
    "ENOSPC": ("openat", "write", "fsync", "rename", "link", "mkdir"),
    "EACCES": ("openat", "rename", "link", "mkdir", "unlink"),
    "short": ("write",),
}
"""How calls fail, and which do so."""
FILES = ("log", "vault", "head", "torn", "lock", "pointer", "letter", "folder")
"""What a call can be about."""
LINE = re.compile(r"^\d+ +(\w+)\((.*?)\) += +(-?\d+|\?)(.*)", re.DOTALL)
README = Path(__file__).with_name("README.md")
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("REFEREE")},
    "PYTHONDONTWRITEBYTECODE": "1",  # calls have to come in the same order each time
    "PYTHONHASHSEED": "0",
}


class Scene(NamedTuple):
    """A command, and what was done before it."""

    before: tuple[str, ...]
    words: str


TORN = b'{"hash":"'
TABLE = "new manoover --dice table --seats Anna,Bo -o logs/a.jsonl"
SECRET = "new mutants --option hidden-movement=yes --seats Ann,Bo -o logs/a.jsonl"
HIDDEN = "do plan, done"
SCENES = {
    "new": Scene((), TABLE),
    "new beside another": Scene(("new manoover -o logs/b.jsonl",), TABLE),
    "new, with secrets": Scene((), SECRET),
    "do": Scene((TABLE,), "roll 5 2"),
    "do after a torn write": Scene((TABLE, "torn"), "roll 5 2"),
    "do, with secrets": Scene((SECRET,), "do wall C3-C4"),
    "undo": Scene((TABLE, "roll 5 2"), "undo --agreed-by all"),
    "note": Scene((TABLE,), "note slowly"),
    "join": Scene((f"{SECRET} --sitting human",), "join mutant"),
    "reveal": Scene((SECRET, "do wall C3-C4"), "reveal --agreed-by all"),
    "branch": Scene((TABLE, "roll 5 2"), "branch other"),
    "branch, with secrets": Scene((SECRET, "do wall C3-C4"), "branch other --agreed-by all"),
    "match new": Scene((), "match new manoover --seats Anna,Bo --dice table"),
    "match next": Scene(
        ("match new manoover --seats Anna,Bo --dice table", "roll 5 2", "finish Anna --agreed-by all"), "match next"
    ),
    "use": Scene((TABLE, "new manoover -o logs/b.jsonl"), "use logs/a.jsonl"),
    "use, out of a letter": Scene((TABLE, "letter"), "use letter.txt -o logs/c.jsonl"),
}


class Call(NamedTuple):
    """A call of a command on one of our files."""

    kind: str
    nth: int
    """Among the calls of this kind on files of the game, from 1: what Python itself opens and closes counts nothing."""
    file: str
    """What it is about, in a word: log, vault, head, lock, pointer, folder."""
    failed: bool
    struck: bool
    """Whether it was made to fail."""
    path: str


class Said(NamedTuple):
    """What a command answered."""

    code: int
    out: str
    err: str
    calls: list[Call]


class BreachError(Exception):
    """Something that must not be. The message says what."""


def is_permitted() -> bool:
    """Whether strace is here and may trace."""
    if not shutil.which("strace"):
        return False
    return subprocess.run(["strace", "-qq", "-o", os.devnull, "true"], capture_output=True, check=False).returncode == 0


def set_up(scene: Scene, folder: Path) -> None:
    """Do what comes before the command."""
    folder.mkdir()
    for words in scene.before:
        log = folder / "logs" / "a.jsonl"
        if words == "torn":
            log.write_bytes(log.read_bytes() + TORN)
        elif words == "letter":
            (folder / "letter.txt").write_bytes(b"Hello\n\n" + log.read_bytes())
        else:
            code, out, err = here(folder, words)
            if code:
                raise BreachError(f"{words}: {out}{err}")


def here(folder: Path, words: str) -> tuple[int, str, str]:
    """Run a command in this process, undisturbed."""
    out, err = io.StringIO(), io.StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        try:
            run(words.split())
        except SystemExit as leaving:
            return int(leaving.code or 0), out.getvalue(), err.getvalue()
    raise BreachError("the program did not leave with an exit code")


def traced(folder: Path, words: str, fault: str = "", paths: Iterable[str] = ()) -> Said:
    """Run a command under strace, with one call made to fail, such as `write:error=EIO:when=1`: the first write on any
    of these files.
    """
    trace = folder.with_suffix(".strace")
    strace = ["strace", "-f", "--seccomp-bpf", "--quiet=all", "-y", "-s", "0", "-o", str(trace)]
    which = ["-e", f"trace={','.join(CALLS)}", *(["-e", f"inject={fault}"] if fault else [])]
    named = [name for path in paths for name in (path or ".", str(folder / path))]  # as it is typed, and as it lies
    only = [word for name in named for word in ("-P", name)]
    command = [*strace, *which, *only, sys.executable, "-P", "-m", "referee", *words.split()]
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    return Said(done.returncode, done.stdout, done.stderr, list(_calls(trace.read_text("utf-8"), folder)))


def _calls(trace: str, folder: Path) -> Iterator[Call]:
    """The calls on files in the folder, numbered among all such of their kind."""
    count = Counter[str]()
    for line in trace.splitlines():
        found = LINE.match(line)
        if not found:
            continue
        kind, told, result, why = found.groups()
        path = _path_in(told, folder)
        if path is not None:
            count[kind] += 1
            yield Call(kind, count[kind], _what(path), result.startswith("-"), "(INJECTED)" in why, path)


def _path_in(told: str, folder: Path) -> str | None:
    """The file in the folder that a call is about, as a path in it; "" for the folder itself."""
    literal = re.search(r'"([^"]*)"', told)
    opened = re.match(r"\d+<(/[^>]*)>", told)
    path = opened[1] if opened else literal[1] if literal and not told[0].isdigit() else ""
    inside = os.path.relpath(folder / path, folder) if path else ".."
    return None if inside.startswith("..") else "" if inside == "." else inside


def _what(path: str) -> str:
    name = Path(path).name
    ends = {".lock": "lock", ".vault": "vault", ".torn": "torn", ".jsonl": "log", ".txt": "letter"}
    if ".head" in name:
        return "head"
    return "pointer" if name.startswith(".referee") else ends.get(Path(name).suffix, "folder")


def ways(calls: Sequence[Call]) -> Iterator[tuple[Call, str]]:
    """Each call with each way in which it can fail. A short write that strace feigns has written nothing at all, which
    buffered writing cannot see, so it is for logs and vaults."""
    for call in calls:
        if call.failed:
            continue
        for way, kinds in WAYS.items():
            if call.kind in kinds and (way != "short" or call.file in ("log", "vault")):
                yield call, way


def fault_of(call: Call, way: str) -> str:
    """As strace wants it."""
    return f"{call.kind}:{'retval=5' if way == 'short' else f'error={way}'}:when={call.nth}"


def files_in(folder: Path) -> dict[str, bytes]:
    """All files, by their path in the folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def injected(scene: Scene, begun: Path, folder: Path, call: Call, way: str, paths: Iterable[str]) -> Said:
    """Run the command with this call failing."""
    shutil.copytree(begun, folder)
    said = traced(folder, scene.words, fault_of(call, way), paths)
    if [(one.kind, one.nth, one.path) for one in said.calls if one.struck] != [(call.kind, call.nth, call.path)]:
        raise BreachError("the calls come in another order each time")
    return said


def try_one(scene: Scene, begun: Path, folder: Path, call: Call, way: str, paths: Iterable[str]) -> str:
    """Run the command with this call failing, and look at what it said and left: "recorded", "failed" or "unknown"."""
    said, before = injected(scene, begun, folder, call, way, paths), files_in(begun)
    after = files_in(folder)
    outcome = outcome_of(said)
    check_words(said)
    check_logs(folder)
    check_pointer(folder, before)
    check_kept(before, after)
    if outcome == "recorded":
        check_durable(said, call, way, before, after)
    if outcome == "failed":
        check_nothing_left(before, after)
    check_next(scene, folder, outcome)
    return outcome


def outcome_of(said: Said) -> str:
    """What the command says it came to."""
    told = " ".join(f"{said.err} {said.out}".split())
    if was_recorded_but(said) and "look at the log first" in told:
        return "unknown"
    if said.code == 0 or was_recorded_but(said):
        return "recorded"
    unknown = "obody can tell whether" in said.err or "may have been written" in said.err
    return "unknown" if unknown else "failed"


def was_recorded_but(said: Said) -> bool:
    """Whether it says that it has recorded something, and could not do all the rest: on stderr, or as an answer that
    begins with what was recorded.
    """
    return "was recorded, but" in said.err or (said.code == 1 and "was recorded, but" in said.out)


def check_words(said: Said) -> None:
    """One sentence, a designed exit code, and no word of recording where it failed."""
    told = [line for line in said.err.splitlines() if not line.startswith("Note: ")]
    if said.code == 1 and was_recorded_but(said) and not told:
        return
    if said.code not in (0, 3) or "Traceback" in said.err or "bug in the referee" in said.err:
        raise BreachError(f"exit {said.code}: {said.out}{said.err}")
    if said.code and (len(told) != 1 or said.out or not told[0].endswith(".")):
        raise BreachError(f"not one sentence: {said.out}{said.err}")


def check_logs(folder: Path) -> None:
    """Every log is whole."""
    for log in folder.rglob("*.jsonl"):
        fault = (audit_match if is_match(log) else audit)(log).fault
        if fault and not log.read_bytes().endswith(TORN):
            raise BreachError(f"{log.name}: {fault}")


def is_match(log: Path) -> bool:
    """Whether this is the log of a match."""
    return b'"type":"match"' in log.read_bytes().partition(b"\n")[0]


def check_pointer(folder: Path, before: dict[str, bytes]) -> None:
    """What names the current game is as it was, or names a game that is there."""
    pointer = folder / ".referee"
    if pointer.is_file() and pointer.read_bytes() != before.get(".referee"):
        target = pointer.read_text("utf-8").strip()
        if not target or not (folder / target).is_file():
            raise BreachError(f"the pointer names {target!r}")
    elif not pointer.exists() and ".referee" in before:
        raise BreachError("the pointer is gone")


def check_kept(before: dict[str, bytes], after: dict[str, bytes]) -> None:
    """Nothing that was recorded is lost, and no half-made file is left."""
    for name, data in before.items():
        torn = after.get(f"{name}.torn", b"")
        if _what(name) in ("log", "vault") and not (after.get(name, b"") + torn).startswith(data.removesuffix(torn)):
            raise BreachError(f"{name} lost something")
    made = [name for name in after if name not in before and re.search(r"\.new$|\.tmp|\.part", name)]
    if made:
        raise BreachError(f"left behind: {made}")
    empty = [name for name, data in after.items() if _what(name) in ("vault", "log") and not data]
    if empty:
        raise BreachError(f"empty: {empty}")


def check_durable(said: Said, call: Call, way: str, before: dict[str, bytes], after: dict[str, bytes]) -> None:
    """Each log and vault was synchronised after it was last written, and a new one's folder."""
    calls = [one for one in said.calls if one.kind in ("write", "fsync") and not one.failed]
    if was_recorded_but(said):  # what was struck is what it says was not
        calls = [one for one in calls if not one.struck]
        call = call._replace(path="")
    for name, data in after.items():
        if _what(name) not in ("log", "vault") or data == before.get(name):
            continue
        done = [one.kind for one in calls if one.path == name]
        if done[-1:] != ["fsync"] or (call.path == name and call.kind in ("write", "fsync")):
            raise BreachError(f"{name} was called recorded after {call.kind} had failed ({way}): {done}")


def check_nothing_left(before: dict[str, bytes], after: dict[str, bytes]) -> None:
    """What failed has changed no log, and left no file but a lock."""
    for name, data in after.items():
        what = _what(name)
        if name not in before and what not in ("lock", "torn"):
            raise BreachError(f"failed, but there is {name}")
        if what == "log" and data not in (before[name], before[name].removesuffix(after.get(f"{name}.torn", b""))):
            raise BreachError(f"failed, but {name} has changed")


def check_next(scene: Scene, folder: Path, outcome: str) -> None:
    """What failed works when it is said again; after everything else, what is there can be looked at."""
    logs = [str(path.relative_to(folder)) for path in sorted(folder.rglob("*.jsonl"))]
    looks = [f"-g {log} {'match show' if is_match(folder / log) else 'show'}" for log in logs]
    for words in [scene.words] if outcome == "failed" or not logs else looks:
        code, out, err = here(folder, words)
        if code:
            raise BreachError(f"after it ({outcome}), {words}: {out}{err}")
    check_logs(folder)


class Tried(NamedTuple):
    """One run."""

    scene: str
    call: Call
    way: str
    outcome: str
    breach: str = ""


def try_all(name: str, folder: Path, kinds: Sequence[str] = CALLS, files: Sequence[str] = FILES) -> Iterator[Tried]:
    """Every fault of one command, at calls of these kinds on these files."""
    begun = folder / "begun"
    set_up(SCENES[name], begun)
    shutil.copytree(begun, folder / "warm")
    traced(folder / "warm", SCENES[name].words)  # what is worked out once and kept, is kept now
    shutil.copytree(begun, folder / "plain")
    plain = traced(folder / "plain", SCENES[name].words)
    if plain.code:
        raise BreachError(f"{name} does not work at all: {plain.out}{plain.err}")
    paths = sorted({call.path for call in plain.calls})
    for number, (call, way) in enumerate(
        ways([call for call in plain.calls if call.kind in kinds and call.file in files])
    ):
        place = folder / f"{number}"
        try:
            outcome, breach = try_one(SCENES[name], begun, place, call, way, paths), ""
        except BreachError as error:
            outcome, breach = "BREACH", str(error)
        yield Tried(name, call, way, outcome, breach)
        shutil.rmtree(place)


def table(tried: Sequence[Tried]) -> str:
    """How often each fault came to what, for people."""
    rows = ["| command | fault | recorded | failed | unknown | not as it should be |", "|---|---|---|---|---|---|"]
    counted = Counter((one.scene, f"{one.call.kind} {one.way}", one.outcome) for one in tried)
    for scene, fault in dict.fromkeys((scene, fault) for scene, fault, _ in counted):
        found = [counted[scene, fault, outcome] or "" for outcome in ("recorded", "failed", "unknown", "BREACH")]
        rows.append(f"| {scene} | {fault} | {' | '.join(map(str, found))} |")
    return "\n".join(rows) + "\n"


def write(text: str) -> None:
    """Put the table in its place in the README."""
    begin, end = "<!-- faults -->\n", "<!-- end of faults -->\n"
    data = README.read_text("utf-8")
    README.write_text(f"{data.partition(begin)[0]}{begin}{text}{end}{data.partition(end)[2]}", "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Try all faults and tell what they came to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", metavar="COMMAND", help=f"of {', '.join(SCENES)}; all, if none is given")
    parser.add_argument("--write", action="store_true", help="write the table")
    options = parser.parse_args(arguments)
    if not is_permitted():
        print("strace is not here, or may not trace")
        return 1
    compileall.compile_dir(str(Path(__file__).parents[2] / "referee"), quiet=2)
    sys.dont_write_bytecode = True
    tried: list[Tried] = []
    for name in options.scenes or SCENES:
        with tempfile.TemporaryDirectory() as folder:
            for one in try_all(name, Path(folder).resolve()):
                tried.append(one)
                if one.breach:
                    call = one.call
                    print(
                        f"{name}: {call.kind} {call.nth} ({call.file} {call.path}) {one.way}: {one.breach}", flush=True
                    )
        print(f"{name}: {sum(one.scene == name for one in tried)} faults", file=sys.stderr, flush=True)
    if options.write:
        write(table(tried))
    breaches = sum(bool(one.breach) for one in tried)
    print(f"{len(tried)} faults: {dict(Counter(one.outcome for one in tried))}; {breaches} with a breach")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
