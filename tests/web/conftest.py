"""The folder as `referee web` makes it, and a tab in a real browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from filelock import FileLock
from visits import serving, visiting

HOW = "no npm for the tests of the tab: apt-get install npm"


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The folder, made once for all processes of a run."""
    if shutil.which("npm") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(HOW)
    base = tmp_path_factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "tab"
    with FileLock(f"{place}.lock"):
        if not place.exists():
            command = [sys.executable, "-m", "referee", "web", "-o", str(place)]
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=base)
            assert done.returncode == 0, done.stderr
    return place


@pytest.fixture(scope="session")
def tab(browser, folder):
    """A tab that is ready; each test drops something else into it."""
    with serving(folder) as (address, _), visiting(browser, address, color_scheme="dark") as tab:
        assert tab.inner_text("#status") == "Ready."
        tab.address = address
        yield tab
