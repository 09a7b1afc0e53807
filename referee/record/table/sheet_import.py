"""Making a new log from a sheet: each line is judged again and recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec.structs import replace

from referee.engine.dice import DiceError
from referee.engine.secret import UnknownError
from referee.engine.text import NotUnderstoodError, listing
from referee.record.log.game_files import remove_on_failure
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.safe_files import AnyPath
from referee.record.table.action_batch import ActionBatch
from referee.record.table.deeds.reveal import reveal_secrets
from referee.record.table.moment import JudgedAction, Moment
from referee.record.table.opening_logs import list_files_of_log, start
from referee.record.table.session import Session
from referee.record.table.sheet import Sheet, SheetError, SheetLine, SheetPlay, hash_own_files


def start_from_sheet(sheet: Sheet, path: AnyPath, own: Mapping[str, Mapping[str, Any]] | None = None) -> Session:
    """Starts a log and plays all lines of a sheet in it. If a line is wrong, no file is left.

    All seats play on this computer. The secrets of a game that is over are revealed in the new log, too.

    Raises SheetError or NotAllowedError with the number of the bad line, and everything that `start` raises.
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
    with remove_on_failure(session.file_path, list_files_of_log(session)):
        _check_same(session, sheet)
        _play_lines(session, sheet)
        if session.reducer.sealed and session.moment().outcome is not None:
            reveal_secrets(session)  # the sheet has told them all
    return session


def _check_same(session: Session, sheet: Sheet) -> None:
    """Raises NotAllowedError if the game has other files of the players' own than the sheet."""
    here = hash_own_files(session.reducer.header.files)
    for part in sorted({*here, *sheet.own}):
        if here.get(part) != sheet.own.get(part):
            named = "names a file of the players' own: add --own PART=FILE"
            whose = named if part in sheet.own else f"uses the usual {part}: leave out your own"
            raise NotAllowedError(f"the {part} is not the one of the sheet, which {whose}")


def _play_lines(session: Session, sheet: Sheet) -> None:
    """Plays the lines. Plays are recorded together until another kind of line comes."""
    moment, said = session.moment(), list[JudgedAction]()
    for line in sheet.lines:
        with _add_line_to_errors(line):
            if isinstance(line.what, SheetPlay):
                judged = _judge_play(moment, session, line, line.what)
                said, moment = [*said, judged], judged.next_moment
                continue
            session.record(said)
            session.append([(line.what, None)])
            moment, said = session.moment(), []
    session.record(said)


def _judge_play(moment: Moment, session: Session, line: SheetLine, spoken: SheetPlay) -> JudgedAction:
    """Returns one play of the sheet, legal and complete. Raises SheetError or NotAllowedError if the line holds no such
    play.
    """
    if line.by not in session.reducer.seats:
        raise SheetError(line.at, f"there is no seat {line.by!r}; the seats are {listing(session.reducer.seats)}")
    answer = moment.find_forced_answer()
    if answer is not None:
        return _check_answer(moment, answer, line, spoken)
    drawn = replace(moment, draws_lots=spoken.lots is not None, lot_seed=spoken.lots)
    judged = ActionBatch(drawn, [spoken.words], line.by, spoken.faces)
    if judged.refused:
        why = "; ".join(f"{one.because} ({one.rule})" for one in judged.said[-1].refusals)
        raise NotAllowedError(f"{line.by}: {spoken.words} is not legal: {why}")
    if judged.awaiting:
        need = judged.awaiting.need
        raise NotAllowedError(f"dice are missing: {need}" if need else f"{judged.awaiting.answer} has to answer first")
    first, *more = judged.said
    if not all(said.is_answer for said in more):  # answers have lines of their own
        raise SheetError(line.at, "write one action per line")
    return first


def _check_answer(moment: Moment, answer: JudgedAction, line: SheetLine, spoken: SheetPlay) -> JudgedAction:
    """Returns the answer that a seat owes. Raises NotAllowedError if the line is anything else."""
    if (line.by, moment.parse(spoken.words, line.by)) != (answer.seat, answer.action):
        due = f"{answer.seat}: {moment.game.format(answer.action)}"
        raise NotAllowedError(f"{line.by}: {spoken.words} is not the answer that is due: {due}")
    return answer


@contextmanager
def _add_line_to_errors(line: SheetLine) -> Iterator[None]:
    """Adds the number of the line to errors."""
    try:
        yield
    except NotUnderstoodError as error:
        raise SheetError(line.at, f"{error.text!r} cannot be read: {error}") from error
    except (DiceError, UnknownError, NotAllowedError) as error:
        raise NotAllowedError(f"line {line.at} of the sheet: {error}") from error
