"""Mutation testing: change one small thing in a room, and see whether a test notices.

    python tests/scripts/mutants.py                            all rooms that everything rests on
    python tests/scripts/mutants.py engine/dice.py             one of them
    python tests/scripts/mutants.py engine/dice.py --only chance

Each mutant is tried with the tests of its floor that reach the changed line, the fastest first. Mutants that no test
can find, because they do the same, are explained in `mutation/survivors.toml`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from mutation import trial

from referee.testing.source_mutants import Mutant, make_mutants

ROOMS = (
    "engine/target_number.py",
    "engine/dice.py",
    "engine/dice_source.py",
    "engine/dice_derivation.py",
    "engine/hmac_key.py",
    "engine/commitment.py",
    "engine/secret.py",
    "record/log/sealing.py",
    "record/log/field_types.py",
    "record/log/entry.py",
    "record/table/reducer.py",
    "record/table/reducer_state.py",
    "record/table/log_walker.py",
    "record/table/prescan.py",
    "record/log/store.py",
    "record/log/vault.py",
)
TESTS = {
    "engine": [f"engine/test_{name}.py" for name in ("dice", "dice_words", "keyed", "leaf", "secret")],
    "record": [],
}
"""The tests of a floor, beside those of the record and of the schemas."""
SLOW = ("test_archive", "test_injected", "test_same_everywhere", "test_signature")
"""Files of the record's tests that take long, and are about other rooms."""
MAIL = ("test_agreement", "test_cheats", "test_cheats_keys", "test_cheats_twice", "test_giving_way", "test_taking_in")
"""Those of mail that try what the record has to say to it."""
PASSED_OVER = ("takes_no_more_memory", "the_files_are_what_the_script_makes", "whole_hidden_game", "million")
PASSED_OVER += ("memory_hardly_grows", "any_order_ends", "every_form", "every_entry_fits_the_schema")
"""Tests that take long, and are about something else."""
EXPLANATIONS = tomllib.loads((Path(__file__).parent / "mutation" / "survivors.toml").read_text("utf-8"))
"""Why mutants survive, by room and by what they are called."""
MOST = 300
"""Tests of a mutant that is explained, at most; any other is tried with all that reach it."""
BAR = 0.95


def record_tests() -> list[str]:
    """The files of tests of the record that are quick."""
    found = sorted((trial.ROOT / "tests" / "record").rglob("test_*.py"))
    return [str(path.relative_to(trial.ROOT)) for path in found if path.stem not in SLOW]


def tests_for(room: str, mutant: Mutant, reached: dict[str, trial.Reached]) -> list[str]:
    """The tests that reach a mutant, in the order in which they are tried; all do where it is reached on import. Those
    of its room, and what schemas say of it, come first; then the fastest of each file, the next of each, and so on.
    """
    here = (str(trial.ROOT / "referee" / room), mutant.line)
    about = ("committed_schemas", f"test_{Path(room).stem}")
    found = [name for name, test in reached.items() if not mutant.function or here in test.lines]
    found.sort(key=lambda name: reached[name].seconds)
    of_file = Counter[str]()
    rank = {}
    for name in found:
        file = name.partition("::")[0]
        of_file[file] += 1
        rank[name] = (not any(word in name for word in about), of_file[file])
    return sorted(found, key=lambda name: rank[name])


class Tried(NamedTuple):
    """A mutant, and how many tests reach it."""

    room: str
    mutant: Mutant
    tests: int


def jobs(
    pytest_: trial.Inside, items: trial.Items, rooms: Sequence[str], only: str
) -> Iterator[tuple[Tried, Callable[[], int]]]:
    """What is tried: each mutant with its tests."""
    reached = trial.reached_by(pytest_, items, rooms)
    for room in rooms:
        known = EXPLANATIONS.get(room, {})
        for mutant in make_mutants((trial.ROOT / "referee" / room).read_text("utf-8")):
            if only in mutant.name:
                names = tests_for(room, mutant, reached)[: MOST if mutant.name in known else None]
                tests = [items[name] for name in names]
                begin = partial(trial.start, room, mutant.source, mutant.function, tests)
                yield Tried(room, mutant, len(tests)), begin


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the mutants and tell which nobody noticed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="such as engine/dice.py; all, if none is given")
    parser.add_argument("--only", default="", metavar="TEXT", help="mutants with this in their names")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, metavar="N")
    options = parser.parse_args(arguments)
    rooms = options.rooms or ROOMS
    of_floors = {f"tests/{name}" for room in rooms for name in TESTS[room.partition("/")[0]]}
    files = [*sorted(of_floors), "tests/test_fixtures.py", *record_tests(), *(f"tests/mail/{name}.py" for name in MAIL)]

    def work(pytest_: trial.Inside, items: trial.Items) -> int:
        bad = told(trial.all_of(jobs(pytest_, items, rooms, options.only), options.processes))
        return bad or told_needless(rooms)

    return trial.inside(files, work, PASSED_OVER)


def told(tried: Iterable[tuple[Tried, int]]) -> int:
    """Tell who survived, and how many were found in each room; 0 if the bar is met and all survivors explained."""
    count, left, explained = Counter[str](), Counter[str](), Counter[str]()
    for (room, mutant, tests), status in tried:
        count[room] += 1
        if status == 0:
            known = mutant.name in EXPLANATIONS.get(room, {})
            left[room] += 1
            explained[room] += known
            print(f"{room}:{mutant.line}: {mutant.name}   [{'explained' if known else f'{tests} tests'}]", flush=True)
    for room, many in count.items():
        found = (many - left[room]) / many
        print(f"{room}: {many - left[room]} of {many} found ({found:.1%}); {explained[room]} explained of the others")
    good = all(many - left[room] >= BAR * many and left[room] == explained[room] for room, many in count.items())
    return 0 if good else 1


def told_needless(rooms: Iterable[str]) -> int:
    """Tell which explanations are of mutants that there are none of, as after a change; 1 if there are any."""
    needless = [(room, name) for room in rooms for name in EXPLANATIONS.get(room, {}) if name not in names_in(room)]
    for room, name in needless:
        print(f"{room}: no mutant is called {name!r}, which is explained")
    return int(bool(needless))


def names_in(room: str) -> set[str]:
    """What the mutants of a room are called."""
    return {mutant.name for mutant in make_mutants((trial.ROOT / "referee" / room).read_text("utf-8"))}


if __name__ == "__main__":
    sys.exit(main())
