"""The folder: what a web server hands out, and nothing that runs on it."""

from __future__ import annotations

import errno
import gzip
import json
import os
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.web.fetched import fetch_msgspec, fetch_pyodide
from referee.web.packed import wheels

BY_HAND = ("index.html", "web.css", "web.js", "drop.js", "judge.js", "worker.js", "sw.js")
"""What stands in this package as it is handed out."""


def make_folder(folder: Path) -> dict[str, int]:
    """Make the folder, which must not be there; the size of each file in bytes, by name. NotFetchedError, OSError."""
    check_free(folder)
    found = _found()
    folder.mkdir()
    found["files.js"] = listed(found)
    for name, data in found.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return {name: len(data) for name, data in found.items()}


def check_free(folder: Path) -> None:
    """FileExistsError where something is there already."""
    if os.path.lexists(folder):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))


def _found() -> dict[str, bytes]:
    with TemporaryDirectory() as place:
        pyodide = fetch_pyodide(Path(place))
        msgspec = fetch_msgspec(Path(place))
        compiled = {msgspec.name: msgspec.read_bytes()}
    return {
        **{name: (files("referee.web") / name).read_bytes() for name in BY_HAND},
        **{f"pyodide/{name}": data for name, data in map(_fitted, pyodide.items())},
        **{f"wheels/{name}": data for name, data in {**wheels(), **compiled}.items()},
    }


def _fitted(file: tuple[str, bytes]) -> tuple[str, bytes]:
    """A file of Pyodide as it is handed out. Servers of files send WebAssembly as it lies there: it lies there
    compressed, and the worker unpacks it; as .gz some would have the browser unpack it, and its hash would not fit.
    What Pyodide could fetch later is left off its list.
    """
    name, data = file
    if name.endswith(".wasm"):
        return f"{name}.bin", gzip.compress(data, mtime=0)
    if name == "pyodide-lock.json":
        return name, json.dumps({**json.loads(data), "packages": {}}).encode()
    return file


def listed(found: Mapping[str, bytes]) -> bytes:
    """The list of all files with their sizes and hashes, for the scripts; the hash of all that is the version."""
    rows = {
        name: {"size": len(data), "integrity": f"sha256-{b64encode(sha256(data).digest()).decode()}"}
        for name, data in found.items()
        if name != "sw.js"
    }
    text = json.dumps(rows, indent=1)
    version = sha256(text.encode()).hexdigest()[:16]
    return f'self.VERSION = "{version}";\nself.FILES = {text};\n'.encode()
