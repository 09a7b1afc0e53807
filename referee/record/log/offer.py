"""Offers: what seats have to agree on, at a table or by mail."""

from typing import ClassVar

from msgspec import Struct

from referee.record.log.chair import Chair


class Offer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="what"):
    """To do something together. The file of the deed that does it says what can be offered."""

    by_mail: ClassVar[bool] = True
    """Whether it can be offered by mail, where it stands in the log."""

    @property
    def new_chair(self) -> Chair | None:
        """How the seat is to take part from now on, where it asks to play on with another key."""
        return None
