"""Treaties: everything that a player accepts with one yes, worked out on the computer of whoever says yes.

It is an offer, a game that began elsewhere, a branch, or another key for a seat. One function tells it in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from referee.record.table.proposal import make_proposal_of_deed, make_proposal_of_offer

if TYPE_CHECKING:
    from pathlib import Path

    from referee.engine.event import Seat
    from referee.record.log.offer import Offer
    from referee.record.table.deed import JudgedDeed
    from referee.record.table.joint_roll import DroppedRoll
    from referee.record.table.mail_state import DirectorRuling, ReplacementKey
    from referee.record.table.proposal import Proposal
    from referee.record.table.seat_view import SeatView
    from referee.record.table.unusual_settings import UnusualSettings


class OfferEffects(NamedTuple):
    """The effects of an offer, with the game that it would change."""

    look: SeatView
    proposal: Proposal


class BranchEffects(Struct, frozen=True):
    """A game from which a branch starts, with the entries of that game that would no longer count."""

    log: Path
    n: int
    """The number of the `branch` entry. All entries before it stay."""
    seat: Seat | None
    """The seat of the player here in the game that is left; None without one."""
    effects: OfferEffects
    dropped: tuple[DroppedRoll, ...] = ()
    """The joint rolls of the left game that give no dice to the branch."""


class Treaty(Struct, frozen=True):
    """Everything that a player accepts with one yes. Parts that are as usual are empty."""

    players: Mapping[Seat, str] = {}
    """Each seat with the name of its player, such as "red (Anna)"."""
    invited: Mapping[Seat, str] = {}
    """The free seats that are meant for somebody, with the names of these people."""
    settings: UnusualSettings | None = None
    """The unusual settings of the game."""
    rules: tuple[int, int] = (0, 0)
    """The version of the rules under which the game began, and today's."""
    first_board: SeatView | None = None
    """The game at its beginning, if it begins from a position of the players' own."""
    replaced_keys: Mapping[Seat, ReplacementKey] = {}
    """The seats that play with another key, because the others agreed."""
    dropped: tuple[DroppedRoll, ...] = ()
    """The joint rolls that were begun and never made."""
    rulings: tuple[DirectorRuling, ...] = ()
    """The times that the director agreed in place of a player."""
    parent: str = ""
    """The name of the log that the game left as a branch, if that log is not here; "" otherwise."""
    left: tuple[BranchEffects, ...] = ()
    """The games here that the branch leaves."""
    is_before_joining: bool = False
    """True if a player without a seat asks, and can still say no."""
    effects: OfferEffects | None = None
    """The effects of an offer; None for a game."""

    def describe_seat(self, seat: Seat) -> str:
        """Returns a seat with the name of its player; the seat alone if no name is known."""
        return self.players.get(seat, seat)

    @property
    def obstacle(self) -> str:
        """The reason why an offer cannot be carried out, as a clause; "" if it can."""
        return self.effects.proposal.cannot if self.effects else ""


def make_treaty_of_offer(look: SeatView, offer: Offer, by: Seat) -> Treaty:
    """Returns the treaty that an offer proposes at this moment."""
    return Treaty(effects=OfferEffects(look, make_proposal_of_offer(look, offer, by)))


def make_treaty_of_deed(look: SeatView, deed: JudgedDeed) -> Treaty:
    """Returns the treaty for a recorded deed, as if the deed were offered just before its entry."""
    return Treaty(effects=OfferEffects(look.at_entry(deed.n - 1), make_proposal_of_deed(look, deed)))
