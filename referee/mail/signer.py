"""Who signs for a seat: one key, which never signs two entries with one number, on whatever copy of a log."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from referee.engine.event import Seat
from referee.mail.seats import pact_of, seat_of_key
from referee.mail.signed import believe_signed, forget_signed, is_in_doubt, remember_signed, settle_doubt, signed_last
from referee.record.log.entry import SealEntry
from referee.record.log.faults import NotAllowedError
from referee.record.table.pact import Pact
from referee.record.table.signing import seal_text

if TYPE_CHECKING:
    from referee.mail.key import Key
    from referee.record.table.session import Session


class Signer:
    """A key that signs one copy of a log, and what it has signed of the game on any copy."""

    def __init__(self, session: Session, key: Key) -> None:
        self._session, self._key = session, key

    @property
    def _pact(self) -> Pact:
        return pact_of(self._session)

    @property
    def _seat(self) -> Seat | None:
        return seat_of_key(self._pact, self._key.public)

    def sign_over(self, seat: Seat, to: Seat) -> None:
        """Sign all that stands in the log, and hand the pen over."""
        n, head = len(self._session.entries) - 1, self._session.head.hash
        self._check_signed(n)
        remember_signed(self._pact.record_id, n, self._remembered(n, head, to))
        self._session.append([(partial(self._seal, seat, to), None)])

    def _seal(self, seat: Seat, to: Seat, *, n: int, prev: str, at: str) -> SealEntry:
        signature = self._key.sign(seal_text(self._pact.record_id, n - 1, prev, to, at))
        return SealEntry(n=n, prev=prev, by=seat, at=at, to=to, signature=signature)

    def _remembered(self, n: int, head: str, to: Seat) -> str:
        """What is remembered of a signature: no time, for who was cut off before he wrote it down signs it again."""
        return sha256(seal_text(self._pact.record_id, n, head, to, at="")).hexdigest()

    def check_doubt(self) -> None:
        """NotAllowedError where nobody knows what the key has signed in this game, for it was brought back."""
        if is_in_doubt(self._pact.record_id):
            raise NotAllowedError(
                "your key was brought back, and what it has signed in this game since is not known here: "
                "first open the last mail of each of the others"
            )

    def _check_signed(self, n: int) -> None:
        """Nothing is signed on a copy that lacks what the key has signed last, however long it has grown since."""
        self.check_doubt()
        last = signed_last(self._pact.record_id)
        if last is None or last[0] >= n:
            return  # nothing, or for remember_signed to judge
        if not self._is_signed(*last):
            raise NotAllowedError(
                f"your key has signed another entry {last[0]} of this game, on another copy of its log: play on from "
                "that copy, or open what the others send: referee open --theirs MAIL"
            )

    def _is_signed(self, n: int, remembered: str) -> bool:
        """Whether what is remembered of a signature is about entry `n` of this copy."""
        hash_ = self._session.hash_at(n)
        return remembered in (self._remembered(n, hash_, seat) for seat in self._pact.seats)

    def give_way(self) -> None:
        """Forget a signature under the end of this copy that was remembered, and then never written down: who is cut
        off in between may take another end in its place.
        """
        last, seal = signed_last(self._pact.record_id), self._pact.sealed.get(self._seat or "")
        if last is None or (seal is not None and seal > last[0]) or last[0] >= len(self._session.entries):
            return
        if self._is_signed(*last):
            forget_signed(self._pact.record_id, last, None if seal is None else self._signed_by(seal))

    def hear(self) -> int | None:
        """What others show of the signatures of a key that was brought back is all that it has signed: up to which
        entry. None where that is known anyhow.
        """
        record = self._pact.record_id
        if self._seat is None or not is_in_doubt(record):
            return None
        seal = self._pact.sealed.get(self._seat)
        if seal is not None:
            believe_signed(record, self._signed_by(seal))
        settle_doubt(record)
        return -1 if seal is None else seal - 1

    def go_on_from_here(self) -> None:
        """What the key has signed last is its last seal in this copy: entries of its own that were written down at
        another time have given way to those that stand here.
        """
        last, seal = signed_last(self._pact.record_id), self._pact.sealed.get(self._seat or "")
        if last and seal is not None and not self._is_signed(*last):
            forget_signed(self._pact.record_id, last, self._signed_by(seal))

    def _signed_by(self, n: int) -> tuple[int, str]:
        """What is remembered of a seal."""
        seal = self._session.entries[n]
        assert isinstance(seal, SealEntry), "the pact tells where seals are"
        return n - 1, self._remembered(n - 1, seal.prev, seal.to)
