"""Judges the entries of a packet. Nothing is added to a log before everything in it is judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path

from referee.engine.event import REFEREE, Seat
from referee.mail.packet_verdict import PacketVerdict
from referee.mail.seats import find_seat_of_key
from referee.record.log.log_errors import Fault, FaultError
from referee.record.table.game_start_checks import explain_unfit_beginning
from referee.record.table.log_walker import LogWalker
from referee.record.table.new_entry_verifier import NewEntryVerifier
from referee.record.table.reducer import Reducer


class UnsignedError(FaultError):
    """Raised if the last entry of a packet is not signed."""


class OtherRecordError(FaultError):
    """Raised if a packet names another game or branch than the one to which its entries belong."""


class SeatClaimedError(FaultError):
    """Raised if another key speaks for the seat of the player who opens the packet, from entry `since` on."""

    def __init__(self, fault: Fault, since: int) -> None:
        super().__init__(fault)
        self.args, self.since = (fault, since), since


PacketCheck = Callable[[Reducer], None]
"""A check that runs once all entries of a packet are judged. Raises FaultError."""


def judge_new_entries(
    here: Sequence[bytes], fresh: Sequence[bytes], path: Path | None, by: Seat, check: PacketCheck
) -> PacketVerdict | None:
    """Judges the lines `fresh` after the lines `here`. Returns None, or a verdict that says why they are refused.

    `by` is the sender of the packet.
    """
    walk = LogWalker(BytesIO(b"".join((*here, *fresh))), NewEntryVerifier(len(here)), log=path, strict=True)
    for _ in walk:
        pass
    try:
        check(walk.get_checked_reducer())
    except FaultError as error:
        return make_refusal_verdict(error, by)
    return None


def make_refusal_verdict(error: FaultError, by: Seat) -> PacketVerdict:
    """Returns the verdict on a packet with this fault; `by` is its sender."""
    n = error.fault.n
    if isinstance(error, SeatClaimedError):
        return PacketVerdict("claimed", error.since, error.since, by, fault=error)
    if isinstance(error, OtherRecordError):
        return PacketVerdict("other-game")
    if isinstance(error, UnsignedError):
        return PacketVerdict("unsigned", n - 1, n - 1, by)
    return PacketVerdict("faulty", n, n, by, fault=error)


def make_packet_check(own_key: str | None, before: Reducer | None = None) -> PacketCheck:
    """Returns a check that a packet is signed, and that no other key speaks for the seat of the key `own_key`.

    The key's seat is the one that it has in `before`, the log before the packet. If it has no seat there, or `before`
    is None, its seat is the one at which it has joined.
    """
    had = find_seat_of_key(before.protocol, own_key) if before and before.protocol else None

    def check(reducer: Reducer) -> None:
        _check_signed(reducer)
        protocol = reducer.protocol
        if protocol is None or own_key is None:
            return
        seat = had or next((seat for seat, chair in protocol.enrolments.items() if chair.key == own_key), None)
        if seat and protocol.find_signing_key(seat) != own_key:
            since = protocol.replacements[seat].n if seat in protocol.replacements else reducer.n
            raise SeatClaimedError(Fault("bad-seal", since, 0, f"another key speaks for {seat}"), since)

    return check


def make_first_packet_check(own_key: str | None) -> PacketCheck:
    """Returns the check for a game that is new here. It also checks that this referee lets a game begin like this.

    A player who has signed the game gets it back in any case, because a later version of the referee may refuse more.
    """

    def check(reducer: Reducer) -> None:
        problem = explain_unfit_beginning(reducer.header)
        if problem and (
            reducer.protocol is None or find_seat_of_key(reducer.protocol, own_key) not in reducer.protocol.signed_up_to
        ):
            raise FaultError(Fault("bad-beginning", 0, 0, problem))
        make_packet_check(own_key)(reducer)

    return check


def add_record_check(check: PacketCheck, record: str) -> PacketCheck:
    """Returns a check of a whole game that runs `check`, and tests that the packet names the right game or branch.

    `record` is the `MailProtocol.record_id` that the packet names. Mails are counted by this id, so the sender must not
    be able to choose it freely. A branch must have been begun by the referee, as the command `branch` does it.
    """

    def check_both(reducer: Reducer) -> None:
        check(reducer)
        if reducer.protocol is None or reducer.protocol.record_id != record:
            raise OtherRecordError(Fault("bad-beginning", 0, 0, "the packet names another game or branch"))
        left = reducer.branched
        if left is not None and left.by != REFEREE:
            raise FaultError(Fault("bad-beginning", left.n, 0, f"{left.by} begins a branch; only the referee may"))

    return check_both


def _check_signed(reducer: Reducer) -> None:
    """Raises FaultError unless the entries end with the sender's signature."""
    if reducer.protocol is None or max(reducer.protocol.signed_up_to.values(), default=-1) != reducer.n:
        raise UnsignedError(Fault("bad-seal", reducer.n, 0, "nobody has signed the last entry"))
