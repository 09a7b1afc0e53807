"""A key that signs for a seat. It never signs two entries with one number, on any copy of a log."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from referee.engine.event import Seat
from referee.mail.seats import find_seat_of_key, get_mail_protocol
from referee.mail.signing_journal import (
    advance_last_signed_entry,
    forget_signed_entry,
    has_unknown_signatures,
    mark_signatures_known,
    read_last_signed_entry,
    remember_signed_entry,
)
from referee.record.log.entry import SealEntry
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.mail_protocol import MailProtocol
from referee.record.table.signed_texts import make_seal_text

if TYPE_CHECKING:
    from referee.mail.key import Key
    from referee.record.table.session import Session


class Signer:
    """A key that signs one copy of a log, and remembers its signatures on all copies of the game."""

    def __init__(self, session: Session, key: Key) -> None:
        self._session, self._key = session, key

    @property
    def _protocol(self) -> MailProtocol:
        return get_mail_protocol(self._session)

    @property
    def _seat(self) -> Seat | None:
        return find_seat_of_key(self._protocol, self._key.public)

    def sign_and_hand_over_pen(self, seat: Seat, to: Seat) -> None:
        """Signs the whole log and hands the pen over to the seat `to`.

        If a signature of the same entry was interrupted, the pen goes to the seat to which that signature gave it.

        Raises NotAllowedError if the key signed something else on another copy, or if its signatures are unknown.
        """
        n, head = len(self._session.entries) - 1, self._session.head.hash
        self._check_signed(n)
        to = self._find_interrupted_receiver(n, head) or to
        remember_signed_entry(self._protocol.record_id, n, self._make_journal_hash(n, head, to))
        self._session.append([(partial(self._make_seal, seat, to), None)])

    def _find_interrupted_receiver(self, n: int, head: str) -> Seat | None:
        """Returns the seat to which an interrupted signature of this entry gives the pen; None if there is none.

        By now the game may wait for another seat, for example because a friend has requested one. But the key signs an
        entry only once, so the pen still goes to the seat that is returned.
        """
        last = read_last_signed_entry(self._protocol.record_id)
        return next(
            (seat for seat in self._protocol.seats if last == (n, self._make_journal_hash(n, head, seat))), None
        )

    def _make_seal(self, seat: Seat, to: Seat, *, n: int, prev: str, at: str) -> SealEntry:
        signature = self._key.sign(make_seal_text(self._protocol.record_id, n - 1, prev, to, at))
        return SealEntry(n=n, prev=prev, by=seat, at=at, to=to, signature=signature)

    def _make_journal_hash(self, n: int, head: str, to: Seat) -> str:
        """Returns the hash that the signing journal keeps of a signature.

        The hash leaves out the time, so a player who was interrupted can sign again.
        """
        return sha256(make_seal_text(self._protocol.record_id, n, head, to, at="")).hexdigest()

    def check_signatures_known(self) -> None:
        """Raises NotAllowedError if the key was restored and its signatures in this game are unknown."""
        if has_unknown_signatures(self._protocol.record_id):
            raise NotAllowedError(
                "your key was restored, so its later signatures in this game are not known here: "
                "first open the last mail of each other player"
            )

    def _check_signed(self, n: int) -> None:
        """Raises NotAllowedError if this copy has another entry in place of the last one that the key signed.

        The same error is raised if the signatures of a restored key are unknown.
        """
        self.check_signatures_known()
        last = read_last_signed_entry(self._protocol.record_id)
        if last is None or last[0] >= n:
            return  # nothing was signed, or remember_signed_entry will judge it
        if not self._is_signed(*last):
            raise NotAllowedError(
                f"your key has signed another entry {last[0]} of this game, on another copy of its log: play on from "
                "that copy, or open what the others send: referee mail open --theirs MAIL"
            )

    def _is_signed(self, n: int, remembered: str) -> bool:
        """True if a remembered signature is for entry `n` of this copy."""
        hash_ = self._session.hash_at(n)
        return remembered in (self._make_journal_hash(n, hash_, seat) for seat in self._protocol.seats)

    def forget_unwritten_signature(self) -> None:
        """Forgets a signature at the end of this copy that was remembered but never written into the log.

        So a player who was interrupted in between may accept other entries in place of the remembered ones.
        """
        last, seal = read_last_signed_entry(self._protocol.record_id), self._protocol.signed_up_to.get(self._seat or "")
        if last is None or (seal is not None and seal > last[0]) or last[0] >= len(self._session.entries):
            return
        if self._is_signed(*last):
            forget_signed_entry(
                self._protocol.record_id, last, None if seal is None else self._make_journal_record(seal)
            )

    def adopt_logged_signature(self) -> int | None:
        """Remembers the last signature of a restored key that is in this log, as others have sent it.

        From then on, the key's signatures in this game count as known. Returns the number of the last signed entry, or
        -1 if the key has signed none. Returns None if nothing was to be done: the key has no seat, or its signatures
        were known.
        """
        record = self._protocol.record_id
        if self._seat is None or not has_unknown_signatures(record):
            return None
        seal = self._protocol.signed_up_to.get(self._seat)
        if seal is not None:
            advance_last_signed_entry(record, self._make_journal_record(seal))
        mark_signatures_known(record)
        return -1 if seal is None else seal - 1

    def reset_last_signature(self) -> None:
        """Remembers the last signature of the key in this copy as its last one on all copies.

        Call it after other entries have replaced those that the key had signed.
        """
        last, seal = read_last_signed_entry(self._protocol.record_id), self._protocol.signed_up_to.get(self._seat or "")
        if last and seal is not None and not self._is_signed(*last):
            forget_signed_entry(self._protocol.record_id, last, self._make_journal_record(seal))

    def _make_journal_record(self, n: int) -> tuple[int, str]:
        """Returns the signing journal's record of the signature in entry `n`: the signed entry's number, and a hash."""
        seal = self._session.entries[n]
        assert isinstance(seal, SealEntry), "the protocol knows which entries are signatures"
        return n - 1, self._make_journal_hash(n - 1, seal.prev, seal.to)
