"""A log from a sheet: each word is judged as it is written down again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

from referee.engine.dice import DiceError
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, listing
from referee.record.log.disk import AnyPath
from referee.record.log.faults import NotAllowedError
from referee.record.log.files import whole_or_not
from referee.record.table.line import Line
from referee.record.table.moment import Moment, Said
from referee.record.table.session import Session
from referee.record.table.sheet import Sheet, SheetError, SheetLine, Spoken, own_files_in
from referee.record.table.start import files_with, start


def start_from(sheet: Sheet, path: AnyPath, own: Mapping[str, Mapping[str, Any]] | None = None) -> Session:
    """Start the log of a game and play all of a sheet in it. Where a word of it is wrong, or its dice cannot have
    fallen so, nothing is left: SheetError or NotAllowedError names its line. Else raises what `start` does.
    """
    session = start(
        sheet.game,
        path,
        options=sheet.options,
        seats=sheet.seats,
        dice=sheet.dice,
        own=own,
        position=sheet.position,
        bots=sheet.bots,
    )
    assert session.path is not None, "it was begun in a file"
    with whole_or_not(session.path, files_with(session)):
        _check_same(session, sheet)
        _play(session, sheet)
    return session


def _check_same(session: Session, sheet: Sheet) -> None:
    """NotAllowedError where it would be another game than the one on the sheet."""
    if session.fold.keepers:
        raise NotAllowedError("a game with secrets is not played from a sheet of words")
    here = own_files_in(session.header.files)
    for part in sorted({*here, *sheet.own}):
        if here.get(part) != sheet.own.get(part):
            whose = "with a file of your own: --own PART=FILE" if part in sheet.own else "without one of your own"
            raise NotAllowedError(f"the {part} is another one than on the sheet, which was played {whose}")


def _play(session: Session, sheet: Sheet) -> None:
    """Play the lines: plays are recorded together, as far as nothing else comes between them."""
    moment, said = session.moment(), list[Said]()
    for line in sheet.lines:
        with _named(line):
            if isinstance(line.what, Spoken):
                judged = _judged(moment, session, line, line.what)
                said, moment = [*said, judged], judged.then
                continue
            session.record(said)
            session.append([(line.what, None)])
            moment, said = session.moment(), []
    session.record(said)


def _judged(moment: Moment, session: Session, line: SheetLine, spoken: Spoken) -> Said:
    """One play, legal and whole. Its number in the log is that of its line."""
    if line.by not in session.seats:
        raise SheetError(line.at, f"there is no seat {line.by!r}; the seats are {listing(session.seats)}")
    drawn = replace(moment, draws_lots=spoken.lots is not None, lots=spoken.lots)
    judged = Line(drawn, [spoken.words], line.by, spoken.faces)
    if judged.refused:
        why = "; ".join(f"{one.because} ({one.rule})" for one in judged.said[-1].refusals)
        raise NotAllowedError(f"{line.by}: {spoken.words} is not legal: {why}")
    if judged.awaiting:
        need = judged.awaiting.need
        raise NotAllowedError(f"dice are missing: {need}" if need else f"{judged.awaiting.answer} has to answer first")
    if len(judged.said) != 1:
        raise SheetError(line.at, "one action a line")
    return judged.said[0]


@contextmanager
def _named(line: SheetLine) -> Iterator[None]:
    """Errors name their line."""
    try:
        yield
    except NotUnderstoodError as error:
        raise SheetError(line.at, f"{error.text!r} cannot be read: {error}") from error
    except (DiceError, UnknownError, NotAllowedError) as error:
        raise NotAllowedError(f"line {line.at} of the sheet: {error}") from error
