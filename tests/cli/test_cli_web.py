"""`referee web` where something is missing; what it makes is visited in tests/web."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from referee.web import web_folder
from referee.web.downloads import MSGSPEC, PYODIDE


def program(place, name, *lines):
    """A program that stands first on the path and does what these lines say."""
    folder = place / "programs"
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("\n".join([f"#!{sys.executable}", *lines]))
    path.chmod(0o755)
    return str(folder)


def test_it_says_where_no_npm_is(cli, place, monkeypatch):
    monkeypatch.setenv("PATH", str(place))
    answer = cli("web -o tab")
    told = "Pyodide: npm is missing; install Node.js, which brings npm.\n"
    assert (answer.code, answer.err.lower()) == (3, told.lower())
    assert not Path("tab").exists()


@pytest.mark.skipif(os.name == "nt", reason="programs are scripts here")
def test_it_says_where_no_network_is(cli, place, monkeypatch):
    monkeypatch.setenv("PATH", program(place, "npm", "raise SystemExit(1)"))
    answer = cli("web -o tab")
    told = f"npm could not fetch version {PYODIDE.version} of it; you need a network for this, once.\n"
    assert (answer.code, answer.err) == (3, f"pyodide: {told}")
    assert not Path("tab").exists()


@pytest.mark.skipif(os.name == "nt", reason="programs are scripts here")
def test_another_file_of_that_name_is_not_used(cli, place, monkeypatch):
    monkeypatch.setenv("PATH", program(place, "npm", f"open({PYODIDE.file_name!r}, 'wb').write(b'other')"))
    answer = cli("web -o tab")
    assert answer.code == 3
    assert "does not have the right hash, so it is not used" in answer.err
    assert not Path("tab").exists()


def test_nothing_is_written_over(cli, place):
    Path("tab").mkdir()
    answer = cli("web -o tab")
    assert (answer.code, answer.out) == (1, "Not done: there is already a folder tab, so nothing was changed.\n")


@pytest.mark.parametrize("ends", [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), KeyboardInterrupt()])
@pytest.mark.parametrize("name", ["index.html", "pyodide/a.js", "files.js"])
def test_where_it_cannot_be_written_whole_nothing_of_it_is_left(cli, place, monkeypatch, name, ends):
    real = Path.write_bytes

    def write(path, data):
        real(path, data[:1])
        if path == Path("tab") / name:
            raise ends
        return real(path, data)

    monkeypatch.setattr(web_folder, "_collect_files", lambda: {"index.html": b"one", "pyodide/a.js": b"two"})
    monkeypatch.setattr(Path, "write_bytes", write)
    answer = cli("web -o tab")
    full = isinstance(ends, OSError)
    assert (answer.code, answer.out) == (3 if full else 130, "")
    assert answer.err == (f"{Path('tab') / name}: No space left on device.\n" if full else "")
    assert not Path("tab").exists()


def test_it_makes_no_folder_for_its_folder(cli, place):
    answer = cli("web -o nowhere/tab")
    assert (answer.code, answer.err) == (2, "There is no folder nowhere; make it first, or name another.\n")


def test_msgspec_is_one_that_this_program_takes():
    """The tab has the version that is pinned, whichever is installed here."""
    from importlib.metadata import requires

    from packaging.requirements import Requirement

    wanted = next(one for one in map(Requirement, requires("referee")) if one.name == MSGSPEC.package)
    assert MSGSPEC.version in wanted.specifier
