"""Reading a log: lines become checked entries, one at a time, in constant memory.

Checks form, hashes, chain and numbering, and stops at the first fault with a `FaultError`. Whether the entries make
sense as a game is the business of `fold` (what they come to) and `judge` (judging them again).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from hashlib import sha256
from io import SEEK_END
from sys import maxsize
from typing import Any, BinaryIO

import msgspec

from referee.engine.choosing import options_in_force
from referee.engine.dice import is_seat_name
from referee.engine.game import AnyGame
from referee.engine.registry import UnknownGameError, find_game, game_under
from referee.engine.text import printable
from referee.record.log.disk import BLOCK
from referee.record.log.entry import (
    PLAY,
    AgreeEntry,
    AnswerEntry,
    DeclareEntry,
    DeedEntry,
    GameEntry,
    JoinEntry,
    PlayEntry,
    SealEntry,
    encode,
    entry_types,
    terse_play,
)
from referee.record.log.faults import Code, Fault, FaultError
from referee.record.log.fields import FORMAT, MAX_ENTRY, MAX_LINE, MAX_STRING, Name
from referee.record.log.frame import BODY_AT, MIDDLE, NO_PARENT, OPENER, SALT, frame
from referee.record.log.limits import Problem, is_plain, problem_in
from referee.record.log.sealing import Opener, opening_of
from referee.record.log.upcasts import Lifter, is_old, lifter_of

BOUNDED = frozenset({PlayEntry, JoinEntry, DeclareEntry, AnswerEntry, SealEntry, AgreeEntry})
"""Entries beside deeds whose types leave nothing to be bounded but what text may hold: what is plain has no fault."""

OTHER_FORM = ("missing required field", "contains unknown field", "Invalid value")
"""What msgspec says of an entry with other fields, or of another kind, than there are today."""

Decode = Callable[[bytes, str], Any]
"""Makes an entry of its bytes and the hash of the line before."""


class _First(msgspec.Struct):
    """What has to be known of a first entry before anything else can be."""

    type: str
    format: int
    game: Name
    rules: int = 1
    options: dict[str, str] = {}
    program: str = ""
    """The version of the referee that wrote it; logs of format 1 do not say."""
    board: Any = None
    """What only logs of the first form have, though they call it format 1."""

    @property
    def versions(self) -> tuple[int, int]:
        """The log format and the rules under which it was written; 0 both for the first form of all."""
        return (self.format, self.rules) if self.board is None else (0, 0)


class _Link(msgspec.Struct):
    """How an entry hangs in the chain."""

    n: int
    prev: str


class Reader:
    """Reads the entries of a log. Iterate over it once; the attributes tell where it stands."""

    def __init__(self, file: BinaryIO, *, strict: bool = False, kind: str = "game", today: bool = False) -> None:
        """Read from `file`, open in binary mode. Strict: also check that each entry is spelt in the one way.

        `kind` is the type of first entry wanted: "game" or "match"; `today`: take today's rules, also where the game
        keeps those that the log was written under.
        """
        self._file = file
        self._strict = strict
        self._kind = kind
        self._today = today
        self._lifters: list[tuple[int, Lifter | None]] = []
        """What lifts the entries after each of these numbers to today's form; None: they have it."""
        self.since = 1
        """The version of the rules under which it was begun; 0 for the first form of all."""
        self.is_old = False
        """True if the entry at hand was written under an older log format or older rules."""
        self._left = maxsize
        self._opener: Opener | None = None
        self._decode: Decode
        self.n = 0
        """Number of the entry being handed over; so many before it are good."""
        self.offset = 0
        """Where its line begins."""
        self.hash = NO_PARENT
        """Its hash."""
        self.head = NO_PARENT
        """Hash of the line before it."""
        self.is_plain = False
        """Whether its bytes are plain: what their type bounds has no fault."""
        self.torn = b""
        """Bytes at the end that are no whole entry: a write that was cut short."""
        self.unterminated = False
        """Whether the last entry lacks only its line feed."""
        self.game: AnyGame
        """The game by the rules that the next entry is judged by."""
        self.game_today: AnyGame
        """The game by today's rules."""

    def stop_here(self) -> None:
        """Read no further than the file reaches now: what others add meanwhile is not what was looked ahead at."""
        here = self._file.tell()
        self._left = self._file.seek(0, SEEK_END) - here
        self._file.seek(here)

    def open_with(self, opener: Opener) -> None:
        """From here on open secrets with this."""
        self._opener = opener
        opener.lifter = self._lifters[-1][1]
        self._decode = EntryDecoder(self.game, opener.open).decode

    def __iter__(self) -> Iterator[Any]:
        return map(self.read, self.bodies())

    def bodies(self) -> Iterator[bytes]:
        """The bytes of one entry after another in today's form, each once its frame and hash are found to fit; `read`
        reads it.
        """
        line = self._first_line()
        self.hash = line[len(OPENER) : len(OPENER) + 64].decode()
        yield line[BODY_AT:-1]
        self.n = 1
        self.offset = len(line) + (not self.unterminated)
        self.head = self.hash
        yield from self._further_bodies()

    def follow(self, file: BinaryIO, n: int, offset: int, head: str) -> Iterator[Any]:
        """The entries of a file that goes on after entry `n` - 1, whose line ends at `offset` and has this hash."""
        self._file, self._left = file, maxsize
        self.n, self.offset, self.head = n, offset, head
        self.torn, self.unterminated = b"", False
        return map(self.read, self._further_bodies())

    def _further_bodies(self) -> Iterator[bytes]:
        salted = sha256(SALT)
        for lines, plain in self._blocks():
            for line in lines:
                body = line[BODY_AT:-1]
                digest = salted.copy()
                digest.update(body)
                found = digest.hexdigest()
                if line != b'{"hash":"%b","entry":%b}' % (found.encode(), body):
                    if not self.unterminated:
                        raise self._bad_line(line)
                    self.torn, self.unterminated = line, False
                    return
                self.hash = found
                self.is_plain = (plain and len(body) <= MAX_STRING) or is_plain(body)
                lifter = self._lifters[-1][1]
                yield self._lifted(body, lifter) if lifter else body
                self.n += 1
                self.offset += len(line) + (not self.unterminated)
                self.head = found

    def _first_line(self) -> bytes:
        line = self._file.readline(MAX_LINE + 1)
        if not line:
            raise self._fault("empty", "the file is empty")
        if line.startswith(b"\xef\xbb\xbf"):
            raise self._fault("byte-order-mark", "the file begins with a byte order mark; logs have none")
        self.unterminated = not line.endswith(b"\n")
        line = line.removesuffix(b"\n")
        if not is_framed(line):
            from referee.record.log.kinds import kind_in  # hardly any file is none

            raise self._fault("not-a-log", kind_in(line + b"\n" + self._file.read(MAX_ENTRY)).no_log)
        if line + b"\n" != frame(line[BODY_AT:-1]):
            raise self._bad_line(line)
        return line

    def read(self, body: bytes) -> Any:
        """The entry at hand from its bytes, if it continues the one before and is spelt as entries are; FaultError."""
        if self.n == 0:
            return self._first(body)
        if self._opener:
            self._opener.begin(self.head)
        try:
            entry = self._decode(body, self.head)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._undecodable(body, error) from None
        if entry.n != self.n or entry.prev != self.head:
            raise self._out_of_chain(entry)
        bounded = type(entry) in BOUNDED
        if not bounded and isinstance(entry, DeedEntry):
            bounded = entry.is_bounded
            self._follow_versions(entry)
        known = self.is_plain and (bounded or self._has_read(entry))
        if known and ((bounded and not self._strict) or encode(entry) == body):
            return entry
        self._check(problem_in(body))
        self._check_spelling(entry, body)
        return entry

    def _follow_versions(self, deed: DeedEntry) -> None:
        """From a deed on that says so the log is written under other rules."""
        if deed.versions:
            self._check_versions(*deed.versions, "")
            self.go_under(*deed.versions, self.n)

    def _has_read(self, entry: Any) -> bool:
        """Whether an entry reveals what was read already, in the place where it was sealed."""
        if not getattr(entry, "opens", False) or self._opener is None:
            return False
        return self._opener.has_read(entry.leaf, opening_of(entry))

    def _blocks(self) -> Iterator[tuple[list[bytes], bool]]:
        """All further lines without their line feeds, many at once, and whether all of these hold plain ASCII only."""
        rest = b""
        while block := self._file.read(min(BLOCK, self._left)):
            self._left -= len(block)
            data = rest + block
            plain = data.isascii() and b"\\" not in data and b"\x7f" not in data
            *lines, rest = data.split(b"\n")
            yield lines, plain
            if len(rest) > MAX_LINE:
                raise self._bad_line(rest)
        if rest:
            self.unterminated = True
            yield [rest], False

    def _lifted(self, body: bytes, lifter: Lifter) -> bytes:
        """An entry in today's form. What is wrong with its bytes is told of those that stand in the log."""
        try:
            lifted = lifter.lift(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._undecodable(body, error) from None
        if lifted is not body and not (self.is_plain and encode(msgspec.json.decode(body)) == body):
            self._check(problem_in(body))
        return lifted

    def spelt(self, body: bytes) -> bytes:
        """An entry of today, or what a secret holds, in this log's form; NotAllowedError where that cannot be."""
        lifter = self._lifters[-1][1]
        return lifter.lower(body) if lifter else body

    def decode(self, body: bytes, prev: str) -> Any:
        """The entry that goes on after all that was read, from its bytes as they stand in the log, its secrets opened
        as far as they can be here; msgspec.ValidationError.
        """
        return self._decoded(body, prev, self._lifters[-1][1])

    def _decoded(self, body: bytes, prev: str, lifter: Lifter | None) -> Any:
        if self._opener:
            self._opener.begin(prev)
            self._opener.lifter = lifter
        return self._decode(lifter.lift(body) if lifter else body, prev)

    def again(self, file: BinaryIO, n: int, offset: int) -> Any:
        """Entry `n` once more, whose line begins at `offset`; FaultError when something else stands there by now."""
        file.seek(offset)
        line = file.readline(MAX_LINE + 1).removesuffix(b"\n")
        body = line[BODY_AT:-1]
        if line + b"\n" != frame(body) or (link := msgspec.json.decode(body, type=_Link)).n != n:
            raise FaultError(Fault("bad-hash", n, offset, "the log was changed while it was being read"))
        if n == 0:
            return self._header(body, msgspec.json.decode(body, type=_First))
        entry = self._decoded(body, link.prev, next(lifter for after, lifter in reversed(self._lifters) if after < n))
        if self._opener:
            self._opener.begin(self.head)  # what was found in it is long known
            self._opener.lifter = self._lifters[-1][1]
        return entry

    def go_under(self, form: int, rules: int, after: int) -> None:
        """After entry `after` the log is written in this format and under these rules."""
        self.game = self.game_by(rules)
        self.is_old = is_old(self.game_today, form, rules)
        self._lifters.append((after, lifter_of(self.game_today, form, rules)))
        if self._opener:
            self._opener.lifter = self._lifters[-1][1]

    def game_by(self, rules: int) -> AnyGame:
        """The game as it is judged here where it is played under these rules: by them if it keeps them."""
        return (None if self._today else game_under(self.game_today, rules)) or self.game_today

    def _first(self, body: bytes) -> Any:
        """The first entry: says which game's types all later entries have."""
        self._check(problem_in(body))
        try:
            head = msgspec.json.decode(body, type=_First)
            self._check_kind(head)
            self.game_today = find_game(head.game)
            self._check_versions(head.format, head.rules, head.program)
            self.since = head.versions[1]
            self.go_under(*head.versions, 0)
            self._decode = (decoder_of if self._kind == "game" else match_decoder_of)(self.game)
            entry = self._header(body, head)
        except msgspec.DecodeError as error:
            raise self._undecodable(body, error) from None
        except (UnknownGameError, TypeError) as error:
            raise self._fault("unknown-game", str(error)) from None
        if entry.n != 0 or entry.prev != NO_PARENT:
            raise self._out_of_chain(entry)
        return entry

    def _header(self, body: bytes, head: _First) -> Any:
        """The first entry, with all options that are in force; msgspec.DecodeError."""
        lifter = self._lifters[0][1]
        lifted = self._lifted(body, lifter) if lifter else body
        is_game = self._kind == "game"
        entry = msgspec.json.decode(lifted, type=GameEntry) if is_game else self._decode(lifted, NO_PARENT)
        self._check_spelling(entry, lifted)
        return msgspec.structs.replace(entry, options=options_in_force(self.game, entry.options, head.rules))

    def _check_kind(self, head: _First) -> None:
        """A newer format may have fields we do not know, so its number is looked at first."""
        if head.format > FORMAT:
            raise self._newer(f"log format {head.format}", head.program)
        if head.type != self._kind:
            what = "match: referee match show" if head.type == "match" else "game, not of a match: referee match new"
            raise self._fault("not-a-log", f"this is the log of a {what}")

    def _check_versions(self, form: int, rules: int, program: str) -> None:
        if form < 1 or rules < 1:
            raise self._fault("not-an-entry", "versions count from 1")
        if form > FORMAT:
            raise self._newer(f"log format {form}", program)
        if rules > self.game_today.rules_version:
            raise self._newer(f"rules {rules} of {self.game_today.name}", program)

    def _newer(self, what: str, program: str) -> FaultError:
        by = f"referee {printable(program)}" if program else "a newer referee"
        return self._fault("newer-format", f"{by} wrote this; update the referee here, which does not know {what} yet")

    def _check_spelling(self, entry: Any, body: bytes) -> None:
        """An entry says all that it holds, so that one entry has one spelling."""
        if encode(entry) != body:
            raise self._fault("not-canonical", "not spelt as logs are: a field is left out")

    def _bad_line(self, line: bytes) -> FaultError:
        if len(line) >= MAX_ENTRY:
            return self._fault("line-too-long", f"an entry of more than {MAX_ENTRY} bytes")
        if not is_framed(line):
            return self._fault("bad-frame", "the line does not have the frame of a log entry")
        return self._fault("bad-hash", "the line's hash does not fit its entry: one of them was changed")

    def _undecodable(self, body: bytes, error: Exception) -> FaultError:
        problem = problem_in(body)
        cause = str(error) or type(error).__name__
        is_other_form = self.is_old and any(told in cause for told in OTHER_FORM)
        return self._fault(*problem or ("old-form" if is_other_form else "not-an-entry", cause))

    def _out_of_chain(self, entry: Any) -> FaultError:
        if entry.n != self.n:
            return self._fault("bad-order", f"entry {self.n} should stand here, not entry {entry.n}")
        return self._fault("bad-chain", "the entry does not continue the line before it")

    def _check(self, problem: Problem | None) -> None:
        if problem:
            raise self._fault(*problem)

    def _fault(self, code: Code, cause: str) -> FaultError:
        return FaultError(Fault(code, self.n, self.offset, cause))


def is_framed(line: bytes) -> bool:
    """Whether a line, without its line feed, has the frame of an entry; whether its hash fits is another question."""
    return line.startswith(OPENER) and line.endswith(b"}") and line[BODY_AT - len(MIDDLE) : BODY_AT] == MIDDLE


class EntryDecoder:
    """What makes entries of a game of bytes. Nearly all of them are plays and end so: what reads nothing else need not
    look for their type first, nor match patterns that are known to fit. What reads all others is made when there is
    one.
    """

    def __init__(self, game: AnyGame, open_secret: Callable[[Any, Any], Any] | None = None) -> None:
        """`open_secret` is asked for every secret; without it there are none. TypeError: no such types can be read."""
        self._game, self._open_secret = game, open_secret
        self._play = msgspec.json.Decoder(terse_play(game), dec_hook=open_secret).decode

    def decode(self, body: bytes, prev: str) -> Any:
        """An entry that follows the line with this hash; msgspec.DecodeError, UnicodeDecodeError, RecursionError. Where
        it names another hash is for who reads it to say.
        """
        if body.endswith(PLAY):
            play = self._play(body)
            if play.prev == prev and is_seat_name(play.by):
                return play
        return self._other(body)

    @cached_property
    def _other(self) -> Callable[[bytes], Any]:
        return msgspec.json.Decoder(entry_types(self._game), dec_hook=self._open_secret).decode


@lru_cache(maxsize=8)
def decoder_of(game: AnyGame) -> Decode:
    """What makes this game's entries of bytes, without their secrets."""
    return EntryDecoder(game).decode


@lru_cache(maxsize=8)
def match_decoder_of(game: AnyGame) -> Decode:
    """The same for the entries of this game's matches; TypeError when it is not played in matches."""
    from referee.record.log.match_entry import match_types  # few logs are those of a match

    decode = msgspec.json.Decoder(match_types(game)).decode
    return lambda body, _prev: decode(body)
