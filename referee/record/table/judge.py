"""Judging again: nothing in a log is believed that the rules can tell."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache, partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Generic, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.engine.adjudicate import Awaiting, Played, Refused, adjudicate, evident_of
from referee.engine.aim import ONLY_READ
from referee.engine.blame import GameError
from referee.engine.dice import DiceError, Need, Roll, Source
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.mode import DiceMode, Sources
from referee.engine.secret import UnknownError
from referee.engine.source import RecordedSource
from referee.engine.text import listing
from referee.record.log.entry import (
    MAILED,
    PLAY,
    A,
    AnyEntry,
    AnyPlay,
    DeedEntry,
    GameEntry,
    JoinEntry,
    PlayEntry,
    encode,
)
from referee.record.log.faults import Fault, FaultError
from referee.record.log.fields import is_time
from referee.record.table.agreement import why_missing, why_stranger
from referee.record.table.deed import Amendment, JudgedDeed
from referee.record.table.draft import parts_of
from referee.record.table.fold import UNPROVED, Fold, Proved
from referee.record.table.folded import NONSENSE
from referee.record.table.known import Known

if TYPE_CHECKING:
    from referee.record.table.mailed import MailJudge


MOST_DIFFERENCES = 20
"""Plays that are told one by one where today's rules differ."""


class Difference(Struct, frozen=True):
    """A play to which today's rules say something else than those that the game was played under."""

    n: int
    cause: str
    """What today's rules say, as a clause."""
    rule: str | None
    """The rule that says so, where it is known."""
    recorded: tuple[str, ...] = ()
    """What happened in the game, in words, where something else would happen today."""
    expected: tuple[str, ...] = ()
    """What happens today, in words."""


OF_RULES = frozenset({"illegal-action", "wrong-events", "bad-dice", "bad-order", "bad-cast", "bad-secret", "bad-seal"})
"""Faults of a play that come of other rules where the game was played under others."""


class SecretClaim(Struct, frozen=True, gc=False):
    """What it tells of its secret: whose that is, it has told already."""

    leaf: str


class Claim(Struct, Generic[A], frozen=True, tag_field="type", tag="play", gc=False):
    """What an entry tells of a play that nobody can work out. All else follows."""

    by: str
    at: str
    action: A | None
    rolls: tuple[Roll, ...]
    secret: SecretClaim | None


class SealedClaim(Struct, Generic[A], frozen=True, gc=False):
    """What a secret tells once it is opened."""

    action: A | None
    rolls: tuple[Roll, ...]


@lru_cache(maxsize=8)
def _claims_of(game: AnyGame) -> tuple[msgspec.json.Decoder[Claim[Any]], msgspec.json.Decoder[SealedClaim[Any]]]:
    """What reads the claims of a game, and what reads those of its secrets."""
    claim, sealed = cast(Any, Claim)[game.actions], cast(Any, SealedClaim)[game.actions]
    return msgspec.json.Decoder(claim), msgspec.json.Decoder(sealed)


def _whole(claim: Claim[A], sealed: SealedClaim[A] | None) -> tuple[A | None, tuple[Roll, ...]]:
    """The action and all dice of a play, from what it tells in the open and in secret."""
    if sealed is None:
        return claim.action, claim.rolls
    return sealed.action if claim.action is None else claim.action, claim.rolls + sealed.rolls


