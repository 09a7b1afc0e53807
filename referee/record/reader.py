"""Reading a log: lines become checked entries, one at a time, in constant memory.

Checks form, hashes, chain and numbering, and stops at the first fault with a `FaultError`. Whether the entries make
sense as a game is the business of `timeline` (folding them) and `audit` (judging them again).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial
from hashlib import sha256
from typing import Any, BinaryIO

import msgspec

from referee.engine.game import Game, UnknownGameError, find_game
from referee.record.entry import (
    BODY_AT,
    CLOSER,
    FORMAT,
    MAX_LINE,
    MIDDLE,
    NO_PARENT,
    OPENER,
    SALT,
    AnyEntry,
    Entry,
    GameEntry,
    MatchEntry,
    MatchLine,
    PlayEntry,
    RevealEntry,
    SealedEntry,
    Secret,
    encode,
    entry_types,
    frame,
    hash_of,
    secret_types,
)
from referee.record.faults import Code, Fault, FaultError
from referee.record.limits import Problem, is_plain, problem_in

PLAYS = frozenset({PlayEntry, SealedEntry, RevealEntry})


class Reader:
    """Reads the entries of a log. Iterate over it once; the attributes tell where it stands."""

    def __init__(self, file: BinaryIO, *, strict: bool = False, kind: type[Entry] = GameEntry) -> None:
        """Read from `file`, open in binary mode. Strict: also check that each entry is spelled in the one way.

        `kind` is the type of first entry wanted: that of a game, or of a match.
        """
        self._file = file
        self._strict = strict
        self._kind = kind
        self.n = 0
        """Number of the entry being handed over; so many before it are good."""
        self.offset = 0
        """Where its line begins."""
        self.hash = NO_PARENT
        """Its hash."""
        self.head = NO_PARENT
        """Hash of the line before it."""
        self.torn = b""
        """Bytes at the end that are no whole entry: a write that was cut short."""
        self.unterminated = False
        """Whether the last entry lacks only its line feed."""
        self.game: Game

    def __iter__(self) -> Iterator[Any]:
        line = self._file.readline(MAX_LINE + 1)
        if not line:
            raise self._fault("empty", "the file is empty")
        if not line.endswith(b"\n") and _is_framed(line + b"\n"):
            self.unterminated = True
            line += b"\n"
        first = self._first(line)
        self.hash = line[len(OPENER) : len(OPENER) + 64].decode()
        yield first
        self._passed(line[:-1] if self.unterminated else line)
        decode = self._decode
        strict = self._strict
        salted = sha256(SALT)
        n, head = self.n, self.head
        for line in iter(partial(self._file.readline, MAX_LINE + 1), b""):
            body = line[BODY_AT:-2]
            digest = salted.copy()
            digest.update(body)
            found = digest.hexdigest()
            if not (line.startswith(b'{"hash":"%b","entry":' % found.encode()) and line.endswith(CLOSER)):
                if self._file.read(1):
                    raise self._bad_line(line)
                yield from self._last(line)
                return
            try:
                entry = decode(body)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise self._undecodable(body, error) from None
            if entry.n != n or entry.prev != head:
                raise self._out_of_chain(entry)
            if not is_plain(body) or type(entry) not in PLAYS or (strict and encode(entry) != body):
                self._check(problem_in(body))  # a play that is plain is bounded by its type alone
            self.hash = found
            yield entry
            self.n = n = n + 1
            self.offset += len(line)
            self.head = head = found

    def _first(self, line: bytes) -> Any:
        """The first entry: says which game's types all later entries have."""
        if line.startswith(b"\xef\xbb\xbf"):
            raise self._fault("byte-order-mark", "the file begins with a byte order mark; logs have none")
        body = line[BODY_AT:-2]
        if not _is_framed(line):
            raise self._fault("not-a-log", "the first line is no game entry in the frame of a log")
        if line != frame(body):
            raise self._bad_line(line)
        self._check(problem_in(body))
        _refuse_newer(self, body)
        try:
            entry = msgspec.json.decode(body, type=GameEntry | MatchEntry)
            self.game = find_game(entry.game)
        except msgspec.DecodeError as error:
            raise self._fault("not-an-entry", _sentence(error)) from None
        except UnknownGameError as error:
            raise self._fault("unknown-game", str(error)) from None
        if type(entry) is not self._kind:
            is_match = isinstance(entry, MatchEntry)
            what = "a match: referee match show" if is_match else "a game, not of a match"
            raise self._fault("not-a-log", f"this is the log of {what}")
        if entry.n != 0 or entry.prev != NO_PARENT:
            raise self._out_of_chain(entry)
        self._decode = (decoder_of(self.game) if isinstance(entry, GameEntry) else match_decoder()).decode
        return entry

    def _passed(self, line: bytes) -> None:
        self.n += 1
        self.offset += len(line)
        self.head = self.hash

    def _last(self, line: bytes) -> Iterator[Any]:
        """The end of the file: a whole entry that lacks only its line feed is kept, anything else is a torn write."""
        if line.endswith(b"\n"):
            raise self._bad_line(line)
        whole = line + b"\n"
        body = whole[BODY_AT:-2]
        if whole == frame(body):
            self.unterminated = True
            entry = self._unterminated(body)
            self.hash = hash_of(body)
            yield entry
            self._passed(line)
        else:
            self.torn = line

    def _unterminated(self, body: bytes) -> Any:
        try:
            entry = self._decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._undecodable(body, error) from None
        if entry.n != self.n or entry.prev != self.head:
            raise self._out_of_chain(entry)
        self._check(problem_in(body))
        return entry

    def _bad_line(self, line: bytes) -> FaultError:
        if len(line) > MAX_LINE:
            return self._fault("line-too-long", f"a line of more than {MAX_LINE} bytes")
        if not _is_framed(line):
            return self._fault("bad-frame", "the line does not have the frame of a log entry")
        return self._fault("bad-hash", "the line's hash does not fit its entry: one of them was changed")

    def _undecodable(self, body: bytes, error: Exception) -> FaultError:
        problem = problem_in(body)
        return self._fault(*problem) if problem else self._fault("not-an-entry", _sentence(error))

    def _out_of_chain(self, entry: Any) -> FaultError:
        if entry.n != self.n:
            return self._fault("bad-order", f"entry {self.n} should stand here, not entry {entry.n}")
        return self._fault("bad-chain", "the entry does not continue the line before it")

    def _check(self, problem: Problem | None) -> None:
        if problem:
            raise self._fault(*problem)

    def _fault(self, code: Code, cause: str) -> FaultError:
        return FaultError(Fault(code, self.n, self.offset, cause))


