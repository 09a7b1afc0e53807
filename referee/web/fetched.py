"""What the folder takes from elsewhere when it is made: Python for browsers, and msgspec compiled for it.

Both are fetched by the programs that people have for it, npm and pip, from wherever these are told to look. What comes
must have the hash that stands here.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

PATIENCE = 300
"""Seconds after which a program that fetches something is given up."""


class NotFetchedError(OSError):
    """Something could not be fetched, or is not what it should be."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(0, why, what)


class Pinned(NamedTuple):
    """One file of one version, and no other."""

    name: str
    version: str
    file: str
    sha256: str


PYODIDE = Pinned(
    "pyodide",
    "314.0.7",
    "pyodide-314.0.7.tgz",
    "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
)
"""CPython 3.14 as WebAssembly."""
MSGSPEC = Pinned(
    "msgspec",
    "0.22.0",
    "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
    "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
)
"""The one compiled package that judging needs, for that Python."""
PLATFORM = ("--python-version", "3.14", "--implementation", "cp", "--abi", "cp314")
TAKEN = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of Pyodide that a page loads; the rest is for who builds with it."""


def fetch_pyodide(folder: Path) -> dict[str, bytes]:
    """The files of Pyodide by name. NotFetchedError."""
    npm = shutil.which("npm")
    if npm is None:
        raise NotFetchedError(PYODIDE.name, "npm fetches it, which is not here; install Node.js, which brings npm")
    _run([npm, "pack", "--silent", "--ignore-scripts", f"{PYODIDE.name}@{PYODIDE.version}"], PYODIDE, folder)
    archive = _checked(folder, PYODIDE)
    with tarfile.open(archive) as members:
        found = {name: members.extractfile(f"package/{name}") for name in TAKEN}
        return {name: file.read() for name, file in found.items() if file}


def fetch_msgspec(folder: Path) -> Path:
    """The wheel of msgspec for browsers. NotFetchedError."""
    tag = MSGSPEC.file.removesuffix(".whl").rpartition("-")[2]
    wanted = ["--no-deps", "--only-binary=:all:", *PLATFORM, "--platform", tag, f"{MSGSPEC.name}=={MSGSPEC.version}"]
    _run([*_pip(), "download", "--quiet", "--disable-pip-version-check", *wanted], MSGSPEC, folder)
    return _checked(folder, MSGSPEC)


def _pip() -> list[str]:
    if find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    found = shutil.which("pip")
    if found is None:
        raise NotFetchedError(MSGSPEC.name, "pip fetches it, which is not here; python3 -m ensurepip brings it")
    return [found]


def _run(command: Sequence[str], wanted: Pinned, folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        done = None
    if done is None or done.returncode:
        program = "npm" if wanted is PYODIDE else "pip"
        why = f"{program} could not fetch version {wanted.version} of it; this takes a network, once"
        raise NotFetchedError(wanted.name, why)


def _checked(folder: Path, wanted: Pinned) -> Path:
    """The file that was fetched; NotFetchedError where it is not the one that is wanted, byte for byte."""
    path = folder / wanted.file
    if not path.is_file():
        raise NotFetchedError(wanted.name, f"{wanted.file} did not come")
    if sha256(path.read_bytes()).hexdigest() != wanted.sha256:
        raise NotFetchedError(wanted.name, f"{wanted.file} has not the hash that it should have, and is not used")
    return path
