"""`referee agree`: to what is offered by mail."""

from __future__ import annotations

import typer

from referee.cli.answer import Answer, Text
from referee.cli.context import Context
from referee.cli.desk import desk_of
from referee.cli.entries import describe
from referee.record.log.faults import NotAllowedError


def agree(ctx: typer.Context) -> Answer:
    """Agree to what another player offers by mail.

    \b
      referee agree
    """
    return replied(ctx.obj, agree=True)


def replied(context: Context, *, agree: bool) -> Answer:
    """Agree to what another player offers, or refuse it."""
    look = context.recording("agree" if agree else "refuse")
    desk = desk_of(look.session)
    standing = desk.asked
    if standing is None:
        raise NotAllowedError("nothing is offered to you")
    cannot = look.proposal(standing.offer, standing.by).cannot if agree else ""
    if cannot:
        raise NotAllowedError(f"it cannot be done: {cannot}; say so with: referee refuse")
    before = len(look.entries)
    desk.reply(standing, agree=agree)
    now = look.now()
    new = look.entries[before:]
    lines = [Text(f"{entry.n:>4}  {describe(now, entry)}", hanging=6) for entry in new]
    return Answer([now.heading, *lines, *now.come_to()], lambda: {"recorded": list(new), "after": now.facts()})
