"""Kill a process with SIGKILL while it records, again and again on one log; no acknowledged entry may be lost.

python tests/scripts/kill_writer.py --kills 1000
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from referee.engine.dice_mode import OpenDice
from referee.record.archive.audit import audit
from referee.record.table.opening_logs import open_log, start
from referee.record.table.recording import record_note
from referee.record.table.session import Session

PER_LOG = 25
"""Kills on one log before a new one is started: a long log would only make the reading slower."""


def write(path: Path, acknowledge: int, seed: int) -> None:
    """Record notes and plays for ever, and say the number of each entry once it is recorded."""
    rng, session = random.Random(seed), open_log(path)
    while True:
        act(session, rng)
        os.write(acknowledge, b"%d\n" % session.entries[-1].n)


def act(session: Session, rng: random.Random) -> None:
    legal = list(session.legal())
    if legal and rng.random() < 0.7:
        session.play(rng.choice(legal))
    else:
        record_note(session, "x" * rng.choice((1, 100, 4000)))


def kill_one(path: Path, rng: random.Random) -> int:
    """Start a writer, kill it at some moment, return the number of the last entry it acknowledged, or -1."""
    heard, said = os.pipe()
    seed = rng.random()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(heard)
            write(path, said, int(seed * 2**32))
        finally:
            os._exit(1)
    os.close(said)
    with os.fdopen(heard, "rb") as pipe:
        numbers = list(moment(rng, pipe))
        os.kill(pid, signal.SIGKILL)
        numbers += [line for line in pipe if line.endswith(b"\n")]
    status = os.waitpid(pid, 0)[1]
    assert os.WIFSIGNALED(status), "the writer stopped before it was killed"
    return max(map(int, numbers), default=-1)


def moment(rng: random.Random, pipe: object) -> Iterator[bytes]:
    """Let some entries be acknowledged, then a random while more pass, shorter than it takes to record one."""
    for _ in range(rng.randrange(4)):
        yield pipe.readline()  # type: ignore[attr-defined]
    for _ in range(rng.randrange(6000)):
        os.getppid()


def check(path: Path, before: bytes, last: int, found: Counter[str]) -> None:
    """The log opens, holds all that was acknowledged, and can be played on."""
    session = open_log(path)
    recorded = len(session.entries) - 1
    assert recorded >= last, f"entry {last} was acknowledged, but the log ends with {recorded}"
    data = path.read_bytes()
    assert data.startswith(before), "what was there before has changed"
    found["torn"] += bool(session.head.torn)
    found["recorded but not acknowledged"] += recorded > max(last, before.count(b"\n") - 1)
    found["acknowledged"] += last >= 0
    record_note(session, "after the kill")
    assert audit(path).fault is None


def run(kills: int, seed: int, folder: Path) -> Counter[str]:
    """Kill so many writers."""
    rng, found = random.Random(seed), Counter[str]()
    path = folder
    for kill in range(kills):
        if kill % PER_LOG == 0:
            path = folder / f"{seed}-{kill}.jsonl"
            start("manoover", path, dice=OpenDice(f"{rng.getrandbits(256):064x}"))
        before = path.read_bytes()
        check(path, before, kill_one(path, rng), found)
        if sys.stderr.isatty():
            print(f"\r{kill + 1} kills", end="", file=sys.stderr, flush=True)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the kills and tell what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--folder", type=Path, help="where to put the logs; a temporary folder if not given")
    options = parser.parse_args(arguments)
    folder = options.folder or Path(tempfile.mkdtemp())
    found = run(options.kills, options.seed, folder)
    print(f"{options.kills} kills, no acknowledged entry lost")
    for what, times in sorted(found.items()):
        print(f"{times} times {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
