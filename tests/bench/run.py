"""Measure speed, memory and size, as ratios within this one run, and write the table in README.md beside this file.

    python tests/bench/run.py            print the table
    python tests/bench/run.py --write    and write it

The measures of the house (`house.py`) are taken along, in a table of their own.

L is the time to split, hash-check and decode a log of 100,000 plays without folding it. Each figure is the best of
several runs, since everything else a machine does only ever adds to it.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from io import StringIO
from pathlib import Path
from random import Random
from shutil import copy
from tempfile import TemporaryDirectory
from typing import Any

import chess
import chess.pgn
import house
import msgspec
import tables
from long_log import write_long_log
from mailed import mail_rows
from paged import page_rows
from served import serve_rows

from referee.cli.screen import Screen
from referee.cli.session.prompt import make_prompt, make_toolbar
from referee.cli.session.repl import Repl
from referee.engine.adjudication import LegalVerdict, adjudicate, find_forced_answer
from referee.engine.component import read_toml
from referee.engine.dice_source import SeededSource
from referee.engine.game import AnyGame
from referee.engine.option_resolution import fill_options
from referee.engine.registry import find_game
from referee.engine.secret import Secret
from referee.record.archive.audit import audit
from referee.record.log.entry import make_entry_types
from referee.record.log.line_format import BODY_OFFSET, HASH_PREFIX
from referee.record.table.opening_logs import open_log, replay
from referee.record.table.recording import record_note
from referee.record.table.session import Session

PLAYS = 100_000
ROUNDS = 5
MOVES = 20_000
"""The number of chess moves that are played."""
STARTS = 31
LOGS = 100
"""The number of logs that are audited in one process."""
ARCHIVE = 10_000
"""The number of logs in the archive. One of them is faulty."""
EMPTY_TYPER = "import typer\napp = typer.Typer()\n@app.command()\ndef main(): pass\napp()\n"
REFEREE = "from referee.__main__ import main; main()"
HIDDEN = {"hidden-movement": "yes"}
SOLO, TEAMS = {"players": "1", "mode": "solo"}, {"players": "4", "mode": "teams"}
FORMS: tuple[dict[str, str], ...] = ({}, {"edition": "crash"}, {"form": "plus"}, {"form": "three"})
READ: tuple[tuple[str, dict[str, str], str, str], ...] = (
    ("mutants", {}, "1.5", "5"),
    ("mutants, hidden", HIDDEN, "3.3", "9"),
    ("sheboygan", {}, "1.5", "8"),
    ("zombies", {}, "1.5", "8"),
)
"""Games whose logs are read besides Manoover, with the bars for their replay and their audit."""
PLAYED: tuple[tuple[str, dict[str, str]], ...] = (
    *(("manoover", form) for form in FORMS),
    ("mutants", {}),
    ("mutants", HIDDEN),
    ("sheboygan", {}),
    ("sheboygan", {"scenario": "city-eating"}),
    ("zombies", {}),
    ("zombies", SOLO),
    ("zombies", TEAMS),
)
"""Games that are played at random. The bar is 10,000 actions a second."""

Row = tuple[str, str, str]
HEAD = ("figure", "measured", "bar")
"""The head of the table: the figure, its measured value, and its bar."""


def bests(works: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Returns the seconds of the fastest of several runs for each piece of work.

    They run in turn, so that a busy moment slows all alike.
    """
    fastest = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        for name, work in works.items():
            since = time.perf_counter()
            work()
            fastest[name] = min(fastest[name], time.perf_counter() - since)
    return fastest


# Reading


def decode_all(path: Path) -> None:
    """Splits, hash-checks and decodes a log: the unit L. Secrets stay sealed, and no vault or `.head` file is read."""
    with path.open("rb") as file:
        game = find_game(msgspec.json.decode(file.readline())["entry"]["game"])
        decode = msgspec.json.Decoder(make_entry_types(game), dec_hook=_shut).decode
        for line in file:
            body = line[BODY_OFFSET:-2]
            assert sha256(HASH_PREFIX + body).hexdigest().encode() == line[9:73]
            decode(body)


