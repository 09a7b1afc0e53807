"""`referee web` where something is missing; what it makes is visited in tests/web."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from referee.web.fetched import MSGSPEC, PYODIDE


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
    told = "Pyodide: npm fetches it, which is not here; install Node.js, which brings npm.\n"
    assert (answer.code, answer.err.lower()) == (3, told.lower())
    assert not Path("tab").exists()


@pytest.mark.skipif(os.name == "nt", reason="programs are scripts here")
def test_it_says_where_no_network_is(cli, place, monkeypatch):
    monkeypatch.setenv("PATH", program(place, "npm", "raise SystemExit(1)"))
    answer = cli("web -o tab")
    told = f"npm could not fetch version {PYODIDE.version} of it; this takes a network, once.\n"
    assert (answer.code, answer.err) == (3, f"pyodide: {told}")
    assert not Path("tab").exists()


@pytest.mark.skipif(os.name == "nt", reason="programs are scripts here")
def test_another_file_of_that_name_is_not_used(cli, place, monkeypatch):
    monkeypatch.setenv("PATH", program(place, "npm", f"open({PYODIDE.file!r}, 'wb').write(b'other')"))
    answer = cli("web -o tab")
    assert answer.code == 3
    assert "has not the hash that it should have, and is not used" in answer.err
    assert not Path("tab").exists()


def test_nothing_is_written_over(cli, place):
    Path("tab").mkdir()
    answer = cli("web -o tab")
    assert (answer.code, answer.out) == (1, "NO  There is a folder tab already; nothing was changed.\n")


def test_it_makes_no_folder_for_its_folder(cli, place):
    answer = cli("web -o nowhere/tab")
    assert (answer.code, answer.err) == (2, "There is no folder nowhere; make it first, or write elsewhere.\n")


def test_msgspec_is_one_that_this_program_takes():
    """The tab has the version that is pinned, whichever is installed here."""
    from importlib.metadata import requires

    from packaging.requirements import Requirement

    wanted = next(one for one in map(Requirement, requires("referee")) if one.name == MSGSPEC.name)
    assert MSGSPEC.version in wanted.specifier
