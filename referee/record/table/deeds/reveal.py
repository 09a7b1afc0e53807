"""Revealing: secrets are opened for everybody to check."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from referee.engine.event import REFEREE, Seat
from referee.engine.text import listing
from referee.record.log.field_types import AgreedSeats, EntryNumber, EntryNumbers, Hash
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.sealing import FoundSecret, get_opening
from referee.record.table.deed import ConsentNeed
from referee.record.table.proposal import DescribedDeed, DescribedOffer, Proposal

if TYPE_CHECKING:
    from referee.record.log.offer import Offer
    from referee.record.log.vault import Vault
    from referee.record.table.entry_draft import Draft
    from referee.record.table.reducer_state import ReducerState
    from referee.record.table.seat_view import SeatView
    from referee.record.table.session import Session

DEED_NUMBER = 6


def reveal_secrets(
    session: "Session", numbers: Sequence[int] = (), by: Seat = REFEREE, agreed: Sequence[Seat] = ()
) -> list[int]:
    """Opens secrets for everybody: those of the named entries, or all that are known here.

    Returns the numbers of the entries that held these secrets. While the game goes on, all seats must agree. Raises
    NotAllowedError if they have not, or if this computer knows no such secret.
    """
    sealed = session.reducer.sealed
    strange = [n for n in numbers if n not in {n for n, _ in sealed.values()}]
    if strange:
        raise NotAllowedError(f"entry {strange[0]} holds no secret, or it has been revealed already")
    due = [(n, found) for n, found in sealed.values() if (not numbers or n in numbers) and found.known]
    if not due:
        others = listing(sorted({found.owner for _, found in sealed.values() if not found.known}))
        raise NotAllowedError(f"no secret is left here to reveal{f'; some are kept by {others}' if others else ''}")
    drafts = [_draft_reveal(session.reducer.opener.vaults[found.owner], n, found) for n, found in due]
    session.append([(partial(draft, by=by, agreed=tuple(agreed)), None) for draft in drafts])
    return list(dict.fromkeys(n for n, _ in due))


def _draft_reveal(vault: "Vault", n: int, found: FoundSecret) -> "Draft":
    """Returns the draft that opens a secret of entry `n`; the author and the agreeing seats are still missing."""
    value = vault.values[found.leaf]
    salt = vault.compute_salt(found.item, value).hex()
    return partial(RevealEntry, of=n, leaf=found.leaf, salt=salt, value=msgspec.Raw(value))


class RevealOffer(DescribedOffer, frozen=True, tag="reveal"):
    """An offer of a seat to open secrets of its own while the game goes on."""

    leaves_joint_roll = True
    is_carried_out_by_author = True

    of: EntryNumbers
    """The entries that hold the secrets."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records the reveal that all have agreed on, with one entry for each secret."""
        reveal_secrets(session, self.of, by, agreed)

    def describe(self, look: "SeatView") -> str:  # noqa: ARG002
        """Returns the offer in words that begin with "to"."""
        return f"to open the secrets of {listing([f'entry {n}' for n in self.of])}"

    def make_proposal(self, sitting: "SeatView", by: Seat) -> Proposal:
        """Works out whose secrets everybody could read from then on."""
        owners = Counter(sitting.log.find_secret_owner(n) for n in self.of if sitting.log.find_secret_owner(n))
        opens = tuple((seat, count) for seat, count in owners.items() if seat)
        return Proposal(
            by, self, opens=opens, cannot="" if opens else "these entries hold no secret that can be revealed"
        )


class RevealEntry(DescribedDeed, frozen=True, tag="reveal"):
    """A secret is opened for everybody to check."""

    opens_secret = True
    names_entry = "of"
    is_made_by_table = True
    joint_roll_fate = "stays"

    of: EntryNumber
    """The entry that holds the secret."""
    leaf: Hash
    """The leaf that stands there in place of the secret."""
    salt: Hash
    """The 32 random bytes that went into the leaf, so that nobody could guess the value."""
    value: msgspec.Raw
    """The secret value."""
    agreed: AgreedSeats
    """The seats that agreed; all must agree while the game goes on."""

    @property
    def required_offer(self) -> RevealOffer:
        """The offer that must be agreed to before the deed stands in the log."""
        return RevealOffer((self.of,))

    def carries_out(self, offer: "Offer") -> bool:
        """True if the deed opens one of the offered secrets."""
        return isinstance(offer, RevealOffer) and self.of in offer.of

    def apply(self, reducer: "ReducerState") -> None:
        """Opens the secret. Raises FaultError if the entry holds no such secret, or if the opening does not fit it."""
        n, found = reducer.sealed.get(self.leaf, (-1, None))
        if found is None or n != self.of:
            reducer.raise_fault("bad-reveal", f"entry {self.of} holds no such secret, or it has been revealed already")
        if not reducer.opener.verify_opening(found, get_opening(self)):
            reducer.raise_fault("bad-reveal", f"the revealed value is not the one that entry {self.of} sealed")
        if not found.known:
            reducer.raise_fault(
                "bad-reveal",
                f"the revealed value fits the secret of entry {self.of}, but it is not in the form that can be opened",
            )
        reducer.mark_opened(self.leaf, self)

    def find_consent_need(self, reducer: "ReducerState") -> ConsentNeed | None:
        """Returns the consent that the deed needs. None if the game is over, or if a rule lets the owner reveal."""
        _, found = reducer.sealed.get(self.leaf, (0, None))
        public = reducer.known.public
        if reducer.known.find_outcome(reducer.game) is not None:
            return None
        if found is not None and found.owner == self.by and reducer.game.may_reveal(public, self.by):
            return None
        return ConsentNeed("while the game goes on, a reveal")

    def describe(self, look: "SeatView") -> str:
        """Describes the reveal in one line, as these eyes may read it."""
        from referee.record.table.play_description import describe_revealed_secret  # few games reveal secrets

        return f"entry {self.of} revealed: {describe_revealed_secret(look, look.log.entries[self.of])}"
