"""Mending slips: what was taken back and can be brought back, and dice that were typed wrongly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, pairwise, takewhile
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from referee.engine.dice import DiceError, Typed
from referee.engine.event import Seat
from referee.record.log.entry import AnyPlay, DeedEntry, PlayEntry
from referee.record.log.faults import NotAllowedError
from referee.record.table.agreement import sets_a_state
from referee.record.table.deeds.takeback import going_back
from referee.record.table.draft import Draft, draft_of
from referee.record.table.line import Line
from referee.record.table.moment import Moment, Said
from referee.record.table.seen import last_player_in, said_over

if TYPE_CHECKING:
    from referee.record.table.known import Known
    from referee.record.table.session import Session


def undo(session: Session, count: int = 1, by: Seat | None = None, agreed: Sequence[Seat] = ()) -> None:
    """Take back the last `count` plays in force, with the answers that followed from them. Dice thrown meanwhile
    stay used; nothing is deleted. The seat that played last takes back, unless it is said who does.
    """
    said = list(islice(said_over(session), min(count, len(session.entries)))) if count > 0 else []
    if not said or len(said) < count:
        there = sum(1 for _ in said_over(session))
        many = f"there {_are(there, 'play')} to take back, not {count}"
        raise NotAllowedError(many if there else "nothing was played that could be taken back")
    go_back(session, said[-1][0], by or last_player_in(session), agreed)


def go_back(session: Session, to: int, by: Seat, agreed: Sequence[Seat] = ()) -> None:
    """Take back all that leads away from entry `to`: the game goes on from there."""
    session.append([_back_to(to, by, agreed)])


def redo(session: Session, by: Seat | None = None, agreed: Sequence[Seat] = ()) -> None:
    """Take the last takeback back, as long as nothing was played since: what it took back is in force again."""
    last = _last_undone(session)
    go_back(session, session.in_force(last.n - 1)[-1], by or last.by, agreed)


def correct(
    session: Session, n: int, faces: Iterable[Typed], by: Seat | None = None, agreed: Sequence[Seat] = ()
) -> Correction:
    """Type the dice of entry `n` otherwise: one takeback, and the plays that still hold again. Agreed as a takeback
    is. NotAllowedError, DiceError.
    """
    by = by or last_player_in(session)
    found = corrected(session, n, faces)
    session.append([_back_to(found.to, by, agreed), *((draft_of(item), item.then.known) for item in found.said)])
    return found


def last_undoer(session: Session) -> Seat:
    """The seat that took back last; NotAllowedError when there is nothing to bring back."""
    return _last_undone(session).by


def _last_undone(session: Session) -> DeedEntry:
    undone = undone_in(session)
    if not undone:
        raise NotAllowedError("nothing was taken back since the last play")
    return undone[-1]


def _back_to(to: int, by: Seat, agreed: Sequence[Seat]) -> tuple[Draft, Known | None]:
    return going_back(to, by, agreed), None


def _are(count: int, noun: str) -> str:
    return f"is 1 {noun}" if count == 1 else f"are {count} {noun}s"


def undone_in(session: Session) -> list[DeedEntry]:
    """The takebacks that can be taken back now, the one made first first: nothing was played since, and each left only
    what it went back over.
    """
    undone: list[DeedEntry] = []
    late = takewhile(lambda entry: not sets_a_state(entry), reversed(session.entries))
    for entry in reversed([*late]):
        if isinstance(entry, DeedEntry) and entry.goes_back:
            before, after = session.in_force(entry.n - 1), session.in_force(entry.n)
            if before[: len(after)] == after:
                undone.append(entry)
            elif undone and after == session.in_force(undone[-1].n - 1):
                undone.pop()
            else:
                undone = []
    return undone


class Correction(Struct, frozen=True):
    """What becomes of a game when one throw is typed otherwise."""

    to: int
    """The entry gone back to: the one before the throw."""
    said: tuple[Said, ...]
    """The throw as it fell, and all that holds after it."""
    held: tuple[int, ...]
    """Entries after the throw that hold, and are played again."""
    lost: int | None
    """The first entry that does not; None: all of them hold."""
    because: str
    """Why it does not, as a clause."""


def corrected(session: Session, n: int, faces: Iterable[Typed]) -> Correction:
    """Judge entry `n` again with these faces, and all that follows with the dice that were typed for it.

    NotAllowedError when it is no throw in force that somebody typed; DiceError when it cannot have fallen so.
    """
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


def _throw(session: Session, n: int, line: list[int]) -> AnyPlay:
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


def _again(moment: Moment, entry: Any) -> tuple[Line | None, str]:
    """An entry judged again with the dice that were typed for it; None and why, where it no longer holds."""
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
