"""Whose move it is in each of many games, and since when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from referee.cli.answer import Shown, Text
from referee.cli.errors import MisuseError
from referee.cli.logs import logs_here
from referee.cli.look import turn_told
from referee.engine.blame import GameError
from referee.mail.arrival import is_aside
from referee.mail.parts import owes_beside
from referee.mail.seats import seat_here
from referee.record.archive.archive import Unread
from referee.record.log.entry import SealEntry
from referee.record.log.faults import FaultError
from referee.record.log.kinds import MATCH, kind_of
from referee.record.table.sitting import Sitting
from referee.record.table.start import open_log

if TYPE_CHECKING:
    from referee.engine.event import Seat
    from referee.record.table.session import Session


class Waiting(Struct, frozen=True):
    """A game, and whom it waits for."""

    log: str
    game: str
    when: str
    """The turn being played and whose it is."""
    waits_for: str | None
    """The seat; None: the game is over."""
    since: str
    """When it began to wait, in UTC as entries hold it."""
    you: str | None
    """The seat of who sits here; None: nobody says so, as at a table."""
    by_mail: bool


def logs_in(folder: Path | None) -> list[Path]:
    """The logs in a folder and in its `logs/`; in this one, where none is named. MisuseError."""
    if folder is None:
        found = logs_here()
    elif folder.is_dir():
        found = [path for place in (folder, folder / "logs") for path in sorted(place.glob("*.jsonl"))]
    else:
        raise MisuseError(f"there is no folder {folder}")
    return [path for path in found if not is_aside(path) and kind_of(path).is_log]


def all_waiting(paths: Iterable[Path]) -> list[Waiting | Unread]:
    """What each game waits for: those that wait for who sits here first, those that are over last."""
    return sorted(filter(None, map(_read, paths)), key=_rank)


def _rank(one: Waiting | Unread) -> int:
    if isinstance(one, Unread):
        return 3
    return 2 if one.waits_for is None else int(one.waits_for != one.you)


def _read(path: Path) -> Waiting | Unread | None:
    """What a game waits for; None: it is a match, whose games have logs of their own."""
    try:
        return waiting_in(open_log(path))
    except FaultError as error:
        return None if kind_of(path) == MATCH else Unread.by(str(path), error)
    except (GameError, OSError) as error:
        return Unread.by(str(path), error)


def waiting_in(session: Session) -> Waiting:
    """Whom a game waits for: by mail who has the pen, else who is to move."""
    look, pact = Sitting(session), session.pact
    mover = look.facts.to_act
    seat = mover if pact is None else (_owing(session) or pact.pen or (pact.to_join or (mover,))[0])
    if mover is None and (pact is None or not (pact.offers or pact.pen)):
        seat = None
    you = seat_here(pact) if pact else None
    return Waiting(
        str(session.path),
        look.facts.game.name,
        turn_told(look.facts),
        seat,
        _since(session),
        you,
        by_mail=pact is not None,
    )


def _owing(session: Session) -> Seat | None:
    """Who owes a part of a throw and gives it without the pen: who sits here before others; None: nobody does."""
    pact = session.pact
    owing = [seat for seat in pact.cast.owing if owes_beside(session, seat)] if pact and pact.cast else []
    you = seat_here(pact) if pact and owing else None
    return you if you in owing else next(iter(owing), None)


def _since(session: Session) -> str:
    """When the pen was handed over; where it is not, when the last entry in force was made."""
    handed = isinstance(session.entries[-1], SealEntry)
    return session.entries[-1 if handed else session.in_force()[-1]].at


def told_waiting(games: Iterable[Waiting | Unread]) -> Iterator[Shown]:
    """The same for people, two lines a game."""
    for one in games:
        if isinstance(one, Unread):
            yield Text(f"{one.log}  cannot be read: {one.why}.", "refused")
            continue
        yield Text(f"{one.log}  {one.game}, {one.when}")
        since = f"since {one.since[:10]} {one.since[11:16]} UTC"
        if one.waits_for is None:
            yield Text(f"nothing to do, {since}", indent=4)
        elif one.waits_for == one.you:
            yield Text(f"waits for you ({one.waits_for}), {since}", "bold", indent=4)
        else:
            yield Text(f"waits for {one.waits_for}, {since}", indent=4)
