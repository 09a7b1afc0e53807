"""`referee join`: sits down at this computer."""

from typing import Annotated

import typer
from typer import Argument, Option

from referee.cli.answer import Answer
from referee.cli.arguments import check_options_exclude_each_other, parse_path_argument, parse_seat, read_stdin
from referee.cli.errors import MisuseError
from referee.cli.game_view import collect_summary_facts, describe_next_step, make_heading
from referee.cli.log_paths import is_current_log
from referee.engine.text import listing
from referee.record.log.log_errors import NotAllowedError
from referee.record.log.vault import find_vault_path
from referee.record.table.opening_logs import join as join_game
from referee.record.table.seat_view import SeatView


def join(
    ctx: typer.Context,
    seat: Annotated[str | None, Argument(metavar="SEAT", help="Your seat.")] = None,
    lost_key: Annotated[bool, Option("--lost-key", help="By mail: ask to play on with a new key.")] = False,
    recover: Annotated[
        bool, Option("--recover", help="By mail: take your seat again; paste your back-up line.")
    ] = False,
    name: Annotated[
        str | None,
        Option("--as", metavar="NAME", help="By mail: take over a seat from its player; NAME is your own name."),
    ] = None,
) -> Answer:
    """Sit down at this computer in a game by mail, or in a game with secrets from another computer.

    \b
      referee join SEAT             referee join SEAT --lost-key
      referee join SEAT --as NAME
    """
    check_options_exclude_each_other(lost_key=lost_key, recover=recover, **{"as": name is not None})
    look: SeatView = ctx.obj.open_view_to_record("join")
    if seat is None:
        raise _explain_missing_seat(look)
    if look.log.path and not ctx.obj.live_log and not is_current_log(look.log.path):
        ctx.obj.set_current_log(look.log.path)
    if look.protocol:
        from referee.cli.mail.mail_answers import check_player_named, join_by_mail

        sitting, owner = str(parse_seat(seat, look.facts.names)), None
        if not (lost_key or recover or name is not None):
            check_player_named(look, sitting, seat)
        if recover:
            from referee.mail.key import parse_backup_line

            owner = parse_backup_line(read_stdin("the line of the back-up").decode("utf-8", "replace"))
        return join_by_mail(look, sitting, lost_key=lost_key, owner=owner, name=name)
    if lost_key or recover or name is not None:
        raise MisuseError("--lost-key, --recover and --as are only for games by mail; at a table: referee sits")
    sitting = str(parse_seat(seat, look.facts.names))
    join_game(look.session, sitting)
    now = look.at_present()
    vault = find_vault_path(parse_path_argument(str(now.log.path)), sitting)
    told = f"{sitting.capitalize()} sits here. The secrets are in {vault}: share the log, never the vault."
    return Answer([make_heading(now), told, *describe_next_step(now)], lambda: collect_summary_facts(now))


def _explain_missing_seat(look: SeatView) -> Exception:
    """Returns the error for somebody who has not named their seat."""
    if look.protocol and look.seats_to_join:
        from referee.mail.joining import describe_ways_to_join, explain_barred_joining

        barred = explain_barred_joining(look.session)
        ways = describe_ways_to_join(look.session)
        return NotAllowedError(barred) if barred else MisuseError(f"name your seat: {ways}")
    if look.seats_to_join:
        commands = [f"referee join {seat}" for seat in look.seats_to_join]
        return MisuseError(f"name your seat: {listing(commands, 'or')}")
    if look.protocol:
        return NotAllowedError("a player sits on each seat, so nobody can join; to see who plays: referee mail")
    if look.facts.keepers:
        return NotAllowedError("a player sits on each seat, so nobody can join")
    return NotAllowedError("in this game nobody has to join; to see your moves: referee legal")
