"""This program and the packages that it needs, as wheels made of the very files that run here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

OWN_PACKAGE = "referee"
OWN_FOLDER = Path(__file__).parent.parent
"""The folder with our own files."""
LEFT_OUT_PACKAGES = frozenset({"msgspec", "cryptography", "prompt_toolkit", "rich", "starlette", "uvicorn", "segno"})
"""Packages that a tab does not need.

msgspec comes compiled for browsers, signatures are checked in plain Python, a prompt and colours are for terminals, and
a tab serves or prints nothing.
"""
SKIPPED_ENDINGS = frozenset({".pyc", ".pyi"})
"""The endings of files that are not packed."""
PACKAGE_NAME = re.compile(r"[A-Za-z0-9._-]+")


def pack_wheels() -> dict[str, bytes]:
    """Returns the wheel of this program and the wheels of the packages that it needs, by file name."""
    found: dict[str, Distribution] = {}
    _collect_package(OWN_PACKAGE, found)
    return {f"{name}-{one.version}-py3-none-any.whl": _zip_files(_list_files(name, one)) for name, one in found.items()}


def _collect_package(name: str, packages: dict[str, Distribution]) -> None:
    """Adds a package and all packages that it needs to `packages`. Packages that are missing here are left out, because
    only other systems need them.
    """
    name = name.lower().replace("-", "_")
    if name in packages or name in LEFT_OUT_PACKAGES:
        return
    try:
        packages[name] = distribution(name)
    except PackageNotFoundError:
        return
    for wanted in packages[name].requires or ():
        named = PACKAGE_NAME.match(wanted)
        if named and "extra ==" not in wanted:
            _collect_package(named.group(), packages)


def _list_files(name: str, package: Distribution) -> Iterator[tuple[str, bytes]]:
    """Yields the files of an installed package in order."""
    if name == OWN_PACKAGE:
        yield from _list_own_files(package)
        return
    for file in sorted(package.files or (), key=str):
        path = Path(str(file.locate()))
        if ".." not in file.parts and file.suffix not in SKIPPED_ENDINGS and path.is_file():
            yield file.as_posix(), path.read_bytes()


def _list_own_files(package: Distribution) -> Iterator[tuple[str, bytes]]:
    """Yields this program's own files, found in its folder: a working checkout has no list of them."""
    for path in sorted(OWN_FOLDER.rglob("*")):
        if path.is_file() and path.suffix not in SKIPPED_ENDINGS and "__pycache__" not in path.parts:
            yield f"{OWN_PACKAGE}/{path.relative_to(OWN_FOLDER).as_posix()}", path.read_bytes()
    for name in ("METADATA", "entry_points.txt"):
        yield f"{OWN_PACKAGE}-{package.version}.dist-info/{name}", (package.read_text(name) or "").encode()


def _zip_files(files: Iterator[tuple[str, bytes]]) -> bytes:
    """Returns files as a ZIP archive. The same files give the same bytes."""
    archive = BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=9) as members:
        for name, data in files:
            members.writestr(ZipInfo(name), data, ZIP_DEFLATED, 9)
    return archive.getvalue()
