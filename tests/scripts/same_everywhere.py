"""Whatever the hash seed, the locale, the time zone and the version of Python: the same states, logs and verdicts.

    python tests/scripts/same_everywhere.py                                  this Python, hash seeds 0 to 20
    python tests/scripts/same_everywhere.py --python .venv312/bin/python     another one beside it, again and again

Every run reads the sample logs of all games and hashes the position after each entry and what was then legal, audits
them, and plays a seeded game of each kind, whose log it hashes. All runs have to come to the same.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice, product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "bench")]

ZONES = ("UTC", "Asia/Kathmandu", "America/St_Johns")
LOCALES = ("C", "C.utf8", "POSIX")
"""Those that are everywhere; others that are installed come after them."""
SEEDS = 21
KINDS: dict[str, tuple[str, dict[str, str]]] = {
    "manoover": ("manoover", {}),
    "mutants": ("mutants", {}),
    "mutants, hidden": ("mutants", {"hidden-movement": "yes"}),
    "sheboygan": ("sheboygan", {"scenario": "advanced-a"}),
    "zombies": ("zombies", {}),
}
LEGAL_EVERY = 25
"""So many entries of a log lie between two lists of what is legal."""
FEW = 200
"""Actions of such a list."""


def found_here(first: int | None) -> Iterator[tuple[str, str]]:
    """What this Python comes to: the hash of all that follows from each sample log, and of each log that is written."""
    for path in sample_logs()[:first]:
        yield str(path.relative_to(ROOT)), hash_of_log(path)
    for kind, (game, options) in KINDS.items():
        yield kind, hash_of_game(game, options)


def sample_logs() -> list[Path]:
    """The logs that come along, of all games in turn."""
    logs = sorted([*ROOT.glob("fixtures/*/games/*.jsonl"), *ROOT.glob("logs/sample-*.jsonl")])
    return sorted(logs, key=lambda path: (sum(other.parent == path.parent and other < path for other in logs), path))


def hash_of_log(path: Path) -> str:
    """Positions, legal lists, what is told, the verdict."""
    from referee.record.archive.audit import audit
    from referee.record.log.entry import encode_for_log
    from referee.record.table.opening_logs import open_log, replay

    found = sha256()
    game = open_log(path).game
    for entry, known in replay(path):
        found.update(encode_for_log(game.position_from(known.truth)))
        seat = game.to_act(known.truth)
        if entry.n % LEGAL_EVERY == 0 and seat:
            found.update("\n".join(map(game.format, islice(game.legal(known.truth, seat), FEW))).encode())
        for event in getattr(entry, "events", ()):
            found.update(game.tell(event).encode())
    found.update(repr(audit(path)).encode())
    return found.hexdigest()


def hash_of_game(game: str, options: Mapping[str, str], plays: int = 60) -> str:
    """The log of a game in which everything is drawn from one seed."""
    from long_log import always_same, write_long_log

    with tempfile.TemporaryDirectory() as folder, always_same():
        return sha256(write_long_log(Path(folder) / "a.jsonl", plays, game, options=options).read_bytes()).hexdigest()


def surroundings(seeds: int) -> Iterator[dict[str, str]]:
    """Environments: each hash seed, and every locale with every zone."""
    there = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    locales = [*LOCALES, *sorted({*there} - {*LOCALES})[:3]]
    places = list(product(locales, ZONES))
    random.Random(1).shuffle(places)
    for seed in range(seeds):
        locale, zone = places[seed % len(places)]
        yield {"PYTHONHASHSEED": str(seed), "LC_ALL": locale, "TZ": zone}


def found_in(python: str, environment: Mapping[str, str], first: int | None) -> dict[str, str]:
    """What a Python comes to in such an environment."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "LANG"))}
    command = [python, __file__, "--here", *(["--first", str(first)] if first else [])]
    done = subprocess.run(command, env=kept | dict(environment), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{python} {dict(environment)}: {done.stderr}")
    found: dict[str, str] = json.loads(done.stdout)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare all runs with the first; 1 if one differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", action="append", metavar="FILE", help="another Python, with Referee's dependencies")
    parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N", help="hash seeds from 0")
    parser.add_argument("--first", type=int, metavar="N", help="only so many sample logs, of all games in turn")
    parser.add_argument("--here", action="store_true", help="only tell what this Python comes to")
    options = parser.parse_args(arguments)
    if options.here:
        print(json.dumps(dict(found_here(options.first))))
        return 0
    due: dict[str, Any] = {}
    runs = differing = 0
    for python, environment in product([sys.executable, *(options.python or [])], surroundings(options.seeds)):
        found = found_in(python, environment, options.first)
        due = due or found
        other = [name for name in due if found.get(name) != due[name]]
        runs, differing = runs + 1, differing + bool(other)
        if other:
            print(f"{python} {environment}: differs in {', '.join(other)}", flush=True)
    print(f"{runs} runs, {len(due)} hashes each, {differing} runs differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
