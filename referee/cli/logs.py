"""Logs as people name them: the ones that lie here, which of them is meant, and which is the current game."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from referee.cli.errors import LOGS, MisuseError, NoGameError, UnforcedError
from referee.cli.typed import POINTER, check_folder, path_of
from referee.engine.text import listing
from referee.record.log.disk import (
    NoFileError,
    check_free_or_file,
    create_file,
    open_named,
    read_small,
    real,
    replace_file,
)
from referee.record.log.faults import NotAllowedError, NotRecordedError
from referee.record.log.kinds import FOLDER, kind_of

KEPT = {".jsonl", ".vault", ".head", ".torn", ".lock"}
"""Endings of logs and of what lies beside them."""
MAX_POINTER = 8 * 1024
"""Bytes of a pointer file, at most."""


def logs_here() -> list[Path]:
    """The logs in `logs/`, and those files of this folder that begin as logs do."""
    kept = sorted(LOGS.glob("*.jsonl")) if LOGS.is_dir() else []
    return kept + [path for path in sorted(Path().glob("*.jsonl")) if kind_of(path).is_log]


def are_many(names: Sequence[str]) -> bool:
    """Whether several logs are named, or all in a folder."""
    return len(names) > 1 or (names[0] != "-" and kind_of(path_of(names[0])) == FOLDER)


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


def kin_of(game_id: str, paths: Iterable[Path], is_of: Callable[[Path, str], bool] | None = None) -> Iterator[Path]:
    """The logs among these that are of one game: what it was branched from, and branches. `is_of`: tells whether one
    is, if not how it begins.
    """
    seen: set[Path] = set()
    for path in paths:
        if path.resolve() not in seen and (is_of or begins_as_log)(path, game_id):
            yield path
        seen.add(path.resolve())


def write_out(path: Path, text: str, *, force: bool | None = None) -> None:
    """Write a picture or a position to a file. Nothing is written over but what is no log and belongs to none, and that
    only by force; no folder is made. `force`: None where the command has no such option. MisuseError, NotAllowedError,
    FileExistsError, OSError.
    """
    if not is_there(path, force=force):
        create_file(path, text.encode())
        return
    path = real(path)
    if _belongs_to_a_log(path):
        raise NotAllowedError(f"{path} is a log or belongs to one; not even --force writes over it")
    if os.path.lexists(path) and not path.is_file():
        raise NotAllowedError(f"{path} is no file; not even --force writes over it")
    replace_file(path, text.encode())


def is_there(path: Path, *, force: bool | None = None) -> bool:
    """Whether there is a file to be written over, by force; said before long work begins. `force`: None where the
    command has no such option. MisuseError, UnforcedError, FileExistsError.
    """
    if path.name in ("", "-"):
        raise MisuseError(f"{str(path)!r} is no name of a file")
    check_folder(path)
    there = os.path.lexists(path)
    if there and not force:
        forcible = force is not None and path.is_file() and not _belongs_to_a_log(path)
        raise (UnforcedError if forcible else FileExistsError)(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    return there


def check_picture(path: Path, *, force: bool) -> None:
    """What can be wrong with the file of a picture is said before the work, not after it. MisuseError, UnforcedError,
    FileExistsError.
    """
    if path.suffix.lower() != ".svg":
        raise MisuseError(f"a picture is written to a file whose name ends in .svg, not to {path.name!r}")
    is_there(path, force=force)


def _belongs_to_a_log(path: Path) -> bool:
    kept = path.suffix in KEPT or path.name == POINTER or path.parent.name.endswith(".jsonl.files")
    return kept or (kind := kind_of(path)) == FOLDER or kind.is_log


def begins_as_log(path: Path, game_id: str) -> bool:
    """Whether a file begins as a log of this game does."""
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


# The current game of a folder


def pointed_at() -> Path | None:
    """The log that the nearest pointer file upward names."""
    here = Path.cwd().resolve()
    for folder in (here, *here.parents):
        pointer = folder / POINTER
        if os.path.lexists(pointer):
            target = _target_in(pointer)
            if not target or "\0" in target:
                raise NoGameError(f"{os.path.relpath(pointer)} names no log; choose one with: referee use LOG")
            return Path(os.path.relpath(folder / target))
    return None


def _target_in(pointer: Path) -> str:
    """What a pointer file names, as it stands there; empty where it is none."""
    try:
        return os.fsdecode(read_small(pointer, MAX_POINTER).removesuffix(b"\n").removesuffix(b"\r"))
    except (NoFileError, UnicodeDecodeError):
        return ""


def pointer_stamp() -> int | None:
    """When the pointer file of this folder was last written; None: there is none."""
    pointer = Path(POINTER)
    return pointer.lstat().st_mtime_ns if os.path.lexists(pointer) else None


def is_current(path: Path) -> bool:
    """Whether a log is the current game of this folder."""
    here = pointed_at()
    return here is not None and path.resolve() == here.resolve()


def point_at(log: Path) -> None:
    """Make a log the current game of this folder; NotRecordedError."""
    try:
        check_free_or_file(Path(POINTER))
        replace_file(Path(POINTER), os.fsencode(os.path.relpath(log.resolve(), Path.cwd())) + b"\n")
    except OSError as error:
        why = f"this folder cannot remember it as its current game ({POINTER}: {error.strerror or error})"
        raise NotRecordedError(f"{log} is there, but {why}; say: referee -g {log}") from error
