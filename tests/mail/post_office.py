"""A post office on this machine: mails go through a real SMTP server into the Maildir of the receiver."""

from __future__ import annotations

import mailbox
from email import policy
from email.message import EmailMessage
from pathlib import Path
from smtplib import SMTP
from types import TracebackType

from aiosmtpd import smtp
from aiosmtpd.controller import Controller

DOMAIN = "example.org"


class PostOffice:
    """Takes mails and delivers them below a folder while it is open: `with PostOffice(folder) as post`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._server = _OnAnyPort(self, hostname="127.0.0.1", port=0)

    def __enter__(self) -> PostOffice:
        self._server.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.stop()

    def send(self, sender: str, to: str, text: str) -> None:
        """Sends a text as a mail program does. The mail has arrived when this returns."""
        mail = EmailMessage(policy=policy.default)
        mail["From"], mail["To"], mail["Subject"] = _address(sender), _address(to), "Our game"
        mail.set_content(text)
        self.send_mail(sender, to, mail.as_bytes(policy=policy.SMTP))

    def send_mail(self, sender: str, to: str, mail: bytes) -> None:
        """Sends a mail that is written already. Its lines end as SMTP demands."""
        with SMTP("127.0.0.1", self._server.port, local_hostname="localhost") as line:
            line.sendmail(_address(sender), [_address(to)], b"\r\n".join(mail.splitlines()) + b"\r\n")

    def mails_of(self, name: str) -> list[bytes]:
        """Returns all mails that somebody received, oldest first, as they lie in the Maildir."""
        box = self._box(name)
        return [box.get_bytes(key) for key in sorted(box.keys(), key=_number)]

    async def handle_DATA(self, server: smtp.SMTP, session: smtp.Session, envelope: smtp.Envelope) -> str:
        """Delivers a mail that the server has received."""
        for address in envelope.rcpt_tos:
            self._box(address.partition("@")[0]).add(envelope.original_content)
        return "250 Delivered"

    def _box(self, name: str) -> mailbox.Maildir:
        return mailbox.Maildir(self.folder / name)


class _OnAnyPort(Controller):
    """A server on any free port."""

    def _trigger_server(self) -> None:
        assert self.server is not None
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


def _address(name: str) -> str:
    return f"{name}@{DOMAIN}"


def _number(key: str) -> int:
    """Returns the number of mails that were delivered before this one. A key looks like 1700000000.M12P34Q5.host."""
    return int(key.partition("Q")[2].partition(".")[0])
