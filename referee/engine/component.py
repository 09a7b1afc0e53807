"""Components: the files that a game is played with, such as its board.

Some ship with the game, others are the players' own.

People write shipped files in TOML. The parsed form is kept in `__pycache__` beside the file, under its SHA-256, so that
no command parses a map again. Results that take long to compute from a file, such as lines of sight on a map, are kept
in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from referee.engine.options import Options
from referee.gate import UnreadableError, convert_value, read_msgpack


class BoardError(ValueError):
    """Raised when a game cannot be played with a file. The message says what is wrong and where."""


class Board(Protocol):
    """The properties that every game's board has."""

    @property
    def name(self) -> str:
        """The short name of the board."""

    @property
    def reconstruction(self) -> str | None:
        """The part of this board that is a reconstruction because the source is lost; None if there is none."""


class Component(Struct, frozen=True):
    """A file that a game is played with. Players may replace it by a file of their own in the same form."""

    name: str
    """The kind of file: "board", "components"."""
    type: Any
    """The content of such a file, as a msgspec type."""
    shipped: Callable[[Options], Path]
    """Returns the path of the shipped file under these options."""
    others: Callable[[], tuple[Path, ...]] = tuple
    """Returns the paths of all shipped files of this kind."""
    hashes: Path | None = None
    """A TOML file beside the shipped files. For each hash that logs may have, it has the name of the file.

    Entries are never removed. If None, only the files that ship today are found, by their content.
    """

    def find(self, sha256: str, options: Options) -> Path | None:
        """Returns the file that a log names by its hash; None if there is none.

        If the component has `hashes`, all files that ever shipped are found, otherwise only those that ship today.
        """
        if self.hashes is not None:
            named = read_toml(self.hashes).get(self.name, {}).get(sha256)
            return self.hashes.with_name(named) if named else None
        today = (self.shipped(options), *self.others())
        return next((path for path in today if sha256 in (hash_toml_content(path), hash_file_bytes(path))), None)

    def read(self, document: Any) -> Any:
        """Returns the content of a decoded file. Raises BoardError if something is wrong with it."""
        try:
            return convert_value(document, self.type)
        except UnreadableError as error:
            raise BoardError(str(error)) from error


def load_cached(source: Path, parse: Callable[[bytes], Any]) -> Any:
    """Returns what `parse` makes of a file, as plain data. The result is kept, so that each file is parsed once.

    If the cache cannot be read or written, it is ignored. Raises OSError, and whatever `parse` raises.
    """
    data = source.read_bytes()
    cache = _locate_cache(source, data)
    with suppress(OSError, UnreadableError):
        return read_msgpack(cache.read_bytes())
    made = msgspec.msgpack.encode(msgspec.to_builtins(parse(data)))
    _write_cache(cache, made)
    return read_msgpack(made)  # decoded, too, so that the result is the same as from the cache


Report = Callable[[float], None]
"""A function that is called from time to time with the share of a long computation that is done, from 0 to 1."""
_report_makers: list[Callable[[str], Report]] = []


def set_report_maker(make_report: Callable[[str], Report]) -> None:
    """Sets the function that makes a `Report` for each long computation.

    The function gets the name of the computation, such as "lines of sight".
    """
    _report_makers[:] = [make_report]


class DerivedData(Struct, frozen=True):
    """A result that takes long to compute, kept as bytes.

    If the shipped file was made from the same source, it holds the result. Otherwise the result is kept in a file in
    the `__pycache__` folder beside the shipped file.
    """

    what: str
    """The name that people read while they wait: "lines of sight"."""
    source: bytes
    """The bytes on which the result depends."""
    make: Callable[[Report], bytes]
    """Computes the result."""
    shipped: Path
    """The file that ships with the game."""

    def is_cached(self) -> bool:
        """True if the result is kept already."""
        return self._find_cached_file() is not None

    def get(self) -> bytes:
        """Returns the result, and computes it if necessary. Raises whatever `make` raises."""
        kept = self._find_cached_file()
        if kept:
            return kept.read_bytes()[len(self.make_file_header()) :]
        made = self.make(_report_makers[0](self.what) if _report_makers else lambda _done: None)
        _write_cache(_locate_cache(self.shipped, self.source), self.make_file_header() + made)
        return made

    def make_file_header(self) -> bytes:
        """Returns the first bytes of a file that holds this result, so that no other file is taken for it."""
        return sha256(self.source).digest()

    def _find_cached_file(self) -> Path | None:
        """Returns the file that holds the result; None if there is none."""
        head = self.make_file_header()
        for path in (self.shipped, _locate_cache(self.shipped, self.source)):
            with suppress(OSError), path.open("rb") as file:
                if file.read(len(head)) == head:
                    return path
        return None


def _locate_cache(shipped: Path, source: bytes) -> Path:
    return shipped.parent / "__pycache__" / f"{shipped.stem}.{sha256(source).hexdigest()}.msgpack"


def _write_cache(cache: Path, made: bytes) -> None:
    """Writes a cache file in one step, if the folder can be written."""
    with suppress(OSError):
        cache.parent.mkdir(exist_ok=True)
        fresh = cache.with_suffix(".new")
        fresh.write_bytes(made)
        fresh.replace(cache)


def read_toml(source: Path) -> Any:
    """Returns the content of one of our TOML files as plain data, from the cache if possible."""
    return load_cached(source, _parse_toml)


def hash_toml_content(source: Path) -> str:
    """Returns the SHA-256 of a TOML file's content, which is first written as JSON with sorted keys.

    So comments and blanks in the file do not count.
    """
    return sha256(msgspec.json.encode(read_toml(source), order="sorted")).hexdigest()


def hash_file_bytes(source: Path) -> str:
    """Returns the SHA-256 of a file's bytes. Logs of format 1 name files by it."""
    return sha256(source.read_bytes()).hexdigest()


def _parse_toml(data: bytes) -> Any:
    from referee.gate.documents import read_toml_text

    return read_toml_text(data)
