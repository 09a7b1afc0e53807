"""Reading a log: lines become checked entries, one at a time, in constant memory.

The reader checks form, hashes, chain and numbering. It stops at the first fault with a `FaultError`. It does not ask
whether the entries make sense as a game: the reducer folds them and a verifier judges them again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from hashlib import sha256
from io import SEEK_END
from sys import maxsize
from typing import Any, BinaryIO

import msgspec

from referee.engine.dice import is_seat_name
from referee.engine.game import AnyGame
from referee.engine.option_resolution import find_options_in_force
from referee.engine.registry import UnknownGameError, find_game, find_game_by_rules
from referee.engine.text import make_printable
from referee.gate import UnreadableError, make_json_decoder, read_json
from referee.record.log.entry import (
    PLAY_LINE_END,
    AgreeEntry,
    AnswerEntry,
    DeclareEntry,
    DeedEntry,
    GameEntry,
    JoinEntry,
    PlayEntry,
    SealEntry,
    encode_for_log,
    make_entry_types,
    make_unchecked_play_type,
)
from referee.record.log.field_types import LOG_FORMAT, MAX_ENTRY_BYTES, MAX_LINE_BYTES, MAX_STRING, Identifier
from referee.record.log.limits import EntryProblem, find_entry_problem, is_short_plain_ascii
from referee.record.log.line_format import (
    BODY_OFFSET,
    HASH_PREFIX,
    LINE_MIDDLE,
    LINE_START,
    NO_PREVIOUS_HASH,
    format_entry_line,
)
from referee.record.log.log_errors import Fault, FaultCode, FaultError
from referee.record.log.safe_files import BLOCK_BYTES
from referee.record.log.sealing import SecretReader, get_opening
from referee.record.log.upcasts import Lifter, is_older_version, make_lifter

BOUNDED_ENTRY_TYPES = frozenset({PlayEntry, JoinEntry, DeclareEntry, AnswerEntry, SealEntry, AgreeEntry})
"""The types of entries whose field types bound every value, apart from special characters. If the bytes of such an
entry are plain, it holds no forbidden value. Deeds say the same of themselves in `has_bounded_fields`.
"""

OTHER_FORM_ERRORS = ("missing required field", "contains unknown field", "Invalid value")
"""Parts of msgspec's errors about an entry whose fields or kind do not exist today."""

DecodeEntry = Callable[[bytes, str], Any]
"""A function that makes an entry from its bytes and the hash of the line before."""


class _First(msgspec.Struct):
    """The fields of a first entry that decide how everything else is read."""

    type: str
    format: int
    game: Identifier
    rules: int = 1
    program: str = ""
    """The version of the referee that wrote the log; "" in logs of format 1."""
    board: Any = None
    """A field that only logs of the oldest form have, although these call themselves format 1, too."""

    @property
    def versions(self) -> tuple[int, int]:
        """The log format and the rules under which the log was written; both are 0 for the oldest form."""
        return (self.format, self.rules) if self.board is None else (0, 0)


class _Link(msgspec.Struct):
    """The fields that link an entry to the line before it."""

    n: int
    prev: str