def _shut(_kind: Any, spelt: Any) -> Secret[Any]:
    return Secret(spelt["of"], leaf=spelt["leaf"])


def replay_all(path: Path) -> None:
    """Replays a log: like L, but also checks the chain and the limits, and folds every state."""
    for _ in replay(path):
        pass


def audit_all(path: Path) -> None:
    """Audits a log: hashes, spelling, dice and legality, with every play judged again."""
    report = audit(path)
    assert report.fault is None, report.fault


def reading(path: Path) -> dict[str, float]:
    """Returns the seconds to decode a log, to replay it and to audit it."""
    works = {"base": decode_all, "replay": replay_all, "audit": audit_all}
    return bests({name: partial(work, path) for name, work in works.items()})


def reading_rows(name: str, path: Path, replay_bar: str, audit_bar: str) -> Iterator[Row]:
    """Yields how fast a log is read, in units of L."""
    took = reading(path)
    yield f"{name}: replay / L", f"{took['replay'] / took['base']:.2f}", replay_bar
    yield f"{name}: audit / L", f"{took['audit'] / took['base']:.2f}", audit_bar


def write_forked_log(path: Path) -> Path:
    """Writes a log as a merge leaves it, and returns its path.

    Two people have played on from the sixth entry before its end.
    """
    *common, _, _, _, _, last = path.read_bytes().splitlines(keepends=True)
    begun, fork = path.with_name("begun.jsonl"), path.with_name("fork.jsonl")
    begun.write_bytes(b"".join(common))
    session = open_log(begun)
    record_note(session, "this way", session.reducer.seats[0])
    *_, other = begun.read_bytes().splitlines(keepends=True)
    tail = path.read_bytes()[begun.stat().st_size - len(other) :]
    fork.write_bytes(b"".join([*common, b"<<<<<<< HEAD\n", tail, b"=======\n", other, b">>>>>>> theirs\n"]))
    assert tail.endswith(last)
    return fork


def fork_rows(path: Path) -> Iterator[Row]:
    """Yields how long it takes to find the two ends of a long log."""
    fork = write_forked_log(path)
    took = bests({"one": partial(open_log, path), "two": partial(open_log, fork)})
    yield "opening a log of 100,000 plays with two ends / with one", f"{took['two'] / took['one']:.2f}", "1"


# Starting


def run(words: list[str]) -> Callable[[], object]:
    """Returns a function that runs Python in a process of its own."""
    installed = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", *words]
    return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=installed)


