"""A game in progress and its log: ask what is legal, say what is done, take back, branch. Small on purpose."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from referee.engine.adjudicate import Played, Refused, Verdict, adjudicate
from referee.engine.dice import DiceMode, OpenDice, Typed
from referee.engine.game import (
    REFEREE,
    Game,
    Outcome,
    Seat,
    choose_options,
    find_game,
)
from referee.engine.legal import Action, Legal
from referee.engine.ruling import Refusal
from referee.engine.text import listing, phrases_of
from referee.record import store
from referee.record.cup import Cup
from referee.record.entry import (
    BRANCH_NAME,
    FORMAT,
    NO_PARENT,
    AmendEntry,
    AnyEntry,
    BranchEntry,
    GameEntry,
    NoteEntry,
    OwnBoard,
    PlayEntry,
    RevealEntry,
    SealedDice,
    SealedEntry,
    SealedPlay,
    Secret,
    ShippedBoard,
    TakebackEntry,
    encode,
    hash_of,
    now,
)
from referee.record.faults import FaultError, NotRecordedError
from referee.record.limits import name_problem, problem_in, text_problem
from referee.record.reader import decoder_of
from referee.record.timeline import History, crossing, replay_stream, why_agreement
from referee.record.vault import copy_vault, create_vault, vault_path


class Judged(Struct, frozen=True):
    """One action as said, and the verdict on it."""

    seat: Seat
    action: Action
    verdict: Verdict
    disclosed: tuple[Any, ...] | None = None
    """If it is a secret: the events that everybody may see."""

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Every rule the action breaks; empty when it is legal."""
        return self.verdict.refusals if isinstance(self.verdict, Refused) else ()


class NotAllowedError(ValueError):
    """Something about the record that may not be done: a name, an agreement that is missing, a position."""


