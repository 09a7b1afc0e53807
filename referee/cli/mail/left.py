"""A branch by mail, told to who may join it: which game it leaves, what no longer counts in it, which throws go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from shlex import quote

from referee.cli.answer import Text
from referee.cli.entries import done_by
from referee.cli.logs import logs_here
from referee.cli.mail.mailed import told_dropped, without_parent
from referee.engine.event import REFEREE
from referee.engine.text import begin_sentence
from referee.mail.seats import seat_here
from referee.record.archive.throws import account_of
from referee.record.log.faults import FaultError
from referee.record.table.deeds.takeback import TakebackOffer
from referee.record.table.ledger import LeftLog, list_left_logs, list_left_throws
from referee.record.table.proposal import proposal_of
from referee.record.table.sitting import Sitting
from referee.record.table.start import open_log


def told_left(look: Sitting) -> Iterator[Text]:
    """Tells what a branch leaves, before anybody joins it; nothing where this is none, or not by mail."""
    branched = look.session.branched
    if look.pact is None or branched is None or look.log.path is None:
        return
    logs = list_left_logs(look.log.path, _logs(look.log.path))
    for left in logs:
        with suppress(FaultError):
            yield from _told_log(Sitting(open_log(left.path)), left)
    if not logs:
        yield Text(f"Before you join: {without_parent(branched.parent)}.", "refused", indent=2)


def _told_log(parent: Sitting, left: LeftLog) -> Iterator[Text]:
    """What of one log no longer counts in the branch, as who plays there sees it."""
    seat = seat_here(parent.pact) if parent.pact else None
    sits = f", where you sit at {seat}" if seat else ""
    yield Text(
        f"Before you join: this branch leaves {left.path}{sits}, after entry {left.n - 1}. In it:", "bold", indent=2
    )
    own = parent.through(seat) if seat and parent.knows(seat) else parent
    proposal = proposal_of(own, TakebackOffer(left.n - 1), seat or REFEREE)
    does = [] if proposal.cannot else list(done_by(own, proposal))
    yield from does
    throws = [begin_sentence(told) for told in told_dropped(list_left_throws(left), own.facts.player)]
    yield from (Text(f"{told}.", "refused", indent=2) for told in throws)
    if not (does or throws):
        yield Text("everything still counts", indent=2)
    yield Text(f"As long as you do not join, that game goes on: referee use {quote(str(left.path))}", indent=2)


def told_throws(look: Sitting) -> Iterator[Text]:
    """Tells which throws were begun and never made, in this game or in one that it has left."""
    if look.pact is None:
        return
    found = account_of(look.pact, look.session.branched, look.log.path, _logs(look.log.path))
    for told in told_dropped(found.dropped, look.facts.player):
        yield Text(f"{begin_sentence(told)}.", "refused")
    if found.parent:
        yield Text(f"{begin_sentence(without_parent(found.parent))}.", "refused")


def _logs(path: Path | None) -> Iterable[Path]:
    """The logs that may have been left: those here, and those beside a log."""
    beside = sorted(path.parent.glob("*.jsonl")) if path else []
    return {one.resolve(): one for one in (*beside, *logs_here())}.values()
