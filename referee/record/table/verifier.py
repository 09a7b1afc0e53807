"""Judging a log again: everything that the rules can tell is worked out and compared with the record."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache, partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Generic, cast

from msgspec import Struct
from msgspec.structs import replace

from referee.engine.adjudication import (
    IllegalVerdict,
    LegalVerdict,
    PendingVerdict,
    Verdict,
    adjudicate,
    find_public_outcome,
)
from referee.engine.dice import DiceError, Need, Roll, Source
from referee.engine.dice_mode import DiceMode, DiceSources
from referee.engine.dice_source import RecordedSource
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.plugin_errors import GameError
from referee.engine.secret import UnknownError
from referee.engine.target_number import ONLY_READ
from referee.engine.text import listing
from referee.gate import UnreadableError, make_json_decoder
from referee.record.log.entry import (
    MAIL_ENTRY_TYPES,
    PLAY_LINE_END,
    A,
    AnyEntry,
    AnyPlay,
    DeedEntry,
    GameEntry,
    JoinEntry,
    PlayEntry,
    encode_for_log,
)
from referee.record.log.field_types import is_time
from referee.record.log.log_errors import Fault, FaultError
from referee.record.table.agreement import describe_missing_consents, describe_unknown_seat
from referee.record.table.deed import Amendment, JudgedDeed
from referee.record.table.entry_draft import split_play
from referee.record.table.knowledge import Knowledge
from referee.record.table.reducer import NOT_PREDICTED, PredictedEntry, Reducer
from referee.record.table.reducer_state import ERRORS_ON_BAD_EVENTS

if TYPE_CHECKING:
    from referee.record.table.mail_verifier import MailVerifier


MAX_DIFFERENCES = 20
"""The most plays that are listed one by one if today's rules differ."""


class RuleDifference(Struct, frozen=True):
    """A play or a position that today's rules judge differently from the rules under which it was played."""

    n: int
    cause: str
    """The opinion of today's rules, as a clause."""
    rule: str | None
    """The rule that differs; None if it is not known."""
    recorded: tuple[str, ...] = ()
    """The events of the game, in words, if today's events would differ."""
    expected: tuple[str, ...] = ()
    """The events under today's rules, in words."""


RULE_FAULTS = frozenset(
    {"illegal-action", "wrong-events", "bad-dice", "bad-order", "bad-cast", "bad-secret", "bad-seal"}
)
"""The faults of a play that other rules may explain."""


class SecretLeaf(Struct, frozen=True, gc=False):
    """The part of a secret that cannot be worked out; its owner is known already."""

    leaf: str


class PlayInputs(Struct, Generic[A], frozen=True, tag_field="type", tag="play", gc=False):
    """The parts of a play that nobody can work out. Everything else follows from them."""

    by: str
    at: str
    action: A | None
    rolls: tuple[Roll, ...]
    secret: SecretLeaf | None


class SecretInputs(Struct, Generic[A], frozen=True, gc=False):
    """The parts of an opened secret that nobody can work out."""

    action: A | None
    rolls: tuple[Roll, ...]


@lru_cache(maxsize=8)
def _make_claim_decoders(
    game: AnyGame,
) -> tuple[Callable[[bytes], PlayInputs[Any]], Callable[[bytes], SecretInputs[Any]]]:
    """Returns two functions: one decodes the inputs of a game's plays, the other the inputs of their opened secrets."""
    claim, sealed = cast(Any, PlayInputs)[game.action_types], cast(Any, SecretInputs)[game.action_types]
    return make_json_decoder(claim), make_json_decoder(sealed)


def _join_claims(claim: PlayInputs[A], sealed: SecretInputs[A] | None) -> tuple[A | None, tuple[Roll, ...]]:
    """Returns the action and all dice of a play, those of its secret included."""
    if sealed is None:
        return claim.action, claim.rolls
    return sealed.action if claim.action is None else claim.action, claim.rolls + sealed.rolls


