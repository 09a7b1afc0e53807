"""Mails with games that may not begin yet, in words: their senders are strangers, or have begun too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from shlex import quote
from typing import TYPE_CHECKING

from msgspec import Struct

from referee.cli.answer import Text
from referee.cli.mail.people_text import explain_unreadable_people_book
from referee.engine.text import count_of
from referee.mail.invitations import MAX_INVITATIONS

if TYPE_CHECKING:
    from referee.cli.mail.packet_opening import PostponedGame
    from referee.mail.invitations import InvitationObstacle


class WaitingMail(Struct, frozen=True):
    """A mail with games that may not begin yet, the reason, and the number of these games."""

    mail: str
    why: InvitationObstacle
    games: int


def group_postponed_games(games: Iterable[PostponedGame]) -> list[WaitingMail]:
    """Returns each mail once for each reason, with the number of its games that wait for this reason."""
    return [
        WaitingMail(mail, why, count) for (mail, why), count in Counter((one.mail, one.why) for one in games).items()
    ]


def describe_waiting_mails(waiting: Iterable[WaitingMail]) -> Iterator[Text]:
    """Yields a line for each mail with games that may not begin yet.

    If the book of known people cannot be read, a last line says that nobody can be recognised.
    """
    told = [_describe_waiting_mail(one) for one in waiting]
    trouble = explain_unreadable_people_book() if told else None
    yield from (Text(line, "refused") for line in [*told, *([trouble] if trouble else [])])


def _describe_waiting_mail(one: WaitingMail) -> str:
    many, waits = count_of(one.games, "game"), "waits" if one.games == 1 else "wait"
    again = _make_open_command(one.mail)
    match one.why:
        case "stranger":
            sent, took = ("it", "it") if one.games == 1 else ("them", "the first")
            return f"{many} {waits}: you do not know who sent {sent}. To take {took}: {again}"
        case "one a mail":
            more = count_of(one.games, "other game")
            why = "a mail from people you do not know can begin only one game at a time"
            return f"{more} {waits}: {why}. To take the next: {again}"
        case "too many":
            here = f"{MAX_INVITATIONS} games of that sender are here, and you do not play in them"
            return f"{many} {waits}: {here}. Join one, or move its log away. Then: {again}"


def _make_open_command(mail: str) -> str:
    """Returns the command that opens a mail again."""
    return "open the mail again" if mail == "-" else f"referee mail open {quote(mail)}"
