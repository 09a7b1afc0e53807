"""Trying tests on a mutant: in a process of its own, only those tests that reach the changed line, the fastest first.

Pytest collects once; each mutant gets a copy of that process by forking. A changed function is put into the module that
all tests have imported already; a changed declaration has to be imported anew, by a pytest of its own.
"""

from __future__ import annotations

import inspect
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import msgspec
import pytest

ROOT = Path(__file__).parents[3]
SECONDS = 600
"""So much of a processor a mutant may take, and ten times as long if it only waits; one that hangs is found."""
MEMORY = 4 * 2**30
PYTEST = ("-x", "-s", "-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0")
PYTEST += ("--hypothesis-profile=few", "-q", "--no-header")
OWN_PROCESS = frozenset({"script", "process", "terminal"})
"""Fixtures that start the program anew, where no mutant would be seen."""

TOOL = 3
"""Number of a tool that watches, of those that nobody else has."""

Items = dict[str, Any]
"""Collected tests by name."""


class Reached(NamedTuple):
    """What a test reaches."""

    seconds: float
    lines: list[tuple[str, int]]
    """File and line."""


class Declared(msgspec.Struct):
    """A mutant that has to be imported anew, and the tests to try."""

    room: str
    source: str
    tests: list[str]


class Inside:
    """Does something once pytest has collected its tests, in place of running them."""

    def __init__(self, work: Callable[[Inside, Items], int], without: Sequence[str]) -> None:
        self._work, self._without = work, without
        self.code = 0
        self.failed: list[str] | None = None
        """Tests that fail are put in here; None: the first that fails ends the process."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        items = {item.nodeid: item for item in session.items if not any(word in item.nodeid for word in self._without)}
        unseen = [name for name, item in items.items() if OWN_PROCESS.intersection(getattr(item, "fixturenames", ()))]
        self.code = self._work(self, {name: item for name, item in items.items() if name not in unseen})
        return True

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and self.failed is None:
            os._exit(1)
        if report.failed:
            self.failed.append(report.nodeid)


def inside(tests: Sequence[str], work: Callable[[Inside, Items], int], without: Sequence[str] = ()) -> int:
    """Collect tests and do something with them, but for those with certain words in their names; its exit code."""
    sys.dont_write_bytecode = True
    plugin = Inside(work, without)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = os.environ["TMPDIR"] = tempfile.tempdir = folder
        code = int(pytest.main([*PYTEST, *tests], plugins=[plugin]))
    return plugin.code or (code if code != pytest.ExitCode.NO_TESTS_COLLECTED else 0)


def in_child(work: Callable[[], object], seconds: int = SECONDS) -> int:
    """Start a process that does this quietly, within bounds; its id. It ends with 0 if all went well."""
    pid = os.fork()
    if pid:
        return pid
    code = 70
    try:
        os.setsid()
        os.chdir(ROOT)
        for descriptor in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.alarm(10 * seconds)
        folder = Path(tempfile.gettempdir()) / str(os.getpid())
        folder.mkdir()
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
        work()
        code = 0
    finally:
        os._exit(code)


def run(items: Sequence[Any]) -> None:
    """Run tests one after another; the first that fails ends the process."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def reached_by(pytest_: Inside, items: Items, rooms: Sequence[str]) -> dict[str, Reached]:
    """Which lines of the rooms each test reaches, and how long it takes; but for those that fail as things are."""
    files = frozenset(str(ROOT / "referee" / room) for room in rooms)
    found = Path(tempfile.gettempdir()) / "reached"

    def watch() -> None:
        reached: dict[str, Reached] = {}
        watching = _Watching(files)
        pytest_.failed = failed = []
        for name, item in items.items():
            began = time.perf_counter()
            lines = watching.lines_of(lambda item=item: run([item]))
            reached[name] = Reached(time.perf_counter() - began, sorted(lines))
        found.write_bytes(msgspec.json.encode({name: one for name, one in reached.items() if name not in failed}))

    if os.waitpid(in_child(watch, 3600), 0)[1]:
        raise SystemExit("the tests cannot be run")
    return msgspec.json.decode(found.read_bytes(), type=dict[str, Reached])


