"""Revealing: secrets are opened for everybody to check."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from referee.engine.event import REFEREE, Seat
from referee.engine.text import listing
from referee.record.log.faults import NotAllowedError
from referee.record.log.fields import Agreed, Hash, Number, Numbers
from referee.record.log.sealing import Found, opening_of
from referee.record.table.deed import Needs
from referee.record.table.proposal import Proposal, Terms, ToldDeed

if TYPE_CHECKING:
    from referee.record.log.offer import Offer
    from referee.record.log.vault import Vault
    from referee.record.table.draft import Draft
    from referee.record.table.folded import Folded
    from referee.record.table.session import Session
    from referee.record.table.sitting import Sitting

NUMBER = 6


def reveal(
    session: "Session", numbers: Sequence[int] = (), by: Seat = REFEREE, agreed: Sequence[Seat] = ()
) -> list[int]:
    """Opens secrets for everybody: those of the entries named, or all that are known here. Returns their entries.

    While the game goes on all seats must agree.
    """
    sealed = session.fold.sealed
    strange = [n for n in numbers if n not in {n for n, _ in sealed.values()}]
    if strange:
        raise NotAllowedError(f"entry {strange[0]} holds no secret, or it is revealed already")
    due = [(n, found) for n, found in sealed.values() if (not numbers or n in numbers) and found.known]
    if not due:
        others = listing(sorted({found.owner for _, found in sealed.values() if not found.known}))
        raise NotAllowedError(
            f"no secret is left here to be revealed{f'; some are kept by {others}' if others else ''}"
        )
    drafts = [_opened(session.fold.opener.vaults[found.owner], n, found) for n, found in due]
    session.append([(partial(draft, by=by, agreed=tuple(agreed)), None) for draft in drafts])
    return list(dict.fromkeys(n for n, _ in due))


def _opened(vault: "Vault", n: int, found: Found) -> "Draft":
    """The entry that opens a secret of entry `n`, but for who reveals it and who has agreed."""
    value = vault.values[found.leaf]
    salt = vault.salt(found.item, value).hex()
    return partial(RevealEntry, of=n, leaf=found.leaf, salt=salt, value=msgspec.Raw(value))


class RevealOffer(Terms, frozen=True, tag="reveal"):
    """That this seat opens secrets of its own while the game goes on."""

    leaves_throw = True
    is_own = True

    of: Numbers
    """The entries that hold them."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records what all have agreed on, one entry for each secret."""
        reveal(session, self.of, by, agreed)

    def words(self, look: "Sitting") -> str:  # noqa: ARG002
        """Returns what somebody offers, as what all would do."""
        return f"to open the secrets of {listing([f'entry {n}' for n in self.of])}"

    def proposal(self, sitting: "Sitting", by: Seat) -> Proposal:
        """Works out whose secrets everybody could read from then on."""
        owners = Counter(sitting.log.owner_of(n) for n in self.of if sitting.log.owner_of(n))
        opens = tuple((seat, count) for seat, count in owners.items() if seat)
        return Proposal(by, self, opens=opens, cannot="" if opens else "no secret is left there to be revealed")


class RevealEntry(ToldDeed, frozen=True, tag="reveal"):
    """A secret is opened for everybody to check."""

    opens = True
    names_entry = "of"
    by_table = True
    throw = "stays"

    of: Number
    """The entry that holds it."""
    leaf: Hash
    """The leaf that stands there in its place."""
    salt: Hash
    """What the leaf was made with, 32 bytes, so that nobody could guess the value."""
    value: msgspec.Raw
    """What was sealed."""
    agreed: Agreed
    """Seats that agreed; needed of all while the game goes on."""

    @property
    def terms(self) -> RevealOffer:
        """What has to be offered so that it can stand in the log."""
        return RevealOffer((self.of,))

    def does(self, offer: "Offer") -> bool:
        """Tells whether it does what was offered, one secret after another."""
        return isinstance(offer, RevealOffer) and self.of in offer.of

    def apply(self, fold: "Folded") -> None:
        """A leaf must be one that stands in the entry named, and open; what opens it was known from the beginning."""
        n, found = fold.sealed.get(self.leaf, (-1, None))
        if found is None or n != self.of:
            fold.fail("bad-reveal", f"entry {self.of} holds no such secret, or it is revealed already")
        if not fold.opener.opens(found, opening_of(self)):
            fold.fail("bad-reveal", f"what is revealed is not what was sealed in entry {self.of}")
        if not found.known:
            fold.fail(
                "bad-reveal", f"what is revealed did not open the secret of entry {self.of}: it is spelt otherwise"
            )
        fold.open(self.leaf, self)

    def needs(self, fold: "Folded") -> Needs | None:
        """Returns what all others must agree to, unless the game is over, or a rule calls for it from its owner."""
        _, found = fold.sealed.get(self.leaf, (0, None))
        public = fold.known.public
        if fold.known.outcome(fold.game) is not None:
            return None
        if found is not None and found.owner == self.by and fold.game.shows(public, self.by):
            return None
        return Needs("while the game goes on, a reveal")

    def words(self, look: "Sitting") -> str:
        """Tells it in one line, as these eyes may read it."""
        from referee.record.table.telling import sealed_in  # it knows of all deeds

        return f"entry {self.of} revealed: {sealed_in(look, look.log.entries[self.of])}"
