"""The checks of a game by mail: joint rolls, signatures, and that no seat writes for another."""

from __future__ import annotations

from typing import Any

from referee.engine.dice import Source
from referee.engine.dice_source import JointRollSource
from referee.engine.event import Seat
from referee.record.log.enrolment import ConsentWarrant, Enrolment, RecoveryWarrant
from referee.record.log.entry import (
    AnswerEntry,
    AnyEntry,
    AnyPlay,
    DeclareEntry,
    JoinEntry,
    OfferEntry,
    RulingEntry,
    SealEntry,
    encode_for_log,
)
from referee.record.table.agreement import describe_missing_consents
from referee.record.table.knowledge import Knowledge
from referee.record.table.mail_protocol import MailProtocol
from referee.record.table.moment import find_only_roll
from referee.record.table.reducer import Reducer
from referee.record.table.signed_texts import (
    make_consent_text,
    make_offer_text,
    make_recovery_text,
    make_ruling_text,
    make_seal_text,
    make_share_text,
    make_untimed_seal_text,
)


class MailVerifier:
    """The checks of a game by mail that need the rules of the game or a signature. A check that fails raises
    FaultError.
    """

    def __init__(self) -> None:
        self._throws = False

    def check_play(self, reducer: Reducer, before: Knowledge, entry: AnyPlay) -> None:
        """Checks that a play is by the seat with the pen or involves no decision, and that declared actions come
        first.
        """
        protocol = _get_protocol(reducer)
        cast, game = protocol.joint_roll, reducer.game
        declared = cast is not None and cast.by == entry.by and entry.known_action == cast.declared_action is not None
        by_itself = entry.by != protocol.pen and not game.awaits_answer(before.public)
        may_be_forced = (cast is None or cast.serves_forced_rolls) and (by_itself or bool(entry.known_rolls))
        self._throws = declared or (may_be_forced and entry.known_action == find_only_roll(game, before))
        if by_itself and protocol.pen is not None and not self._throws and not self._is_forced(reducer, before, entry):
            reducer.raise_fault("bad-seal", f"{entry.by} plays, but {protocol.pen} has the pen")
        if not declared:
            self._check_nothing_declared(reducer, before)

    def check_unjudged_play(self, reducer: Reducer, before: Knowledge, entry: AnyPlay) -> None:
        """Checks a play that depends on a secret of its seat.

        Only the seat with the pen can make it, unless everybody can see that it is the only possible action. Its open
        dice must come from the present joint roll, which serves only a declared action, or a roll that is the only
        possible action.
        """
        protocol = _get_protocol(reducer)
        sole = (
            entry.action is not None
            and entry.secret is None
            and entry.action == reducer.game.find_publicly_forced_action(before.public)
        )
        if protocol.pen not in (None, entry.by) and not sole:
            reducer.raise_fault("bad-seal", f"{entry.by} plays a secret, but {protocol.pen} has the pen")
        cast = protocol.joint_roll if entry.rolls else None
        self._throws = cast is not None and (
            cast.allows(entry) or (cast.serves_forced_rolls and self._is_only_roll(reducer, before, entry))
        )

    @staticmethod
    def _is_only_roll(reducer: Reducer, before: Knowledge, entry: AnyPlay) -> bool:
        return entry.action is not None and entry.action == find_only_roll(reducer.game, before)

    def make_dice_source(self, reducer: Reducer) -> Source:
        """Returns the source of dice for the play that was checked last. The source is empty if that play gets no dice
        of the joint roll.
        """
        cast = _get_protocol(reducer).joint_roll
        return cast.make_dice_source(reducer.draws) if cast and self._throws else JointRollSource({}, {}, reducer.draws)

    @staticmethod
    def _is_forced(reducer: Reducer, before: Knowledge, entry: AnyPlay) -> bool:
        """True if the play was the only legal action."""
        return bool(
            reducer.game.legal(before.view_of(reducer.game, entry.by), entry.by).only_action() == entry.known_action
        )

    def check_mail_entry(self, reducer: Reducer, entry: AnyEntry) -> None:
        """Checks an entry that only games by mail have."""
        match entry:
            case AnswerEntry(signature=str() as signature):
                cast = _get_protocol(reducer).find_present_joint_roll(entry.prev)
                text = make_share_text(
                    _get_protocol(reducer).record_id, entry.cast, cast.opener if cast else "", entry.value
                )
                self._check_signature(reducer, entry.by, text, signature)
            case AnswerEntry() | DeclareEntry():
                self._check_opening(reducer, entry)
            case SealEntry():
                self._check_seal(reducer, entry)
            case JoinEntry(chair=Enrolment() as chair, warrant=ConsentWarrant() as word):
                asked = {"what": "join", "chair": chair, **({"name": entry.name} if entry.name else {})}
                self._check_warrant(reducer, entry.by, asked, word)
            case JoinEntry(chair=Enrolment() as chair, warrant=RecoveryWarrant() as recovery):
                text = make_recovery_text(_get_protocol(reducer).record_id, entry.by, encode_for_log(chair))
                if not _verify_signature(recovery.key, text, recovery.signature):
                    reducer.raise_fault(
                        "bad-seal", f"{entry.by} comes with another key that the recovery key has not signed"
                    )
            case RulingEntry():
                self._check_ruling(reducer, entry)
            case OfferEntry() if entry.signature is not None:
                text = make_offer_text(_get_protocol(reducer).record_id, entry.on, encode_for_log(entry.offer))
                self._check_signature(reducer, entry.by, text, entry.signature)

    def _check_opening(self, reducer: Reducer, entry: AnswerEntry | DeclareEntry[Any]) -> None:
        """Checks that an entry may open a joint roll: no dice are left over, and a declared action is legal.

        Without a declaration, the next action must be a roll that is the only possible one.
        """
        cast = _get_protocol(reducer).joint_roll
        if cast is not None and not cast.is_complete:
            return
        before = reducer.compute_knowledge_before_entry()
        self._check_nothing_declared(reducer, before)
        due = find_only_roll(reducer.game, before)
        if cast is not None and due is not None and cast.serves_forced_rolls:
            reducer.raise_fault("bad-cast", f"roll {cast.number} is complete, so its dice must be used first")
        if isinstance(entry, AnswerEntry) and due is None:
            reducer.raise_fault(
                "bad-cast", f"{entry.by} answers, but nothing is declared, and the next player has a choice"
            )
        if isinstance(entry, DeclareEntry) and entry.known_actions and before.can_open_view_of(entry.by):
            self._check_legal(reducer, before, entry.by, entry.known_actions[0])

    @staticmethod
    def _check_legal(reducer: Reducer, before: Knowledge, seat: Seat, action: Any) -> None:
        """Checks that a declared action is legal now. Nobody plays between a declaration and its dice, so an illegal
        action cannot become legal.
        """
        refusal = next(reducer.game.check(before.view_of(reducer.game, seat), seat, action), None)
        if refusal:
            reducer.raise_fault(
                "illegal-action", f"{seat}: {reducer.game.format(action)}: {refusal.because}", refusal.rule
            )

    @staticmethod
    def _check_nothing_declared(reducer: Reducer, before: Knowledge) -> None:
        """Checks that no declared action is left that is still legal, since such an action has to come first."""
        cast, game = _get_protocol(reducer).joint_roll, reducer.game
        if cast is None or not cast.is_complete or cast.declared_action is None or not before.can_open_view_of(cast.by):
            return
        if game.awaits_answer(before.public) or game.to_act(before.public) != cast.by:
            return
        if next(game.check(before.view_of(game, cast.by), cast.by, cast.declared_action), None) is None:
            reducer.raise_fault(
                "bad-cast", f"{cast.by} has declared {game.format(cast.declared_action)}, which comes first"
            )

    def _check_warrant(self, reducer: Reducer, seat: Seat, asked: Any, word: ConsentWarrant) -> None:
        """Checks that all other seats have signed, beside the log, the request `asked`: to play on with another key."""
        protocol = _get_protocol(reducer)
        missing = describe_missing_consents(
            protocol.seats, seat, [consent.by for consent in word.consents], "another key"
        )
        if missing:
            reducer.raise_fault("bad-agreement", missing)
        text = make_consent_text(protocol.record_id, seat, word.on, encode_for_log(asked))
        for consent in word.consents:
            self._check_signature(reducer, consent.by, text, consent.signature)

    @staticmethod
    def _check_ruling(reducer: Reducer, entry: RulingEntry[Any]) -> None:
        """Checks the signatures of the director and of the seats that consent. These signatures are valid only at this
        place in the log.
        """
        protocol = _get_protocol(reducer)
        director, offer = protocol.director, encode_for_log(entry.offer)
        text = make_ruling_text(protocol.record_id, entry.n - 1, entry.prev, entry.by, entry.seat, offer)
        if director is None or not _verify_signature(director.key, text, entry.signature):
            reducer.raise_fault("bad-seal", "this is not signed with the key of the director")
        for consent in entry.consents:
            MailVerifier._check_signature(reducer, consent.by, text, consent.signature)

    def _check_seal(self, reducer: Reducer, entry: SealEntry) -> None:
        """Checks the signature of a seal: the entry in which a seat signs all entries before it.

        The first kind of seal had no time in its signed text. A seal of today cannot be turned into one of the first
        kind.
        """
        said = (_get_protocol(reducer).record_id, entry.n - 1, entry.prev, entry.to)
        if reducer.form > 1 or not is_signed_by_seat(
            _get_protocol(reducer), entry.by, make_untimed_seal_text(*said), entry.signature
        ):
            self._check_signature(reducer, entry.by, make_seal_text(*said, entry.at), entry.signature)

    @staticmethod
    def _check_signature(reducer: Reducer, seat: Seat, text: bytes, signature: str) -> None:
        if not is_signed_by_seat(_get_protocol(reducer), seat, text, signature):
            reducer.raise_fault("bad-seal", f"this is not signed with the key of {seat}")


def is_signed_by_seat(protocol: MailProtocol, seat: Seat, text: bytes, signature: str) -> bool:
    """True if a text is signed with the key of a seat. False if the seat has no key yet."""
    key = protocol.find_signing_key(seat)
    return key is not None and _verify_signature(key, text, signature)


def _verify_signature(key: str, text: bytes, signature: str) -> bool:
    from referee.record.log.signature import verify_signature  # a slow import that only games by mail need

    return verify_signature(key, text, signature)


def _get_protocol(reducer: Reducer) -> MailProtocol:
    assert reducer.protocol is not None, "only games by mail have a protocol"
    return reducer.protocol
