"""The package: a wheel that holds all it needs, and one file that runs with nothing but Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from support import ROOT

SAMPLE = ROOT / "logs" / "sample-robot-attack.jsonl"
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "*.egg-info")
BARE = {name: os.environ[name] for name in ("PATH", "TMPDIR", "LANG", "SYSTEMROOT") if name in os.environ}
"""An environment that knows nothing of the checkout."""


def run(*command, **manners):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **manners)
    assert done.returncode == 0, done.stderr[-2_000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy of the checkout."""
    folder = tmp_path_factory.mktemp("package")
    tree = shutil.copytree(ROOT, folder / "tree", ignore=LEFT_OUT)
    run(sys.executable, "-m", "build", "--outdir", folder, tree)
    assert list(folder.glob("*.tar.gz")), "the sdist is built too, and the wheel from it"
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The program of the wheel, in an environment without the checkout."""
    home = tmp_path_factory.mktemp("bare")
    venv.create(home, with_pip=True)
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    run(programs / "python", "-m", "pip", "install", "-q", wheel, env=BARE, cwd=home)
    return programs / "referee"


def test_the_wheel_holds_what_no_module_is(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    data = [path.relative_to(ROOT) for path in (ROOT / "referee").rglob("*") if path.is_file()]
    wanted = {path.as_posix() for path in data if path.suffix in (".toml", ".md", ".css", ".js", ".html", ".typed")}
    assert wanted - names == set()


def test_the_wheel_judges_where_the_checkout_is_not(installed, tmp_path):
    log = shutil.copy(SAMPLE, tmp_path)
    told = json.loads(run(installed, "audit", log, "--json", env={**BARE, "HOME": str(tmp_path)}, cwd=tmp_path))
    assert told["clean"]
    run(installed, "new", "zombies", env={**BARE, "HOME": str(tmp_path)}, cwd=tmp_path)


def test_one_file_judges_with_nothing_but_python(wheel, tmp_path):
    sys.path.insert(0, str(ROOT / "tests" / "scripts"))
    from one_file import make

    make(tmp_path / "referee.pyz", wheel)
    log = Path(shutil.copy(SAMPLE, tmp_path)).name
    bare = {**BARE, "HOME": str(tmp_path)}
    told = run(sys._base_executable, "-I", "-S", "referee.pyz", "audit", log, env=bare, cwd=tmp_path)
    assert told.startswith("CLEAN")


def test_the_tab_has_the_files_of_the_wheel(wheel):
    """`referee web` packs the files that run; they are those of the wheel, which is packed otherwise."""
    from referee.web.packed import wheels

    packed = zipfile.ZipFile(BytesIO(wheels()[wheel.name]))
    built = zipfile.ZipFile(wheel)
    ours = {name for name in packed.namelist() if name.startswith("referee/")}
    assert ours == {name for name in built.namelist() if name.startswith("referee/")}
    assert all(packed.read(name) == built.read(name) for name in ours)
