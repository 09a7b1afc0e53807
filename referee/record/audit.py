"""Audit: every play judged again from its action and dice under today's rules, and compared with what is recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import zip_longest
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec
from msgspec import Struct

from referee.engine.adjudicate import Refused, adjudicate
from referee.engine.dice import DiceError, Need, OpenDice, OpenSource, RecordedSource, Roll, Source
from referee.engine.game import REFEREE, Game, Outcome, Seat
from referee.engine.text import listing
from referee.record.entry import (
    AmendEntry,
    AnyEntry,
    BranchEntry,
    GameEntry,
    NoteEntry,
    PlayEntry,
    RevealEntry,
    SealedDice,
    SealedEntry,
    SealedPlay,
    TakebackEntry,
)
from referee.record.faults import Fault, FaultError
from referee.record.reader import Reader
from referee.record.store import lost_tail, remembered
from referee.record.timeline import Crossed, Foretold, Timeline, crossing, foretell, sets_a_state, why_agreement

PROGRESS_EVERY = 2_000
"""Entries between two calls of the progress function."""


class Amendment(Struct, frozen=True):
    """A position that the players corrected by agreement: an audit lists each and goes on from there."""

    n: int
    why: str
    agreed: tuple[Seat, ...]


class Report(Struct, frozen=True):
    """What an audit found."""

    game: str
    """Name of the game; empty when not even that could be read."""
    id: str
    """The game's id: hash of the first line."""
    head: str
    """Hash of the last good line."""
    entries: int
    """Good entries, from the beginning."""
    plays: int
    """Plays judged again."""
    unjudged: int
    """Plays that nobody can judge before every secret is revealed; their hashes and open dice are checked."""
    secrets: int
    """Secrets that no entry has revealed yet."""
    draws: int
    """Draws of dice that were checked; those of secrets are counted once all are revealed, for they tell something."""
    takebacks: int
    amendments: tuple[Amendment, ...]
    outcome: Outcome | None
    """How the game ended, if the good part of the log reaches its end."""
    fault: Fault | None
    """The first fault; None: everything is as it should be."""


def audit(path: str | Path, progress: Callable[[int], None] | None = None) -> Report:
    """Judge the log in a file again; OSError when the file cannot be read."""
    with Path(path).open("rb") as file:
        return audit_stream(file, progress, remembered(Path(path)), Path(path))


def audit_stream(
    file: BinaryIO,
    progress: Callable[[int], None] | None = None,
    last: tuple[int, str] | None = None,
    log: Path | None = None,
) -> Report:
    """Judge a log again, entry by entry, in constant memory. `file` is read twice, so it must be able to seek.

    `last` is the number of entries once acknowledged here and the hash of the last of them, if that is remembered;
    `log` says where the file is, so that its vault is found.
    """
    foretold = foretell(file)
    reader = Reader(file, strict=True)
    auditor: Auditor | None = None
    game_id = ""
    fault = None
    try:
        for entry in reader:
            if auditor is None:
                auditor, game_id = Auditor(reader.game, foretold, log), reader.hash
            auditor.add(entry)
            if last and entry.n == last[0] - 1 and reader.hash != last[1]:
                raise FaultError(lost_tail(*last))
            if progress and entry.n % PROGRESS_EVERY == 0:
                progress(entry.n)
        if reader.torn:
            fault = Fault("torn-tail", reader.n, reader.offset, f"{len(reader.torn)} bytes of an entry cut short")
        elif last and reader.n < last[0]:
            raise FaultError(lost_tail(*last))
    except FaultError as error:
        fault = msgspec.structs.replace(error.fault, n=reader.n, offset=reader.offset)
    return _report(auditor, reader, game_id, fault)


def _report(auditor: Auditor | None, reader: Reader, game_id: str, fault: Fault | None) -> Report:
    if auditor is None:
        return Report("", "", reader.head, reader.n, 0, 0, 0, 0, 0, (), None, fault)
    return Report(
        game=auditor.game.name,
        id=game_id,
        head=reader.head,
        entries=reader.n,
        plays=auditor.plays,
        unjudged=auditor.unjudged,
        secrets=len(auditor.sealed),
        draws=auditor.draws + (0 if auditor.sealed else auditor.secret_draws),
        takebacks=auditor.takebacks,
        amendments=tuple(auditor.amendments),
        outcome=auditor.game.outcome(auditor.state) if auditor.state is not None else None,
        fault=fault,
    )


Play = PlayEntry[Any, Any] | SealedPlay[Any, Any]
"""A play in the open or a secret one: action, rolls and all events."""


