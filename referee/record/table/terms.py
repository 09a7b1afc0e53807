"""Terms: what seats can be asked to agree to at a table or by mail."""

from __future__ import annotations

from msgspec import Struct

from referee.engine.dice import Typed
from referee.record.log.offer import Offer


class CorrectDice(Struct, frozen=True, tag_field="what", tag="correct"):
    """Terms to type the dice of an entry otherwise: a takeback, and the plays after it again.

    Nobody offers them by mail, where no dice are typed.
    """

    n: int
    faces: tuple[Typed, ...]


Terms = Offer | CorrectDice
"""One entry, or one with the plays that go with it."""
