"""Measure speed, memory and size, as ratios within this one run, and write the table in README.md beside this file.

    python tests/bench/run.py            print the table
    python tests/bench/run.py --write    and write it

L is the time to split, hash-check and decode a log of 100,000 plays without folding it. Each figure is the best of
several runs, since everything else a machine does only ever adds to it.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from long_log import write_long_log

from referee.engine.adjudicate import adjudicate
from referee.engine.dice import OpenSource
from referee.engine.game import Game, find_game, settle_options
from referee.record.audit import audit
from referee.record.entry import BODY_AT, SALT
from referee.record.reader import decoder_of
from referee.record.session import replay

PLAYS = 100_000
ROUNDS = 5
STARTS = 31
EMPTY_TYPER = "import typer\napp = typer.Typer()\n@app.command()\ndef main(): pass\napp()\n"
HIDDEN = {"hidden-movement": "yes"}
FORMS = ({}, {"edition": "crash"}, {"form": "plus"}, {"form": "three"})


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Seconds of the fastest of several runs."""
    times = []
    for _ in range(rounds):
        since = time.perf_counter()
        work()
        times.append(time.perf_counter() - since)
    return min(times)


def read_only(path: Path, game: str = "manoover") -> None:
    """L: split, hash-check, decode."""
    decode = decoder_of(find_game(game)).decode
    with path.open("rb") as file:
        for line in file:
            body = line[BODY_AT:-2]
            assert sha256(SALT + body).hexdigest().encode() == line[9:73]
            decode(body)


def replay_all(path: Path) -> None:
    """Replay: the same, with chain and limits checked, folded into every state."""
    for _ in replay(path):
        pass


def audit_all(path: Path) -> None:
    """Audit: hashes, canonical form, dice, legality, re-adjudication."""
    report = audit(path)
    assert report.fault is None, report.fault


def start_times(path: Path) -> tuple[float, float]:
    """Median seconds of an empty Typer program and of `referee show` on the log, run in turn."""
    show = [sys.executable, "-c", "from referee.__main__ import main; main()", "-g", str(path), "show"]
    empty = [sys.executable, "-c", EMPTY_TYPER]
    installed = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(show, check=True, stdout=subprocess.DEVNULL, env=installed)  # leaves bytecode, as installing does
    times: dict[str, list[float]] = {"empty": [], "show": []}
    for _ in range(STARTS):
        for name, command in (("empty", empty), ("show", show)):
            since = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=installed)
            times[name].append(time.perf_counter() - since)
    return tuple(sorted(times[name])[STARTS // 2] for name in ("empty", "show"))


def random_actions(game: Game, options: dict[str, str], seconds: float = 2.0) -> float:
    """Random legal actions a second: legal list, choice, check, dice, resolution."""
    import tomllib

    settled = settle_options(game, options)
    board = game.parse_board(tomllib.loads(game.board_file(settled).read_text("utf-8")))
    rng, done, since = random.Random(1), 0, time.perf_counter()
    source = OpenSource("00" * 32, 0)
    while time.perf_counter() - since < seconds:
        state = game.setup(settled, board)
        while seat := game.to_act(state):
            action = rng.choice(game.legal(state, seat).choices).pick(rng)
            state = adjudicate(game, state, seat, action, source).state  # type: ignore[union-attr]
            done += 1
    return done / (time.perf_counter() - since)


def peak(work: Callable[[Path], None], path: Path) -> int:
    """Most bytes of memory that a piece of work held at once."""
    tracemalloc.start()
    work(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def measure(folder: Path) -> list[tuple[str, str, str]]:
    """Every figure with its bar."""
    long, small, short = folder / "long.jsonl", folder / "small.jsonl", folder / "short.jsonl"
    session = write_long_log(long, PLAYS)
    write_long_log(small, PLAYS // 10)
    write_long_log(short, 1_000)
    plays = len(session.entries)
    base = best(lambda: read_only(long))
    replayed, audited = best(lambda: replay_all(long)), best(lambda: audit_all(long), 3)
    empty, show = start_times(short)
    rows = [
        ("L: split, hash-check, decode", f"{base / plays * 1e6:.2f} µs an entry", ""),
        ("replay / L", f"{replayed / base:.2f}", "1.8"),
        ("audit / L", f"{audited / base:.2f}", "8"),
        ("plays audited a second", f"{PLAYS / audited:,.0f}", "50,000"),
        ("`show` on 1,000 entries / an empty Typer program", f"{show / empty:.2f}", "1.3"),
        ("an empty Typer program", f"{empty * 1e3:.0f} ms", ""),
        ("audit, memory for 100,000 plays / for 10,000", f"{peak(audit_all, long) / peak(audit_all, small):.2f}", "1"),
        (
            "replay, memory for 100,000 plays / for 10,000",
            f"{peak(replay_all, long) / peak(replay_all, small):.2f}",
            "1",
        ),
        ("bytes an entry", f"{long.stat().st_size / plays:.0f}", ""),
    ]
    for name, options in (("mutants", {}), ("mutants, hidden", HIDDEN)):
        log = folder / f"{name}.jsonl"
        write_long_log(log, PLAYS // 10, "mutants", options=options)
        rows += _reading_rows(name, log)
    for name, options in [*(("manoover", options) for options in FORMS), ("mutants", {}), ("mutants", HIDDEN)]:
        told = " ".join([name, *(f"{key}={value}" for key, value in options.items())])
        rate = random_actions(find_game(name), options)
        rows.append((f"random actions a second, {told}", f"{rate:,.0f}", "10,000"))
    return rows


def _reading_rows(name: str, log: Path) -> list[tuple[str, str, str]]:
    base = best(lambda: read_only(log, "mutants"))
    return [
        (f"{name}: replay / L", f"{best(lambda: replay_all(log)) / base:.2f}", "1.8"),
        (f"{name}: audit / L", f"{best(lambda: audit_all(log), 3) / base:.2f}", "8"),
    ]


def table(rows: list[tuple[str, str, str]]) -> str:
    """The figures as a Markdown table."""
    lines = ["| figure | measured | bar |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print, and write if asked to."""
    with TemporaryDirectory() as folder:
        text = table(measure(Path(folder)))
    sys.stdout.write(text)
    if "--write" in sys.argv:
        readme = Path(__file__).with_name("README.md")
        before = readme.read_text("utf-8").partition("\n| figure")[0]
        readme.write_text(f"{before}\n{text}", "utf-8")


if __name__ == "__main__":
    main()
