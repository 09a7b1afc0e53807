"""Shares of a joint roll that are given beside the log.

With more than two players, all others owe a share of one roll. Each signs theirs for this roll alone and sends it to
everyone at once. The seat that rolls keeps the pen and records the shares as they come. So nobody waits for another
player's mail, and only one computer adds to the log. The order of the shares changes no die.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from referee.engine.hash_chain import is_next_value
from referee.mail.packet import RollShare
from referee.mail.signing_journal import read_last_signed_entry, remember_signed_entry
from referee.mail.spool import read_shares, write_shares
from referee.record.log.log_errors import NotAllowedError
from referee.record.table.mail_verifier import is_signed_by_seat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.engine.event import Seat
    from referee.record.table.joint_roll import JointRoll
    from referee.record.table.session import Session


def owes_share_beside_log(session: Session, seat: Seat | None) -> bool:
    """True if a seat without the pen still owes a share of the open roll, as far as this computer knows."""
    protocol = session.reducer.protocol
    if (
        protocol is None
        or protocol.joint_roll is None
        or protocol.pen in (None, seat)
        or seat not in protocol.joint_roll.owing_seats
    ):
        return False
    return is_roll_start_signed(session) and seat not in {part.by for part in list_unrecorded_shares(session)}


def is_roll_start_signed(session: Session) -> bool:
    """True if somebody signed the beginning of the open roll."""
    protocol = session.reducer.protocol
    return (
        protocol is not None
        and protocol.joint_roll is not None
        and max(protocol.signed_up_to.values(), default=-1) > protocol.joint_roll.n
    )


def check_share_unused(record_id: str, cast: JointRoll) -> None:
    """Raises NotAllowedError if this player gave their share to another roll of the same number.

    Anybody who has that share could work out the dice of this roll before declaring what the dice are for.
    """
    last = read_last_signed_entry(_make_journal_name(record_id))
    if last is not None and last[0] == cast.number and cast.opener and last[1] != cast.opener:
        raise NotAllowedError(
            f"you have given your share of roll {cast.number} to another action that {cast.by} declared. "
            "A share counts only once. To play on from an entry before that: referee branch again --at N"
        )


def reserve_share_for_roll(record_id: str, cast: JointRoll) -> None:
    """Remembers the roll that gets this player's share. Call it before giving the share."""
    remember_signed_entry(_make_journal_name(record_id), cast.number, cast.opener)


def has_given_share_since(session: Session, first: int) -> bool:
    """True if this player gave a share to a joint roll that began in entry `first` of this copy or in a later entry."""
    cast = session.reducer.protocol.find_present_joint_roll(session.head.hash) if session.reducer.protocol else None
    if session.reducer.protocol is None or cast is None or cast.n < first:
        return False
    return read_last_signed_entry(_make_journal_name(session.reducer.protocol.record_id)) == (cast.number, cast.opener)


def _make_journal_name(record_id: str) -> str:
    """Returns the name in the signing journal for the roll of this player's last share."""
    return sha256(f"referee/1 parts\n{record_id}\n".encode()).hexdigest()


def list_unrecorded_shares(session: Session) -> tuple[RollShare, ...]:
    """Returns the shares of the open roll that are known here and not recorded yet."""
    protocol = session.reducer.protocol
    if session.path is None or protocol is None or protocol.joint_roll is None or not protocol.joint_roll.owing_seats:
        return ()
    return tuple(part for part in read_shares(session.path) if _is_valid(session, part))


def list_valid_shares(session: Session, parts: Iterable[RollShare]) -> tuple[RollShare, ...]:
    """Returns those of the received shares that are valid for the open roll."""
    return tuple(part for part in parts if _is_valid(session, part))


def store_valid_shares(session: Session, parts: Iterable[RollShare]) -> tuple[RollShare, ...]:
    """Keeps the received shares that are valid for the open roll, and returns them. Forgets shares of earlier rolls."""
    fresh = list_valid_shares(session, parts)
    if session.path is not None:
        held, known = read_shares(session.path), list_unrecorded_shares(session)
        keeps = tuple({part.by: part for part in (*known, *fresh)}.values())
        if keeps != held:
            write_shares(session.path, keeps)
    return fresh


def _is_valid(session: Session, part: RollShare) -> bool:
    """True if a share is owed to the open roll, has the committed value, and is signed for this roll."""
    protocol = session.reducer.protocol
    cast = protocol.find_present_joint_roll(session.head.hash) if protocol else None
    if protocol is None or cast is None or part.cast != cast.number or part.by not in cast.owing_seats:
        return False
    last = bytes.fromhex(protocol.chain_positions[part.by].last)
    fixed = is_next_value(protocol.game_id, part.by, bytes.fromhex(part.value), last)
    return fixed and is_signed_by_seat(
        protocol, part.by, part.make_text_to_sign(protocol.record_id, cast.opener), part.signature
    )
