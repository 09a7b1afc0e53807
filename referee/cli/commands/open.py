"""`referee mail open`: checks, shows and records mail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from msgspec.structs import replace
from typer import Argument, Option

from referee.cli.answer import NO, OK, Answer, AnswerLine, Text
from referee.cli.arguments import OutputOption
from referee.cli.context import Context
from referee.cli.errors import explain_error, format_sentence
from referee.cli.game_view import collect_summary_facts, describe_present_state
from referee.cli.log_paths import is_current_log, list_logs
from referee.cli.mail.mail_files import UnreadableMail, collect_packets, describe_unread_mails
from referee.cli.mail.opened_text import (
    OpenedPacket,
    collect_opened_packet_facts,
    describe_known_packets,
    describe_opened_packet,
)
from referee.cli.mail.packet_opening import OpenOptions, PostponedGame, open_deferred_packets, open_packet
from referee.cli.mail.waiting_mails import describe_waiting_mails, group_postponed_games
from referee.mail.ascii_armor import DAMAGE_TEXTS
from referee.mail.invitations import InvitationCheck
from referee.mail.key import Key, read_own_key
from referee.mail.mail_player import MailPlayer
from referee.mail.order_flow import carry_out_orders
from referee.mail.packet import PacketError
from referee.mail.people import read_people_book_if_possible
from referee.mail.seats import find_own_seat, get_mail_protocol, is_own_key_director
from referee.record.table.seat_view import SeatView

MailsArgument = Annotated[list[str], Argument(metavar="MAIL...", help="A mail, a folder of mails, or - for stdin.")]
DryRunOption = Annotated[bool, Option("-n", "--dry-run", help="Only look; record nothing.")]
TheirsOption = Annotated[bool, Option("--theirs", help="If copies differ: take theirs, set mine aside.")]
AgainOption = Annotated[bool, Option("--again", help="Take theirs, then repeat my own moves.")]


def open_mail(
    ctx: typer.Context,
    mails: MailsArgument,
    dry_run: DryRunOption = False,
    theirs: TheirsOption = False,
    again: AgainOption = False,
    output: OutputOption = None,
) -> Answer:
    """Open a mail: the referee checks every packet in it, shows it, and adds it to the log.

    It also gives what you owe at once: your share of a roll, or an answer that only you know. To send it: referee mail
    pack.

    If you do not know the sender, one mail begins at most one game. Other games in it wait until you open the
    mail again.

    \b
      referee mail open mail.txt         referee mail open ../shared
      referee mail open -n mail.txt
    """
    return open_named_mails(ctx.obj, mails, OpenOptions(output, dry_run=dry_run, theirs=theirs or again, again=again))


def open_named_mails(context: Context, mails: Sequence[str], how: OpenOptions) -> Answer:
    """Opens the named mails and returns the answer about them. Sets `how.key` and `how.scratch_folder` itself.

    If no mail holds a packet that can be opened, the answer is that of a PacketError.
    """
    with TemporaryDirectory() if how.dry_run else nullcontext("") as room, context.attribute_errors_to_logs():
        return _answer_on_mails(context, mails, replace(how, key=read_own_key(), scratch_folder=Path(room)))


def _answer_unread(lines: Sequence[str]) -> Answer:
    """Returns the answer if nothing was opened: a line for each cause."""
    return replace(explain_error(PacketError("\n".join(lines))), complaint=(*lines[:-1], format_sentence(lines[-1])))


def _answer_on_mails(context: Context, mails: Sequence[str], how: OpenOptions) -> Answer:
    packets, trouble = collect_packets(mails)
    invitations = InvitationCheck(
        read_people_book_if_possible(), how.own_public_key, list_logs, asked=how.has_named_mails
    )
    each = [open_packet(context, packet, how, invitations) for packet in packets]
    found = [one for one in each if isinstance(one, OpenedPacket)]
    waiting = group_postponed_games(one for one in each if isinstance(one, PostponedGame))
    found += [] if how.dry_run else open_deferred_packets(found, how)
    if not (found or waiting):
        return _answer_unread([*describe_unread_mails(trouble)] or [DAMAGE_TEXTS["none"]])
    lines = [*_describe_packets(found, trouble, dry_run=how.dry_run), *describe_waiting_mails(waiting)]
    carried: list[dict[str, Any]] = []
    if how.key and not how.dry_run:
        found, told = _carry_out_orders(found, how.key, carried)
        lines += told
    if context.live_log and not how.dry_run:
        context.live_log.reload_own_changes()
    if not how.dry_run:
        lines += [*_choose_opened(context, found), *_describe_news(context, found)]
    last = _find_last_game_here(found)
    if last and not how.dry_run:
        context.answered_log = last.log.path
        lines += describe_present_state(last)
    facts = {
        "packets": [collect_opened_packet_facts(one) for one in found],
        "trouble": list(map(str, trouble)),
        "waiting": waiting,
        "orders": carried,
        "after": collect_summary_facts(last) if last else None,
    }
    return Answer(lines, lambda: facts, _choose_exit_code(found, has_waiting=bool(waiting)))


def _choose_exit_code(found: Sequence[OpenedPacket], *, has_waiting: bool) -> int:
    """Returns OK if no packet was refused. If games wait, something must also have been taken in."""
    if not all(one.packet_verdict.is_sound for one in found):
        return NO
    return NO if has_waiting and all(one.brings_nothing_new for one in found) else OK


def _carry_out_orders(
    found: Sequence[OpenedPacket], key: Key, facts: list[dict[str, Any]]
) -> tuple[list[OpenedPacket], list[AnswerLine]]:
    """Carries out the player's own orders in each opened game.

    Returns the packets with their games after the orders, and lines about the moves that were made. Adds these moves to
    `facts`.
    """
    from referee.cli.mail.orders_text import collect_orders_result_facts, describe_orders_result

    lines: list[AnswerLine] = []
    looks = {one.look.log.path: one.look for one in found if one.look and one.is_game_here}
    for path, look in looks.items():
        result = carry_out_orders(MailPlayer(look.session, key))
        if not result.is_empty:
            lines += describe_orders_result(look, result)
            facts.append(collect_orders_result_facts(look, result))
        looks[path] = look.at_present() if result.recorded_actions or result.declared_actions else look
    after = [replace(one, look=looks[one.look.log.path]) if one.look and one.is_game_here else one for one in found]
    return after, lines


def _find_last_game_here(found: Sequence[OpenedPacket]) -> SeatView | None:
    """Returns the last opened game whose log is here; None if there is none.

    Skips the finished games of a match, unless there is no other game.
    """
    looks = [one.look for one in reversed(found) if one.look and one.is_game_here]
    going_on = (look for look in looks if not (look.facts.header.match and look.facts.outcome))
    return next(going_on, looks[0] if looks else None)


def _describe_packets(
    found: Sequence[OpenedPacket], trouble: Sequence[UnreadableMail], *, dry_run: bool
) -> Iterator[AnswerLine]:
    """Yields the result of each packet, and a line for each mail that could not be read. If there are several packets,
    those without news are only counted."""
    old = [one for one in found if len(found) > 1 and one.brings_nothing_new]
    lines = [line for one in found if one not in old for line in describe_opened_packet(one, dry_run=dry_run)]
    yield from lines
    yield from describe_known_packets(old, alone=not lines)
    yield from map(Text, describe_unread_mails(trouble))


def _choose_opened(context: Context, found: Sequence[OpenedPacket]) -> Iterator[AnswerLine]:
    """Makes the last opened game of the player current, and says so.

    A game counts as the player's if they have a seat in it or are its director. Does nothing in a session, or if one of
    these opened games is current already.
    """
    fine = [one.look for one in found if one.look and one.packet_verdict.is_sound]
    protocols = [(look, get_mail_protocol(look.session)) for look in fine]
    games = [look for look, protocol in protocols if find_own_seat(protocol) or is_own_key_director(protocol)]
    played = [_find_log_to_play(look) for look in games if look.log.path]
    if played and not context.live_log and not any(map(is_current_log, played)) and context.set_current_log(played[-1]):
        yield Text(f"{played[-1]} is the current game now.", indent=2)


def _find_log_to_play(look: SeatView) -> Path:
    """Returns the log in which to play on: this game's own log, or in a match by mail, the log of the current game."""
    if look.facts.header.match is None:
        return look.session.file_path
    from referee.record.archive.match_by_mail import find_current_game  # few games belong to a match by mail

    return find_current_game(look.session) or look.session.file_path


def _describe_news(context: Context, found: Sequence[OpenedPacket]) -> Iterator[AnswerLine]:
    """Yields, for each game that has gone on, the news since the player's last move."""
    from referee.cli.changes_since import describe_changes_since

    begins: dict[Path | None, OpenedPacket] = {}
    lasts: dict[Path | None, SeatView] = {}
    for one in found:
        if one.look:
            lasts[one.look.log.path] = one.look
        if one.look and one.look.eyes and one.packet_verdict.brings_new_entries:
            begins.setdefault(one.look.log.path, one)
    for path, one in begins.items():
        screen = context.screen
        yield from describe_changes_since(
            lasts[path], one.packet_verdict.first, width=screen.width, ascii_only=screen.ascii
        )