class Reader:
    """Reads the entries of a log. Iterate over it once; its attributes say how far it has come."""

    _lifters: list[tuple[int, Lifter | None]]
    """Pairs of an entry number and a lifter. It lifts the entries after that number, up to the next pair.

    The lifter is None if those entries have today's form.
    """
    since: int
    """The version of the rules under which the game began; 0 for the oldest form."""
    is_old: bool
    """True if the present entry was written under an older log format or older rules."""
    n: int
    """The number of the present entry; all entries before it are good."""
    offset: int
    """The first byte of the present entry's line."""
    hash: str
    """The hash of the present entry's line."""
    head: str
    """The hash of the line before the present one."""
    raw_entry: bytes
    """The bytes of the present entry as they stand in the log."""
    is_entry_plain: bool
    """True if the bytes of the present entry are plain ASCII without escapes or long strings."""
    torn: bytes
    """The bytes after the last whole entry, from a write that was cut short."""
    unterminated: bool
    """True if the last entry lacks only its line feed."""
    game: AnyGame
    """The game under the rules that apply to the next entry."""
    game_today: AnyGame
    """The game under today's rules."""

    def __init__(self, file: BinaryIO, *, strict: bool = False, kind: str = "game", today: bool = False) -> None:
        """Reads from `file`, which must be binary. With `strict`, each entry must have its one possible spelling.

        `kind` is the wanted type of the first entry: "game" or "match". `today` is True if today's rules apply even
        where the game keeps the rules of the log's time.
        """
        self._file = file
        self._strict = strict
        self._kind = kind
        self._today = today
        self._lifters = []
        self.since = 1
        self.is_old = False
        self._left = maxsize
        self._opener: SecretReader | None = None
        self._decode: DecodeEntry
        self.n = 0
        self.offset = 0
        self.hash = NO_PREVIOUS_HASH
        self.head = NO_PREVIOUS_HASH
        self.raw_entry = b""
        self.is_entry_plain = False
        self.torn = b""
        self.unterminated = False

    def stop_at_present_end(self) -> None:
        """Makes reading stop at the present end of the file, so that lines which others add later are left out.

        The earlier pass over the whole log (`prescan_log`) has not seen such lines.
        """
        here = self._file.tell()
        self._left = self._file.seek(0, SEEK_END) - here
        self._file.seek(here)

    def open_secrets_with(self, opener: SecretReader) -> None:
        """Opens secrets with this opener from here on."""
        self._opener = opener
        opener.lifter = self._lifters[-1][1]
        self._decode = EntryDecoder(self.game, opener.decode_secret).decode

    def __iter__(self) -> Iterator[Any]:
        return map(self.decode_current, self.read_bodies())

    def read_bodies(self) -> Iterator[bytes]:
        """Yields the bytes of each entry in today's form, after checking its hash and the layout of its line.

        `decode_current` decodes these bytes.
        """
        line = self._first_line()
        self.hash = line[len(LINE_START) : len(LINE_START) + 64].decode()
        yield line[BODY_OFFSET:-1]
        self.n = 1
        self.offset = len(line) + (not self.unterminated)
        self.head = self.hash
        yield from self._further_bodies()

    def read_continuation(self, file: BinaryIO, n: int, offset: int, head: str) -> Iterator[Any]:
        """Yields the entries of a file that continues a log. Its first entry has number `n`, its line begins at
        `offset`, and the line before has the hash `head`.
        """
        self._file, self._left = file, maxsize
        self.n, self.offset, self.head = n, offset, head
        self.torn, self.unterminated = b"", False
        return map(self.decode_current, self._further_bodies())

    def _further_bodies(self) -> Iterator[bytes]:
        salted = sha256(HASH_PREFIX)
        for lines, plain in self._blocks():
            for line in lines:
                body = line[BODY_OFFSET:-1]
                digest = salted.copy()
                digest.update(body)
                found = digest.hexdigest()
                if line != b'{"hash":"%b","entry":%b}' % (found.encode(), body):
                    if not self.unterminated:
                        raise self._line_fault(line)
                    self.torn, self.unterminated = line, False
                    return
                self.hash, self.raw_entry = found, body
                self.is_entry_plain = (plain and len(body) <= MAX_STRING) or is_short_plain_ascii(body)
                lifter = self._lifters[-1][1]
                yield self._lift(body, lifter) if lifter else body
                self.n += 1
                self.offset += len(line) + (not self.unterminated)
                self.head = found

    def _first_line(self) -> bytes:
        line = self._file.readline(MAX_LINE_BYTES + 1)
        if not line:
            raise self._fault("empty", "the file is empty")
        if line.startswith(b"\xef\xbb\xbf"):
            raise self._fault("byte-order-mark", "the file begins with a byte order mark; logs have none")
        self.unterminated = not line.endswith(b"\n")
        line = line.removesuffix(b"\n")
        if not is_entry_line(line):
            from referee.record.log.file_kinds import find_content_kind  # hardly any file is not a log

            raise self._fault("not-a-log", find_content_kind(line + b"\n" + self._file.read(MAX_ENTRY_BYTES)).no_log)
        if line + b"\n" != format_entry_line(line[BODY_OFFSET:-1]):
            raise self._line_fault(line)
        return line

    def decode_current(self, body: bytes) -> Any:
        """Decodes the present entry from its bytes. Raises FaultError if it is not an entry, breaks the chain, or is
        not spelled as logs are.
        """
        if self.n == 0:
            return self._read_first(body)
        if self._opener:
            self._opener.begin_entry(self.head)
        try:
            entry = self._decode(body, self.head)
        except UnreadableError as error:
            raise self._decoding_fault(body, error) from None
        if entry.n != self.n or entry.prev != self.head:
            raise self._chain_fault(entry)
        bounded = type(entry) in BOUNDED_ENTRY_TYPES
        if not bounded and isinstance(entry, DeedEntry):
            bounded = entry.has_bounded_fields
            self._follow_versions(entry)
        known = self.is_entry_plain and (bounded or self._has_read(entry))
        if known and ((bounded and not self._strict) or encode_for_log(entry) == body):
            return entry
        self._check(find_entry_problem(body))
        self._check_spelling(entry, body)
        return entry

    def _follow_versions(self, deed: DeedEntry) -> None:
        """Switches to another log format and other rules if the deed says so."""
        if deed.versions:
            self._check_versions(*deed.versions, "")
            self.switch_versions(*deed.versions, self.n)

    def _has_read(self, entry: Any) -> bool:
        """True if an entry reveals a secret with the opening that was already used to read the sealed entry."""
        if not getattr(entry, "opens_secret", False) or self._opener is None:
            return False
        return self._opener.was_opened_with(entry.leaf, get_opening(entry))

    def _blocks(self) -> Iterator[tuple[list[bytes], bool]]:
        """Yields the remaining lines without their line feeds, many at once. The flag is True if all of them are plain
        ASCII.
        """
        rest = b""
        while block := self._file.read(min(BLOCK_BYTES, self._left)):
            self._left -= len(block)
            data = rest + block
            plain = data.isascii() and b"\\" not in data and b"\x7f" not in data
            *lines, rest = data.split(b"\n")
            yield lines, plain
            if len(rest) > MAX_LINE_BYTES:
                raise self._line_fault(rest)
        if rest:
            self.unterminated = True
            yield [rest], False

    def _lift(self, body: bytes, lifter: Lifter) -> bytes:
        """Returns an entry in today's form. Faults are reported about the bytes in the log."""
        try:
            lifted = lifter.lift(body)
        except UnreadableError as error:
            raise self._decoding_fault(body, error) from None
        if lifted is not body and not (self.is_entry_plain and encode_for_log(read_json(body)) == body):
            self._check(find_entry_problem(body))
        return lifted

    def encode_in_form(self, body: bytes) -> bytes:
        """Returns the bytes of a new entry, or of a secret's value, in this log's form. Raises NotAllowedError if that
        is impossible.
        """
        lifter = self._lifters[-1][1]
        return lifter.lower(body) if lifter else body

    def decode(self, body: bytes, prev: str) -> Any:
        """Decodes the entry that would follow the last one read, from its bytes in the log's form. Opens the secrets
        that can be opened here.

        Raises UnreadableError if it is not an entry.
        """
        return self._lift_and_decode(body, prev, self._lifters[-1][1])

    def _lift_and_decode(self, body: bytes, prev: str, lifter: Lifter | None) -> Any:
        if self._opener:
            self._opener.begin_entry(prev)
            self._opener.lifter = lifter
        return self._decode(lifter.lift(body) if lifter else body, prev)

    def read_again(self, file: BinaryIO, n: int, offset: int) -> Any:
        """Reads entry `n` again, whose line begins at `offset`. Raises FaultError if the line has changed."""
        file.seek(offset)
        line = file.readline(MAX_LINE_BYTES + 1).removesuffix(b"\n")
        body = line[BODY_OFFSET:-1]
        if line + b"\n" != format_entry_line(body) or (link := read_json(body, _Link)).n != n:
            raise FaultError(Fault("bad-hash", n, offset, "the log was changed while it was being read"))
        if n == 0:
            return self._decode_first(body, read_json(body, _First))
        entry = self._lift_and_decode(
            body, link.prev, next(lifter for after, lifter in reversed(self._lifters) if after < n)
        )
        if self._opener:
            self._opener.begin_entry(self.head)  # its secrets were found before, so they are not found anew
            self._opener.lifter = self._lifters[-1][1]
        return entry

    def switch_versions(self, form: int, rules: int, after: int) -> None:
        """Switches to this log format and these rules for the entries after `after`."""
        self.game = self.find_game_by_rules(rules)
        self.is_old = is_older_version(self.game_today, form, rules)
        self._lifters.append((after, make_lifter(self.game_today, form, rules)))
        if self._opener:
            self._opener.lifter = self._lifters[-1][1]

    def find_game_by_rules(self, rules: int) -> AnyGame:
        """Returns the game for judging entries under these rules: their own version if the game keeps it, else
        today's.
        """
        return (None if self._today else find_game_by_rules(self.game_today, rules)) or self.game_today

    def _read_first(self, body: bytes) -> Any:
        """Reads the first entry, which says which game's types all later entries have."""
        self._check(find_entry_problem(body))
        try:
            head = read_json(body, _First)
            self._check_kind(head)
            self.game_today = find_game(head.game)
            self._check_versions(head.format, head.rules, head.program)
            self.since = head.versions[1]
            self.switch_versions(*head.versions, 0)
            self._decode = (make_entry_decoder if self._kind == "game" else make_match_entry_decoder)(self.game)
            entry = self._decode_first(body, head)
        except UnreadableError as error:
            raise self._decoding_fault(body, error) from None
        except (UnknownGameError, TypeError) as error:
            raise self._fault("unknown-game", str(error)) from None
        if entry.n != 0 or entry.prev != NO_PREVIOUS_HASH:
            raise self._chain_fault(entry)
        return entry

    def _decode_first(self, body: bytes, head: _First) -> Any:
        """Returns the first entry with all options in force. Raises UnreadableError if it is no such entry."""
        lifter = self._lifters[0][1]
        lifted = self._lift(body, lifter) if lifter else body
        is_game = self._kind == "game"
        entry = read_json(lifted, GameEntry) if is_game else self._decode(lifted, NO_PREVIOUS_HASH)
        self._check_spelling(entry, lifted)
        return msgspec.structs.replace(entry, options=find_options_in_force(self.game, entry.options, head.rules))

    def _check_kind(self, head: _First) -> None:
        """Raises FaultError if the log has a newer format, or is not of the wanted kind. The format is checked first,
        since entries of a newer one may have unknown fields.
        """
        if head.format > LOG_FORMAT:
            raise self._newer_fault(f"log format {head.format}", head.program)
        if head.type != self._kind:
            what = (
                "match; to see it: referee match show"
                if head.type == "match"
                else "game, not of a match; to start a match: referee match new"
            )
            raise self._fault("not-a-log", f"this is the log of a {what}")

    def _check_versions(self, form: int, rules: int, program: str) -> None:
        if form < 1 or rules < 1:
            raise self._fault("not-an-entry", "versions count from 1")
        if rules > self.game_today.rules_version:
            raise self._newer_fault(f"rules {rules} of {self.game_today.name}", program)

    def _newer_fault(self, what: str, program: str) -> FaultError:
        by = f"referee {make_printable(program)}" if program else "a newer referee"
        return self._fault("newer-format", f"{by} wrote this; update the referee here, which does not know {what} yet")

    def _check_spelling(self, entry: Any, body: bytes) -> None:
        """Checks that the entry spells out all its fields, so that it has only one spelling."""
        if encode_for_log(entry) != body:
            raise self._fault("not-canonical", "it is not spelled as logs are: a field is missing")

    def _line_fault(self, line: bytes) -> FaultError:
        if len(line) >= MAX_ENTRY_BYTES:
            return self._fault("line-too-long", f"the entry has more than {MAX_ENTRY_BYTES} bytes")
        if not is_entry_line(line):
            return self._fault("bad-frame", "the line is not built like a log entry")
        return self._fault("bad-hash", "the line's hash does not fit its entry: one of them was changed")

    def _decoding_fault(self, body: bytes, error: Exception) -> FaultError:
        problem = find_entry_problem(body)
        cause = str(error) or type(error).__name__
        is_other_form = self.is_old and any(told in cause for told in OTHER_FORM_ERRORS)
        return self._fault(*problem or ("old-form" if is_other_form else "not-an-entry", cause))

    def _chain_fault(self, entry: Any) -> FaultError:
        if entry.n != self.n:
            return self._fault("bad-order", f"entry {self.n} should stand here, not entry {entry.n}")
        return self._fault("bad-chain", "the entry does not continue the line before it")

    def _check(self, problem: EntryProblem | None) -> None:
        if problem:
            raise self._fault(*problem)

    def _fault(self, code: FaultCode, cause: str) -> FaultError:
        return FaultError(Fault(code, self.n, self.offset, cause))


