"""Enrolments in games by mail: a seat's key and chains of dice, and the permission to change the key."""

from typing import Annotated

from msgspec import Meta, Struct

from referee.engine.dice import SeatName
from referee.record.log.field_types import EntryNumber, Hash, PublicKey, Signature


class Enrolment(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The key and the chains of dice with which a seat takes part in a game by mail."""

    key: PublicKey
    """The public key that signs for the seat."""
    tip: Hash
    """The tip of its chain of dice."""
    unseen: Hash | None
    """The tip of its chain of secret dice; null if the seat keeps no secrets."""
    length: Annotated[int, Meta(ge=1, le=65_536)]
    """The number of joint rolls for which each chain lasts."""
    after: Hash
    """The hash of the line after which the chains were made. So no chain is used in two places, or on two branches."""
    recovery: Hash | None = None
    """The SHA-256 of the recovery key's public half. With that key the owner takes the seat back without asking
    anybody. Null if there is no such key.
    """


class Consent(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's signature beside the log, under the request of another seat."""

    by: SeatName
    """The seat that agrees."""
    signature: Signature
    """The signature, made with the key of that seat."""


class ConsentWarrant(Struct, frozen=True, forbid_unknown_fields=True, tag_field="how", tag="word"):
    """The permission of all other seats to play on with another key."""

    on: EntryNumber
    """The last entry that the requesting seat had seen. The permission lapses if the old key has signed a later entry.
    """
    consents: Annotated[tuple[Consent, ...], Meta(max_length=8)]
    """The consent of each other seat."""


class RecoveryWarrant(Struct, frozen=True, forbid_unknown_fields=True, tag_field="how", tag="recovery"):
    """The permission that a recovery key gives. The first enrolment of the seat holds the hash of that key."""

    key: PublicKey
    """The public half of the recovery key."""
    signature: Signature
    """The signature, made with the recovery key, under the new enrolment."""
