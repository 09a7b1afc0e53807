"""Judging play by mail again: dice come from throws that all made, seats have signed, nobody speaks for another."""

from __future__ import annotations

from typing import Any

from referee.engine.dice import Source
from referee.engine.event import Seat
from referee.engine.source import CastSource
from referee.record.log.chair import Chair, OnRecovery, OnWord
from referee.record.log.entry import (
    AnswerEntry,
    AnyEntry,
    AnyPlay,
    DeclareEntry,
    JoinEntry,
    OfferEntry,
    SealEntry,
    encode,
)
from referee.record.table.agreement import why_missing
from referee.record.table.fold import Fold
from referee.record.table.known import Known
from referee.record.table.moment import only_throw
from referee.record.table.pact import Pact
from referee.record.table.signing import (
    consent_text,
    offer_text,
    part_text,
    recovery_text,
    seal_text,
    untimed_seal_text,
)


class MailJudge:
    """What of a game by mail takes the rules of the game or a signature to be judged."""

    def __init__(self) -> None:
        self._throws = False

    def check_play(self, fold: Fold, before: Known, entry: AnyPlay) -> None:
        """A play is by who has the pen, or follows without anybody deciding it; and what was declared comes first."""
        pact = _pact(fold)
        cast, game = pact.cast, fold.game
        declared = cast is not None and cast.by == entry.by and entry.done == cast.declared is not None
        by_itself = entry.by != pact.pen and not game.asks(before.public)
        self._throws = declared or ((by_itself or bool(entry.all_rolls)) and entry.done == only_throw(game, before))
        if by_itself and pact.pen is not None and not self._throws and not self._is_forced(fold, before, entry):
            fold.fail("bad-seal", f"{entry.by} plays, but {pact.pen} has the pen")
        if not declared:
            self._check_done(fold, before)

    def check_unjudged(self, fold: Fold, before: Known, entry: AnyPlay) -> None:
        """A play that hangs on what only its seat knows is by who has the pen: nobody else's program could make it. Its
        open dice are those of the throw that all have made: of one that was declared, only for what was.
        """
        pact = _pact(fold)
        sole = entry.action is not None and entry.secret is None and entry.action == fold.game.sole(before.public)
        if pact.pen not in (None, entry.by) and not sole:
            fold.fail("bad-seal", f"{entry.by} plays a secret, but {pact.pen} has the pen")
        may_throw = bool(entry.rolls) and pact.cast is not None
        only = may_throw and entry.action is not None and entry.action == only_throw(fold.game, before)
        self._throws = only or (may_throw and pact.cast is not None and pact.cast.allows(entry))

    def source(self, fold: Fold) -> Source:
        """Where the dice of the play that was checked last come from."""
        cast = _pact(fold).cast
        return cast.source(fold.draws) if cast and self._throws else CastSource({}, {}, fold.draws)

    @staticmethod
    def _is_forced(fold: Fold, before: Known, entry: AnyPlay) -> bool:
        """Whether a play was the only thing that could be done."""
        return bool(fold.game.legal(before.seen_by(fold.game, entry.by), entry.by).only() == entry.done)

    def other(self, fold: Fold, entry: AnyEntry) -> None:
        """Look at an entry that only games by mail have."""
        match entry:
            case AnswerEntry(signature=str() as signature):
                cast = _pact(fold).cast_at(entry.prev)
                text = part_text(_pact(fold).record_id, entry.cast, cast.opener if cast else "", entry.value)
                self._check_signed(fold, entry.by, text, signature)
            case AnswerEntry() | DeclareEntry():
                self._check_opening(fold, entry)
            case SealEntry():
                self._check_seal(fold, entry)
            case JoinEntry(chair=Chair() as chair, warrant=OnWord() as word):
                self._check_word(fold, entry.by, chair, word)
            case JoinEntry(chair=Chair() as chair, warrant=OnRecovery() as recovery):
                text = recovery_text(_pact(fold).record_id, entry.by, encode(chair))
                if not _verify(recovery.key, text, recovery.signature):
                    fold.fail("bad-seal", f"{entry.by} comes with another key that the recovery key has not signed")
            case OfferEntry() if entry.signature is not None:
                text = offer_text(_pact(fold).record_id, entry.on, encode(entry.offer))
                self._check_signed(fold, entry.by, text, entry.signature)

    def _check_opening(self, fold: Fold, entry: AnswerEntry | DeclareEntry[Any]) -> None:
        cast = _pact(fold).cast
        if cast is not None and not cast.is_complete:
            return
        before = fold.now()
        self._check_done(fold, before)
        due = only_throw(fold.game, before)
        if cast is not None and due is not None:
            fold.fail("bad-cast", f"the dice of throw {cast.number} are there, and no others are thrown before them")
        if isinstance(entry, AnswerEntry) and due is None:
            fold.fail("bad-cast", f"{entry.by} answers, but nothing is declared, and the next player has a choice")
        if isinstance(entry, DeclareEntry) and entry.said and before.knows(entry.by):
            self._check_legal(fold, before, entry.by, entry.said[0])

    @staticmethod
    def _check_legal(fold: Fold, before: Known, seat: Seat, action: Any) -> None:
        """Nobody plays between a declaration and its dice: what is not legal now never will be."""
        refusal = next(fold.game.check(before.seen_by(fold.game, seat), seat, action), None)
        if refusal:
            fold.fail("illegal-action", f"{seat}: {fold.game.format(action)}: {refusal.because}", refusal.rule)

    @staticmethod
    def _check_done(fold: Fold, before: Known) -> None:
        """What was declared is played as far as it is legal."""
        cast, game = _pact(fold).cast, fold.game
        if cast is None or not cast.is_complete or cast.declared is None or not before.knows(cast.by):
            return
        if game.asks(before.public) or game.to_act(before.public) != cast.by:
            return
        if next(game.check(before.seen_by(game, cast.by), cast.by, cast.declared), None) is None:
            fold.fail("bad-cast", f"{cast.by} has declared {game.format(cast.declared)}, which comes first")

    def _check_word(self, fold: Fold, seat: Seat, chair: Chair, word: OnWord) -> None:
        """All others have signed that this key may play on."""
        pact = _pact(fold)
        missing = why_missing(pact.seats, seat, [consent.by for consent in word.consents], "another key")
        if missing:
            fold.fail("bad-agreement", missing)
        asked = {"what": "join", "chair": chair}  # as it was offered, beside the log
        text = consent_text(pact.record_id, seat, word.on, encode(asked))
        for consent in word.consents:
            self._check_signed(fold, consent.by, text, consent.signature)

    def _check_seal(self, fold: Fold, entry: SealEntry) -> None:
        """Who hands the pen over has signed all before. Nobody can make a seal of the first kind of one of today's."""
        said = (_pact(fold).record_id, entry.n - 1, entry.prev, entry.to)
        if fold.form > 1 or not is_signed(_pact(fold), entry.by, untimed_seal_text(*said), entry.signature):
            self._check_signed(fold, entry.by, seal_text(*said, entry.at), entry.signature)

    @staticmethod
    def _check_signed(fold: Fold, seat: Seat, text: bytes, signature: str) -> None:
        if not is_signed(_pact(fold), seat, text, signature):
            fold.fail("bad-seal", f"this is not signed with the key of {seat}")


def is_signed(pact: Pact, seat: Seat, text: bytes, signature: str) -> bool:
    """Whether a text is signed with the key that is known of a seat."""
    key = pact.key_of(seat)
    return key is not None and _verify(key, text, signature)


def _verify(key: str, text: bytes, signature: str) -> bool:
    from referee.record.log.signature import verify  # a slow import, for games by mail alone

    return verify(key, text, signature)


def _pact(fold: Fold) -> Pact:
    assert fold.pact is not None, "asked of games by mail alone"
    return fold.pact
