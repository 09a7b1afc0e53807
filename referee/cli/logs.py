"""Logs as people name them: the ones that lie here, and which of them is meant."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from referee.cli.errors import MisuseError
from referee.cli.typed import LOGS, POINTER, check_folder, path_of
from referee.engine.text import listing
from referee.record.log.disk import create_file, open_named, real, replace_file
from referee.record.log.faults import NotAllowedError

KEPT = {".jsonl", ".vault", ".head", ".torn", ".lock"}
"""Endings of logs and of what lies beside them."""


def logs_here() -> list[Path]:
    """The logs in `logs/`, and those files of this folder that begin as logs do."""
    kept = sorted(LOGS.glob("*.jsonl")) if LOGS.is_dir() else []
    return kept + [path for path in sorted(Path().glob("*.jsonl")) if begins_as_log(path)]


def log_named(text: str) -> Path:
    """The log that somebody names: a file, or a log here by its name without folder and ending, or a branch by the name
    it was given; MisuseError when several could be meant.
    """
    path = path_of(text)
    if path.exists():
        return path
    found = [log for log in logs_here() if log.stem == text] or [log for log in logs_here() if _is_branch(log, text)]
    if len(found) > 1:
        raise MisuseError(f"{text!r} could be {listing([str(log) for log in found], 'or')}; name the file")
    return found[0] if found else path


def kin_of(game_id: str, paths: Iterable[Path]) -> Iterator[Path]:
    """The logs among these that are of one game: what it was branched from, and branches."""
    seen: set[Path] = set()
    for path in paths:
        if path.resolve() not in seen and begins_as_log(path, game_id):
            yield path
        seen.add(path.resolve())


def write_out(path: Path, text: str, *, force: bool = False) -> None:
    """Write a picture or a position to a file. Nothing is written over but what is no log and belongs to none, and that
    only by force; no folder is made. MisuseError, NotAllowedError,
    FileExistsError, OSError.
    """
    if path.name in ("", "-"):
        raise MisuseError(f"{str(path)!r} is no name of a file")
    check_folder(path)
    if not force or not os.path.lexists(path):
        create_file(path, text.encode())
        return
    path = real(path)
    if _belongs_to_a_log(path):
        raise NotAllowedError(f"{path} is a log or belongs to one; not even --force writes over it")
    if os.path.lexists(path) and not path.is_file():
        raise NotAllowedError(f"{path} is no file; not even --force writes over it")
    replace_file(path, text.encode())


def _belongs_to_a_log(path: Path) -> bool:
    kept = path.suffix in KEPT or path.name == POINTER or path.parent.name.endswith(".jsonl.files")
    return kept or path.is_dir() or begins_as_log(path)


def begins_as_log(path: Path, game_id: str = "") -> bool:
    """Whether a file begins as a log does, of this game if one is named."""
    from referee.record.log.frame import OPENER

    start = OPENER + game_id.encode()
    try:
        with open_named(path) as file:
            return file.read(len(start)) == start
    except OSError:
        return False


def _is_branch(path: Path, name: str) -> bool:
    from referee.record.log.faults import FaultError
    from referee.record.table.start import open_good

    try:
        last = open_good(path)[0].branched
    except (FaultError, OSError):
        return False
    return last is not None and last.name == name
