"""This program, and the packages that it needs, as wheels: the very files that run here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

OURS = "referee"
FOLDER = Path(__file__).parent.parent
"""Where our own files lie."""
LEFT_OUT = frozenset({"msgspec", "cryptography", "prompt_toolkit", "rich", "starlette", "uvicorn", "segno"})
"""What a tab does without, with all that only they need: msgspec comes compiled for browsers, signatures are checked in
plain Python there, a prompt and colours are for terminals, and nothing is served from it or put on paper.
"""
UNPACKED = frozenset({".pyc", ".pyi"})
NAME = re.compile(r"[A-Za-z0-9._-]+")


def wheels() -> dict[str, bytes]:
    """Ours and what it needs, by the file names of wheels."""
    found: dict[str, Distribution] = {}
    _gather(OURS, found)
    return {f"{name}-{one.version}-py3-none-any.whl": _zipped(_files(name, one)) for name, one in found.items()}


def _gather(name: str, found: dict[str, Distribution]) -> None:
    """A package and all that it needs; what is not here, another system needs."""
    name = name.lower().replace("-", "_")
    if name in found or name in LEFT_OUT:
        return
    try:
        found[name] = distribution(name)
    except PackageNotFoundError:
        return
    for wanted in found[name].requires or ():
        named = NAME.match(wanted)
        if named and "extra ==" not in wanted:
            _gather(named.group(), found)


def _files(name: str, package: Distribution) -> Iterator[tuple[str, bytes]]:
    """The files of a package as they lie where Python finds it, in order."""
    if name == OURS:
        yield from _own_files(package)
        return
    for file in sorted(package.files or (), key=str):
        path = Path(str(file.locate()))
        if ".." not in file.parts and file.suffix not in UNPACKED and path.is_file():
            yield file.as_posix(), path.read_bytes()


def _own_files(package: Distribution) -> Iterator[tuple[str, bytes]]:
    """Ours: a checkout that is worked on has no list of its files."""
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file() and path.suffix not in UNPACKED and "__pycache__" not in path.parts:
            yield f"{OURS}/{path.relative_to(FOLDER).as_posix()}", path.read_bytes()
    for name in ("METADATA", "entry_points.txt"):
        yield f"{OURS}-{package.version}.dist-info/{name}", (package.read_text(name) or "").encode()


def _zipped(files: Iterator[tuple[str, bytes]]) -> bytes:
    """Files as an archive, the same bytes each time."""
    archive = BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=9) as members:
        for name, data in files:
            members.writestr(ZipInfo(name), data, ZIP_DEFLATED, 9)
    return archive.getvalue()