def medians(works: Mapping[str, Callable[[], object]], before: Callable[[], object]) -> dict[str, float]:
    """Returns the median seconds of several pieces of work, done in turn. `before` prepares each and is not counted."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(STARTS):
        for name, work in works.items():
            before()
            since = time.perf_counter()
            work()
            times[name].append(time.perf_counter() - since)
    return {name: sorted(taken)[STARTS // 2] for name, taken in times.items()}


def command_rows(path: Path) -> Iterator[Row]:
    """Yields the time of commands on a log of 1,000 entries, divided by that of a Typer program that does nothing."""
    fresh = path.with_name("fresh.jsonl")
    said = plain_move(path)
    show, do = ([REFEREE, "-g", str(fresh), *words] for words in (["show"], ["do", *said]))
    copy(path, fresh)
    run(do)()  # leaves bytecode, as installing does
    works = {"empty": run([EMPTY_TYPER]), "show": run(show), "do": run(do)}

    def as_before() -> None:
        fresh.with_name("fresh.jsonl.head").unlink(missing_ok=True)
        copy(path, fresh)

    took = medians(works, as_before)
    yield "an empty Typer program", f"{took['empty'] * 1e3:.0f} ms", ""
    yield "`show` on 1,000 entries / an empty Typer program", f"{took['show'] / took['empty']:.2f}", "1.5"
    yield "`do` on 1,000 entries / an empty Typer program", f"{took['do'] / took['empty']:.2f}", "1.65"


PEAK = """
import sys
from resource import RUSAGE_CHILDREN, getrusage
from subprocess import DEVNULL, run
run([sys.executable, "-c", *sys.argv[1:]], check=True, stdout=DEVNULL)
print(getrusage(RUSAGE_CHILDREN).ru_maxrss)
"""


def memory_rows(path: Path) -> Iterator[Row]:
    """Yields the memory of a command on a long log, as the system measures its process."""
    fresh = Path(copy(path, path.with_name("large.jsonl")))
    words = [REFEREE, "-g", str(fresh), "do", *plain_move(path)]
    used = {name: most_memory(command) for name, command in (("do", words), ("empty", [EMPTY_TYPER]))}
    yield "an empty Typer program: most memory", f"{used['empty'] / 1e6:.0f} MB", ""
    yield "`do` on 100,000 entries: most memory", f"{used['do'] / 1e6:.0f} MB", "60 MB"


def most_memory(words: list[str]) -> int:
    """Returns the most bytes that a Python process held.

    A small process starts it, since the memory of its parent would count.
    """
    done = subprocess.run([sys.executable, "-c", PEAK, *words], check=True, capture_output=True, text=True)
    return int(done.stdout) * 1024


def plain_move(path: Path) -> list[str]:
    """Returns the words of a legal action that needs no dice."""
    return plain_words(open_log(path)).split()


def plain_words(session: Session) -> str:
    """Returns the words of a legal action that needs no dice, in a game that is read already."""
    return str(session.game.format(next(iter(session.legal()))))


def session_rows(folder: Path) -> Iterator[Row]:
    """Yields the time from Enter to the next prompt in `play`, in a game of 500 entries.

    It is compared with the time of `show` in the shell.
    """
    path = write_long_log(folder / "session.jsonl", 500, "mutants")
    talk = Repl(open_log(path), lambda: Screen(colour="never", width=80))

    def answer() -> None:
        assert talk.run_line(plain_words(talk.live_log.session)).render_rows()
        assert make_prompt(talk, 80)
        assert make_toolbar(talk, 80)

    answer()  # loads the commands, as a session does before its first prompt
    works = {"answer": answer, "show": run([REFEREE, "-g", str(path), "show"])}
    took = medians(works, lambda: None)
    yield "an answer in `play` after 500 entries", f"{took['answer'] * 1e3:.1f} ms", "20 ms"
    yield "the same / `show` in the shell", f"{took['answer'] / took['show']:.3f}", "0.1"


# Playing, and memory


def random_actions(game: AnyGame, options: Mapping[str, str], seconds: float = 2.0) -> float:
    """Returns the random legal actions per second: legal list, choice, check, dice, resolution.

    The garbage collector is off, as in a command.
    """
    settled = fill_options(game, options)
    parts = {component.name: read_toml(component.shipped(settled)) for component in game.components}
    board = game.build_board(parts, settled)
    random, done, since = Random(1), 0, time.perf_counter()
    seeds = dict.fromkeys((None, *game.seats(settled)), "00" * 32)
    source = SeededSource(seeds)
    gc.disable()
    while time.perf_counter() - since < seconds:
        state = game.setup(settled, board)
        while seat := game.to_act(state):
            view = game.view(state, seat)
            action = (
                find_forced_answer(game, view, seat)
                if game.awaits_answer(state)
                else game.legal(view, seat).pick(random)
            )
            verdict = adjudicate(game, state, seat, action, source)
            assert isinstance(verdict, LegalVerdict)
            state, done = verdict.state, done + 1
    gc.enable()
    return done / (time.perf_counter() - since)


def measure_peak(work: Callable[[Path], None], path: Path) -> int:
    """Returns the most bytes that a piece of work held at once."""
    tracemalloc.start()
    work(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


AUDITS = """
import gc, sys
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from referee.record.archive.audit import audit
gc.disable()
for count in map(int, sys.argv[2:]):
    for _ in range(count):
        audit(Path(sys.argv[1]))
    print(getrusage(RUSAGE_SELF).ru_maxrss)