def _is_framed(line: bytes) -> bool:
    return line.startswith(OPENER) and line.endswith(CLOSER) and line[BODY_AT - len(MIDDLE) : BODY_AT] == MIDDLE


def _refuse_newer(reader: Reader, body: bytes) -> None:
    """A newer format may have fields we do not know, so its number is looked at first."""
    value = msgspec.json.decode(body)
    number = value.get("format") if isinstance(value, dict) else None
    if isinstance(number, int) and number > FORMAT:
        cause = f"log format {number}; this referee reads up to {FORMAT}: a newer referee is needed"
        raise FaultError(Fault("newer-format", reader.n, reader.offset, cause))


def _sentence(error: Exception) -> str:
    return str(error) or type(error).__name__


@lru_cache(maxsize=1)
def match_decoder() -> msgspec.json.Decoder[MatchLine]:
    """The decoder of a match's entries."""
    return msgspec.json.Decoder(MatchLine)


@lru_cache(maxsize=8)
def decoder_of(game: Game) -> msgspec.json.Decoder[AnyEntry]:
    """The decoder of this game's entries."""
    return msgspec.json.Decoder(entry_types(game))


@lru_cache(maxsize=8)
def secret_decoder_of(game: Game) -> msgspec.json.Decoder[Secret]:
    """The decoder of what this game's sealed entries can hold."""
    return msgspec.json.Decoder(secret_types(game))