class _Watching:
    """Notes which lines of some files are reached: from Python 3.12 on at no cost elsewhere."""

    def __init__(self, files: frozenset[str]) -> None:
        self._files = files
        self._lines: set[tuple[str, int]] = set()
        if sys.version_info >= (3, 12):
            self._events = sys.monitoring.events
            sys.monitoring.use_tool_id(TOOL, "mutants")
            sys.monitoring.register_callback(TOOL, self._events.PY_START, self._begun)
            sys.monitoring.register_callback(TOOL, self._events.LINE, self._at_line)
            sys.monitoring.set_events(TOOL, self._events.PY_START)

    def lines_of(self, work: Callable[[], None]) -> set[tuple[str, int]]:
        """The lines that this reaches."""
        self._lines = set()
        if sys.version_info >= (3, 12):
            sys.monitoring.restart_events()
            work()
        else:
            sys.settrace(self._trace)
            work()
            sys.settrace(None)
        return self._lines

    def _begun(self, code: CodeType, offset: int) -> Any:
        if code.co_filename in self._files:
            sys.monitoring.set_local_events(TOOL, code, self._events.LINE)
        return sys.monitoring.DISABLE

    def _at_line(self, code: CodeType, line: int) -> Any:
        self._lines.add((code.co_filename, line))
        return sys.monitoring.DISABLE

    def _trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename not in self._files:
            return None
        self._lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._trace


def start(room: str, source: str, function: str, tests: Sequence[Any]) -> int:
    """Start the trial of a mutant; the process's id. It ends with 0 if no test notices.

    `function` is the one that is changed; "" where a declaration is.
    """

    def put_in() -> None:
        _put_in(room, source, function)
        run(tests)

    def anew() -> None:
        job = Path(os.environ["PYTEST_DEBUG_TEMPROOT"]) / "job"
        job.write_bytes(msgspec.json.encode(Declared(room, source, [item.nodeid for item in tests])))
        os.execv(sys.executable, [sys.executable, __file__, str(job)])

    return in_child(put_in if function else anew)


def _put_in(room: str, source: str, function: str) -> None:
    """Have a function that is loaded do what the mutant does."""
    code = compile(source, str(ROOT / "referee" / room), "exec")
    found: Any = sys.modules[_module_of(room)]
    for name in function.split("."):
        code = next(part for part in code.co_consts if getattr(part, "co_name", None) == name)
        found = vars(found)[name]
    found = getattr(found, "fget", getattr(found, "__func__", found))
    inspect.unwrap(found).__code__ = code


def _module_of(room: str) -> str:
    return f"referee.{room.removesuffix('.py').replace('/', '.')}"


def all_of(jobs: Iterable[tuple[Any, Callable[[], int]]], processes: int) -> Iterator[tuple[Any, int]]:
    """Run jobs, so many at a time; each with the status of its process, as they end."""
    running: dict[int, Any] = {}
    for key, begin in jobs:
        if len(running) == processes:
            yield _ended(running)
        running[begin()] = key
    while running:
        yield _ended(running)


def _ended(running: dict[int, Any]) -> tuple[Any, int]:
    pid, status = os.wait()
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    return running.pop(pid), status


# A mutant that is imported anew


class _Loader(SourceLoader):
    """Loads the mutant in place of the file, from memory."""

    def __init__(self, path: str, source: str) -> None:
        self._path, self._source = path, source

    def get_filename(self, fullname: str) -> str:
        return self._path

    def get_data(self, path: str | bytes) -> bytes:
        if path != self._path:
            raise OSError("no bytecode of a mutant is kept")
        return self._source.encode()


class _Finder(MetaPathFinder):
    def __init__(self, mutant: Declared) -> None:
        self._module = _module_of(mutant.room)
        self._path, self._source = str(ROOT / "referee" / mutant.room), mutant.source

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        if fullname != self._module:
            return None
        return spec_from_file_location(fullname, self._path, loader=_Loader(self._path, self._source))


def _try_anew(mutant: Declared) -> int:
    def chosen(_pytest: Inside, items: Items) -> int:
        run([items[name] for name in mutant.tests])
        return 0

    sys.meta_path.insert(0, _Finder(mutant))
    return inside(list(dict.fromkeys(test.partition("::")[0] for test in mutant.tests)), chosen)


if __name__ == "__main__":
    sys.exit(_try_anew(msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Declared)))
