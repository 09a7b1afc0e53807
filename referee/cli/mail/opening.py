"""Opening packets: the log of each is found, and what becomes of it is done, or only looked at."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from msgspec import Struct

from referee.cli.context import Context
from referee.cli.errors import MisuseError, NoGameError
from referee.cli.logs import kin_of, logs_here
from referee.cli.mail.branched import bring_vaults_along, unlike_ours
from referee.cli.mail.opened import Opened
from referee.cli.mail.proving import proof_path
from referee.cli.typed import new_log
from referee.mail.desk import Desk
from referee.mail.exchange import Received, received, received_first, received_late
from referee.mail.fate import Begins, fate_of
from referee.mail.intake import begun
from referee.mail.key import Key
from referee.mail.packet import Packet
from referee.mail.seats import pact_of, seat_here
from referee.record.archive.forks import spell_fork
from referee.record.log.disk import create_file
from referee.record.log.faults import FaultError
from referee.record.table.sitting import Sitting

if TYPE_CHECKING:
    from referee.mail.arrival import Arrival
    from referee.record.log.entry import AnyEntry
    from referee.record.table.session import Session


class Opening(Struct, frozen=True):
    """How mail is to be opened."""

    output: Path | None = None
    """Where the log of a new game is to be."""
    dry_run: bool = False
    theirs: bool = False
    """Whether one's own entries give way where copies have parted."""
    again: bool = False
    """Whether what one had said is then said again."""
    key: Key | None = None
    """The key of who opens it."""
    room: Path = Path()
    """Where a game that is not here is laid out while it is only looked at."""

    @property
    def own(self) -> str | None:
        """What everybody may know of the key."""
        return self.key.public if self.key else None


def opened(context: Context, packet: Packet, how: Opening) -> Opened:
    """What became of a packet, or would become of it where it is only looked at."""
    session = game_of(context, packet)
    if session is not None and not how.dry_run:
        return _taken_in(session, packet, how)
    match fate_of(session, packet, how.own, yielding=how.theirs):
        case Begins():
            return _laid_out(packet, how) if how.dry_run else _begun(packet, how)
        case fate:
            return Opened(packet, fate.arrival, Sitting(session) if session else None)


def opened_late(before: Iterable[Opened], how: Opening) -> list[Opened]:
    """Packets that had come too early, and now follow."""
    logs = {one.look.log.path for one in before if one.look and one.look.log.path}
    late = [one for log in logs for one in received_late(log, how.key)]
    return [_opened_as(packet, found) for packet, found in late if not found.arrival.is_old]


def _opened_as(packet: Packet, found: Received, more: Sequence[str] = ()) -> Opened:
    look = _look(found.session) if found.session else None
    return Opened(packet, found.arrival, look, found.done, more, found.lapsed, found.gave, found.heard)


def _look(session: Session) -> Sitting:
    """The game as who opens the mail sees it; as everybody does, where he has lost what he keeps secret."""
    seat = seat_here(pact_of(session))
    look = Sitting(session)
    return look.through(seat) if seat and look.knows(seat) else look


# Which game it is of


def game_of(context: Context, packet: Packet) -> Session | None:
    """The log of the game that a packet is of: the current one, or another that lies here."""
    trouble: FaultError | None = None
    for path in kin_of(packet.head.game, _candidates(context), context.is_of):
        try:
            session = context.opened(path)
        except FaultError as error:
            trouble = trouble or error
            continue
        if session.pact and session.pact.record_id == packet.head.record:
            return session
    if trouble:
        raise trouble
    if context.log is not None:
        raise MisuseError(f"this packet is of another game than {context.log}")
    return None


def _candidates(context: Context) -> Iterator[Path]:
    """The logs that may be meant: the current one first, and others that lie here only if need be."""
    try:
        yield context.path()
    except (NoGameError, FileNotFoundError):
        if context.log is not None:
            raise
    if context.log is None:
        yield from logs_here()


# A game that is here


def _taken_in(session: Session, packet: Packet, how: Opening) -> Opened:
    """What became of a packet of a game that is here."""
    found = received(session, packet, how.key, yielding=how.theirs)
    more = [f"Your own entries lie in {found.aside}."] if found.aside else []
    if found.arrival.fork and session.path:
        proof = quote(str(_proof(session.path, found.arrival)))
        more.append(f"The proof is a file, which anybody can check: referee audit {proof}")
    if how.again and found.aside and found.session:
        more += _said_again(found.session, found.replaced, how.key)
    return _opened_as(packet, found, more)


def _proof(log: Path, arrival: Arrival) -> Path:
    assert arrival.fork is not None, "asked where there is one"
    path = proof_path(log, str(arrival.seat), arrival.first)
    data = spell_fork(arrival.fork)
    if not os.path.lexists(path):
        create_file(path, data)
    return path


def _said_again(session: Session, before: Sequence[AnyEntry], key: Key | None) -> list[str]:
    """What the player had said on the copy that was set aside, judged and recorded again on the one in force."""
    from referee.record.log.entry import PlayEntry

    desk = Desk(session, key) if key else None
    if desk is None or desk.seat is None or not desk.has_pen:
        return ["Nothing of what you had said can be said now: somebody else has the pen."]
    mine = [one for one in before if isinstance(one, PlayEntry) and one.by == desk.seat]
    told: list[str] = []
    for action in filter(None, (entry.done for entry in mine)):
        line = Sitting(session, desk.seat).line([action])
        words = session.game.format(action)
        if line.refused or line.awaiting:
            return [*told, f"No longer possible: {words}."]
        session.record(line.said)
        told.append(f"Said again: {words}.")
    return told


# A game that is new here


def _begun(packet: Packet, how: Opening) -> Opened:
    with new_log(how.output, packet.head.module) as path:
        known = _is_known(packet.head.game)
        found = received_first(packet, path, how.key, yielding=how.theirs, is_known=known)
    if found.session is None:
        return Opened(packet, found.arrival)
    unlike = list(unlike_ours(found.session))
    if found.session.branched and not unlike:
        bring_vaults_along(packet.head.game, path, Sitting(found.session).facts.keepers)
    return _opened_as(packet, found, [f"The game is in {path}.", *unlike])


def _laid_out(packet: Packet, how: Opening) -> Opened:
    """A game that is not here, judged and looked at without keeping it."""
    path = how.room / f"{packet.head.record}.jsonl"
    session, arrival = begun(packet, path, how.own, is_known=_is_known(packet.head.game))
    if session is None:
        return Opened(packet, arrival, is_kept=False)
    return Opened(packet, arrival, Sitting(session), more=list(unlike_ours(session, is_kept=False)), is_kept=False)


def _is_known(game_id: str) -> bool:
    """Whether a log of this game lies here, of which this may be a branch: its beginning was taken in once."""
    return any(kin_of(game_id, logs_here()))
