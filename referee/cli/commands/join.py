"""`referee join`: sit down at this computer."""

from shlex import quote
from typing import Annotated

import typer
from typer import Argument, Option

from referee.cli.answer import Answer
from referee.cli.errors import MisuseError
from referee.cli.logs import is_current
from referee.cli.look import facts_told, heading, next_told
from referee.cli.typed import check_one, path_of, piped, seat_of
from referee.engine.text import listing
from referee.record.log.vault import vault_path
from referee.record.table.sitting import Sitting
from referee.record.table.start import join as join_game


def join(
    ctx: typer.Context,
    seat: Annotated[str | None, Argument(metavar="SEAT", help="Who sits down.")] = None,
    lost_key: Annotated[bool, Option("--lost-key", help="By mail: ask to play on with another key.")] = False,
    recover: Annotated[
        bool, Option("--recover", help="By mail: the same by your back-up line, read from stdin.")
    ] = False,
) -> Answer:
    """Sit down at this computer, in a game by mail or one with secrets that was started at another one.

    \b
      referee join SEAT             referee join SEAT --lost-key
    """
    check_one(lost_key=lost_key, recover=recover)
    look: Sitting = ctx.obj.recording("join")
    if seat is None:
        raise MisuseError(_who_can(look))
    if look.log.path and not ctx.obj.resident and not is_current(look.log.path):
        ctx.obj.choose(look.log.path)
    if look.pact:
        from referee.cli.mail.desk import check_person, joined

        sitting, owner = str(seat_of(seat, look.facts.names)), None
        if not (lost_key or recover):
            check_person(look, look.pact, sitting, seat)
        if recover:
            from referee.mail.key import key_in

            owner = key_in(piped("the line of the back-up").decode("utf-8", "replace"))
        return joined(look, sitting, lost_key=lost_key, owner=owner)
    if lost_key or recover:
        raise MisuseError("keys are for games by mail")
    sitting = str(seat_of(seat, look.facts.names))
    join_game(look.session, sitting)
    now = look.now()
    vault = vault_path(path_of(str(now.log.path)), sitting)
    told = f"{sitting.capitalize()} sits here; the secrets are kept in {vault}: share the log, never the vault."
    return Answer([heading(now), told, *next_told(now)], lambda: facts_told(now))


def _who_can(look: Sitting) -> str:
    """Who may sit down, for who has not said who he is, as a clause."""
    ways = [f"referee join {quote(look.facts.names[seat])}" for seat in look.to_join]
    return f"say who sits down: {listing(ways, 'or')}" if ways else "say who sits down; nobody is missing here"
