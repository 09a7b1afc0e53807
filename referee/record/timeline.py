"""From entries to the game in force: folding a log, takebacks included, and looking at any moment of it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, NoReturn

import msgspec
from msgspec import Struct

from referee.engine.adjudicate import fold
from referee.engine.game import (
    REFEREE,
    Board,
    BoardError,
    Game,
    OptionError,
    Seat,
    decode_position,
    settle_options,
)
from referee.engine.sealed import leaf_of
from referee.engine.text import listing
from referee.record.entry import (
    BODY_AT,
    MAX_LINE,
    AmendEntry,
    AnyEntry,
    GameEntry,
    Hash,
    OwnBoard,
    PlayEntry,
    RevealEntry,
    SealedDice,
    SealedEntry,
    SealedPlay,
    Secret,
    TakebackEntry,
    encode,
    hash_of,
)
from referee.record.faults import Code, Fault, FaultError
from referee.record.limits import is_plain, name_problem, problem_in
from referee.record.reader import Reader, secret_decoder_of
from referee.record.vault import Opening, Vault, read_vault


class Foretold(NamedTuple):
    """What a log tells further on about its earlier entries."""

    takebacks: dict[int, int] | None
    """Entries that takebacks go back to, each with the last one that does; None: the state after each is kept."""
    reveals: Mapping[int, Opening]
    """What opens each secret that is revealed, by its entry."""


class Timeline:
    """Folds entries one by one into the state in force. Keeps earlier states only where a takeback will want them."""

    def __init__(self, game: Game, foretold: Foretold, log: Path | None = None) -> None:
        """`foretold` is what a first reading found out. `log` is the file, if there is one: its vault may be there."""
        self.game = game
        self.header: GameEntry
        self.board: Board
        self.state: Any = None
        self.n = -1
        """Number of the entry folded last."""
        self.draws = 0
        """Draws of dice so far, those of plays taken back included."""
        self.kept: dict[int, Any] = {}
        """States after earlier entries."""
        self.vault: Vault | None = None
        """The secrets that are kept here."""
        self.partial = False
        """Whether some secret could not be opened: the states are then what a spectator knows."""
        self.secret_seed: str | None = None
        """Seed of the dice thrown in secret, once it was sealed and can be opened."""
        self.secret_draws = 0
        """Draws of dice made in secret so far; they are numbered by themselves."""
        self.sealed: dict[int, SealedEntry[Any]] = {}
        """Secrets that no entry has revealed yet, by number."""
        self.revealed = -1
        """The last entry that revealed something."""
        self._wanted = foretold.takebacks
        self._reveals = foretold.reveals
        self._log = log

    def add(self, entry: AnyEntry) -> None:
        """Fold one entry. FaultError when it cannot be folded; nothing has changed then."""
        if type(entry) is PlayEntry:
            self.state = self._play(entry)
            self.draws += len(entry.rolls)
        else:
            self._add_other(entry)
        self.n += 1
        if self._wanted is None or self.n in self._wanted:
            self.kept[self.n] = self.state

    def _play(self, entry: PlayEntry[Any, Any]) -> Any:
        return self._folded(entry.events)

    def _folded(self, events: Iterable[Any]) -> Any:
        """The state after these events; if secrets are missing, what a spectator knows after them."""
        try:
            if not self.partial:
                return fold(self.state, events)
            return self.game.view(fold(self.game.view(self.state, None), events), None)
        except (LookupError, ValueError, TypeError, AttributeError) as error:
            self.fail("bad-event", f"an event that cannot happen here ({type(error).__name__}: {error})")

    def _add_other(self, entry: AnyEntry) -> None:
        match entry:
            case GameEntry():
                self._open(entry)
            case TakebackEntry():
                self.state = self._take_back(entry)
            case AmendEntry():
                self.state = self._amend(entry)
            case SealedEntry():
                self.state = self._sealed(entry)
            case RevealEntry():
                self._reveal(entry)

    def _sealed(self, entry: SealedEntry[Any]) -> Any:
        if not self.game.keeps_secrets(self.header.options):
            self.fail("bad-secret", "under these options this game keeps no secrets")
        secret = self.opened(entry)
        if isinstance(secret, SealedDice):
            self._seed(entry, secret)
            state = self.state
        elif secret is None or self.partial:
            self.partial = True
            state = self._folded(entry.events)
        else:
            state = self._unseen_play(entry, secret)
        self.sealed[entry.n] = entry
        return state

    def _seed(self, entry: SealedEntry[Any], secret: SealedDice) -> None:  # noqa: ARG002
        self.secret_seed = secret.seed

    def _unseen_play(self, entry: SealedEntry[Any], secret: SealedPlay[Any, Any]) -> Any:
        """The state after a secret play. What is wrong with one is told in full only when it was revealed."""
        try:
            return self._secret_play(entry, secret)
        except FaultError as error:
            if entry.n in self._reveals:
                raise
            self.fail(error.fault.code, f"what {entry.by} sealed is not as it should be; once revealed it tells why")

    def _secret_play(self, entry: SealedEntry[Any], secret: SealedPlay[Any, Any]) -> Any:  # noqa: ARG002
        self.secret_draws += len(secret.rolls)
        return self._folded(secret.events)

    def opened(self, entry: SealedEntry[Any]) -> Secret | None:
        """What is sealed, if its leaf can be opened here; nothing else is believed."""
        opening = self._reveals.get(entry.n) or (self.vault and self.vault.open(entry))
        if not opening or self._leaf(entry, opening.salt, opening.value) != entry.leaf:
            return None
        return self._secret_in(opening.value)

    def _secret_in(self, value: bytes) -> Secret:
        """A secret from its bytes, which no reader has looked at yet: they are bounded like a line of a log."""
        try:
            secret = secret_decoder_of(self.game).decode(value)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            problem = problem_in(value)
            cause = problem[1] if problem else str(error)
            self.fail("bad-secret", f"what is sealed is nothing that this game keeps secret: {cause}")
        spelled = encode(secret) == value
        problem = None if spelled and is_plain(value) else problem_in(value)
        if problem or not spelled:
            cause = problem[1] if problem else "it holds more than belongs there"
            self.fail("bad-secret", f"what is sealed may not stand in a log: {cause}")
        return secret

    def _leaf(self, entry: SealedEntry[Any], salt: str, value: bytes) -> str:
        return leaf_of(self.game_id, entry.by, entry.prev, bytes.fromhex(salt), value)

    @cached_property
    def game_id(self) -> str:
        """Hash of the first line."""
        return hash_of(encode(self.header))

    def _reveal(self, entry: RevealEntry[Any, Any]) -> None:
        sealed = self.sealed.get(entry.of)
        if sealed is None:
            self.fail("bad-reveal", f"entry {entry.of} is no secret, or is revealed already")
        if self._leaf(sealed, entry.salt, encode(entry.secret)) != sealed.leaf:
            self.fail("bad-reveal", f"what is revealed is not what was sealed in entry {entry.of}")
        del self.sealed[entry.of]
        self.revealed = entry.n

    def _take_back(self, entry: TakebackEntry) -> Any:
        if entry.to not in self.kept:
            self.fail("bad-takeback", f"entry {entry.to} is not an earlier entry")
        state = self.kept[entry.to]
        if self._wanted is not None and self._wanted[entry.to] <= entry.n:
            del self.kept[entry.to]
        return state

    def _amend(self, entry: AmendEntry) -> Any:
        return self.placed(entry.position)

    def _open(self, entry: GameEntry) -> None:
        if self.n >= 0:
            self.fail("bad-order", "a game entry stands first and nowhere else")
        self.header = entry
        self._check_header(entry)
        self.board = self._board(entry)
        if self._log and self.game.keeps_secrets(entry.options):
            self.vault = read_vault(self._log, self.game_id)
        if entry.position is None:
            self.state = self._set_up(entry)
        else:
            self.state = self.placed(entry.position)

    def _set_up(self, entry: GameEntry) -> Any:
        try:
            return self.game.setup(entry.options, self.board)
        except BoardError as error:
            self.fail("bad-board", str(error))

    def _own_board(self, entry: GameEntry, own: OwnBoard) -> Board:
        try:
            board = self.game.parse_board(own.document)
        except BoardError as error:
            self.fail("bad-board", str(error))
        seats = self.game.seats(entry.options)
        if set(board.seats) != set(seats):
            self.fail("bad-board", f"the board seats {listing(board.seats)}, but {listing(seats)} play")
        return board

    def _check_header(self, entry: GameEntry) -> None:
        if entry.rules > self.game.rules_version:
            self.fail("newer-format", f"rules version {entry.rules}; this referee knows {self.game.rules_version}")
        try:
            settled = settle_options(self.game, entry.options)
        except OptionError as error:
            self.fail("bad-options", str(error))
        refusal = next(self.game.check_options(settled), None)
        if refusal:
            self.fail("bad-options", refusal.because, refusal.rule)
        if settled != entry.options:
            self.fail("bad-options", f"{listing(sorted(settled.keys() - entry.options))} not set")
        if set(entry.seats) != set(self.game.seats(settled)):
            self.fail("bad-seat", f"the seats are {listing(self.game.seats(settled))}")
        problem = next(filter(None, map(name_problem, entry.seats.values())), None)
        if problem:
            self.fail("bad-seat", problem)

    def _board(self, entry: GameEntry) -> Board:
        if isinstance(entry.board, OwnBoard):
            return self._own_board(entry, entry.board)
        path = self.game.board_file(entry.options)
        data = path.read_bytes()
        if (path.stem, sha256(data).hexdigest()) != (entry.board.name, entry.board.sha256):
            self.fail("bad-board", f"the board {entry.board.name!r} that comes along is no longer the one played on")
        return self.game.parse_board(tomllib.loads(data.decode()))

    def placed(self, document: Mapping[str, Any]) -> Any:
        """The state of a position from a file; FaultError says which rule it breaks."""
        try:
            position = decode_position(self.game, document)
            refusal = next(self.game.check_position(position, self.header.options, self.board), None)
        except (msgspec.ValidationError, BoardError) as error:
            self.fail("bad-position", str(error))
        if refusal:
            self.fail("bad-position", refusal.because, refusal.rule)
        return self.game.place(position, self.header.options, self.board)

    def fail(self, code: Code, cause: str, rule: str | None = None) -> NoReturn:
        """Stop at the entry that is being folded; who reads the file adds where it stands."""
        raise FaultError(Fault(code, self.n + 1, 0, cause, rule))


TAKEBACK_ENDS = (b'"type":"takeback"}}\n', b'"type":"takeback"}}')
"""How the line of a takeback ends: keys are sorted, and "type" is its last."""


REVEAL_ENDS = (b'"type":"reveal"}}\n', b'"type":"reveal"}}')


class _Reveal(Struct):
    of: int
    salt: Hash
    secret: msgspec.Raw


def foretell(file: BinaryIO) -> Foretold:
    """Read ahead to the end and come back to where the file was. Faults are for the second reading."""
    takebacks: dict[int, int] = {}
    reveals: dict[int, Opening] = {}
    here = file.tell()
    takeback, reveal = msgspec.json.Decoder(TakebackEntry).decode, msgspec.json.Decoder(_Reveal).decode
    while line := file.readline(MAX_LINE + 1):
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            if line.endswith(TAKEBACK_ENDS):
                back = takeback(line[BODY_AT:-2])
                takebacks[back.to] = back.n
            elif line.endswith(REVEAL_ENDS):
                opened = reveal(line[BODY_AT:-2])
                reveals.setdefault(opened.of, Opening(opened.salt, bytes(opened.secret)))
    file.seek(here)
    return Foretold(takebacks, reveals)


def replay_stream(file: BinaryIO, log: Path | None = None) -> Iterator[tuple[AnyEntry, Any]]:
    """Each entry of a log with the state after it, in constant memory. `file` is read twice, so it must seek."""
    foretold = foretell(file)
    reader = Reader(file)
    timeline: Timeline | None = None
    try:
        for entry in reader:
            timeline = timeline or Timeline(reader.game, foretold, log)
            timeline.add(entry)
            yield entry, timeline.state
    except FaultError as error:
        raise FaultError(msgspec.structs.replace(error.fault, offset=reader.offset)) from None


class History:
    """A whole log in memory: its entries, and the state and the line of play after each of them."""

    def __init__(self, game: Game, reveals: Mapping[int, Opening] | None = None, log: Path | None = None) -> None:
        self.entries: list[AnyEntry] = []
        self.timeline = Timeline(game, Foretold(None, reveals or {}), log)
        self._in_force: list[int] = []
        """For each entry: the last entry in force after it that set a state."""
        self._before: dict[int, int] = {}
        """For each entry that set a state: the one in force before it."""

    def add(self, entry: AnyEntry) -> None:
        """Fold the next entry; FaultError when it cannot be."""
        self.timeline.add(entry)
        self.entries.append(entry)
        n = self.timeline.n
        in_force = n
        if isinstance(entry, TakebackEntry):
            in_force = self._in_force[entry.to]
        elif not sets_a_state(entry):
            in_force = self._in_force[-1]
        elif n:
            self._before[n] = self._in_force[-1]
        self._in_force.append(in_force)

    def state(self, at: int = -1) -> Any:
        """The state after entry `at`; after the last one when it is -1."""
        return self.timeline.state if at == -1 else self.timeline.kept[at]

    @property
    def header(self) -> GameEntry:
        """The first entry."""
        return self.timeline.header

    @property
    def board(self) -> Board:
        """The board played on."""
        return self.timeline.board

    @property
    def draws(self) -> int:
        """Draws of dice so far, those taken back included."""
        return self.timeline.draws

    def placed(self, document: Mapping[str, Any]) -> Any:
        """The state of a position from a file; FaultError says which rule it breaks."""
        return self.timeline.placed(document)

    def line(self, at: int = -1) -> list[int]:
        """Numbers of the entries in force after entry `at`, the game entry first: the line of play."""
        n: int | None = self._in_force[at]
        back = []
        while n is not None:
            back.append(n)
            n = self._before.get(n)
        return back[::-1]


def sets_a_state(entry: AnyEntry) -> bool:
    """Whether the line of play goes through an entry: a play or an amended position, but no remark or reveal."""
    if isinstance(entry, SealedEntry):
        return entry.by != REFEREE
    return isinstance(entry, GameEntry | PlayEntry | AmendEntry)


class Crossed(Struct, frozen=True):
    """An entry in force that a takeback goes back over."""

    n: int
    by: Seat
    rolled: bool
    """Whether dice were thrown in it."""
    secret: bool = False
    """Whether it is a secret, of which others may have been told something."""
    told: bool = False
    """Whether somebody learned a secret by it, though it is none itself."""


def crossing(entry: AnyEntry, *, secrets: bool = True) -> Crossed:
    """What it means to go back over an entry, in a game with secrets or without. An amended position is everybody's."""
    if isinstance(entry, PlayEntry):
        told = secrets and any(event.tells for event in entry.events)
        return Crossed(entry.n, entry.by, bool(entry.rolls), told=told)
    if isinstance(entry, SealedEntry):
        return Crossed(entry.n, entry.by, rolled=False, secret=True)
    return Crossed(entry.n, REFEREE, False)


def why_agreement(crossed: Iterable[Crossed], by: Seat, revealed: bool = False) -> str | None:
    """Why a takeback by this seat needs the others to agree, as a clause; None when it may go back alone.

    Alone a player takes back only his own entries, and only while no die was thrown, and nothing done in secret, told
    of a secret or `revealed` since.
    """
    if revealed:
        return "secrets were revealed since"
    for entry in crossed:
        if entry.secret:
            return f"entry {entry.n} is a secret"
        if entry.told:
            return f"a secret was told in entry {entry.n}"
        if entry.rolled:
            return f"dice were thrown in entry {entry.n}"
        if entry.by == REFEREE:
            return f"entry {entry.n} is a position that all agreed on"
        if entry.by != by:
            return f"entry {entry.n} is {entry.by}'s"
    return None
