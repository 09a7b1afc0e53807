"""Settings and fixtures of all tests: homes, games and a browser."""

from __future__ import annotations

import compileall
import gc
import itertools
import os
import signal
import sys
from functools import cache
from pathlib import Path

import pytest
import typer.main
from hypothesis import HealthCheck, settings

HELPERS = {path.stem for path in Path(__file__).parent.rglob("*.py")} - {"__init__", "conftest"}
"""The modules of the tests. Pytest explains failed assertions in all of them, also in those without a test."""
pytest.register_assert_rewrite(*HELPERS)

from browsers import chromium
from calling import end_bots
from memory import write_in_memory
from support import PACKAGE, ROOT, Bench
from third_party import installed

from referee.engine.registry import find_game
from referee.record.table import opening_logs as starting

write_in_memory()
SLOW = [HealthCheck.too_slow]
settings.register_profile("suite", max_examples=150, deadline=None, derandomize=True, suppress_health_check=SLOW)
settings.register_profile("thorough", max_examples=10_000, deadline=None, suppress_health_check=SLOW)
settings.register_profile("long", max_examples=60_000, deadline=None, suppress_health_check=SLOW)
settings.register_profile("few", max_examples=30, deadline=None, suppress_health_check=SLOW)
settings.load_profile("suite")

# The program reads the signature of a command once in its life; the tests run it thousands of times in one process.
typer.main.get_params_from_function = cache(typer.main.get_params_from_function)

# All dice of a game by mail hang on its first entry, which names the version of the program: no release changes a test.
starting.PROGRAM_VERSION = "tests"


def pytest_configure(config):
    """Lets Ctrl-C interrupt the tests and the programs that they start.

    A process that was started in the background ignores Ctrl-C otherwise. The programs start from compiled modules, as
    after an installation, even where Python is told to write none. Otherwise each worker would compile the modules of
    the tests in each run.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.dont_write_bytecode = False
    if hasattr(config, "workerinput"):
        gc.disable()  # until all tests are found: nothing of them is thrown away
    else:
        compileall.compile_dir(PACKAGE, quiet=2)


@pytest.hookimpl(optionalhook=True)  # mutants are tried without xdist
def pytest_xdist_auto_num_workers(config):
    """Returns one more than the number of processors, since some tests wait for a terminal, a browser or a folder."""
    return (os.cpu_count() or 1) + 1


collect_ignore = [] if (ROOT / "referee").is_dir() else ["checkout"]
"""Tests that need a checkout. The suite also runs where only the installed program is."""

LONG = {"web", "test_package.py", "test_page_browser.py", "test_refusing.py"}
"""Folders and files with the slowest tests or fixtures."""


def pytest_collection_modifyitems(items):
    """Sorts the slowest tests to the front.

    So nobody waits for them at the end, and few workers make their fixtures.
    """
    items.sort(key=lambda item: not LONG.intersection(item.path.parts))


def pytest_collection_finish():
    """Makes the garbage collector skip all objects that exist now, and run less often.

    Modules that tests write are compiled at each import, because they may change within a second.
    """
    sys.dont_write_bytecode = True
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 10, 10)


HOMES = ("HOME", "XDG_CONFIG_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA")
"""The environment variables that give the place of a user's settings, on different systems."""
NUMBERS = itertools.count()


def move(patch, home):
    for name in HOMES:
        patch.setenv(name, str(home))


@pytest.fixture(scope="session", autouse=True)
def nobody_home(tmp_path_factory):
    """Returns a home for everything that runs before a test begins."""
    with pytest.MonkeyPatch.context() as patch:
        move(patch, tmp_path_factory.mktemp("nobody"))
        yield


@pytest.fixture(autouse=True)
def home(nobody_home, tmp_path_factory, monkeypatch):
    """Gives each test a home of its own, so that no test touches the keys of the person who runs it.

    The home is made when something is put there.
    """
    place = tmp_path_factory.getbasetemp() / f"home-{next(NUMBERS)}"
    move(monkeypatch, place)
    return place


@pytest.fixture(autouse=True)
def end_bots_after_test():
    """Ends the processes of bots that a test has started."""
    yield
    end_bots()


@pytest.fixture(scope="session")
def manoover() -> Bench:
    return Bench(find_game("manoover"))


@pytest.fixture
def ambush():
    """Yields the module of an example game, which is installed while a test runs."""
    with installed() as module:
        yield module


@pytest.fixture(scope="session")
def browser():
    """Yields Chromium without a window. Without Chromium, a test fails in `.ci/run` and is skipped elsewhere."""
    try:
        with chromium() as found:
            yield found
    except LookupError as missing:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(missing))
