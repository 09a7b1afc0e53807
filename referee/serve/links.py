"""Links to a served game. Anyone who has a link sees what its seat may see, until the link is withdrawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from secrets import token_urlsafe

from referee.serve.rate_limits import RateLimiter

TOKEN_BYTES = 16
"""The random bytes in a link: 128 bits."""


class Link:
    """A link, with counters that limit the requests for it."""

    def __init__(self, eyes: str | None, token: str | None = None) -> None:
        self.eyes = eyes
        """The seat of the link; None for the table's."""
        self.token = token or token_urlsafe(TOKEN_BYTES)
        self.rate_limiter = RateLimiter()
        self.stream_count = 0
        """The number of viewers that get events."""
        self.is_withdrawn = False


class Links:
    """The links of a game: one for the table, and one for each of the given seats."""

    def __init__(self, seats: Iterable[str], tokens: Mapping[str | None, str] | None = None) -> None:
        """`tokens` are the tokens of an earlier server's links. Links without a token get a new one."""
        known = tokens or {}
        self._links = {eyes: Link(eyes, known.get(eyes)) for eyes in (None, *seats)}

    def find(self, token: str) -> Link | None:
        """Returns the link with this token; None if there is none, or if it was withdrawn."""
        return next((link for link in self._links.values() if link.token == token), None)

    def renew(self, eyes: str | None) -> Link:
        """Withdraws the link of a seat, or of the table (None), and returns a new one in its place."""
        self._links[eyes].is_withdrawn = True
        self._links[eyes] = Link(eyes)
        return self._links[eyes]

    @property
    def by_eyes(self) -> Mapping[str | None, Link]:
        """All links by the seat that they are for; the table's link comes first, under None."""
        return self._links
