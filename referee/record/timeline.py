"""From entries to the game in force: folding a log, takebacks included, and looking at any moment of it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, BinaryIO, NoReturn

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
from referee.engine.text import listing
from referee.record.entry import (
    BODY_AT,
    MAX_LINE,
    AmendEntry,
    AnyEntry,
    BranchEntry,
    GameEntry,
    NoteEntry,
    OwnBoard,
    PlayEntry,
    TakebackEntry,
)
from referee.record.faults import Code, Fault, FaultError
from referee.record.limits import name_problem
from referee.record.reader import Reader


class Timeline:
    """Folds entries one by one into the state in force. Keeps earlier states only where a takeback will want them."""

    def __init__(self, game: Game, wanted: Mapping[int, int] | None = None) -> None:
        """`wanted` maps each entry that some takeback goes back to, to the last takeback that does; None: keep all."""
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
        self._wanted = wanted

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
        try:
            return fold(self.state, entry.events)
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


def takebacks_in(file: BinaryIO) -> dict[int, int]:
    """Entries that takebacks go back to, each with the last one that does. Faults are for the second reading."""
    wanted: dict[int, int] = {}
    decode = msgspec.json.Decoder(TakebackEntry).decode
    while line := file.readline(MAX_LINE + 1):
        if line.endswith(TAKEBACK_ENDS):
            try:
                entry = decode(line[BODY_AT:-2])
            except (msgspec.DecodeError, UnicodeDecodeError):
                continue
            wanted[entry.to] = entry.n
    return wanted


def replay_stream(file: BinaryIO) -> Iterator[tuple[AnyEntry, Any]]:
    """Each entry of a log with the state after it, in constant memory. `file` is read twice, so it must seek."""
    wanted = takebacks_in(file)
    file.seek(0)
    reader = Reader(file)
    timeline: Timeline | None = None
    try:
        for entry in reader:
            timeline = timeline or Timeline(reader.game, wanted)
            timeline.add(entry)
            yield entry, timeline.state
    except FaultError as error:
        raise FaultError(msgspec.structs.replace(error.fault, offset=reader.offset)) from None


class History:
    """A whole log in memory: its entries, and the state and the line of play after each of them."""

    def __init__(self, game: Game) -> None:
        self.entries: list[AnyEntry] = []
        self._timeline = Timeline(game)
        self._in_force: list[int] = []
        """For each entry: the last entry in force after it that set a state."""
        self._before: dict[int, int] = {}
        """For each entry that set a state: the one in force before it."""

    def add(self, entry: AnyEntry) -> None:
        """Fold the next entry; FaultError when it cannot be."""
        self._timeline.add(entry)
        self.entries.append(entry)
        n = self._timeline.n
        in_force = n
        if isinstance(entry, TakebackEntry):
            in_force = self._in_force[entry.to]
        elif isinstance(entry, NoteEntry | BranchEntry):
            in_force = self._in_force[-1]
        elif n:
            self._before[n] = self._in_force[-1]
        self._in_force.append(in_force)

    def state(self, at: int = -1) -> Any:
        """The state after entry `at`; after the last one when it is -1."""
        return self._timeline.state if at == -1 else self._timeline.kept[at]

    @property
    def header(self) -> GameEntry:
        """The first entry."""
        return self._timeline.header

    @property
    def board(self) -> Board:
        """The board played on."""
        return self._timeline.board

    @property
    def draws(self) -> int:
        """Draws of dice so far, those taken back included."""
        return self._timeline.draws

    def placed(self, document: Mapping[str, Any]) -> Any:
        """The state of a position from a file; FaultError says which rule it breaks."""
        return self._timeline.placed(document)

    def line(self, at: int = -1) -> list[int]:
        """Numbers of the entries in force after entry `at`, the game entry first: the line of play."""
        n: int | None = self._in_force[at]
        back = []
        while n is not None:
            back.append(n)
            n = self._before.get(n)
        return back[::-1]


class Crossed(Struct, frozen=True):
    """An entry in force that a takeback goes back over."""

    n: int
    by: Seat
    rolled: bool
    """Whether dice were thrown in it."""


def crossing(entry: AnyEntry) -> Crossed:
    """What it means to go back over an entry. An amended position is everybody's."""
    if isinstance(entry, PlayEntry):
        return Crossed(entry.n, entry.by, bool(entry.rolls))
    return Crossed(entry.n, REFEREE, False)


def why_agreement(crossed: Iterable[Crossed], by: Seat) -> str | None:
    """Why a takeback by this seat needs the others to agree, as a clause; None when it may go back alone.

    Alone a player takes back only his own entries, and only while no die was thrown since.
    """
    for entry in crossed:
        if entry.rolled:
            return f"dice were thrown in entry {entry.n}"
        if entry.by == REFEREE:
            return f"entry {entry.n} is a position that all agreed on"
        if entry.by != by:
            return f"entry {entry.n} is {entry.by}'s"
    return None
