"""The files that a game is played with: shipped ones, and the players' own, in the header or beside the log."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from referee.engine.component import Board, BoardError, Component, content_hash, read_toml
from referee.engine.game import AnyGame
from referee.engine.options import Options
from referee.record.log.disk import NoFileError, beside, create_file, read_small
from referee.record.log.entry import AnyFile, FileBeside, OwnFile, ShippedFile, encode
from referee.record.log.faults import Fault, FaultError, UnconfirmedError
from referee.record.log.limits import problem_in

INLINE = 16 * 1024
"""Bytes up to which an own file stands in the header. A bigger one lies beside the log, and so does one that no line of
a log may hold, such as a map with line breaks in it.
"""
MAX_FILE = 4 * 1024 * 1024


def folder_of(log: Path) -> Path:
    """Where the files beside a log lie."""
    return beside(log, ".files")


def path_beside(log: Path, digest: str) -> Path:
    """Where the file with this SHA-256 lies."""
    return folder_of(log) / f"{digest}.json"


def files_of(game: AnyGame, options: Options, own: Mapping[str, Any]) -> tuple[dict[str, AnyFile], dict[str, bytes]]:
    """What a header says of the files of a game, and those that must lie beside its log, by SHA-256. BoardError."""
    known = {component.name for component in game.components}
    strange = sorted(own.keys() - known)
    if strange:
        raise BoardError(f"{game.name} has no component {strange[0]!r}")
    files: dict[str, AnyFile] = {}
    beside: dict[str, bytes] = {}
    for component in game.components:
        if component.name not in own:
            files[component.name] = _shipped(component, options)
            continue
        data = encode(own[component.name])
        if len(data) <= INLINE and not problem_in(data):
            files[component.name] = OwnFile(own[component.name])
        elif len(data) > MAX_FILE:
            raise BoardError(f"the {component.name} has more than {MAX_FILE // 2**20} MiB")
        else:
            digest = sha256(data).hexdigest()
            files[component.name] = FileBeside(digest)
            beside[digest] = data
    return files, beside


def own_files(game: AnyGame, files: Mapping[str, AnyFile], log: Path | None) -> dict[str, Any]:
    """The players' own files that a header names, decoded, by component; FaultError as for a board."""
    own = {part: files[part.name] for part in game.components if not isinstance(files[part.name], ShippedFile)}
    return {part.name: _document(part, file, {}, log) for part, file in own.items()}


def write_beside(log: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Put files beside a log, each under its SHA-256, and return the new ones; OSError, and then there are none."""
    made: list[Path] = []
    with whole_or_not(log, made):
        for digest, data in files.items():
            path = path_beside(log, digest)
            path.parent.mkdir(exist_ok=True)
            if path.parent.is_symlink():
                raise NoFileError(path.parent, "this is a link, and links here are not followed")
            if not os.path.lexists(path):
                create_file(path, data)
                made.append(path)
    return made


@contextmanager
def whole_or_not(log: Path, made: Iterable[Path]) -> Iterator[None]:
    """Take away what was made for a log that then does not come about, Ctrl-C included, unless nobody knows whether it
    does.
    """
    try:
        yield
    except UnconfirmedError:
        raise
    except BaseException:
        remove_beside(log, made)
        raise


def remove_beside(log: Path, made: Iterable[Path]) -> None:
    """Take away what was made for a log which then did not come about."""
    for path in made:
        with suppress(OSError):  # some were not made yet
            path.unlink()
    with suppress(OSError):  # others may lie there
        folder_of(log).rmdir()
    if not os.path.lexists(log):  # else somebody may write there
        with suppress(OSError):
            beside(log, ".lock").unlink()


def read_beside(log: Path | None, digest: str) -> bytes:
    """A file beside a log; FaultError when it is not there, or not what its name says."""
    try:
        if log is None or folder_of(log).is_symlink():
            raise FileNotFoundError
        data = read_small(path_beside(log, digest), MAX_FILE)
    except OSError:
        where = folder_of(log).name if log else "a folder of files beside the log"
        raise _fault(f"an own file of the players is not here: {digest[:8]}... in {where}") from None
    if sha256(data).hexdigest() != digest:
        raise _fault(f"an own file of the players was changed: {digest[:8]}...")
    return data


def board_of(game: AnyGame, options: Options, files: Mapping[str, AnyFile], log: Path | None) -> Board:
    """The board that a header names, built; FaultError says what is wrong with its files."""
    if files.keys() != {component.name for component in game.components}:
        raise _fault(f"{game.name} is played with: {', '.join(component.name for component in game.components)}")
    if all(isinstance(file, ShippedFile) for file in files.values()):
        return _shipped_board(game, tuple(sorted(options.items())), tuple(sorted(files.items())))
    return _built(game, options, files, log)


@lru_cache(maxsize=16)
def _shipped_board(
    game: AnyGame, options: tuple[tuple[str, str], ...], files: tuple[tuple[str, AnyFile], ...]
) -> Board:
    """One board for all games that are played on it under the same options, in one process."""
    return _built(game, dict(options), dict(files), None)


def _built(game: AnyGame, options: Options, files: Mapping[str, AnyFile], log: Path | None) -> Board:
    parts = {part.name: _document(part, files[part.name], options, log) for part in game.components}
    try:
        board: Board = game.build(parts, options)
    except BoardError as error:
        raise _fault(str(error)) from error
    return board


def _document(component: Component, file: AnyFile, options: Options, log: Path | None) -> Any:
    if isinstance(file, OwnFile):
        return file.document
    if isinstance(file, FileBeside):
        try:
            return msgspec.json.decode(read_beside(log, file.sha256))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise _fault(f"an own file of the players cannot be read: {error}") from None
    path = component.found(file.sha256, options)
    if path is None:
        cause = f"the {component.name} {file.name!r} that it was begun with never came along with this referee"
        raise FaultError(Fault("unknown-file", 0, 0, f"{cause}; a newer one may have it"))
    return read_toml(path)


def _shipped(component: Component, options: Options) -> ShippedFile:
    path = component.shipped(options)
    return ShippedFile(path.stem, content_hash(path))


def _fault(cause: str) -> FaultError:
    return FaultError(Fault("bad-file", 0, 0, cause))
