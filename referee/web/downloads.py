"""Downloads for the folder: Python for browsers, and msgspec compiled for it.

npm and pip fetch them from the registries that they are configured for. A download must have the hash given here.
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

TIMEOUT_SECONDS = 300
"""The seconds after which a download is given up."""


class NotFetchedError(OSError):
    """Raised if something could not be downloaded, or is not the right file."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(0, why, what)


class PinnedFile(NamedTuple):
    """A file to download, with the one version and hash that it must have."""

    package: str
    version: str
    file_name: str
    sha256: str


PYODIDE = PinnedFile(
    "pyodide",
    "314.0.7",
    "pyodide-314.0.7.tgz",
    "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
)
"""CPython 3.14 as WebAssembly."""
MSGSPEC = PinnedFile(
    "msgspec",
    "0.22.0",
    "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
    "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
)
"""The one compiled package that judging needs, for that Python."""
PIP_PLATFORM = ("--python-version", "3.14", "--implementation", "cp", "--abi", "cp314")
PYODIDE_PAGE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of Pyodide that a page loads. The others are for developers."""


def fetch_pyodide(folder: Path) -> dict[str, bytes]:
    """Downloads Pyodide into a folder. Returns the files that a page loads, by name. Raises NotFetchedError."""
    npm = shutil.which("npm")
    if npm is None:
        raise NotFetchedError(PYODIDE.package, "npm is missing; install Node.js, which brings npm")
    _run_download(
        [npm, "pack", "--silent", "--ignore-scripts", f"{PYODIDE.package}@{PYODIDE.version}"], PYODIDE, folder
    )
    archive = _check_file(folder, PYODIDE)
    with tarfile.open(archive) as members:
        found = {name: members.extractfile(f"package/{name}") for name in PYODIDE_PAGE_FILES}
        return {name: file.read() for name, file in found.items() if file}


def fetch_msgspec(folder: Path) -> Path:
    """Downloads the wheel of msgspec for browsers into a folder. Returns its path. Raises NotFetchedError."""
    tag = MSGSPEC.file_name.removesuffix(".whl").rpartition("-")[2]
    wanted = [
        "--no-deps",
        "--only-binary=:all:",
        *PIP_PLATFORM,
        "--platform",
        tag,
        f"{MSGSPEC.package}=={MSGSPEC.version}",
    ]
    _run_download([*_find_pip(), "download", "--quiet", "--disable-pip-version-check", *wanted], MSGSPEC, folder)
    return _check_file(folder, MSGSPEC)


def _find_pip() -> list[str]:
    if find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    found = shutil.which("pip")
    if found is None:
        raise NotFetchedError(MSGSPEC.package, "pip is missing; install it with: python3 -m ensurepip")
    return [found]


def _run_download(command: Sequence[str], wanted: PinnedFile, folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        done = None
    if done is None or done.returncode:
        program = "npm" if wanted is PYODIDE else "pip"
        why = f"{program} could not fetch version {wanted.version} of it; you need a network for this, once"
        raise NotFetchedError(wanted.package, why)


def _check_file(folder: Path, wanted: PinnedFile) -> Path:
    """Returns the downloaded file. Raises NotFetchedError if it is not the wanted one, byte for byte."""
    path = folder / wanted.file_name
    if not path.is_file():
        raise NotFetchedError(wanted.package, f"{wanted.file_name} did not arrive")
    if sha256(path.read_bytes()).hexdigest() != wanted.sha256:
        raise NotFetchedError(wanted.package, f"{wanted.file_name} does not have the right hash, so it is not used")
    return path
