"""`referee agree`: to what is offered by mail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from referee.cli.answer import Answer, Text
from referee.cli.context import Context
from referee.cli.entries import describe, done_by
from referee.cli.look import come_to, facts_told, heading, next_told
from referee.cli.mail.next import desk_of
from referee.record.log.faults import NotAllowedError
from referee.record.table.proposal import proposal_of

if TYPE_CHECKING:
    from referee.mail.packet import Ask
    from referee.record.table.sitting import Sitting


def agree(ctx: typer.Context) -> Answer:
    """Agree to what another player offers by mail.

    \b
      referee agree                 referee -g LOG agree
    """
    return replied(ctx.obj, agree=True)


def replied(context: Context, *, agree: bool) -> Answer:
    """Agree to what another player offers, or refuse it."""
    asked = _requests(context.look())
    if asked:
        return _answered(context.look(), asked, agree=agree)
    back = None if agree else _taken_back(context.look())
    if back:
        return back
    look = context.recording("agree" if agree else "refuse")
    desk = desk_of(look.session)
    standing = desk.asked
    if standing is None:
        raise NotAllowedError("nothing is offered to you")
    cannot = proposal_of(look, standing.offer, standing.by).cannot if agree else ""
    if cannot:
        raise NotAllowedError(f"it cannot be done: {cannot}; say so with: referee refuse")
    before = len(look.log.entries)
    desk.reply(standing, agree=agree)
    now = look.now()
    new = look.log.entries[before:]
    lines = [Text(f"{entry.n:>4}  {describe(now, entry)}", hanging=6) for entry in new]
    return Answer([heading(now), *lines, *come_to(now)], lambda: {"recorded": list(new), "after": facts_told(now)})


def _taken_back(look: Sitting) -> Answer | None:
    """Withdraws what this player has offered without the pen; None where nothing of theirs waits beside the log."""
    pact, path = look.pact, look.log.path
    if pact is None or path is None:
        return None
    from referee.cli.mail.mailed import offered
    from referee.mail.box import asks_in, keep_asks
    from referee.mail.seats import seat_here

    seat, asks = seat_here(pact), asks_in(path)
    own = [ask for ask in asks if ask.by == seat]
    if not own or pact.pen in (None, seat):
        return None
    keep_asks(path, [ask for ask in asks if ask.by != seat])
    told = f"You take back what you offered, {offered(look, own[0].offer)}. No mail of yours carries it from now on."
    sent = Text("If one has carried it already, it holds until somebody throws or moves.", indent=2)
    return Answer([heading(look), told, sent, *next_told(look)], lambda: facts_told(look))


def _requests(look: Sitting) -> tuple[Ask, ...]:
    """What strangers ask for beside the log; an offer on the record goes first."""
    if look.pact is None or desk_of(look.session).asked:
        return ()
    from referee.mail.heirs import requests

    return requests(look.session)


def _answered(look: Sitting, asked: Sequence[Ask], *, agree: bool) -> Answer:
    """Give one's word for another key, or forget who asked. Nothing is added to the log."""
    from referee.cli.mail.desk import told_request
    from referee.mail.heirs import drop, is_agreed_here
    from referee.mail.taking_over import consent

    told = [Text(told_request(look, ask), indent=2) for ask in asked]
    told += [line for ask in asked for line in done_by(look, proposal_of(look, ask.offer, ask.by))] if agree else []
    if not agree:
        drop(look.session, asked)
        return Answer(
            [heading(look), "Refused; nothing is signed or sent, and the game goes on.", *told],
            lambda: facts_told(look),
        )
    if len(asked) > 1:
        raise NotAllowedError("several keys are asked for, and only one can be the right one; referee refuse drops all")
    if is_agreed_here(look.session, asked[0]):
        raise NotAllowedError("you have agreed to that already; referee pack sends your word")
    consent(desk_of(look.session), asked[0])
    given = f"You agree that another key plays on at {asked[0].by}; the log will say that it does on your word."
    return Answer(
        [heading(look), given, *told, Text("Next: referee pack, which sends it", indent=2)], lambda: facts_told(look)
    )