class Verifier:
    """A judge that works out every play again from its action and dice, and compares the result with the record.

    Each play is judged as its seat saw the game. Plays whose secrets are not known here are only counted, and checked
    as far as everybody can check them. Takebacks, amendments and reveals are checked for the agreements that they need.
    """

    needs_line = True
    may_predict = True

    def __init__(self, *, today: bool = True) -> None:
        """`today` is True if today's rules apply even where the game keeps the rules of a log's time."""
        self.today = today
        self.plays = 0
        """The number of plays that were judged."""
        self.differences: list[RuleDifference] = []
        """The first plays that today's rules judge otherwise than their own rules."""
        self.differing = 0
        """The number of all plays that today's rules judge otherwise."""
        self.unjudged: dict[Seat, int] = {}
        """The number of plays of each seat that cannot be judged until its secrets are revealed."""
        self.takebacks = 0
        self.amendments: list[Amendment] = []

    def predict_entry(self, reducer: Reducer, body: bytes, prev: str) -> PredictedEntry:
        """Returns a play whose action and dice lead to exactly these bytes under today's rules, its secret included.

        Returns `NOT_PREDICTED` for any other entry, which is then decoded, so that `judge_play` finds the fault in one
        place. Content, spelling and order of a proved entry are right. Games by mail need more checks than this, and
        are never proved.
        """
        if (
            not body.endswith(PLAY_LINE_END)
            or reducer.known.views is not None
            or reducer.known.ended
            or reducer.protocol
        ):
            return NOT_PREDICTED
        try:
            return self._prove_play(reducer, body, prev)
        except (UnreadableError, RecursionError, DiceError, FaultError):
            return NOT_PREDICTED

    def _prove_play(self, reducer: Reducer, body: bytes, prev: str) -> PredictedEntry:
        decode_claim, decode_sealed = _make_claim_decoders(reducer.game)
        claim = decode_claim(body)
        if claim.by not in reducer.seats or not is_time(claim.at):
            return NOT_PREDICTED
        sealed = reducer.opener.find_only_secret(claim.secret.leaf, claim.by, prev) if claim.secret else None
        action, rolls = _join_claims(claim, decode_sealed(sealed.value) if sealed else None)
        if action is None or (claim.secret and not sealed):
            return NOT_PREDICTED
        verdict = self._adjudicate(reducer, reducer.known.truth, claim.by, action, rolls)
        if not isinstance(verdict, LegalVerdict):
            return NOT_PREDICTED
        leaf = sealed.found.leaf if sealed else ""
        due = PlayEntry(reducer.n + 1, prev, claim.by, claim.at, *split_play(claim.by, action, verdict, leaf))
        if encode_for_log(due) != body or (sealed and due.secret and encode_for_log(due.secret.value) != sealed.value):
            return NOT_PREDICTED
        if sealed:
            reducer.remember_secret(sealed.found)
        self.plays += 1
        return PredictedEntry(due, Knowledge(verdict.state))

    def judge_play(self, reducer: Reducer, entry: AnyPlay) -> Knowledge:
        """Returns the state after a play, as far as it is known on this computer.

        Raises FaultError if the play's action and dice lead to a result other than the recorded one.

        A play whose secret is not known here is applied as recorded. A play that is wrong only under today's rules is
        listed, but is no fault.
        """
        if entry.by not in reducer.seats:
            reducer.raise_fault("bad-seat", f"there is no seat {entry.by!r}")
        self._check_secret(reducer, entry)
        before = reducer.compute_knowledge_before_entry()
        if not (entry.is_fully_known and before.can_open_view_of(entry.by)):
            return self._count_unjudged(reducer, entry)
        try:
            state = self._judge_play(reducer, before, entry)
        except FaultError as error:
            if not reducer.changed_rules or error.fault.code not in RULE_FAULTS:
                raise
            self.plays += 1
            return self._note_difference(reducer, entry, error.fault)
        self.plays += 1
        return Knowledge(state) if before.views is None else reducer.apply_recorded_events(entry)

    def _judge_play(self, reducer: Reducer, before: Knowledge, entry: AnyPlay) -> Any:
        """Returns the state after a play.

        Raises FaultError if the action is illegal, or if its rolls, events or secret differ from the record.
        """
        action = entry.known_action
        if reducer.protocol:
            self._mail.check_play(reducer, before, entry)
        verdict = self._judge_action(reducer, before, entry, action)
        if not (verdict.is_public and verdict.events == entry.events and verdict.rolls == entry.rolls) or entry.secret:
            self._compare_with_record(reducer, entry, action, verdict)
        return verdict.state

    def _note_difference(self, reducer: Reducer, entry: AnyPlay, fault: Fault) -> Knowledge:
        """Lists a play that was right under its own rules but is not under today's, and returns the knowledge after its
        recorded events.

        Its dice must still come from their source.
        """
        self._check_dice(reducer, entry)
        self.differing += 1
        if len(self.differences) < MAX_DIFFERENCES:
            told = (fault.cause, fault.rule or next(iter(reducer.changed_rules)), fault.recorded, fault.expected)
            self.differences.append(RuleDifference(entry.n, *told))
        return reducer.apply_recorded_events(entry)

    def _judge_action(self, reducer: Reducer, before: Knowledge, entry: AnyPlay, action: Any) -> LegalVerdict:
        state = before.truth if before.views is None else before.views[entry.by]
        try:
            verdict = self._adjudicate(reducer, state, entry.by, action, entry.known_rolls)
        except DiceError as error:
            reducer.raise_fault("bad-dice", str(error))
        if isinstance(verdict, IllegalVerdict):
            first = verdict.refusals[0]
            reducer.raise_fault(
                "illegal-action", f"{_describe_action(reducer, entry.by, action)}: {first.because}", first.rule
            )
        if isinstance(verdict, PendingVerdict) and verdict.need:
            reducer.raise_fault(
                "bad-cast",
                f"{_describe_action(reducer, entry.by, action)}: not all seats have given their shares of its dice",
            )
        if isinstance(verdict, PendingVerdict):
            reducer.raise_fault(
                "bad-order", f"{_describe_action(reducer, entry.by, action)}: {verdict.answer} has to answer first"
            )
        return verdict

    def _adjudicate(self, reducer: Reducer, state: Any, by: Seat, action: Any, rolls: Iterable[Roll]) -> Verdict:
        """Returns the verdict of today's rules on an action with these dice.

        Moves and positions that count under older rules may lead to a state that today's rules never reach. If the
        game's code fails in such a state, that is a fault of the log and not of the game. Raises FaultError or
        DiceError.
        """
        try:
            return adjudicate(reducer.game, state, by, action, self._make_source(reducer, rolls))
        except (DiceError, GameError, UnknownError):
            raise
        except Exception:
            if not (self.differing or reducer.refused_positions):
                raise
            reducer.raise_fault(
                "illegal-action", f"{_describe_action(reducer, by, action)}: today's rules cannot lead here"
            )

    def _make_source(self, reducer: Reducer, rolls: Iterable[Roll]) -> Source:
        """Returns the source that the dice of the next play must come from."""
        typed, together = partial(RecordedSource, rolls, reducer.draws), partial(self._make_joint_source, reducer)
        return reducer.header.dice.make_dice_source(DiceSources(reducer.draws, reducer.seeds, typed, together))

    def _make_joint_source(self, reducer: Reducer) -> Source:
        return self._mail.make_dice_source(reducer)

    def _compare_with_record(self, reducer: Reducer, entry: AnyPlay, action: Any, verdict: LegalVerdict) -> None:
        """Checks that the recorded rolls, events and secrets are those to which the rules lead. Raises FaultError if
        not.
        """
        due, rolls, events = tuple(sorted(verdict.rolls, key=_is_secret)), entry.known_rolls, entry.known_events
        if due != rolls:
            reducer.raise_fault("bad-dice", _explain_dice(reducer.header.dice, rolls, due))
        if verdict.events != events:
            raise _make_wrong_events_fault(reducer, action, events, verdict.events)
        if verdict.hidden != (entry.action is None) or (verdict.is_public and entry.secret is not None):
            what = "is a secret and must be sealed" if verdict.hidden else "is not a secret and must not be sealed"
            reducer.raise_fault("bad-secret", f"{reducer.game.format(action)} {what}")
        if verdict.open_events != entry.events:
            raise _make_wrong_events_fault(reducer, action, entry.events, verdict.open_events)

    def _check_secret(self, reducer: Reducer, entry: AnyPlay) -> None:
        """Checks that the secret of a play belongs to its seat, and that no secret dice are recorded in the open."""
        if entry.secret is not None and entry.secret.owner != entry.by:
            reducer.raise_fault("bad-secret", f"{entry.by} has played a secret of {entry.secret.owner}")
        if entry.rolls and any(roll.to for roll in entry.rolls):
            reducer.raise_fault("bad-dice", "secret dice are recorded in the open")

    def _count_unjudged(self, reducer: Reducer, entry: AnyPlay) -> Knowledge:
        """Applies a play that cannot be judged without its secret, and returns the knowledge after it.

        Counts the play, and checks what everybody can check. Raises FaultError if that is wrong.
        """
        self.unjudged[entry.by] = self.unjudged.get(entry.by, 0) + 1
        if reducer.protocol:
            self._mail.check_unjudged_play(reducer, reducer.compute_knowledge_before_entry(), entry)
        self._check_dice(reducer, entry)
        try:
            self._check_evident(reducer, entry)
        except FaultError as error:
            if not reducer.changed_rules or error.fault.code not in RULE_FAULTS:
                raise
            return self._note_difference(reducer, entry, error.fault)
        known = reducer.apply_recorded_events(entry)
        _check_usable(reducer, known)
        return known

    def _check_dice(self, reducer: Reducer, entry: AnyPlay) -> None:
        """Checks that the open dice of a play are those that come next from their source.

        It plays no part here what they were rolled for. Raises FaultError if other dice are due.
        """
        source = self._make_source(reducer, entry.rolls)
        for roll in entry.rolls:
            try:
                due = source.draw_lot_seed(None) or source.draw(_make_need(roll))
            except DiceError as error:
                reducer.raise_fault("bad-dice", str(error))
            if due.faces != roll.faces or due.draw != roll.draw or due.origin != roll.origin:
                reducer.raise_fault("bad-dice", f"draw {due.draw} of this seed shows {_format_faces(due)}")

    def _check_evident(self, reducer: Reducer, entry: AnyPlay) -> None:
        """Checks the events that follow from public facts alone, such as the result of an open fight from its dice.

        Raises FaultError if they differ, or if public facts forbid the action. A hidden action is not checked.
        """
        if entry.action is None:
            return
        public, source, action = (
            reducer.compute_knowledge_before_entry().public,
            self._make_source(reducer, entry.rolls),
            entry.action,
        )
        for refusal in reducer.game.check_publicly(public, entry.by, action):
            reducer.raise_fault(
                "illegal-action", f"{_describe_action(reducer, entry.by, action)}: {refusal.because}", refusal.rule
            )
        try:
            due = find_public_outcome(reducer.game, public, entry.by, action, source)
        except DiceError as error:
            reducer.raise_fault("bad-dice", str(error))
        recorded = entry.events if due.is_complete else entry.events[: len(due.events)]
        if recorded != due.events:
            raise _make_wrong_events_fault(reducer, action, recorded, due.events)
        if due.is_complete and due.rolls != entry.rolls:
            reducer.raise_fault("bad-dice", _explain_dice(reducer.header.dice, entry.rolls, due.rolls))

    def check_non_play_entry(self, reducer: Reducer, entry: AnyEntry) -> None:
        """Checks an entry that is not a play: its author has a seat, and the agreements that it needs are there."""
        match entry:
            case _ if reducer.protocol and isinstance(entry, MAIL_ENTRY_TYPES):
                self._mail.check_mail_entry(reducer, entry)
            case JudgedDeed():
                self._check_deed(reducer, entry)
            case GameEntry():
                if reducer.since == reducer.game.rules_version and entry.rulings != reducer.game.rulebook.fixed_rulings:
                    reducer.raise_fault(
                        "bad-options", f"these are not the rulings in force in rules version {entry.rules}"
                    )
                return
            case JoinEntry(warrant=None) if reducer.protocol and reducer.protocol.is_rejoin(entry):
                self._check_consents(reducer, entry, "another key")
            case JoinEntry() if reducer.protocol:
                self._mail.check_mail_entry(reducer, entry)
        stranger = describe_unknown_seat(reducer.seats, (entry.by, *getattr(entry, "agreed", ())))
        if stranger:
            reducer.raise_fault("bad-seat", stranger)

    def _check_deed(self, reducer: Reducer, entry: JudgedDeed) -> None:
        """Checks that a deed has the agreements that it needs, and lists the amendment that it makes."""
        self.takebacks += entry.goes_back
        needs = entry.find_consent_need(reducer)
        if needs:
            self._check_consents(reducer, entry, needs.what, f": {needs.because}" if needs.because else "")
        amendment, secret = entry.judge_amendment(reducer), getattr(entry, "secret", None)
        self.amendments += [amendment] if amendment else []
        if secret is not None and not secret.known:
            self.unjudged[entry.by] = self.unjudged.get(entry.by, 0) + 1

    @cached_property
    def _mail(self) -> MailVerifier:
        """The checks that only games by mail need."""
        from referee.record.table.mail_verifier import MailVerifier  # only games by mail need it

        return MailVerifier()

    def _check_consents(
        self,
        reducer: Reducer,
        entry: JoinEntry | DeedEntry,
        what: str,
        because: str = "",
    ) -> None:
        missing = describe_missing_consents(reducer.occupied_seats, entry.by, entry.agreed, what)
        if missing:
            reducer.raise_fault("bad-agreement", f"{missing}{because}")
        unsaid = [
            seat
            for seat in entry.agreed
            if reducer.protocol and seat not in reducer.protocol.list_consenting_seats(entry)
        ]
        if unsaid:
            reducer.raise_fault("bad-agreement", f"the log does not say that {listing(unsaid)} agreed")


