"""What each signature of play by mail is made under, as the text that a key signs.

`record_id` is the game, or the branch that a log is (`Pact.record_id`): what is signed in one holds in no other.
"""

from __future__ import annotations

from hashlib import sha256

from referee.engine.event import Seat


def seal_text(record_id: str, n: int, hash_: str, to: Seat, at: str) -> bytes:
    """What a seal signs: that all up to entry `n` is agreed, who holds the pen then, and its own time, so that nothing
    of it can be altered on the way.
    """
    return f"referee/1 seal\n{record_id}\n{n}\n{hash_}\n{to}\n{at}\n".encode()


def untimed_seal_text(record_id: str, n: int, hash_: str, to: Seat) -> bytes:
    """What the first seals of all signed, some of format 1: the same without the time, on which nothing depends."""
    return f"referee/1 seal\n{record_id}\n{n}\n{hash_}\n{to}\n".encode()


def offer_text(record_id: str, on: int, offer: bytes) -> bytes:
    """What who offers without the pen signs; `offer` in the one spelling."""
    return f"referee/1 offer\n{record_id}\n{on}\n{sha256(offer).hexdigest()}\n".encode()


def part_text(record_id: str, cast: int, opener: str, value: str) -> bytes:
    """What who gives a part of a throw without the pen signs: it is for the throw of this number that was opened by the
    entry with this hash, and for no other.
    """
    return f"referee/1 part\n{record_id}\n{cast}\n{opener}\n{value}\n".encode()


def consent_text(record_id: str, seat: Seat, on: int, offer: bytes) -> bytes:
    """What who agrees beside the log signs to what a seat asks for; `offer` in the one spelling."""
    return f"referee/1 consent\n{record_id}\n{seat}\n{on}\n{sha256(offer).hexdigest()}\n".encode()


def recovery_text(record_id: str, seat: Seat, chair: bytes) -> bytes:
    """What a recovery key signs, so that its owner sits down with another; `chair` in the one spelling."""
    return f"referee/1 recovery\n{record_id}\n{seat}\n{sha256(chair).hexdigest()}\n".encode()
