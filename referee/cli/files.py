"""Files that people give us: positions and boards as TOML or JSON, and files we write for them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from referee.cli.errors import MisuseError

MAX_DOCUMENT = 256 * 1024


def read_document(path: Path) -> dict[str, Any]:
    """A TOML or JSON file as a mapping; MisuseError says where it cannot be read."""
    data = path.read_bytes()
    if len(data) > MAX_DOCUMENT:
        raise MisuseError(f"{path.name} has more than {MAX_DOCUMENT // 1024} KiB")
    try:
        document = msgspec.json.decode(data) if path.suffix == ".json" else tomllib.loads(data.decode("utf-8"))
    except (msgspec.DecodeError, tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MisuseError(f"{path.name} cannot be read: {error}") from error
    if not isinstance(document, dict):
        raise MisuseError(f"{path.name} must hold keys and values")
    return document


def log_path(path: Path) -> Path:
    """A path that a log may be written to."""
    if not path.name or path.is_dir() or "\0" in str(path) or path.name == "-":
        raise MisuseError(f"{str(path)!r} is no name for a log")
    return path


def write_text(path: Path, text: str) -> None:
    """Write a file for somebody; UTF-8 with line feeds."""
    path.write_text(text, "utf-8", newline="\n")
