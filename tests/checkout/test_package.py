"""The package: a wheel that holds all it needs, and one file that runs with nothing but Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from support import LEFT_OUT, ROOT

SAMPLE = ROOT / "logs" / "sample-robot-attack.jsonl"
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


def test_the_wheel_holds_what_no_module_is(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    data = [path.relative_to(ROOT) for path in (ROOT / "referee").rglob("*") if path.is_file()]
    wanted = {path.as_posix() for path in data if path.suffix in (".toml", ".md", ".css", ".js", ".html", ".typed")}
    assert wanted - names == set()


@pytest.mark.parametrize("runner", [("uvx", "--from"), ("pipx", "run", "--spec")], ids=lambda words: words[0])
def test_the_wheel_runs_where_nothing_is_installed(wheel, tmp_path, runner):
    log = shutil.copy(SAMPLE, tmp_path)
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    bare = {**kept, "PATH": tools, "PIPX_HOME": str(tmp_path / "pipx"), "UV_SYSTEM_CERTS": "1"}
    told = json.loads(run(*runner, wheel, "referee", "audit", log, "--json", env=bare, cwd=tmp_path))
    assert told["clean"]


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
    from referee.web.wheels import pack_wheels

    packed = zipfile.ZipFile(BytesIO(pack_wheels()[wheel.name]))
    built = zipfile.ZipFile(wheel)
    ours = {name for name in packed.namelist() if name.startswith("referee/")}
    assert ours == {name for name in built.namelist() if name.startswith("referee/")}
    assert all(packed.read(name) == built.read(name) for name in ours)
