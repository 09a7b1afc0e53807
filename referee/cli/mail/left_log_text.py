"""The game that a branch by mail leaves, in words: entries that no longer count, and rolls that are dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from shlex import quote

from referee.cli.answer import Text
from referee.cli.entry_text import describe_proposal
from referee.cli.log_paths import list_logs
from referee.cli.mail.mail_entry_text import dropped_throws_text, missing_parent_text
from referee.engine.event import REFEREE
from referee.engine.text import begin_sentence
from referee.mail.seats import own_seat
from referee.record.archive.log_fence import read_if_possible
from referee.record.archive.roll_account import account_for_rolls
from referee.record.table.deeds.takeback import TakebackOffer
from referee.record.table.ledger import LeftLog, list_left_logs, list_left_rolls
from referee.record.table.opening_logs import open_log
from referee.record.table.proposal import propose
from referee.record.table.seat_view import SeatView


def describe_left_log(look: SeatView) -> Iterator[Text]:
    """Yields each log that a branch by mail leaves, and all that would no longer count in it.

    Yields nothing for a game that is not a branch by mail.
    """
    branched = look.session.public.branched
    if look.protocol is None or branched is None or look.log.path is None:
        return
    logs = list_left_logs(look.log.path, _logs(look.log.path))
    for left in logs:
        yield from read_if_possible(left.path, partial(_describe_left, left)) or ()
    if not logs:
        yield Text(f"Before you join: {missing_parent_text(branched.parent)}.", "refused", indent=2)


def _describe_left(left: LeftLog) -> list[Text]:
    return list(_describe_lost_entries(SeatView(open_log(left.path)), left))


def _describe_lost_entries(parent: SeatView, left: LeftLog) -> Iterator[Text]:
    """Yields the parts of a left log that would no longer count, in the view of its player here."""
    seat = own_seat(parent.protocol) if parent.protocol else None
    sits = f", where you sit at {seat}" if seat else ""
    yield Text(
        f"Before you join: this branch leaves {left.path}{sits}, after entry {left.n - 1}. In it:", "bold", indent=2
    )
    own = parent.with_eyes(seat) if seat and parent.knows(seat) else parent
    proposal = propose(own, TakebackOffer(left.n - 1), seat or REFEREE)
    does = [] if proposal.cannot else list(describe_proposal(own, proposal))
    yield from does
    throws = [begin_sentence(told) for told in dropped_throws_text(list_left_rolls(left), own.facts.seat_with_name)]
    yield from (Text(f"{told}.", "refused", indent=2) for told in throws)
    if not (does or throws):
        yield Text("everything still counts", indent=2)
    yield Text(f"Until you join, that game goes on: referee use {quote(str(left.path))}", indent=2)


def describe_dropped_throws(look: SeatView) -> Iterator[Text]:
    """Yields the joint rolls that were begun and never made, in this game or in one that it has left."""
    if look.protocol is None:
        return
    found = account_for_rolls(look.protocol, look.session.public.branched, look.log.path, _logs(look.log.path))
    for told in dropped_throws_text(found.dropped, look.facts.seat_with_name):
        yield Text(f"{begin_sentence(told)}.", "refused")
    if found.parent:
        yield Text(f"{begin_sentence(missing_parent_text(found.parent))}.", "refused")


def _logs(path: Path | None) -> Iterable[Path]:
    """Returns the logs that a branch may have left: those here, and those beside a log."""
    beside = sorted(path.parent.glob("*.jsonl")) if path else []
    return {one.resolve(): one for one in (*beside, *list_logs())}.values()
