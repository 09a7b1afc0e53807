"""The folder that a web server hands out. Nothing in it runs on the server."""

from __future__ import annotations

import errno
import gzip
import json
import os
import shutil
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.gate import read_json
from referee.web.downloads import fetch_msgspec, fetch_pyodide
from referee.web.wheels import pack_wheels

COPIED_FILES = ("index.html", "web.css", "web.js", "drop.js", "judge.js", "worker.js", "sw.js")
"""The files of this package that go into the folder unchanged."""


def make_web_folder(folder: Path) -> dict[str, int]:
    """Makes the folder, which must not exist. Returns the size of each file in bytes, by name.

    Raises NotFetchedError or OSError, and then leaves no folder.
    """
    check_folder_is_free(folder)
    found = _collect_files()
    found["files.js"] = make_file_list_script(found)
    folder.mkdir()
    try:
        for name, data in found.items():
            _write(folder / name, data)
    except BaseException:  # Ctrl-C, too
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return {name: len(data) for name, data in found.items()}


def _write(path: Path, data: bytes) -> None:
    """Writes a file. Raises OSError with the name of the file, because the error of a full disk does not say it."""
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def check_folder_is_free(folder: Path) -> None:
    """Raises FileExistsError if something is there already."""
    if os.path.lexists(folder):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))


def _collect_files() -> dict[str, bytes]:
    with TemporaryDirectory() as place:
        pyodide = fetch_pyodide(Path(place))
        msgspec = fetch_msgspec(Path(place))
        compiled = {msgspec.name: msgspec.read_bytes()}
    return {
        **{name: (files("referee.web") / name).read_bytes() for name in COPIED_FILES},
        **{f"pyodide/{name}": data for name, data in map(_prepare_file, pyodide.items())},
        **{f"wheels/{name}": data for name, data in {**pack_wheels(), **compiled}.items()},
    }


def _prepare_file(file: tuple[str, bytes]) -> tuple[str, bytes]:
    """Returns a file of Pyodide as it is handed out.

    WebAssembly is compressed here, because servers send files as they are; the worker unpacks it. With the ending .gz,
    some servers would let the browser unpack the file, and then its hash would not fit. The list of packages that
    Pyodide could load later is emptied.
    """
    name, data = file
    if name.endswith(".wasm"):
        return f"{name}.bin", gzip.compress(data, mtime=0)
    if name == "pyodide-lock.json":
        return name, json.dumps({**read_json(data), "packages": {}}).encode()
    return file


def make_file_list_script(contents: Mapping[str, bytes]) -> bytes:
    """Returns a script that lists all files but `sw.js`, with sizes and hashes. The hash of the list is the version."""
    rows = {
        name: {"size": len(data), "integrity": f"sha256-{b64encode(sha256(data).digest()).decode()}"}
        for name, data in contents.items()
        if name != "sw.js"
    }
    text = json.dumps(rows, indent=1)
    version = sha256(text.encode()).hexdigest()[:16]
    return f'self.VERSION = "{version}";\nself.FILES = {text};\n'.encode()
