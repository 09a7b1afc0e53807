"""The files of a game: shipped ones, and the players' own. The players' own files are in the first entry or beside the
log.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from referee.engine.component import Board, BoardError, Component, hash_toml_content, read_toml
from referee.engine.game import AnyGame
from referee.engine.options import Options
from referee.gate import UnreadableError
from referee.record.log.entry import FileBeside, GameFile, OwnFile, ShippedFile, encode_for_log
from referee.record.log.limits import find_entry_problem
from referee.record.log.log_errors import Fault, FaultError, UnconfirmedError
from referee.record.log.safe_files import NoFileError, create_file, find_companion_path, make_name_part, read_companion

MAX_INLINE_BYTES = 16 * 1024
"""The most bytes of a file of the players' own in the first entry. A bigger file lies beside the log. So does a file
that no line may hold, such as a map with line breaks.
"""
MAX_FILE_BYTES = 4 * 1024 * 1024


def find_own_files_folder(log: Path) -> Path:
    """Returns the folder beside a log for files of the players' own: `<log>.files`."""
    return find_companion_path(log, ".files")


def find_own_file_path(log: Path, digest: str) -> Path:
    """Returns the path beside a log for the file with this SHA-256."""
    return find_own_files_folder(log) / f"{make_name_part(digest)}.json"


def prepare_files(
    game: AnyGame, options: Options, own: Mapping[str, Any]
) -> tuple[dict[str, GameFile], dict[str, bytes]]:
    """Returns two things: the files as the first entry names them, and those to put beside the log, by SHA-256.

    `own` maps each component, such as a board, to the decoded file that the players brought. Raises BoardError for an
    unknown component or a file that is too big.
    """
    known = {component.name for component in game.components}
    strange = sorted(own.keys() - known)
    if strange:
        raise BoardError(f"{game.name} has no component {strange[0]!r}")
    files: dict[str, GameFile] = {}
    beside: dict[str, bytes] = {}
    for component in game.components:
        if component.name not in own:
            files[component.name] = _describe_shipped(component, options)
            continue
        data = encode_for_log(own[component.name])
        if len(data) <= MAX_INLINE_BYTES and not find_entry_problem(data):
            files[component.name] = OwnFile(own[component.name])
        elif len(data) > MAX_FILE_BYTES:
            raise BoardError(f"the {component.name} has more than {MAX_FILE_BYTES // 2**20} MiB")
        else:
            digest = sha256(data).hexdigest()
            files[component.name] = FileBeside(digest)
            beside[digest] = data
    return files, beside


def read_own_files(game: AnyGame, files: Mapping[str, GameFile], log: Path | None) -> dict[str, Any]:
    """Returns the players' own files, decoded, by component. Raises FaultError if one is missing or wrong."""
    own = {part: files[part.name] for part in game.components if not isinstance(files[part.name], ShippedFile)}
    return {part.name: _read_document(part, file, {}, log) for part, file in own.items()}


def write_own_files(log: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Writes files beside a log, each under its SHA-256, and returns the paths of the new ones. Raises OSError if that
    fails; then no new file is left.
    """
    made: list[Path] = []
    with remove_on_failure(log, made):
        for digest, data in files.items():
            path = find_own_file_path(log, digest)
            path.parent.mkdir(exist_ok=True)
            if path.parent.is_symlink():
                raise NoFileError(path.parent, "this is a link, and links here are not followed")
            if not os.path.lexists(path):
                create_file(path, data)
                made.append(path)
    return made


@contextmanager
def remove_on_failure(log: Path, made: Iterable[Path]) -> Iterator[None]:
    """Removes the files in `made` if the block fails, even after Ctrl-C. `made` may grow within the block. The files
    stay after UnconfirmedError, since the log may need them.
    """
    try:
        yield
    except UnconfirmedError:
        raise
    except BaseException:
        remove_new_files(log, made)
        raise


def remove_new_files(log: Path, made: Iterable[Path]) -> None:
    """Removes the files in `made` after a failure, and the log's folder of files if it is empty. Removes the lock, too,
    if there is no log.
    """
    for path in made:
        with suppress(OSError):  # some were not made yet
            path.unlink()
    with suppress(OSError):  # other files may lie there
        find_own_files_folder(log).rmdir()
    if not os.path.lexists(log):  # otherwise, somebody may be writing there
        with suppress(OSError):
            find_companion_path(log, ".lock").unlink()


def read_own_file_bytes(log: Path | None, digest: str) -> bytes:
    """Returns the bytes of a file beside a log. Raises FaultError if it is missing, or does not have this SHA-256."""
    try:
        if log is None or find_own_files_folder(log).is_symlink():
            raise FileNotFoundError
        data = read_companion(find_own_file_path(log, digest), MAX_FILE_BYTES)
    except OSError:
        where = find_own_files_folder(log).name if log else "a folder of files beside the log"
        raise _fault(f"one of the players' own files is not here: {digest[:8]}... in {where}") from None
    if sha256(data).hexdigest() != digest:
        raise _fault(f"one of the players' own files was changed: {digest[:8]}...")
    return data


def build_board(game: AnyGame, options: Options, files: Mapping[str, GameFile], log: Path | None) -> Board:
    """Returns the board of a game. Raises FaultError if its files are wrong."""
    if files.keys() != {component.name for component in game.components}:
        raise _fault(f"{game.name} needs these files: {', '.join(component.name for component in game.components)}")
    if all(isinstance(file, ShippedFile) for file in files.values()):
        return _shipped_board(game, tuple(sorted(options.items())), tuple(sorted(files.items())))
    return _build(game, options, files, log)


@lru_cache(maxsize=16)
def _shipped_board(
    game: AnyGame, options: tuple[tuple[str, str], ...], files: tuple[tuple[str, GameFile], ...]
) -> Board:
    """Returns a board of shipped files. Games with the same options share one board within a process."""
    return _build(game, dict(options), dict(files), None)


def _build(game: AnyGame, options: Options, files: Mapping[str, GameFile], log: Path | None) -> Board:
    parts = {part.name: _read_document(part, files[part.name], options, log) for part in game.components}
    try:
        board: Board = game.build_board(parts, options)
    except BoardError as error:
        raise _fault(str(error)) from error
    return board


def _read_document(component: Component, file: GameFile, options: Options, log: Path | None) -> Any:
    if isinstance(file, OwnFile):
        return file.document
    if isinstance(file, FileBeside):
        from referee.gate.documents import read_json_text  # few games have such files

        try:
            return read_json_text(read_own_file_bytes(log, file.sha256))
        except UnreadableError as error:
            raise _fault(f"the players' own {component.name} cannot be read: {error}") from None
    path = component.find(file.sha256, options)
    if path is None:
        cause = f"the {component.name} {file.name!r} of this game never came with this referee"
        raise FaultError(Fault("unknown-file", 0, 0, f"{cause}; a newer one may have it"))
    return read_toml(path)


def _describe_shipped(component: Component, options: Options) -> ShippedFile:
    path = component.shipped(options)
    return ShippedFile(path.stem, hash_toml_content(path))


def _fault(cause: str) -> FaultError:
    return FaultError(Fault("bad-file", 0, 0, cause))
