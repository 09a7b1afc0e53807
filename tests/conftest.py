"""What all tests share: paths, positions as data, and games to play."""

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
"""The modules of the tests: what an assertion compares is told in those too that hold no test."""
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
settings.register_profile("suite", max_examples=300, deadline=None, derandomize=True, suppress_health_check=SLOW)
settings.register_profile("thorough", max_examples=10_000, deadline=None, suppress_health_check=SLOW)
settings.register_profile("long", max_examples=60_000, deadline=None, suppress_health_check=SLOW)
settings.register_profile("few", max_examples=30, deadline=None, suppress_health_check=SLOW)
settings.load_profile("suite")

# The program reads the signature of a command once in its life; the tests run it thousands of times in one process.
typer.main.get_params_from_function = cache(typer.main.get_params_from_function)

# All dice of a game by mail hang on its first entry, which names the version of the program: no release changes a test.
starting.PROGRAM = "tests"


def pytest_configure(config):
    """Who is started in the background ignores Ctrl-C, and so do the programs that he starts. Those here do not.

    They start from compiled modules, as after an installation, also where Python was told to leave none behind; and so
    do the modules of the tests, which would else be compiled by each worker in each run.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.dont_write_bytecode = False
    if hasattr(config, "workerinput"):
        gc.disable()  # until all tests are found: nothing of them is thrown away
    else:
        compileall.compile_dir(PACKAGE, quiet=2)


@pytest.hookimpl(optionalhook=True)  # mutants are tried without xdist
def pytest_xdist_auto_num_workers(config):
    """One more than there are processors: some tests wait, for a terminal, a browser or a watched folder."""
    return (os.cpu_count() or 1) + 1


collect_ignore = [] if (ROOT / "referee").is_dir() else ["checkout"]
"""Tests of what only a checkout has. The suite also runs where the program is installed and no checkout is."""

LONG = {"web", "test_package.py", "test_page_browser.py", "test_refusing.py"}
"""Folders and files whose tests, or what they stand on, take longest."""


def pytest_collection_modifyitems(items):
    """What takes longest comes first: nobody waits for it at the end, and what it stands on is made by few workers."""
    items.sort(key=lambda item: not LONG.intersection(item.path.parts))


def pytest_collection_finish():
    """What is there by now stays: it need not be looked through for what can be thrown away, and that not so often.

    What tests write and import is compiled each time: it may change within a second.
    """
    sys.dont_write_bytecode = True
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 10, 10)


HOMES = ("HOME", "XDG_CONFIG_HOME", "WIN_PD_OVERRIDE_LOCAL_APPDATA")
"""What says where a user's settings are, on one system or another."""
NUMBERS = itertools.count()


def move(patch, home):
    for name in HOMES:
        patch.setenv(name, str(home))


@pytest.fixture(scope="session", autouse=True)
def nobody_home(tmp_path_factory):
    """A home for what is done before a test begins."""
    with pytest.MonkeyPatch.context() as patch:
        move(patch, tmp_path_factory.mktemp("nobody"))
        yield


@pytest.fixture(autouse=True)
def home(nobody_home, tmp_path_factory, monkeypatch):
    """A home of its own for each test: none touches the keys of who runs it. It is made when something is put there."""
    place = tmp_path_factory.getbasetemp() / f"home-{next(NUMBERS)}"
    move(monkeypatch, place)
    return place


@pytest.fixture(autouse=True)
def bots_that_end():
    """No process of a bot outlives the test that started it."""
    yield
    end_bots()


@pytest.fixture(scope="session")
def manoover() -> Bench:
    return Bench(find_game("manoover"))


@pytest.fixture
def ambush():
    """The module of the example game, which is installed while a test runs."""
    with installed() as module:
        yield module


@pytest.fixture(scope="session")
def browser():
    """Chromium, without a window. Where it must not be missing, as in `.ci/run`, that fails."""
    try:
        with chromium() as found:
            yield found
    except LookupError as missing:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(missing))