def _describe_action(reducer: Reducer, seat: Seat, action: Any) -> str:
    return f"{seat}: {reducer.game.format(action)}"


def _is_secret(roll: Roll) -> bool:
    """True for a secret roll. Used to sort open rolls first."""
    return roll.to is not None


def _make_need(roll: Roll) -> Need:
    lots = roll.origin == "lots"
    return Need(roll.purpose, len(roll.faces), roll.sides, each=roll.each, to=roll.to, lots=lots, aims=ONLY_READ)


def _check_usable(reducer: Reducer, known: Knowledge) -> None:
    """Raises FaultError if the game cannot say whose turn it is in a state, what is legal, or how it stands. Events
    that cannot be judged may lead to any state.
    """
    game = reducer.game
    try:
        for view in (known.views or {None: known.truth}).values():
            seat = game.to_act(view)
            if seat is not None and seat not in reducer.seats:
                reducer.raise_fault("bad-event", f"the events are impossible: it would be the turn of {seat!r}")
            if seat:
                len(game.legal(view, seat))
            game.status(view)
    except (*ERRORS_ON_BAD_EVENTS, GameError) as error:
        if not isinstance(error, UnknownError):
            reducer.raise_fault("bad-event", f"the events are impossible ({type(error).__name__}: {error})")


