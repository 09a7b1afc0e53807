"""A mail as a file for a mail program: a text with the packet, and a page of the new entries, in the game's thread."""

from __future__ import annotations

from collections.abc import Iterable
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from referee.engine.text import Printable
from referee.gate import read_time

MESSAGE_ID_DOMAIN = "referee.invalid"
"""The domain of message ids. It belongs to nobody."""


def make_mail_message(
    game: str, base: int, end: int, subject: Printable, rows: Iterable[Printable], at: str, page: str | None = None
) -> bytes:
    """Returns a mail that carries entries `base` to `end` - 1 of a game. The sender fills in the address.

    `game` is the game's id, and `at` the time of the last entry. `rows` are the lines of the body, with the packet
    among them. `page` is the page to attach, or None. The same values give the same bytes, so a mail that is made again
    is the same mail.
    """
    mail = EmailMessage(policy=SMTP)
    mail["Subject"] = " ".join(subject.split())
    mail["Date"] = format_datetime(read_time(at))
    mail["Message-ID"] = _make_message_id(game, end)
    if base > 0:
        mail["In-Reply-To"] = mail["References"] = _make_message_id(game, base)
    mail["X-Unsent"] = "1"  # mail programs open it for writing
    mail.set_content("".join(f"{row}\n" for row in rows), cte="quoted-printable")
    if page is not None:
        mail.add_attachment(page.encode(), "text", "html", filename="new.html")
        mail.set_boundary(f"referee-{game[:16]}-{base}-{end}")
    return mail.as_bytes()


def _make_message_id(game: str, end: int) -> str:
    """Returns the message id for the state of the game after `end` entries."""
    return f"<{game[:32]}.{end}@{MESSAGE_ID_DOMAIN}>"