class Session:
    """A log that was read, and the game as it stands.

    Get one from `start` or `open_log`. Every method that records re-checks under a lock that nobody else has appended
    since the log was read, and raises MovedOnError if somebody has.
    """

    def __init__(self, path: Path | None, game: Game, history: History, head: store.Head) -> None:
        self.path = path
        """Where the log is; None for one that was piped in, to which nothing can be added."""
        self.game = game
        self.history = history
        self.head = head

    # Looking

    @property
    def header(self) -> GameEntry:
        """What is played, by whom, under which options."""
        return self.history.header

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in playing order."""
        return self.game.seats(self.header.options)

    @property
    def entries(self) -> Sequence[AnyEntry]:
        """All entries, those taken back included."""
        return self.history.entries

    @property
    def state(self) -> Any:
        """The state in force: the whole truth as far as it is known here. What a seat may see of it, `view` tells."""
        return self.history.state()

    @property
    def keeps_secrets(self) -> bool:
        """Whether under these options something is kept from a seat."""
        return self.game.keeps_secrets(self.header.options)

    def view(self, seat: Seat | None, at: int = -1) -> Any:
        """What a seat may know after entry `at`, or now; None: a spectator."""
        return self.game.view(self.history.state(at), seat)

    @property
    def to_act(self) -> Seat | None:
        """Who holds the pen; None when the game is over."""
        return self.game.to_act(self.state)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self.game.outcome(self.state)

    @property
    def missing(self) -> str | None:
        """Why some secret is not known here, as a clause; None when all are."""
        timeline = self.history.timeline
        if not timeline.partial:
            return None
        if self.path is None:
            return "a log that was piped in has no vault"
        return f"{vault_path(self.path).name} {'does not hold all of them' if timeline.vault else 'is not here'}"

    def legal(self, seat: Seat | None = None, state: Any = None) -> Legal:
        """Everything a seat may do now, or in `state`; who holds the pen when none is named."""
        state = self.state if state is None else state
        seat = seat or self.game.to_act(state)
        if seat is None:
            return Legal()
        self._check_known()
        return self.game.legal(state, seat)

    def secret_of(self, entry: SealedEntry[Any], seat: Seat | None) -> Secret | None:
        """What is sealed in an entry, if it is known here and this seat may know it: its own, or what was revealed."""
        timeline = self.history.timeline
        if seat not in (entry.by, REFEREE) and entry.n in timeline.sealed:
            return None
        return timeline.opened(entry)

    # Judging

    def judge(self, text: str, by: Seat | None = None, faces: Iterable[Typed] = (), state: Any = None) -> list[Judged]:
        """The verdict on each action of a line, up to the first refusal. Records nothing.

        Judged in the state in force, or in `state`. Raises NotUnderstoodError for words that are no action, DiceError
        for dice that are missing or impossible.
        """
        self._check_known()
        state = self.state if state is None else state
        cup = Cup(self.header.dice, list(faces), self.history.timeline)
        judged = []
        for phrase in phrases_of(text) or [text]:
            seat = by or self.game.to_act(state) or self.seats[0]
            judged.append(self._judge(state, seat, self._parse(phrase, state, seat), cup))
            verdict = judged[-1].verdict
            if isinstance(verdict, Refused):
                return judged
            state = verdict.state
        cup.check_empty()
        return judged

    def judge_action(self, action: Action, by: Seat | None = None, faces: Iterable[Typed] = ()) -> list[Judged]:
        """The verdict on an action that needs no reading."""
        self._check_known()
        seat = by or self.to_act or self.seats[0]
        cup = Cup(self.header.dice, list(faces), self.history.timeline)
        judged = [self._judge(self.state, seat, action, cup)]
        cup.check_empty()
        return judged

    def foresee(self, text: str, by: Seat | None = None, state: Any = None) -> Judged:
        """Whether one action is legal as far as its seat may know, without any of its consequences."""
        self._check_known()
        state = self.state if state is None else state
        seat = by or self.game.to_act(state) or self.seats[0]
        action = self._parse(text, state, seat)
        refusals = tuple(self.game.check(state, seat, action))
        return Judged(seat, action, Refused(refusals) if refusals else Played((), (), state))

    def _parse(self, phrase: str, state: Any, seat: Seat) -> Action:
        return self.game.parse(phrase, self.game.view(state, seat), seat)

    def _judge(self, state: Any, seat: Seat, action: Action, cup: Cup) -> Judged:
        secret = self.game.disclose(state, action, ()) is not None
        verdict = adjudicate(self.game, state, seat, action, cup.source(secret=secret))
        if isinstance(verdict, Refused):
            return Judged(seat, action, verdict)
        cup.thrown(len(verdict.rolls), secret=secret)
        return Judged(seat, action, verdict, self.game.disclose(state, action, verdict.events))

    def _check_known(self) -> None:
        """Nobody can judge a game of which he does not know the secrets."""
        if self.missing:
            raise NotAllowedError(f"this game keeps secrets, and {self.missing}: only who knows them can judge")

    # Recording

    def do(self, text: str, by: Seat | None = None, faces: Iterable[Typed] = ()) -> list[Judged]:
        """Judge a line of actions and, if every one of them is legal, record them all."""
        return self.record(self.judge(text, by, faces))

    def record(self, judged: list[Judged]) -> list[Judged]:
        """Record actions just judged, unless one of them was refused."""
        if not any(item.refusals for item in judged):
            self._append([self._draft_of(item) for item in judged])
        return judged

    def _draft_of(self, judged: Judged) -> Draft:
        verdict = judged.verdict
        assert not isinstance(verdict, Refused), "refused actions are not recorded"
        if judged.disclosed is None:
            return partial(PlayEntry, by=judged.seat, action=judged.action, rolls=verdict.rolls, events=verdict.events)
        secret = SealedPlay(judged.action, verdict.rolls, verdict.events)
        return partial(self._seal, secret, by=judged.seat, events=judged.disclosed)

    def _seal(self, secret: Secret, *, prev: str, by: Seat, **fields: Any) -> SealedEntry[Any]:
        vault = self.history.timeline.vault
        if vault is None:
            raise NotAllowedError("a secret cannot be kept here: this log has no vault")
        value = encode(secret)
        _check_recordable(value)
        return SealedEntry(prev=prev, by=by, leaf=vault.seal(by, prev, value), **fields)

    def reveal(self, numbers: Sequence[int] = (), by: Seat = REFEREE, agreed: Sequence[Seat] = ()) -> list[int]:
        """Open secrets for everybody: those of the entries named, or all that are left. Returns their entries.

        While the game goes on all seats must agree.
        """
        self._check_seats([by, *agreed])
        missing = self._missing(by, agreed)
        if missing and self.outcome is None:
            raise NotAllowedError(f"while the game goes on, a reveal needs {listing(missing)} to agree")
        numbers = list(numbers or self.history.timeline.sealed)
        if not numbers:
            raise NotAllowedError("no secret is left to be revealed")
        self._append([self._reveal_of(n, by, tuple(agreed)) for n in numbers])
        return numbers

    def _reveal_of(self, n: int, by: Seat, agreed: tuple[Seat, ...]) -> Draft:
        timeline = self.history.timeline
        entry = timeline.sealed.get(n)
        if entry is None:
            raise NotAllowedError(f"entry {n} is no secret, or is revealed already")
        opening = timeline.vault.open(entry) if timeline.vault else None
        secret = timeline.opened(entry)  # checked: a vault that lies must not spoil the log
        if opening is None or secret is None:
            raise NotAllowedError(f"the secret of entry {n} is not known here: {self.missing}")
        return partial(RevealEntry, by=by, of=n, salt=opening.salt, secret=secret, agreed=agreed)

    def undo(self, count: int = 1, by: Seat | None = None, agreed: Sequence[Seat] = ()) -> None:
        """Take back the last `count` plays in force. Dice thrown meanwhile stay used; nothing is deleted."""
        line = self.history.line()
        if not 1 <= count < len(line):
            raise NotAllowedError(f"there {_are(len(line) - 1, 'play')} to take back, not {count}")
        crossed = [self.entries[n] for n in line[-count:]]
        by = by or _last_player(crossed) or self.seats[0]
        self._check_seats([by, *agreed])
        agreed = [seat for seat in agreed if seat != by]
        revealed = self.history.timeline.revealed > line[-count - 1]
        cause = why_agreement(map(crossing, reversed(crossed)), by, revealed)
        missing = self._missing(by, agreed)
        if cause and missing:
            raise NotAllowedError(f"{listing(missing)} must agree, because {cause}")
        self._append([partial(TakebackEntry, by=by, to=line[-count - 1], agreed=tuple(agreed))])

    def amend(self, document: Mapping[str, Any], why: str, agreed: Sequence[Seat], by: Seat = REFEREE) -> None:
        """Replace the position by agreement of all seats."""
        _check_text(why)
        self._check_seats(agreed)
        missing = self._missing(by, agreed)
        if missing:
            raise NotAllowedError(f"an amended position needs {listing(missing)} to agree too")
        try:
            self.history.placed(document)
        except FaultError as error:
            raise NotAllowedError(_citing(error)) from error
        self._append([partial(AmendEntry, by=by, position=dict(document), why=why, agreed=tuple(agreed))])

    def note(self, text: str, by: Seat = REFEREE) -> None:
        """Record a remark."""
        _check_text(text)
        self._check_seats([by])
        self._append([partial(NoteEntry, by=by, text=text)])

    def branch(self, name: str, at: int | None = None, path: Path | None = None) -> Session:
        """A new log that holds this one up to entry `at` and goes on from there. This log does not change."""
        if self.path is None:
            raise NotAllowedError("a log that was piped in cannot be branched; save it to a file first")
        at = len(self.entries) - 1 if at is None else at
        if not 0 <= at < len(self.entries):
            raise NotAllowedError(f"there is no entry {at}: the log has entries 0 to {len(self.entries) - 1}")
        if not re.fullmatch(BRANCH_NAME, name):
            raise NotAllowedError(f"{name!r} is no name of a branch: letters, digits, dots and dashes")
        path = path or self.path.with_name(f"{self.path.stem}-{name}.jsonl")
        prev = self.entries[at + 1].prev if at + 1 < len(self.entries) else self.head.hash
        entry = BranchEntry(n=at + 1, prev=prev, by=REFEREE, at=now(), name=name, parent=self.path.stem)
        check_entry(self.game, entry)
        try:
            if not path.exists():
                copy_vault(self.path, path)
            store.create(path, [entry], store.first_lines(self.path, at + 1))
        except FileExistsError as error:
            raise NotAllowedError(f"there is a file {error.filename} already; choose another name") from error
        return open_log(path)

    def _append(self, drafts: Sequence[Draft]) -> None:
        if self.path is None:
            raise NotAllowedError("a log that was piped in cannot be added to; save it to a file first")
        entries: list[AnyEntry] = []
        prev = self.head.hash
        for n, draft in enumerate(drafts, len(self.entries)):
            entries.append(draft(n=n, prev=prev, at=now()))
            prev = hash_of(check_entry(self.game, entries[-1]))
        try:
            self.head = store.append(self.path, entries, self.head)
        except NotRecordedError:
            self.head = msgspec.structs.replace(self.head, torn=b"")  # what was torn is set aside by now
            raise
        for entry in entries:
            self.history.add(entry)

    def _missing(self, by: Seat, agreed: Sequence[Seat]) -> list[Seat]:
        """Seats that have not agreed."""
        return [seat for seat in self.seats if seat not in (by, *agreed)]

    def _check_seats(self, seats: Iterable[Seat]) -> None:
        for seat in seats:
            if seat not in self.seats and seat != REFEREE:
                raise NotAllowedError(f"nobody sits at {seat!r}; the seats are {listing(self.seats)}")


Draft = Callable[..., AnyEntry]
"""An entry that lacks only its number, the hash before it, and the time."""


def check_entry(game: Game, entry: AnyEntry) -> bytes:
    """The bytes of an entry that a reader will accept; NotAllowedError when it would not. Nothing else is written."""
    body = encode(entry)
    _check_recordable(body)
    try:
        decoder_of(game).decode(body)
    except msgspec.ValidationError as error:
        raise NotAllowedError(f"this cannot be recorded: {error}") from error
    return body


def _check_recordable(body: bytes) -> None:
    problem = problem_in(body)
    if problem:
        raise NotAllowedError(f"this cannot be recorded: {problem[1]}")


def start(
    game: str,
    path: str | Path,
    *,
    options: Mapping[str, str] | None = None,
    seats: Mapping[Seat, str] | None = None,
    dice: DiceMode | None = None,
    board: Mapping[str, Any] | None = None,
    position: Mapping[str, Any] | None = None,
) -> Session:
    """Start a log. `seats` gives names to seats, `dice` is an open seed unless told otherwise, `board` and `position`
    are decoded files of the players' own. Raises what is wrong: UnknownGameError, OptionError, BoardError,
    NotAllowedError, FileExistsError, OSError.
    """
    module = find_game(game)
    settled = choose_options(module, options or {})
    entry = GameEntry(
        n=0,
        prev=NO_PARENT,
        by=REFEREE,
        at=now(),
        format=FORMAT,
        game=module.name,
        rules=module.rules_version,
        options=settled,
        rulings=module.fixed_rulings(),
        seats=dict(sorted(seat_names(module.seats(settled), seats or {}).items())),
        dice=dice or OpenDice(os.urandom(32).hex()),
        board=OwnBoard(dict(board)) if board is not None else _shipped(module, settled),
        position=dict(position) if position is not None else None,
    )
    check_entry(module, entry)
    history = History(module)
    try:
        history.add(entry)
    except FaultError as error:
        raise NotAllowedError(_citing(error)) from error
    path = Path(path)
    if module.keeps_secrets(settled) and not path.exists():
        _open_vault(path, history)
    return Session(path, module, history, store.create(path, history.entries))


def _open_vault(path: Path, history: History) -> None:
    """Start a log's vault; with open dice, seal the seed of those thrown in secret before anybody has played."""
    timeline, header = history.timeline, history.header
    timeline.vault = create_vault(path, timeline.game_id, timeline.game.seats(header.options))
    if isinstance(header.dice, OpenDice):
        prev, seed = timeline.game_id, SealedDice(os.urandom(32).hex())
        leaf = timeline.vault.seal(REFEREE, prev, encode(seed))
        history.add(SealedEntry(n=1, prev=prev, by=REFEREE, at=header.at, leaf=leaf, events=()))


