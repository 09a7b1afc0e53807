"""A package that came without some of its own files: one sentence says which, and what to do."""

import os
import shutil
import subprocess
import sys

import pytest
from support import PACKAGE


@pytest.fixture
def lacking(tmp_path):
    """Run a copy of the package that lacks a file or a folder."""
    shutil.copytree(PACKAGE, tmp_path / "site" / "referee", ignore=shutil.ignore_patterns("__pycache__"))

    def run(lost, *words):
        place = tmp_path / "site" / "referee" / lost
        (shutil.rmtree if place.is_dir() else os.remove)(place)
        env = {**os.environ, "PYTHONPATH": str(tmp_path / "site"), "COLUMNS": "200"}
        command = [sys.executable, "-B", "-m", "referee", *words]
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

    return run


@pytest.mark.parametrize(
    ("lost", "words"),
    [
        ("games/manoover/rules.toml", "new manoover --dice table"),
        ("games/manoover/shipped/base.toml", "new manoover --dice table"),
        ("manual", "help table"),
        ("web/index.html", "web -o tab"),
    ],
)
def test_what_a_package_lacks_is_named_in_a_sentence(lacking, lost, words):
    done = lacking(lost, *words.split())
    told = f"A file of the referee is missing: {lost}. Install the referee again."
    assert (done.returncode, done.stdout + done.stderr) == (3, f"{told}\n")
