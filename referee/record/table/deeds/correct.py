"""Correcting dice that were typed wrongly: a takeback, and the plays after it again. It has no entry of its own."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from referee.engine.dice import DiceError, Typed
from referee.engine.event import Seat
from referee.engine.pieces import moves
from referee.record.log.entry import AnyPlay, PlayEntry
from referee.record.log.faults import NotAllowedError
from referee.record.table.deeds.takeback import going_back
from referee.record.table.draft import draft_of
from referee.record.table.proposal import Mended, Proposal, Terms, spell_faces, throws
from referee.record.table.seen import last_player_in

if TYPE_CHECKING:
    from referee.record.table.line import Line
    from referee.record.table.moment import Moment, Said
    from referee.record.table.session import Session
    from referee.record.table.sitting import Sitting

NUMBER = 9


def correct(
    session: "Session", n: int, faces: Iterable[Typed], by: Seat | None = None, agreed: Sequence[Seat] = ()
) -> "Correction":
    """Types the dice of entry `n` otherwise: one takeback, and the plays that still hold again. Agreed as a takeback
    is. NotAllowedError, DiceError.
    """
    by = by or last_player_in(session)
    found = corrected(session, n, faces)
    session.append(
        [(going_back(found.to, by, agreed), None), *((draft_of(item), item.then.known) for item in found.said)]
    )
    return found


class CorrectDice(Terms, frozen=True, tag="correct"):
    """To type the dice of an entry otherwise: a takeback, and the plays after it again.

    Nobody offers it by mail, where no dice are typed.
    """

    by_mail = False

    n: int
    faces: tuple[Typed, ...]

    def carry_out(self, session: "Session", by: Seat, agreed: Sequence[Seat]) -> None:
        """Records what all have agreed on."""
        correct(session, self.n, self.faces, by, agreed)

    def words(self, look: "Sitting") -> str:  # noqa: ARG002
        """Returns what somebody asks for, as what all would do."""
        return f"to correct the dice of entry {self.n}"

    def proposal(self, sitting: "Sitting", by: Seat) -> Proposal:
        """Works out a correction. In a game with secrets it tells the dice alone, of a throw that these eyes see."""
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


class Correction(Struct, frozen=True):
    """What becomes of a game when one throw is typed otherwise."""

    to: int
    """The entry gone back to: the one before the throw."""
    said: tuple["Said", ...]
    """The throw as it fell, and all that holds after it."""
    held: tuple[int, ...]
    """Entries after the throw that hold, and are played again."""
    lost: int | None
    """The first entry that does not; None: all of them hold."""
    because: str
    """Why it does not, as a clause."""


def corrected(session: "Session", n: int, faces: Iterable[Typed]) -> Correction:
    """Judges entry `n` again with these faces, and all that follows with the dice that were typed for it.

    NotAllowedError when it is no throw in force that somebody typed; DiceError when it cannot have fallen so.
    """
    from referee.record.table.line import Line  # few games are corrected

    line = session.in_force()
    throw = _throw(session, n, line)
    to, action = line[line.index(n) - 1], throw.done
    assert action is not None, "what is not known is no throw to be corrected"
    first = Line(session.moment(to).resumed(session.moment()), [action], throw.by, faces)
    if first.awaiting or first.refused:
        need = first.awaiting.need if first.awaiting else None
        raise DiceError(f"entry {n} takes more dice: {need}" if need else f"entry {n} cannot have fallen so")
    said, moment = [*first.said], first.moment
    held: list[int] = []
    for before, at in pairwise(line[line.index(n) :]):
        if session.moment(before).is_asked:
            continue  # answers follow by themselves
        again, because = _again(moment, session.entries[at])
        if again is None:
            return Correction(to, tuple(said), tuple(held), at, because)
        said, moment, held = [*said, *again.said], again.moment, [*held, at]
    return Correction(to, tuple(said), tuple(held), None, "")


def _throw(session: "Session", n: int, line: list[int]) -> AnyPlay:
    """The throw to be corrected."""
    if not session.header.dice.is_typed:
        raise NotAllowedError("the dice of this game are worked out from its log; nobody typed them")
    entry = session.entries[n] if 0 < n < len(session.entries) else None
    if n not in line or not isinstance(entry, PlayEntry) or not (entry.done and entry.all_rolls):
        raise NotAllowedError(f"entry {n} is no throw that is in force; see: referee log")
    amended = next((at for at in line[line.index(n) :] if not isinstance(session.entries[at], PlayEntry)), None)
    if amended is not None:
        raise NotAllowedError(
            f"all agreed on entry {amended} since, and it does not hang on dice; take that back first"
        )
    return entry


def _again(moment: "Moment", entry: Any) -> "tuple[Line | None, str]":
    """An entry judged again with the dice that were typed for it; None and why, where it no longer holds."""
    from referee.record.table.line import Line

    if entry.done is None:
        return None, "it is a secret that is not known here"
    typed = [face for roll in entry.all_rolls if roll.is_typed for face in roll.names or roll.faces]
    try:
        line = Line(moment, [entry.done], entry.by, typed)
    except DiceError as error:
        return None, str(error)
    if line.refused:
        return None, "; ".join(f"{one.because} ({one.rule})" for one in line.said[-1].refusals)
    if line.awaiting:
        need = line.awaiting.need
        return None, f"other dice are wanted: {need}" if need else f"{line.awaiting.answer} has to answer first"
    return line, ""