def is_entry_line(line: bytes) -> bool:
    """True if a line, given without its line feed, has the layout of an entry's line. The hash is not checked."""
    return (
        line.startswith(LINE_START)
        and line.endswith(b"}")
        and line[BODY_OFFSET - len(LINE_MIDDLE) : BODY_OFFSET] == LINE_MIDDLE
    )


class EntryDecoder:
    """Decodes the entries of a game.

    Nearly all entries are plays. A decoder for plays alone is faster, since it need not find the type first. The
    decoder for all other entries is made on demand.
    """

    def __init__(self, game: AnyGame, open_secret: Callable[[Any, Any], Any] | None = None) -> None:
        """Makes the decoder of plays. `open_secret` is called for each secret. Without it, entries must not hold
        secrets.

        Raises TypeError if the game's types cannot be decoded.
        """
        self._game, self._open_secret = game, open_secret
        self._play = make_json_decoder(make_unchecked_play_type(game), open_secret)

    def decode(self, body: bytes, prev: str) -> Any:
        """Decodes an entry after the line with the hash `prev`. The caller checks whether the entry names that hash.

        Raises UnreadableError.
        """
        if body.endswith(PLAY_LINE_END):
            play = self._play(body)
            if play.prev == prev and is_seat_name(play.by):
                return play
        return self._other(body)

    @cached_property
    def _other(self) -> Callable[[bytes], Any]:
        return make_json_decoder(make_entry_types(self._game), self._open_secret)


@lru_cache(maxsize=8)
def make_entry_decoder(game: AnyGame) -> DecodeEntry:
    """Returns a function that decodes those entries of this game that hold no secrets."""
    return EntryDecoder(game).decode


@lru_cache(maxsize=8)
def make_match_entry_decoder(game: AnyGame) -> DecodeEntry:
    """Returns a function that decodes entries of this game's matches. Raises TypeError if the game has none."""
    from referee.record.log.match_entry import make_match_entry_types  # few logs are those of a match

    decode = make_json_decoder(make_match_entry_types(game))
    return lambda body, _prev: decode(body)
