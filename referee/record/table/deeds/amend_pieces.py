"""Amending by pieces: pieces stand otherwise by agreement of everybody, and every secret stays sealed."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from referee.engine.event import REFEREE, Seat
from referee.engine.pieces import changes, everything
from referee.engine.secret import Secret
from referee.engine.text import listing
from referee.record.log.faults import FaultError
from referee.record.log.fields import Agreed, Changes, Text
from referee.record.log.limits import check_text
from referee.record.table.deed import Amendment, Needs
from referee.record.table.proposal import Proposal, Terms, ToldDeed, proposed_by

if TYPE_CHECKING:
    from referee.record.log.offer import Offer
    from referee.record.table.amending import Parts
    from referee.record.table.folded import Folded
    from referee.record.table.session import Session
    from referee.record.table.sitting import Sitting

NUMBER = 3


def amend_sealed(
    session: "Session", changes: Sequence[str], why: str, agreed: Sequence[Seat] = (), owner: Seat | None = None
) -> None:
    """Has pieces stand otherwise by agreement of all seats, and keeps all secrets sealed. `owner`: the seat that alone
    sees these pieces, and seals the changes. NotAllowedError when nothing would change.
    """
    check_text(why)
    said = tuple(changes)
    pieces = partial(AmendPiecesEntry, by=owner or REFEREE, changes=() if owner else said)
    others = tuple(seat for seat in agreed if seat != owner)
    secret = Secret(owner, said) if owner else None
    session.append([(partial(pieces, secret=secret, why=why, agreed=others), None)])


class AmendPiecesOffer(Terms, frozen=True, tag="amend-pieces"):
    """To correct how some pieces stand, with every secret sealed."""

    tells_changes = True

    changes: Changes
    """Pieces, and how they are to stand."""
    why: Text
    """What was wrong, in the players' words."""

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records what all have agreed on."""
        pieces = partial(AmendPiecesEntry, by=REFEREE, changes=self.changes, secret=None)
        session.append([(partial(pieces, why=self.why, agreed=(by, *agreed)), None)])

    def words(self, look: "Sitting") -> str:  # noqa: ARG002
        """Returns what somebody offers, as what all would do."""
        return f'to amend the position, saying "{self.why}"'

    def proposal(self, sitting: "Sitting", by: Seat) -> Proposal:
        """Works out what changes in the view of whoever looks; every secret stays sealed."""
        from referee.record.table.amending import with_changes  # few games are amended

        try:
            after = with_changes(sitting.session.fold, sitting.sight.view, self.changes)
        except FaultError as error:
            return Proposal(by, self, why=self.why, cannot=error.fault.cause)
        return Proposal(
            by, self, hands=changes(sitting.sight.pieces, everything(sitting.facts.game, after)), why=self.why
        )


class AmendPiecesEntry(ToldDeed, frozen=True, tag="amend-pieces"):
    """Pieces that stand otherwise by agreement of everybody, in a game with secrets, all of which stay sealed."""

    bar = "agreed"
    by_table = True

    changes: Changes
    """Pieces that everybody sees, and how they stand; none where they are a secret."""
    secret: Secret[Changes] | None
    """The changes, where the seat alone sees these pieces."""
    why: Text
    """What was wrong, in the players' words."""
    agreed: Agreed
    """Other seats that agreed."""

    @property
    def known(self) -> tuple[str, ...]:
        """The changes, as far as they are known here."""
        return self.secret.value if self.secret is not None and self.secret.known else self.changes

    @property
    def called(self) -> str:
        """What it is called where a log that counts is found changed."""
        return "an amended position"

    @property
    def terms(self) -> AmendPiecesOffer:
        """What has to be offered so that it can stand in the log."""
        return AmendPiecesOffer(self.known, self.why)

    def does(self, offer: "Offer") -> bool:
        """Tells whether it does what was offered: nobody else can see what a secret one does."""
        return self.secret is None and offer == self.terms

    def apply(self, fold: "Folded") -> None:
        """Goes on with these pieces as they are said to stand."""
        from referee.record.table.amending import amended_in  # few games are amended

        fold.known = amended_in(fold, self._parts(fold))

    def _parts(self, fold: "Folded") -> "Parts":
        from referee.record.table.amending import parts_of

        return parts_of(fold, self.by, self.changes, self.secret)

    def needs(self, fold: "Folded") -> Needs:  # noqa: ARG002
        """Returns what all others must agree to."""
        return Needs("an amended position")

    def amendment(self, fold: "Folded") -> Amendment:
        """Judges it as far as the secrets are known here, and tells it openly."""
        from referee.record.table.amending import check_amended, told_openly

        parts = self._parts(fold)
        check_amended(fold, parts)
        return Amendment(self.n, self.why, self.agreed, told_openly(fold, parts))

    def words(self, look: "Sitting") -> str:
        """Tells it in one line, as these eyes may read it."""
        return f"position amended, agreed by {listing(self.agreed)}: {self.why} ({self._changes(look)})"

    def _changes(self, look: "Sitting") -> str:
        """What it changed, as these eyes may know it."""
        if self.secret is None:
            return "; ".join(map(str, proposed_by(look, self).hands)) or "as it was"
        shut = f"what {self.by} alone sees, sealed"
        return f"{', '.join(self.known)} (a secret)" if self.secret.known and look.sight.sees(self.by) else shut

    def told(self, look: "Sitting", proposed: Callable[[], list[str]]) -> list[str]:
        """Tells what changes on the board, as these eyes may know it."""
        return proposed() if self.secret is None else [self._changes(look)]

    @property
    def secret_words(self) -> str:
        """What it had sealed, once that is revealed."""
        return f"position amended: {', '.join(self.known)}"
