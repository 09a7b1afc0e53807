"""Correcting dice that were typed wrongly: a takeback, and the plays after it again. It has no entry of its own."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from referee.engine.dice import DiceError, Typed
from referee.engine.event import Seat
from referee.engine.pieces import moves
from referee.record.log.faults import NotAllowedError
from referee.record.table.proposal import Mended, Proposal, Terms, spell_faces, throws

if TYPE_CHECKING:
    from referee.record.table.sitting import Sitting

NUMBER = 9


class CorrectDice(Terms, frozen=True, tag="correct"):
    """To type the dice of an entry otherwise: a takeback, and the plays after it again.

    Nobody offers it by mail, where no dice are typed.
    """

    by_mail = False

    n: int
    faces: tuple[Typed, ...]

    def draft(self, by: Seat, agreed: Sequence[Seat]) -> NoReturn:
        """Refuses: it is recorded as it is said."""
        raise NotImplementedError

    def words(self, look: "Sitting") -> str:  # noqa: ARG002
        """Returns what somebody asks for, as what all would do."""
        return f"to correct the dice of entry {self.n}"

    def proposal(self, sitting: "Sitting", by: Seat) -> Proposal:
        """Works out a correction. In a game with secrets it tells the dice alone, of a throw that these eyes see."""
        from referee.record.table.mending import corrected  # few games are corrected
        from referee.record.table.sight import Sight

        if sitting.facts.keepers:
            faces = tuple(map(str, self.faces)) if throws(sitting, self.n) else ()
            return Proposal(by, self, mended=Mended(self.n, faces), is_shut=True)
        try:
            found = corrected(sitting.session, self.n, self.faces)
        except (NotAllowedError, DiceError) as error:
            return Proposal(by, self, cannot=str(error))
        then = Sight(found.said[-1].then, sitting.eyes)
        stays = {self.n, *found.held}
        gone = tuple(n for n in reversed(sitting.log.in_force) if n > found.to and n not in stays)
        thrown = tuple(n for n in gone if throws(sitting, n))
        throw, *again = found.said
        mended = Mended(self.n, spell_faces(sitting.sight.rolls_of(throw)))
        hands = moves(sitting.sight.counters, then.counters)
        return Proposal(by, self, gone, (), thrown, mended, tuple(again), found.because, hands=hands)
