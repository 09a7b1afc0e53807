"""Change a game in four ways, in copies of the program, and read every log of the archive with each: none is lost.

    python tests/scripts/outlive.py              all logs
    python tests/scripts/outlive.py --every 9    each ninth, as the suite does

The changes are an option more, a field more in an event, a comment in a board and another rule. Each log
must be told as before; where a rule has changed it may differ from today's rules, and is no fault for that.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory

import referee

ROOT = Path(__file__).parents[2]
GAME = "games/manoover"
NEWS = "    rules_version = 2\n    versions = (RulesVersion(2, {change!r}, {rules!r}),)\n    upcasts = UPCASTS\n"
IMPORT = "from referee.games.manoover.upcasts import UPCASTS\n"
CLOCK = '    Option("clock", ("no", "yes"), "a clock", "setup.1", since=2),\n'
FIELD = """    told = "Turn {robot} to face {toward}."
    robot: RobotId
    toward: Heading
"""

LIFT, LOWER = 'lambda event: {"die": 6, **event}', 'lambda event: {k: v for k, v in event.items() if k != "die"}'

Change = dict[str, list[tuple[str, str]]]
"""What is replaced in which file of the program."""


def news(change: str, rules: tuple[str, ...] = ()) -> Change:
    """A new version of the rules of Manoover."""
    text = NEWS.format(change=change, rules=rules)
    imported = f"from referee.engine.versions import RulesVersion\n{IMPORT}"
    return {f"{GAME}/__init__.py": [("    upcasts = UPCASTS\n", text), (IMPORT, imported)]}


CHANGES: dict[str, Change] = {
    "an option more": {
        **news("a clock may be used"),
        f"{GAME}/options.py": [('    Option(\n        "form",\n', CLOCK + '    Option(\n        "form",\n')],
    },
    "a field more": {
        **news("a turn names its die"),
        f"{GAME}/control_phase.py": [
            (FIELD, FIELD.replace("    toward: Heading\n", "    toward: Heading\n    die: int\n", 1)),
            (
                "yield RobotTurned(state.name_own_robot(action.robot), find_heading(action.toward))",
                "yield RobotTurned(state.name_own_robot(action.robot), find_heading(action.toward), 6)",
            ),
        ],
        f"{GAME}/upcasts.py": [("UPCASTS = (", f'UPCASTS = (Upcast("event", 2, "named", {LIFT}, "turned", {LOWER}), ')],
    },
    "a comment in a board": {
        f"{GAME}/shipped/{form}.toml": [("\n", "\n# a comment more\n")] for form in ("base", "plus", "three")
    },
    "another rule": {
        **news("the player with the fewest robots in the goal wins", ("end.2",)),
        f"{GAME}/victory.py": [("== max(points.values())", "== min(points.values())")],
    },
}


def changed(folder: Path, change: Change) -> Path:
    """A copy of the program with something changed."""
    copytree(Path(referee.__file__).parent, folder / "referee", ignore=ignore_patterns("__pycache__"))
    for name, replaced in change.items():
        path = folder / "referee" / name
        text = path.read_text("utf-8")
        for old, new in replaced:
            assert old in text, f"{name} has changed: {old!r}"
            text = text.replace(old, new, 1)
        path.write_text(text, "utf-8")
    return folder


READ = """
import json, sys
from pathlib import Path
from referee.record.archive.audit import audit
from referee.record.log.log_errors import FaultError
from referee.record.table.opening_logs import open_log
for name in sys.stdin.read().splitlines():
    report = audit(Path(name))
    try:
        session = open_log(Path(name))
        opened = len(session.entries) == report.entries and session.moment().to_act == report.to_act
    except FaultError as error:
        opened = error.fault.code
    print(json.dumps([name, report.fault.code if report.fault else "", report.differing, opened]))
"""


def read(program: Path, logs: list[Path]) -> dict[str, list[object]]:
    """What a program says to each log: the fault, how many plays differ, whether it opens."""
    env = {**os.environ, "PYTHONPATH": str(program)}
    names = "\n".join(map(str, logs)).encode()
    done = subprocess.run(
        [sys.executable, "-c", READ], check=False, input=names, env=env, cwd=program, capture_output=True
    )
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    return {name: told for name, *told in map(json.loads, done.stdout.splitlines())}


def lost(change: str, before: dict[str, list[object]], after: dict[str, list[object]]) -> list[str]:
    """The logs to which a changed program says something that it must not."""
    may_differ = change == "another rule"
    return [
        f"{name}: {before[name]} before, {told} now"
        for name, told in after.items()
        if told[0] != before[name][0] or told[2] != before[name][2] or (told[1] != before[name][1] and not may_differ)
    ]


def main() -> None:
    """Try all changes, and say what was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each Nth log")
    every = parser.parse_args().every
    logs = sorted((ROOT / "fixtures" / "archive").glob("*/logs/*.jsonl"))[::every]
    before, failed = read(Path(referee.__file__).parents[1], logs), 0
    for change, replaced in CHANGES.items():
        with TemporaryDirectory() as folder:
            after = read(changed(Path(folder), replaced), logs)
        found = lost(change, before, after)
        differing = Counter(bool(told[1]) for told in after.values())[True]
        print(f"{change}: {len(after)} logs read, {differing} differ from the rules of the day, {len(found)} lost")
        print("".join(f"  {one}\n" for one in found), end="")
        failed += len(found)
    raise SystemExit(bool(failed))


if __name__ == "__main__":
    main()
