"""The texts that the keys of play by mail sign.

`record_id` is the id of the game. If the log is a branch, it is the id of the branch (`MailProtocol.record_id`). So a
signature is valid only there.
"""

from __future__ import annotations

from hashlib import sha256

from referee.engine.event import Seat


def make_seal_text(record_id: str, n: int, hash_: str, to: Seat, at: str) -> bytes:
    """Returns the text that a seat signs in a seal, the entry that signs the log and hands on the pen.

    The text names entry `n` with its hash, which stands for all entries up to it, the next holder of the pen, and the
    time. Since the time is in the text, nothing in a seal can be altered on the way.
    """
    return f"referee/1 seal\n{record_id}\n{n}\n{hash_}\n{to}\n{at}\n".encode()


def make_untimed_seal_text(record_id: str, n: int, hash_: str, to: Seat) -> bytes:
    """Returns the text that a seat signed in the first kind of seal, used in some logs of format 1.

    The text lacks the time of the seal, but that time has no effect.
    """
    return f"referee/1 seal\n{record_id}\n{n}\n{hash_}\n{to}\n".encode()


def make_offer_text(record_id: str, on: int, offer: bytes) -> bytes:
    """Returns the text to sign for an offer made without the pen; `offer` is its spelling in the log."""
    return f"referee/1 offer\n{record_id}\n{on}\n{sha256(offer).hexdigest()}\n".encode()


def make_share_text(record_id: str, cast: int, opener: str, value: str) -> bytes:
    """Returns the text to sign for a share of a joint roll that was given without the pen.

    It is valid only for the roll with this number and this opener (`JointRoll.opener`).
    """
    return f"referee/1 part\n{record_id}\n{cast}\n{opener}\n{value}\n".encode()


def make_consent_text(record_id: str, seat: Seat, on: int, offer: bytes) -> bytes:
    """Returns the text to sign for a consent that was given beside the log; `offer` is the spelling of the request."""
    return f"referee/1 consent\n{record_id}\n{seat}\n{on}\n{sha256(offer).hexdigest()}\n".encode()


def make_ruling_text(record_id: str, n: int, hash_: str, by: Seat, seat: Seat, offer: bytes) -> bytes:
    """Returns the text with which a director agrees to an offer of `by`, in place of `seat`.

    It is valid after entry `n` with this hash alone. `offer` is the spelling of the offer in the log.
    """
    return f"referee/1 ruling\n{record_id}\n{n}\n{hash_}\n{by}\n{seat}\n{sha256(offer).hexdigest()}\n".encode()


def make_recovery_text(record_id: str, seat: Seat, chair: bytes) -> bytes:
    """Returns the text that a recovery key signs to give a seat another key; `chair` is the spelling of the
    enrolment.
    """
    return f"referee/1 recovery\n{record_id}\n{seat}\n{sha256(chair).hexdigest()}\n".encode()