class JudgeAgain:
    """Judges every play from its action and dice under today's rules, as its seat saw the game, and compares.

    A play of a seat whose secrets are not known here is not judged yet. Takebacks, amendments and reveals need their
    agreements. Counts what it has done.
    """

    needs_line = True
    proves = True

    def __init__(self, *, today: bool = True) -> None:
        """`today`: judge by today's rules, also where the game keeps those that a log was played under."""
        self.today = today
        self.plays = 0
        """Plays judged."""
        self.differences: list[Difference] = []
        """The first plays that today's rules judge otherwise than those that they were played under."""
        self.differing = 0
        """How many such plays there are."""
        self.unjudged: dict[Seat, int] = {}
        """Plays that cannot be judged before the secrets of their seat are revealed, by seat."""
        self.takebacks = 0
        self.amendments: list[Amendment] = []

    def proved(self, fold: Fold, body: bytes, prev: str) -> Proved:
        """A play, if its action leads by today's rules and dice to an entry of just these bytes, and to the bytes of
        its secret.

        Then what it holds, how it is spelt and what it continues are as they must be. Where they are not, `play` says
        why, once the entry is read: what is wrong is told in one place. By mail more is asked of a play than that.
        """
        if not body.endswith(PLAY) or fold.known.views is not None or fold.known.ended or fold.pact:
            return UNPROVED
        try:
            return self._proved(fold, body, prev)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, DiceError):
            return UNPROVED

    def _proved(self, fold: Fold, body: bytes, prev: str) -> Proved:
        claims, sealed_claims = _claims_of(fold.game)
        claim = claims.decode(body)
        if claim.by not in fold.seats or not is_time(claim.at):
            return UNPROVED
        sealed = fold.opener.sole(claim.secret.leaf, claim.by, prev) if claim.secret else None
        action, rolls = _whole(claim, sealed_claims.decode(sealed.value) if sealed else None)
        if action is None or (claim.secret and not sealed):
            return UNPROVED
        verdict = adjudicate(fold.game, fold.known.truth, claim.by, action, self._source(fold, rolls))
        if not isinstance(verdict, Played):
            return UNPROVED
        leaf = sealed.found.leaf if sealed else ""
        due = PlayEntry(fold.n + 1, prev, claim.by, claim.at, *parts_of(claim.by, action, verdict, leaf))
        if encode(due) != body or (sealed and due.secret and encode(due.secret.value) != sealed.value):
            return UNPROVED
        if sealed:
            fold.note(sealed.found)
        self.plays += 1
        return Proved(due, Known(verdict.state))

    def play(self, fold: Fold, entry: AnyPlay) -> Known:
        """What is known after a play, if today's rules and dice make the same of it."""
        if entry.by not in fold.seats:
            fold.fail("bad-seat", f"nobody who plays sits at {entry.by!r}")
        self._check_secret(fold, entry)
        before = fold.now()
        if not (entry.is_open and before.knows(entry.by)):
            return self._unjudged(fold, entry)
        try:
            state = self._judged(fold, before, entry)
        except FaultError as error:
            if not fold.changed or error.fault.code not in OF_RULES:
                raise
            self.plays += 1
            return self._differing(fold, entry, error.fault)
        self.plays += 1
        return Known(state) if before.views is None else fold.believed(entry)

    def _judged(self, fold: Fold, before: Known, entry: AnyPlay) -> Any:
        """The state after a play, which must be what the rules make of it."""
        action = entry.done
        if fold.pact:
            self._mail.check_play(fold, before, entry)
        verdict = self._verdict(fold, before, entry, action)
        if not (verdict.is_open and verdict.events == entry.events and verdict.rolls == entry.rolls) or entry.secret:
            self._compare(fold, entry, action, verdict)
        return verdict.state

    def _differing(self, fold: Fold, entry: AnyPlay, fault: Fault) -> Known:
        """What is known after a play that was right by the rules of its time, though not by today's. Its dice must come
        from where dice come from, all the same.
        """
        self._check_dice(fold, entry)
        self.differing += 1
        if len(self.differences) < MOST_DIFFERENCES:
            told = (fault.cause, fault.rule or next(iter(fold.changed)), fault.recorded, fault.expected)
            self.differences.append(Difference(entry.n, *told))
        return fold.believed(entry)

    def _verdict(self, fold: Fold, before: Known, entry: AnyPlay, action: Any) -> Played:
        state = before.truth if before.views is None else before.views[entry.by]
        try:
            verdict = adjudicate(fold.game, state, entry.by, action, self._source(fold, entry.all_rolls))
        except DiceError as error:
            fold.fail("bad-dice", str(error))
        if isinstance(verdict, Refused):
            first = verdict.refusals[0]
            fold.fail("illegal-action", f"{_said(fold, entry.by, action)}: {first.because}", first.rule)
        if isinstance(verdict, Awaiting) and verdict.need:
            fold.fail("bad-cast", f"{_said(fold, entry.by, action)}: its dice were not thrown by all")
        if isinstance(verdict, Awaiting):
            fold.fail("bad-order", f"{_said(fold, entry.by, action)}: {verdict.answer} has to answer first")
        return verdict

    def _source(self, fold: Fold, rolls: Iterable[Roll]) -> Source:
        """Where the dice of the next play must come from."""
        typed, together = partial(RecordedSource, rolls, fold.draws), partial(self._thrown_together, fold)
        return fold.header.dice.source(Sources(fold.draws, fold.seeds, typed, together))

    def _thrown_together(self, fold: Fold) -> Source:
        return self._mail.source(fold)

    def _compare(self, fold: Fold, entry: AnyPlay, action: Any, verdict: Played) -> None:
        """What is recorded, in the open and in secret, must be what the rules make of it."""
        due, rolls, events = tuple(sorted(verdict.rolls, key=_is_secret)), entry.all_rolls, entry.all_events
        if due != rolls:
            fold.fail("bad-dice", _dice_cause(fold.header.dice, rolls, due))
        if verdict.events != events:
            raise _wrong_events(fold, action, events, verdict.events)
        if verdict.hidden != (entry.action is None) or (verdict.is_open and entry.secret is not None):
            what = "is a secret and must be sealed" if verdict.hidden else "is no secret"
            fold.fail("bad-secret", f"{fold.game.format(action)} {what}")
        if verdict.open_events != entry.events:
            raise _wrong_events(fold, action, entry.events, verdict.open_events)

    def _check_secret(self, fold: Fold, entry: AnyPlay) -> None:
        """What can be told of a secret before it is opened."""
        if entry.secret is not None and entry.secret.owner != entry.by:
            fold.fail("bad-secret", f"{entry.by} has played a secret of {entry.secret.owner}")
        if entry.rolls and any(roll.to for roll in entry.rolls):
            fold.fail("bad-dice", "dice thrown in secret stand in the open")

    def _unjudged(self, fold: Fold, entry: AnyPlay) -> Known:
        """Without its secrets a play cannot be judged; but its open dice are due or not, and somebody has played."""
        self.unjudged[entry.by] = self.unjudged.get(entry.by, 0) + 1
        if fold.pact:
            self._mail.check_unjudged(fold, fold.now(), entry)
        self._check_dice(fold, entry)
        try:
            self._check_evident(fold, entry)
        except FaultError as error:
            if not fold.changed or error.fault.code not in OF_RULES:
                raise
            return self._differing(fold, entry, error.fault)
        known = fold.believed(entry)
        _check_usable(fold, known)
        return known

    def _check_dice(self, fold: Fold, entry: AnyPlay) -> None:
        """The open dice of a play are those that are due, whatever they were thrown for."""
        source = self._source(fold, entry.rolls)
        for roll in entry.rolls:
            try:
                due = source.seed_lots(None) or source.draw(_need_of(roll))
            except DiceError as error:
                fold.fail("bad-dice", str(error))
            if due.faces != roll.faces or due.draw != roll.draw or due.origin != roll.origin:
                fold.fail("bad-dice", f"draw {due.draw} of this seed shows {_faces(due)}")

    def _check_evident(self, fold: Fold, entry: AnyPlay) -> None:
        """What everybody can tell of it must be so: a fight in the open follows from its dice."""
        if entry.action is None:
            return
        public, source, action = fold.now().public, self._source(fold, entry.rolls), entry.action
        for refusal in fold.game.forbids(public, entry.by, action):
            fold.fail("illegal-action", f"{_said(fold, entry.by, action)}: {refusal.because}", refusal.rule)
        try:
            due = evident_of(fold.game, public, entry.by, action, source)
        except DiceError as error:
            fold.fail("bad-dice", str(error))
        recorded = entry.events if due.is_all else entry.events[: len(due.events)]
        if recorded != due.events:
            raise _wrong_events(fold, action, recorded, due.events)
        if due.is_all and due.rolls != entry.rolls:
            fold.fail("bad-dice", _dice_cause(fold.header.dice, entry.rolls, due.rolls))

    def other(self, fold: Fold, entry: AnyEntry) -> None:
        """Takebacks, amendments and reveals need their agreements, and whoever writes has a seat."""
        match entry:
            case _ if fold.pact and isinstance(entry, MAILED):
                self._mail.other(fold, entry)
            case JudgedDeed():
                self._deed(fold, entry)
            case GameEntry():
                if fold.since == fold.game.rules_version and entry.rulings != fold.game.fixed_rulings():
                    fold.fail("bad-options", f"these are not the rulings in force in rules version {entry.rules}")
                return
            case JoinEntry(warrant=None) if fold.pact and fold.pact.is_rejoin(entry):
                self._check_agreed(fold, entry, "another key")
            case JoinEntry() if fold.pact:
                self._mail.other(fold, entry)
        stranger = why_stranger(fold.seats, (entry.by, *getattr(entry, "agreed", ())))
        if stranger:
            fold.fail("bad-seat", stranger)

    def _deed(self, fold: Fold, entry: JudgedDeed) -> None:
        """A deed needs the agreements that it says it does."""
        self.takebacks += entry.goes_back
        needs = entry.needs(fold)
        if needs:
            self._check_agreed(fold, entry, needs.what, f": {needs.because}" if needs.because else "")
        amendment, secret = entry.amendment(fold), getattr(entry, "secret", None)
        self.amendments += [amendment] if amendment else []
        if secret is not None and not secret.known:
            self.unjudged[entry.by] = self.unjudged.get(entry.by, 0) + 1

    @cached_property
    def _mail(self) -> MailJudge:
        """What else is looked at in games by mail."""
        from referee.record.table.mailed import MailJudge  # for them alone

        return MailJudge()

    def _check_agreed(
        self,
        fold: Fold,
        entry: JoinEntry | DeedEntry,
        what: str,
        because: str = "",
    ) -> None:
        missing = why_missing(fold.seats, entry.by, entry.agreed, what)
        if missing:
            fold.fail("bad-agreement", f"{missing}{because}")
        unsaid = [seat for seat in entry.agreed if fold.pact and seat not in fold.pact.consents(entry)]
        if unsaid:
            fold.fail("bad-agreement", f"{listing(unsaid)} has not said so in the record")


