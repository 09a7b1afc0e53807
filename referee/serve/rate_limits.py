"""Limits for browsers: how much they may send, how often, and how long it may take."""

from __future__ import annotations

import time
from collections.abc import Callable

MAX_BODY_BYTES = 4 * 1024
"""The most bytes that one request of a phone may have."""
MAX_HEAD_BYTES = 16 * 1024
"""The most bytes in the lines before a request's body."""
REQUEST_SECONDS = 10.0
"""The seconds in which a request has to arrive."""
MAX_STREAMS_OF_LINK = 16
"""The most viewers of one link that get events."""
MAX_CONNECTIONS = 256
"""The most open connections."""
MAX_CONNECTIONS_PER_ADDRESS = 64
"""The most connections from one address, so that no stranger in the network takes them all."""
MAX_REQUESTS_AT_ONCE, REQUESTS_PER_SECOND = 60.0, 10.0
"""The requests of one link at once, and per second after that. Sixteen viewers may reconnect together after a
restart.
"""
BEAT_SECONDS = 10.0
"""The seconds without news after which the server sends an empty sign of life to a viewer."""


class RateLimiter:
    """A limit on how often something may be done: a number at once, then a number per second."""

    def __init__(
        self,
        at_once: float = MAX_REQUESTS_AT_ONCE,
        per_second: float = REQUESTS_PER_SECOND,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._at_once, self._per_second, self._clock = at_once, per_second, clock
        self._left, self._since = at_once, clock()

    def count_request(self) -> bool:
        """Counts one more request. Returns False if the limit is reached."""
        now = self._clock()
        self._left = min(self._at_once, self._left + (now - self._since) * self._per_second)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
