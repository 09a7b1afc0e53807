"""Log files as people name them: the logs in this folder, the named one, and the current game."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.arguments import POINTER_FILE, check_parent_folder, parse_path_argument
from referee.cli.errors import LOG_FOLDER, MisuseError, NoGameError, UnforcedError
from referee.engine.text import listing
from referee.record.log.log_errors import NotAllowedError, NotRecordedError
from referee.record.log.safe_files import (
    NoFileError,
    check_free_or_file,
    create_file,
    open_user_file,
    read_companion,
    replace_file,
    resolve_link,
)

if TYPE_CHECKING:
    from referee.record.table.session import Session

LOG_SUFFIXES = {".jsonl", ".vault", ".head", ".torn", ".lock"}
"""The endings of logs and of the files beside them."""
MAX_POINTER = 8 * 1024
"""The largest size of a pointer file, in bytes."""


def list_logs() -> list[Path]:
    """Returns the logs in `logs/` and the files of this folder that begin as logs do."""
    kept = sorted(LOG_FOLDER.glob("*.jsonl")) if LOG_FOLDER.is_dir() else []
    return kept + [path for path in sorted(Path().glob("*.jsonl")) if _is_log(path)]


def list_game_logs() -> list[Path]:
    """Returns the logs of `list_logs` without the logs of matches.

    If all logs here are logs of matches, returns these logs.
    """
    logs = list_logs()
    if len(logs) < 2:
        return logs
    from referee.record.log.file_kinds import MATCH, find_path_kind

    return [path for path in logs if find_path_kind(path) != MATCH] or logs


def _is_log(path: Path) -> bool:
    from referee.record.log.file_kinds import find_path_kind  # most commands act on the log that the pointer names

    return find_path_kind(path).is_log


def names_many_logs(names: Sequence[str]) -> bool:
    """True if there are several names, or if the only name is that of a folder. There must be at least one name."""
    return len(names) > 1 or (names[0] != "-" and parse_path_argument(names[0]).is_dir())


def find_log(text: str) -> Path:
    """Returns the log that somebody names: a file, a log here without folder and ending, or a branch by its own name.

    Returns the text as a path if no log fits. Raises MisuseError if several fit.
    """
    path = parse_path_argument(text)
    if path.exists():
        return path
    found = [log for log in list_logs() if log.stem == text] or [log for log in list_logs() if _is_branch(log, text)]
    if len(found) > 1:
        raise MisuseError(f"{text!r} could be {listing([str(log) for log in found], 'or')}; name the file")
    return found[0] if found else path


def list_related_logs(
    game_id: str, paths: Iterable[Path], is_of: Callable[[Path, str], bool] | None = None
) -> Iterator[Path]:
    """Yields those of `paths` that are logs of one game: the game itself and its branches, each file once.

    `is_of` returns True if a log belongs to the game. Without it, the start of the file decides.
    """
    seen: set[Path] = set()
    for path in paths:
        if path.resolve() not in seen and (is_of or has_log_start)(path, game_id):
            yield path
        seen.add(path.resolve())


def write_output(path: Path, text: str, *, force: bool | None = None) -> None:
    """Writes a picture, page or position to a file.

    Replaces a file only with `force`, and never a log or a file beside one. Makes no folder. `force` is None if the
    command has no such option. Raises the errors of `check_output_path`, NotAllowedError for a file that is never
    replaced, and OSError.
    """
    if not check_output_path(path, force=force):
        create_file(path, text.encode())
        return
    path = resolve_link(path)
    if _belongs_to_a_log(path):
        raise NotAllowedError(f"{path} is a log or belongs to a log; not even --force replaces it")
    if os.path.lexists(path) and not path.is_file():
        raise NotAllowedError(f"{path} is not a file; not even --force replaces it")
    replace_file(path, text.encode())


def check_output_path(path: Path, *, force: bool | None = None) -> bool:
    """True if there is a file that `force` allows the command to replace; False if there is no file.

    It is called before long work. `force` is None if the command has no such option. Raises MisuseError for a bad name
    or a missing folder. Raises UnforcedError if `force` would help, and FileExistsError if it would not.
    """
    if path.name in ("", "-"):
        raise MisuseError(f"{str(path)!r} is not the name of a file")
    check_parent_folder(path)
    there = os.path.lexists(path)
    if there and not force:
        forcible = force is not None and path.is_file() and not _belongs_to_a_log(path)
        raise (UnforcedError if forcible else FileExistsError)(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    return there


def check_picture_path(path: Path, *, force: bool) -> None:
    """Checks the file name of a picture before the long work.

    Raises MisuseError if the name does not end in .svg, and the errors of `check_output_path`.
    """
    if path.suffix.lower() != ".svg":
        raise MisuseError(f"the name of a picture must end in .svg; {path.name!r} does not")
    check_output_path(path, force=force)


def _belongs_to_a_log(path: Path) -> bool:
    kept = path.suffix in LOG_SUFFIXES or path.name == POINTER_FILE or path.parent.name.endswith(".jsonl.files")
    return kept or path.is_dir() or _is_log(path)


def has_log_start(path: Path, game_id: str) -> bool:
    """True if the file begins as a log of the game with this id. False if it cannot be read."""
    from referee.record.log.line_format import LINE_START

    start = LINE_START + game_id.encode()
    try:
        with open_user_file(path) as file:
            return file.read(len(start)) == start
    except OSError:
        return False


def _is_branch(path: Path, name: str) -> bool:
    session = open_readable_part(path)
    last = session.public.branched if session else None
    return last is not None and last.name == name


def open_readable_part(path: Path) -> Session | None:
    """Returns the session of a log's good part; None if nothing of the log can be read here."""
    from referee.record.archive.log_boundary import run_on_log_or_none
    from referee.record.table.opening_logs import open_good_part

    return run_on_log_or_none(path, lambda: open_good_part(path)[0])