def _said(fold: Fold, seat: Seat, action: Any) -> str:
    return f"{seat}: {fold.game.format(action)}"


def _is_secret(roll: Roll) -> bool:
    """Open rolls stand before those thrown in secret."""
    return roll.to is not None


def _need_of(roll: Roll) -> Need:
    lots = roll.origin == "lots"
    return Need(roll.purpose, len(roll.faces), roll.sides, each=roll.each, to=roll.to, lots=lots, aims=ONLY_READ)


def _check_usable(fold: Fold, known: Known) -> None:
    """Events that cannot be judged may lead anywhere; at least what can be asked of every state has an answer."""
    game = fold.game
    try:
        for view in (known.views or {None: known.truth}).values():
            seat = game.to_act(view)
            if seat is not None and seat not in fold.seats:
                fold.fail("bad-event", f"events that lead nowhere: {seat!r} would be to act")
            if seat:
                len(game.legal(view, seat))
            game.status(view)
    except (*NONSENSE, GameError) as error:
        if not isinstance(error, UnknownError):
            fold.fail("bad-event", f"events that lead nowhere ({type(error).__name__}: {error})")


def _dice_cause(mode: DiceMode, rolls: tuple[Roll, ...], expected: Iterable[Roll]) -> str:
    for recorded, due in zip_longest(rolls, expected):
        if recorded is None or due is None:
            return "more or fewer dice are recorded than the rules ask for"
        if recorded != due and recorded.faces != due.faces:
            return f"draw {due.draw}{mode.drawn} shows {_faces(due)}, but {_faces(recorded)} is recorded"
        if recorded != due:
            return f"the dice are recorded as draw {recorded.draw} of {recorded.origin} for {recorded.purpose!r}"
    return "the dice differ"


def _wrong_events(fold: Fold, action: Any, recorded: tuple[Any, ...], expected: tuple[Any, ...]) -> FaultError:
    told = tuple(_telling(fold.game, event) for event in recorded)
    due = tuple(fold.game.tell(event) for event in expected)
    at = next((i for i, (a, b) in enumerate(zip(recorded, expected, strict=False)) if a != b), None)
    if at is None:
        at = min(len(told), len(due))
    said = fold.game.format(action)
    cause = f"after {said} the log says: {_at(told, at)}; under today's rules: {_at(due, at)}"
    return FaultError(replace(Fault("wrong-events", fold.n + 1, 0, cause), recorded=told, expected=due))


def _telling(game: AnyGame, event: Any) -> str:
    """An event in words; events that no rule made may have none."""
    try:
        return game.tell(event)
    except (*NONSENSE, GameError):
        return f"{event.__struct_config__.tag}, which makes no sense here"


def _at(lines: tuple[str, ...], at: int) -> str:
    return lines[at].rstrip(".") if at < len(lines) else "nothing more"


def _faces(roll: Roll) -> str:
    return " ".join(map(str, roll.faces))