"""


def measure_growth(path: Path) -> float:
    """Returns the memory after auditing many logs, divided by that after a tenth of them.

    The garbage collector is off, as in a command.
    """
    first = LOGS // 10
    command = [sys.executable, "-c", AUDITS, str(path), str(first), str(LOGS - first)]
    few, many = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return int(many) / int(few)


ARCHIVED = """
import sys, time
from resource import RUSAGE_SELF, getrusage
from referee.__main__ import main
from referee.record.table.recording import record_note
since = time.perf_counter()
try:
    main()
finally:
    print(time.perf_counter() - since, getrusage(RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def make_archive(folder: Path, count: int) -> Path:
    """Makes an archive of `count` short logs of two games, and returns its folder. One play of one log is changed."""
    folder.mkdir()
    kinds = [("manoover", seed) for seed in range(1, 5)] + [("mutants", 1)]
    sources = [
        write_long_log(folder.with_name(f"{folder.name}-{name}-{seed}.jsonl"), 30, name, seed).read_bytes()
        for name, seed in kinds
    ]
    for number in range(count):
        (folder / f"{number:05}.jsonl").write_bytes(sources[number % len(sources)])
    (folder / "00042.jsonl").write_bytes(sources[0].replace(b'"n":9,', b'"n":8,'))
    return folder


def audit_archive(folder: Path, jobs: int, count: int) -> tuple[float, int]:
    """Audits an archive from the command line. Returns the seconds, and the most memory of that process."""
    command = [sys.executable, "-c", ARCHIVED, "audit", "--jobs", str(jobs), str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert f"{count:,} logs: {count - 1:,} clean, 1 with a fault." in done.stdout, done
    seconds, memory = done.stderr.split()
    return float(seconds), int(memory)


def archive_rows(folder: Path) -> Iterator[Row]:
    """Yields the time of auditing an archive in one process and with two workers, in turn."""
    many, few = make_archive(folder / "many", ARCHIVE), make_archive(folder / "few", ARCHIVE // 10)
    rounds = [[audit_archive(many, jobs, ARCHIVE) for jobs in (1, 2)] for _ in range(3)]
    (one, _), (two, memory) = map(min, zip(*rounds, strict=True))
    small = min(audit_archive(few, 2, ARCHIVE // 10)[1] for _ in range(3))
    yield f"{ARCHIVE:,} short logs, one broken: logs audited a second by one process", f"{ARCHIVE / one:,.0f}", ""
    yield "the same by two workers / by one process", f"{one / two:.2f}", "1.8"
    yield f"memory of who asks, for {ARCHIVE:,} logs / for {ARCHIVE // 10:,}", f"{memory / small:.2f}", "1"


def random_chess(moves: int) -> list[list[str]]:
    """Returns games of chess with at least `moves` moves together.

    Each move is drawn at random from the legal ones, as in our logs.
    """
    random, games = Random(1), list[list[str]]()
    while sum(map(len, games)) < moves:
        board = chess.Board()
        while not board.is_game_over():
            board.push(random.choice(list(board.legal_moves)))
        games.append([move.uci() for move in board.move_stack])
    return games


def push_all(games: list[list[str]]) -> None:
    """Parses each move as a player writes it, checks that it is legal, and plays it."""
    for moves in games:
        board = chess.Board()
        for move in moves:
            board.push_uci(move)


def as_pgn(moves: list[str]) -> str:
    """Returns a game of chess as PGN."""
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    return str(chess.pgn.Game.from_board(board))


def read_all(records: list[str]) -> None:
    """Reads every game from its PGN: each move is found among the legal ones, and played."""
    for record in records:
        game = chess.pgn.read_game(StringIO(record))
        assert game is not None
        assert not game.errors


def chess_rows(path: Path, plays: int) -> Iterator[Row]:
    """Yields the plays audited per second.

    They are compared with the moves that python-chess reads from PGN, and with those that it plays.
    """
    games = random_chess(MOVES)
    records = [as_pgn(moves) for moves in games]
    works = {"audit": lambda: audit_all(path), "read": lambda: read_all(records), "push": lambda: push_all(games)}
    took, moves = bests(works), sum(map(len, games))
    audited = plays / took["audit"]
    yield "plays audited a second", f"{audited:,.0f}", ""
    read, pushed = (audited / (moves / took[how]) for how in ("read", "push"))
    yield "plays audited a second / moves that python-chess reads from PGN (`read_game`)", f"{read:.2f}", "0.85"
    yield "plays audited a second / moves that python-chess pushes (`push_uci`)", f"{pushed:.2f}", ""


def measure(folder: Path) -> Iterator[Row]:
    """Yields every figure with its bar."""
    long, small, short = (folder / f"{name}.jsonl" for name in ("long", "small", "short"))
    for path, plays in ((long, PLAYS), (small, PLAYS // 10), (short, 1_000)):
        write_long_log(path, plays)
    took, entries = reading(long), sum(1 for _ in replay(long))
    yield "L: split, hash-check, decode", f"{took['base'] / entries * 1e6:.2f} µs an entry", ""
    yield "replay / L", f"{took['replay'] / took['base']:.2f}", "1.5"
    yield "audit / L", f"{took['audit'] / took['base']:.2f}", "5"
    yield from fork_rows(long)
    yield from chess_rows(long, PLAYS)
    yield "bytes an entry", f"{long.stat().st_size / entries:.0f}", ""
    for name, options, *bars in READ:
        log = write_long_log(folder / f"{name}.jsonl", PLAYS // 10, name.partition(",")[0], options=options)
        yield from reading_rows(name, log, *bars)
    yield from command_rows(short)
    yield from memory_rows(long)
    yield from session_rows(folder)
    for name, work in (("audit", audit_all), ("replay", replay_all)):
        ratio = measure_peak(work, long) / measure_peak(work, small)
        yield f"{name}, memory for 100,000 plays / for 10,000", f"{ratio:.2f}", "1"
    for name, log in (("open", short), ("hidden", write_shortened(folder / "mutants, hidden.jsonl", folder))):
        yield f"memory after auditing {LOGS} {name} logs / after {LOGS // 10}", f"{measure_growth(log):.2f}", "1"
    yield from archive_rows(folder)
    yield from mail_rows(folder / "mail")
    yield from serve_rows(folder / "serve")
    yield from page_rows()
    for name, options in PLAYED:
        told = " ".join([name, *(f"{key}={value}" for key, value in options.items())])
        yield f"random actions a second, {told}", f"{random_actions(find_game(name), options):,.0f}", "10,000"


def write_shortened(path: Path, folder: Path) -> Path:
    """Writes the first lines of a log into a folder, without its vaults, and returns the new path."""
    short = folder / "shortened.jsonl"
    with path.open("rb") as file:
        short.write_bytes(b"".join(line for line, _ in zip(file, range(300), strict=False)))
    return short


def main() -> None:
    """Measures, prints the table, and writes it with `--write`."""
    at_home = house.rows(dict(house.measure_house()))
    print(tables.table(house.HEAD, at_home))
    print(tables.table(HEAD, ()), end="")
    with TemporaryDirectory() as folder:
        rows = []
        for row in measure(Path(folder)):
            print(tables.row(row), flush=True)
            rows.append(row)
    if "--write" in sys.argv:
        tables.write(house.HEAD, at_home)
        tables.write(HEAD, rows)


if __name__ == "__main__":
    main()