# The current game of a folder


def read_pointer() -> Path | None:
    """Returns the log that the nearest pointer file names, looked for in this folder and then in each folder above.

    Returns None if there is no pointer file. Raises NoGameError if the file names no log.
    """
    here = Path.cwd().resolve()
    for folder in (here, *here.parents):
        pointer = folder / POINTER_FILE
        if os.path.lexists(pointer):
            target = _read_target(pointer)
            if not target or "\0" in target:
                raise NoGameError(f"{os.path.relpath(pointer)} names no log; choose a log with: referee use LOG")
            return Path(os.path.relpath(folder / target))
    return None


def _read_target(pointer: Path) -> str:
    """Returns the path in a pointer file as written there; "" if the file cannot be a pointer file."""
    try:
        return os.fsdecode(read_companion(pointer, MAX_POINTER).removesuffix(b"\n").removesuffix(b"\r"))
    except (NoFileError, UnicodeDecodeError):
        return ""


def read_pointer_file_time() -> int | None:
    """Returns the time of the last change of this folder's pointer file, in nanoseconds; None if there is none."""
    pointer = Path(POINTER_FILE)
    return pointer.lstat().st_mtime_ns if os.path.lexists(pointer) else None


def is_current_log(path: Path) -> bool:
    """True if a log is the current game of this folder."""
    here = read_pointer()
    return here is not None and path.resolve() == here.resolve()


def write_pointer(log: Path) -> None:
    """Makes a log the current game of this folder. Raises NotRecordedError if the pointer file cannot be written."""
    try:
        check_free_or_file(Path(POINTER_FILE))
        replace_file(Path(POINTER_FILE), os.fsencode(os.path.relpath(log.resolve(), Path.cwd())) + b"\n")
    except OSError as error:
        why = f"this folder cannot remember it as its current game ({POINTER_FILE}: {error.strerror or error})"
        raise NotRecordedError(f"{log} was written, but {why}; to use it, type: referee -g {log}") from error
