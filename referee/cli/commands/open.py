"""Opening mail: what came is checked, told, and recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import NO, OK, Answer, Shown, Text
from referee.cli.context import Context
from referee.cli.logs import is_current
from referee.cli.look import come_to, facts_told
from referee.cli.mail.mails import Trouble, in_groups, packets_in
from referee.cli.mail.opened import Opened, facts_on, passed_over, told_of
from referee.cli.mail.opening import Opening, opened, opened_late
from referee.cli.typed import Output
from referee.mail.envelope import WORDS
from referee.mail.key import own_key
from referee.mail.packet import PacketError
from referee.mail.seats import pact_of, seat_here
from referee.record.table.sitting import Sitting

Mails = Annotated[list[str], Argument(metavar="MAIL...", help="A mail as it came, a folder of them, or - for stdin.")]
Looking = Annotated[bool, Option("-n", "--dry-run", help="Only look; record nothing.")]
Theirs = Annotated[bool, Option("--theirs", help="Where copies have parted: take theirs, set mine aside.")]
Again = Annotated[bool, Option("--again", help="The same, and say again on top what I had said.")]


def open_mail(
    ctx: typer.Context,
    mails: Mails,
    dry_run: Looking = False,
    theirs: Theirs = False,
    again: Again = False,
    output: Output = None,
) -> Answer:
    """Open a mail as it came: every packet in it is checked, judged by the rules, told, and added to the log.

    What you owe, your part of a throw or an answer only you know, is given at once: referee pack sends it.

    \b
      referee open mail.txt         referee open ../shared
      referee open -n mail.txt
    """
    return opened_from(ctx.obj, mails, Opening(output, dry_run=dry_run, theirs=theirs or again, again=again))


def opened_from(context: Context, mails: Sequence[str], how: Opening) -> Answer:
    """Open these mails; PacketError where none of them holds a packet."""
    with TemporaryDirectory() if how.dry_run else nullcontext("") as room:
        return _answer(context, mails, replace(how, key=own_key(), room=Path(room)))


def _answer(context: Context, mails: Sequence[str], how: Opening) -> Answer:
    packets, trouble = packets_in(mails)
    found = [opened(context, packet, how) for packet in packets]
    found += [] if how.dry_run else opened_late(found, how)
    if context.resident and not how.dry_run:
        context.resident.catch_up()
    if not found:
        raise PacketError("\n".join(in_groups(trouble)) or WORDS["none"])
    lines = list(_told(found, trouble, dry_run=how.dry_run))
    if not how.dry_run:
        lines += [*_chosen(context, found), *_since(context, found)]
    last = _last_here(found)
    if last and not how.dry_run:
        lines += come_to(last)
    facts = {
        "packets": [facts_on(one) for one in found],
        "trouble": list(map(str, trouble)),
        "after": facts_told(last) if last else None,
    }
    return Answer(lines, lambda: facts, OK if all(one.arrival.is_fine for one in found) else NO)


def _last_here(found: Sequence[Opened]) -> Sitting | None:
    """The game that was opened last, of those that are here."""
    return next((one.look for one in reversed(found) if one.look and one.is_here), None)


def _told(found: Sequence[Opened], trouble: Sequence[Trouble], *, dry_run: bool) -> Iterator[Shown]:
    """What became of each packet. Of many, as in a shared folder, those that held nothing new are only counted."""
    old = [one for one in found if len(found) > 1 and one.arrival.is_old and not one.done]
    lines = [line for one in found if one not in old for line in told_of(one, dry_run=dry_run)]
    yield from lines
    yield from passed_over(old, alone=not lines)
    yield from map(Text, in_groups(trouble))


def _chosen(context: Context, found: Sequence[Opened]) -> Iterator[Shown]:
    """Who plays a game whose mail he opens goes on with that; the game of strangers is never the current one."""
    fine = [one.look for one in found if one.look and one.arrival.is_fine]
    games = [look for look in fine if seat_here(pact_of(look.session))]
    played = [look.log.path for look in games if look.log.path]
    if played and not context.resident and not any(map(is_current, played)) and context.choose(played[-1]):
        yield Text(f"{played[-1]} is the current game now.", indent=2)


def _since(context: Context, found: Sequence[Opened]) -> Iterator[Shown]:
    """Of each game that has gone on, what is new since who opens the mail has played in it."""
    from referee.cli.since import told_since

    begins: dict[Path | None, Opened] = {}
    lasts: dict[Path | None, Sitting] = {}
    for one in found:
        if one.look:
            lasts[one.look.log.path] = one.look
        if one.look and one.look.eyes and one.arrival.is_new:
            begins.setdefault(one.look.log.path, one)
    for path, one in begins.items():
        screen = context.screen
        yield from told_since(lasts[path], one.arrival.first, width=screen.width, ascii_only=screen.ascii)
