"""Chairs: how a seat takes part in a game by mail, and what lets it do so with another key than before."""

from typing import Annotated

from msgspec import Meta, Struct

from referee.engine.dice import SeatName
from referee.record.log.fields import Hash, Number, PublicKey, Signature


class Chair(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a seat takes part in a game by mail."""

    key: PublicKey
    """Signs what the seat has agreed to."""
    tip: Hash
    """Tip of its chain of dice."""
    unseen: Hash | None
    """Tip of its chain of dice that it throws in secret; None where it keeps no secrets."""
    length: Annotated[int, Meta(ge=1, le=65_536)]
    """How many throws each chain is good for."""
    after: Hash
    """Hash of the line that its chains were made after: none serves in two places, or on two branches."""
    recovery: Hash | None = None
    """SHA-256 of the public key with which its owner takes the seat again without anybody's word; None: he has none."""


class Consent(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's signature, made beside the log, under what another seat asks for."""

    by: SeatName
    """The seat that agrees."""
    signature: Signature
    """Made with its key, under what it agrees to."""


class OnWord(Struct, frozen=True, forbid_unknown_fields=True, tag_field="how", tag="word"):
    """All others have agreed that another key plays on for a seat."""

    on: Number
    """The last entry that who asked had seen; their word lapses where the old key has signed a later one."""
    consents: Annotated[tuple[Consent, ...], Meta(max_length=8)]
    """The word of each other seat."""


class OnRecovery(Struct, frozen=True, forbid_unknown_fields=True, tag_field="how", tag="recovery"):
    """The owner of a seat takes it again with the recovery key whose hash stands in his first chair."""

    key: PublicKey
    """The recovery key."""
    signature: Signature
    """Made with it, under the chair that is taken."""
