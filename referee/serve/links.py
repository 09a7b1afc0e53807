"""Links: who has one sees what its eyes may see, until it is withdrawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from secrets import token_urlsafe

from referee.serve.limits import Bucket

TOKEN = 16
"""Bytes of chance in a link: 128 bits."""


class Link:
    """A link, and what is asked of it."""

    def __init__(self, eyes: str | None) -> None:
        self.eyes = eyes
        """Whose it is; None: the table's."""
        self.token = token_urlsafe(TOKEN)
        self.bucket = Bucket()
        self.streams = 0
        """Viewers who are told what comes."""
        self.is_withdrawn = False


class Links:
    """The links of a game: one for the table, one for each seat that has one."""

    def __init__(self, seats: Iterable[str]) -> None:
        self._links = {eyes: Link(eyes) for eyes in (None, *seats)}

    def find(self, token: str) -> Link | None:
        """The link with this token; None: there is none (any more)."""
        return next((link for link in self._links.values() if link.token == token), None)

    def renew(self, eyes: str | None) -> Link:
        """Withdraw a link and make another in its place."""
        self._links[eyes].is_withdrawn = True
        self._links[eyes] = Link(eyes)
        return self._links[eyes]

    @property
    def all(self) -> Mapping[str | None, Link]:
        """By whose they are; the table's first."""
        return self._links