class Auditor(Timeline):
    """A timeline that believes nothing: plays are judged again, takebacks and amendments need their agreements."""

    def __init__(self, game: Game, foretold: Foretold, log: Path | None = None) -> None:
        super().__init__(game, foretold, log)
        self.plays = 0
        self.unjudged = 0
        self.takebacks = 0
        self.amendments: list[Amendment] = []
        self._keeps_secrets = False
        self._seeded: OpenSource | None = None
        """Where open dice come from; it counts draws as the log does, since it stops at the first that differs."""
        self._secretly: OpenSource | None = None
        """The same for dice thrown in secret."""
        self._seed_is_sealed = False
        self._last_takeback = max((foretold.takebacks or {}).values(), default=-1)
        self._trail: Trail | None = None
        """What a takeback would cross, newest first; kept only as far back as some takeback to come goes."""
        self._trails: dict[int, Trail | None] = {}

    def add(self, entry: AnyEntry) -> None:
        """Judge one entry."""
        if not self.kept:
            self._trail = None
        if isinstance(entry, NoteEntry | BranchEntry):
            self._check_seats((entry.by,))
        super().add(entry)
        if self.n <= self._last_takeback:
            self._follow(entry)

    def _check_header(self, entry: GameEntry) -> None:
        super()._check_header(entry)
        self._keeps_secrets = self.game.keeps_secrets(entry.options)
        if isinstance(entry.dice, OpenDice):
            self._seeded = OpenSource(entry.dice.seed, 0)
        if entry.rules == self.game.rules_version and entry.rulings != self.game.fixed_rulings():
            self.fail("bad-options", f"these are not the rulings in force in rules version {entry.rules}")

    def _play(self, entry: PlayEntry[Any, Any]) -> Any:
        if self.partial:
            self._check_open_dice(entry.rolls)
            self._leave_unjudged(entry.by)
            return super()._play(entry)
        source = self._seeded or RecordedSource(entry.rolls, self.draws)
        before, state = self.state, self._judge(entry.by, entry, source)
        if self._keeps_secrets and self.game.disclose(before, entry.action, ()) is not None:
            self.fail("bad-secret", f"{self.game.format(entry.action)} is a secret and must be sealed")
        return state

    def _judge(self, by: Seat, play: Play, source: Source) -> Any:
        """The state after a play, if today's rules and dice make the same of it; FaultError."""
        self.plays += 1
        try:
            verdict = adjudicate(self.game, self.state, by, play.action, source)
        except DiceError as error:
            self.fail("bad-dice", str(error))
        if isinstance(verdict, Refused):
            first = verdict.refusals[0]
            self.fail("illegal-action", f"{by}: {self.game.format(play.action)}: {first.because}", first.rule)
        if verdict.rolls != play.rolls:
            self.fail("bad-dice", self._dice_cause(play, verdict.rolls))
        if verdict.events != play.events:
            self._fail_events(play, verdict.events)
        return verdict.state

    def _check_open_dice(self, rolls: tuple[Roll, ...]) -> None:
        """Without its secrets a play cannot be judged, but its dice can be what was due next or not."""
        source = self._seeded or RecordedSource(rolls, self.draws)
        for roll in rolls:
            try:
                due = source.draw(Need(roll.purpose, len(roll.faces), roll.sides))
            except DiceError as error:
                self.fail("bad-dice", str(error))
            if due != roll:
                self.fail("bad-dice", f"draw {due.draw} of this seed shows {_faces(due)}")

    def _folded(self, events: Iterable[Any]) -> Any:
        state = super()._folded(events)
        if self.partial:
            self._check_usable(state)
        return state

    def _check_usable(self, state: Any) -> None:
        """Events that cannot be judged may lead anywhere; at least what can be asked of every state has an answer."""
        try:
            seat = self.game.to_act(state)
            if seat:
                len(self.game.legal(state, seat))
            self.game.standing(state)
        except (LookupError, ValueError, TypeError, AttributeError) as error:
            self.fail("bad-event", f"events that lead nowhere ({type(error).__name__}: {error})")

    def _leave_unjudged(self, by: Seat) -> None:
        """Whatever a play may turn out to be, somebody has played."""
        if by not in self.header.seats:
            self.fail("bad-seat", f"nobody who plays sits at {by!r}")
        self.unjudged += 1

    def _sealed(self, entry: SealedEntry[Any]) -> Any:
        if self._keeps_secrets:
            self._check_seed_first(entry)
        state = super()._sealed(entry)
        if entry.by != REFEREE and self.partial:
            self._leave_unjudged(entry.by)
        return state

    def _check_seed_first(self, entry: SealedEntry[Any]) -> None:
        """The referee seals one thing: the seed of secret dice, before anybody has played.

        This can be told before any secret is revealed, and players should learn of it before they play on.
        """
        if entry.by == REFEREE:
            if entry.n != 1 or entry.events or self._seeded is None:
                self.fail("bad-secret", "the referee seals the seed of open dice, right after the game entry")
            self._seed_is_sealed = True
        elif self._seeded and not self._seed_is_sealed:
            self.fail("bad-secret", "no seed was sealed for dice thrown in secret")

    def _seed(self, entry: SealedEntry[Any], secret: SealedDice) -> None:
        if entry.by != REFEREE:
            self.fail("bad-secret", f"{entry.by} sealed a seed of dice, which only the referee does")
        super()._seed(entry, secret)
        self._secretly = OpenSource(secret.seed, 0, "sealed")

    def _secret_play(self, entry: SealedEntry[Any], secret: SealedPlay[Any, Any]) -> Any:
        if entry.by == REFEREE:
            self.fail("bad-secret", "the referee sealed a play in place of the seed of open dice")
        source = self._secretly or RecordedSource(secret.rolls, self.secret_draws)
        before, state = self.state, self._judge(entry.by, secret, source)
        self.secret_draws += len(secret.rolls)
        told = self.game.disclose(before, secret.action, secret.events)
        if told is None:
            self.fail("bad-secret", f"{self.game.format(secret.action)} is no secret")
        if told != entry.events:
            self._fail_events(msgspec.structs.replace(secret, events=entry.events), told)
        return state

    def _reveal(self, entry: RevealEntry[Any, Any]) -> None:
        super()._reveal(entry)
        self._check_seats((entry.by, *entry.agreed))
        missing = self._missing((entry.by, *entry.agreed))
        if missing and self.game.outcome(self.state) is None:
            self.fail("bad-agreement", f"while the game goes on, a reveal needs {listing(missing)} to agree")

    def _dice_cause(self, play: Play, expected: Iterable[Any]) -> str:
        for recorded, derived in zip_longest(play.rolls, expected):
            if recorded is None or derived is None:
                return "more or fewer dice are recorded than the rules ask for"
            if recorded != derived and recorded.faces != derived.faces:
                return f"draw {derived.draw} of this seed shows {_faces(derived)}, but {_faces(recorded)} is recorded"
            if recorded != derived:
                return f"the dice are recorded as draw {recorded.draw} of {recorded.origin} for {recorded.purpose!r}"
        return "the dice differ"

    def _fail_events(self, play: Play, expected: tuple[Any, ...]) -> None:
        told = tuple(_telling(self.game, event) for event in play.events)
        due = tuple(self.game.tell(event) for event in expected)
        at = next((i for i, (a, b) in enumerate(zip(play.events, expected, strict=False)) if a != b), None)
        if at is None:
            at = min(len(told), len(due))
        said = self.game.format(play.action)
        cause = f"after {said!r} the log says {_at(told, at)}, but under today's rules {_at(due, at)}"
        raise FaultError(Fault("wrong-events", self.n + 1, 0, cause, None, told, due))

    def _take_back(self, entry: TakebackEntry) -> Any:
        state = super()._take_back(entry)
        self.takebacks += 1
        self._check_seats((entry.by, *entry.agreed))
        missing = self._missing((entry.by, *entry.agreed))
        cause = self._why_agreement(entry)
        if cause and missing:
            self.fail("bad-agreement", f"the takeback needs {listing(missing)} to agree: {cause}")
        return state

    def _amend(self, entry: AmendEntry) -> Any:
        self._check_seats(entry.agreed)
        missing = self._missing((entry.by, *entry.agreed))
        if missing:
            self.fail("bad-agreement", f"an amended position needs {listing(missing)} to agree")
        self.amendments.append(Amendment(entry.n, entry.why, entry.agreed))
        return super()._amend(entry)

    def _check_seats(self, seats: Iterable[Seat]) -> None:
        strangers = [seat for seat in seats if seat != REFEREE and seat not in self.header.seats]
        if strangers:
            self.fail("bad-seat", f"nobody sits at {strangers[0]!r}")

    def _missing(self, agreed: tuple[Seat, ...]) -> list[Seat]:
        return [seat for seat in self.game.seats(self.header.options) if seat not in agreed]

    def _why_agreement(self, entry: TakebackEntry) -> str | None:
        then = self._trails.get(entry.to)
        crossed = []
        trail = self._trail
        while trail is not None and trail is not then:
            crossed.append(trail.entry)
            trail = trail.before
        if trail is not then:
            return "it does not go straight back"
        return why_agreement(crossed, entry.by, self.revealed > entry.to)

    def _follow(self, entry: AnyEntry) -> None:
        match entry:
            case TakebackEntry(to=to):
                self._trail = self._trails.get(to)
            case _ if self.n and sets_a_state(entry):
                self._trail = Trail(crossing(entry, secrets=self._keeps_secrets), self._trail)
        if self.n in self.kept:
            self._trails[self.n] = self._trail


class Trail(NamedTuple):
    """An entry in force and the ones before it."""

    entry: Crossed
    before: Trail | None


def _telling(game: Game, event: Any) -> str:
    """An event in words; events that no rule made may have none."""
    try:
        return game.tell(event)
    except (LookupError, ValueError, TypeError, AttributeError):
        return f"{event.__struct_config__.tag}, which makes no sense here"


def _at(lines: tuple[str, ...], at: int) -> str:
    return repr(lines[at]) if at < len(lines) else "nothing more"


def _faces(roll: Any) -> str:
    return " ".join(map(str, roll.faces))