def open_log(path: str | Path, upto: int | None = None) -> Session:
    """Read a log and fold it. FaultError says what is wrong with it; OSError.

    With `upto` nothing after that entry is looked at, so that the good part of a bad log can be seen and branched;
    nothing can be added then.
    """
    path = Path(path)
    game, history, head = store.read(path, upto)
    return Session(path, game, history, head)


def replay(path: str | Path) -> Iterator[tuple[AnyEntry, Any]]:
    """Each entry of a log with the state after it, in constant memory. Runs no rules; FaultError at the first fault."""
    with Path(path).open("rb") as file:
        yield from replay_stream(file, Path(path))


def open_stream(file: BinaryIO, upto: int | None = None) -> Session:
    """Read a log that is piped in; it can be looked at, but not added to."""
    game, history, head = store.read_file(file, upto)
    return Session(None, game, history, head)


def _shipped(game: Game, options: Mapping[str, str]) -> ShippedBoard:
    path = game.board_file(options)
    return ShippedBoard(path.stem, sha256(path.read_bytes()).hexdigest())


def seat_names(seats: Sequence[Seat], names: Mapping[Seat, str]) -> dict[Seat, str]:
    """Every seat with the name of who sits there, or with its own; NotAllowedError for a name nobody may have."""
    for seat, name in names.items():
        if seat not in seats:
            raise NotAllowedError(f"there is no seat {seat!r}; the seats are {listing(seats)}")
        problem = name_problem(name)
        if problem:
            raise NotAllowedError(problem)
    return {seat: names.get(seat, seat) for seat in seats}


def _citing(error: FaultError) -> str:
    fault = error.fault
    return f"{fault.cause} ({fault.rule})" if fault.rule else fault.cause


def _check_text(text: str) -> None:
    problem = text_problem(text) if text.strip() else "nothing but spaces"
    if problem:
        raise NotAllowedError(f"the text has {problem}")


def _last_player(crossed: Sequence[AnyEntry]) -> Seat | None:
    return crossed[-1].by if crossed[-1].by != REFEREE else None


def _are(count: int, noun: str) -> str:
    return f"is 1 {noun}" if count == 1 else f"are {count or 'no'} {noun}s"
