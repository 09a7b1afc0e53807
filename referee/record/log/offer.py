"""Offers: deeds that one seat proposes and others must agree to, at a table or by mail."""

from typing import ClassVar

from msgspec import Struct

from referee.record.log.enrolment import Enrolment


class Offer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="what"):
    """A deed that a seat proposes to the others. The file of the deed defines it."""

    by_mail: ClassVar[bool] = True
    """True if it can be offered by mail, as an entry of the log."""
    may_be_ruled: ClassVar[bool] = False
    """True if a director may agree to it in place of a player who does not answer (`RulingEntry`)."""

    @property
    def new_enrolment(self) -> Enrolment | None:
        """The seat's new keys and chains, if it asks to play on with another key; None otherwise."""
        return None

    @property
    def withdrawn_hash(self) -> str:
        """The SHA-256 of the offer that this one takes back, as the log spells it; "" if it takes none back."""
        return ""

    @property
    def new_name(self) -> str:
        """The name of the player who takes the seat with the key of `new_enrolment`; "" if it is the same player."""
        return ""
