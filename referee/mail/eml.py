"""A mail as a file that a mail program opens: text, packet, and the page of what is new, in the thread of its game."""

from __future__ import annotations

from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

DOMAIN = "referee.invalid"
"""Where the ids of mails end: nobody's domain."""


def letter(game: str, base: int, end: int, subject: str, text: str, at: str, page: str | None = None) -> bytes:
    """A mail that carries entries `base` to `end` - 1 of a game, named by its id. To whom it goes, its sender fills in.

    `text` is what stands in it, the packet included; `at` the time of its last entry; `page` the page of what is new,
    attached. The same entries give the same bytes, so that a mail which is made again is the same mail.
    """
    mail = EmailMessage(policy=SMTP)
    mail["Subject"] = " ".join(subject.split())
    mail["Date"] = format_datetime(datetime.fromisoformat(at))
    mail["Message-ID"] = _id(game, end)
    if base > 0:
        mail["In-Reply-To"] = mail["References"] = _id(game, base)
    mail["X-Unsent"] = "1"  # mail programs open it for writing
    mail.set_content(text, cte="quoted-printable")
    if page is not None:
        mail.add_attachment(page.encode(), "text", "html", filename="new.html")
        mail.set_boundary(f"referee-{game[:16]}-{base}-{end}")
    return mail.as_bytes()


def _id(game: str, end: int) -> str:
    """The id of the mail after which a game has so many entries."""
    return f"<{game[:32]}.{end}@{DOMAIN}>"
