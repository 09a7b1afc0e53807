"""Offers: what seats that play by mail have to agree on."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from referee.engine.dice import SeatName
from referee.record.log.chair import Chair
from referee.record.log.fields import Changes, Number, Numbers, Text


class TakebackOffer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="takeback"):
    """To go back, or on again, to the state after an entry."""

    to: Number
    """The entry gone back to."""


class AmendOffer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="amend"):
    """To correct the position."""

    position: dict[str, Any]
    """How the game is to stand."""
    why: Text
    """What was wrong, in the players' words."""


class AmendPiecesOffer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="amend-pieces"):
    """To correct how some pieces stand, with every secret sealed."""

    changes: Changes
    """Pieces, and how they are to stand."""
    why: Text
    """What was wrong, in the players' words."""


class ResignOffer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="resign"):
    """To give the game up: where more than two play, or where somebody else has the pen."""


class SettleOffer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="settled"):
    """To end the game."""

    winners: Annotated[tuple[SeatName, ...], Meta(max_length=8)]
    """Who has won; several have tied; nobody, where it is empty."""


class RevealOffer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="reveal"):
    """That this seat opens secrets of its own while the game goes on."""

    of: Numbers
    """The entries that hold them."""


class UpgradeOffer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="upgrade"):
    """To go on under newer rules, written in a newer log format."""

    format: Number
    """The log format of all entries that follow."""
    rules: Number
    """The version of the rules by which all that follows is judged."""


class RejoinOffer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="what", tag="join"):
    """To play on with another key, the old one being lost."""

    chair: Chair
    """How the seat is to take part from now on."""


Offer = (
    TakebackOffer | AmendOffer | AmendPiecesOffer | ResignOffer | SettleOffer | RevealOffer | RejoinOffer | UpgradeOffer
)
"""What seats have to agree on."""