def _explain_dice(mode: DiceMode, rolls: tuple[Roll, ...], expected: Iterable[Roll]) -> str:
    for recorded, due in zip_longest(rolls, expected):
        if recorded is None or due is None:
            return "more or fewer dice are recorded than the rules ask for"
        if recorded != due and recorded.faces != due.faces:
            draw = f"draw {due.draw}{mode.draw_error_suffix}"
            return f"{draw} shows {_format_faces(due)}, but {_format_faces(recorded)} is recorded"
        if recorded != due:
            found = f"roll {recorded.draw} of {recorded.origin} for {recorded.purpose!r}"
            return f"the log has {found}, but the rules ask for another roll"
    return "the dice differ"


def _make_wrong_events_fault(
    reducer: Reducer, action: Any, recorded: tuple[Any, ...], expected: tuple[Any, ...]
) -> FaultError:
    told = tuple(_describe_event(reducer.game, event) for event in recorded)
    due = tuple(reducer.game.tell(event) for event in expected)
    at = next((i for i, (a, b) in enumerate(zip(recorded, expected, strict=False)) if a != b), None)
    if at is None:
        at = min(len(told), len(due))
    said = reducer.game.format(action)
    cause = f"after {said} the log says: {_get_line(told, at)}; under today's rules: {_get_line(due, at)}"
    return FaultError(replace(Fault("wrong-events", reducer.n + 1, 0, cause), recorded=told, expected=due))


def _describe_event(game: AnyGame, event: Any) -> str:
    """Returns an event in words. If no rule made the event, the game may have no words for it; then names its kind."""
    try:
        return game.tell(event)
    except (*ERRORS_ON_BAD_EVENTS, GameError):
        return f"{event.__struct_config__.tag}, which makes no sense here"


def _get_line(lines: tuple[str, ...], at: int) -> str:
    return lines[at].rstrip(".") if at < len(lines) else "nothing more"


def _format_faces(roll: Roll) -> str:
    return " ".join(map(str, roll.faces))
