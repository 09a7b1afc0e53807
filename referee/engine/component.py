"""Components: the files that a game is played with, such as its board; shipped with it, or the players' own.

A shipped file is written by people, in TOML, and read by machines: what is parsed once is kept in `__pycache__` beside
it under its SHA-256, as Python keeps its own bytecode, so that no command parses a map anew. In the same way is kept
what takes long to work out of a file, shipped or the players' own, such as lines of sight on a map.
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


class BoardError(ValueError):
    """A file that cannot be played with; the message says what is wrong and where."""


class Board(Protocol):
    """What every game's board has."""

    @property
    def name(self) -> str:
        """Short name."""

    @property
    def reconstruction(self) -> str | None:
        """What on this board is reconstructed because the source is lost; None when all is known."""


class Component(Struct, frozen=True):
    """A file that a game is played with, and that players may replace by their own of the same form."""

    name: str
    """What it is: "board", "components"."""
    type: Any
    """What such a file holds, as a msgspec type."""
    shipped: Callable[[Options], Path]
    """The file that comes along under these options."""
    others: Callable[[], tuple[Path, ...]] = tuple
    """All files of this kind that come along."""
    hashes: Path | None = None
    """A table of all files of this kind that ever came along, beside them: by the hash under which logs name it, the
    file. What stands in it stays there for ever. None: only what comes along today is found, by what it holds.
    """

    def found(self, sha256: str, options: Options) -> Path | None:
        """The file that a log names by its hash, among all that ever came along; None where none has it."""
        if self.hashes is not None:
            named = read_toml(self.hashes).get(self.name, {}).get(sha256)
            return self.hashes.with_name(named) if named else None
        today = (self.shipped(options), *self.others())
        return next((path for path in today if sha256 in (content_hash(path), bytes_hash(path))), None)

    def read(self, document: Any) -> Any:
        """What a decoded file holds; BoardError says what is wrong with it."""
        try:
            return msgspec.convert(document, self.type)
        except msgspec.ValidationError as error:
            raise BoardError(str(error)) from error


def compiled(source: Path, parse: Callable[[bytes], Any]) -> Any:
    """What `parse` makes of a file, as plain data, if it was not parsed before. OSError, and what `parse` raises.

    A cache that cannot be written or read is done without.
    """
    data = source.read_bytes()
    cache = _cache(source, data)
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.msgpack.decode(cache.read_bytes())
    made = msgspec.msgpack.encode(msgspec.to_builtins(parse(data)))
    _keep(cache, made)
    return msgspec.msgpack.decode(made)  # the same, whether it was kept or not: lists for tuples


Report = Callable[[float], None]
"""Is told now and then which part of a long work is done, from 0 to 1."""
_watchers: list[Callable[[str], Report]] = []


def watch(watcher: Callable[[str], Report]) -> None:
    """From now on this makes the report of long work, given what it is: "lines of sight"."""
    _watchers[:] = [watcher]


class WorkedOut(Struct, frozen=True):
    """Something that takes long to work out, and is kept in binary: in a file that comes along, if that was made of the
    same source, else in `__pycache__` beside it.
    """

    what: str
    """What people read while they wait: "lines of sight"."""
    source: bytes
    """All that it is made of."""
    make: Callable[[Report], bytes]
    shipped: Path

    def is_kept(self) -> bool:
        """Whether it was worked out before."""
        return self._kept() is not None

    def get(self) -> bytes:
        """It, worked out now if it must be; what `make` raises."""
        kept = self._kept()
        if kept:
            return kept.read_bytes()[len(self.head()) :]
        made = self.make(_watchers[0](self.what) if _watchers else lambda _done: None)
        _keep(_cache(self.shipped, self.source), self.head() + made)
        return made

    def head(self) -> bytes:
        """What a file begins with that holds it, so that nothing else is taken for it."""
        return sha256(self.source).digest()

    def _kept(self) -> Path | None:
        """The file that holds it."""
        head = self.head()
        for path in (self.shipped, _cache(self.shipped, self.source)):
            with suppress(OSError), path.open("rb") as file:
                if file.read(len(head)) == head:
                    return path
        return None


def _cache(beside: Path, source: bytes) -> Path:
    return beside.parent / "__pycache__" / f"{beside.stem}.{sha256(source).hexdigest()}.msgpack"


def _keep(cache: Path, made: bytes) -> None:
    """Put it there at once and whole, if it can be put there."""
    with suppress(OSError):
        cache.parent.mkdir(exist_ok=True)
        fresh = cache.with_suffix(".new")
        fresh.write_bytes(made)
        fresh.replace(cache)


def read_toml(source: Path) -> Any:
    """A TOML file of ours as plain data, compiled."""
    return compiled(source, _parse_toml)


def content_hash(source: Path) -> str:
    """SHA-256 of what a TOML file holds, spelt as JSON with sorted keys: comments and blanks are no part of it."""
    return sha256(msgspec.json.encode(read_toml(source), order="sorted")).hexdigest()


def bytes_hash(source: Path) -> str:
    """SHA-256 of a file as it is, by which logs of format 1 name it."""
    return sha256(source.read_bytes()).hexdigest()


def _parse_toml(data: bytes) -> Any:
    import tomllib

    return tomllib.loads(data.decode("utf-8"))
