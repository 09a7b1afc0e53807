"""What somebody may ask for: how much, how often, how long."""

from __future__ import annotations

import time
from collections.abc import Callable

MOST_SAID = 4 * 1024
"""Bytes of what a phone says at once."""
MOST_HEAD = 16 * 1024
"""Bytes of the lines before the body of a request."""
PATIENCE = 10.0
"""Seconds in which a request has to be there."""
STREAMS = 16
"""Viewers of one link who are told what comes."""
CONNECTIONS = 256
"""Connections of all together."""
EACH = 64
"""Connections from one address, so that no stranger in the network takes them all."""
BURST, PACE = 60.0, 10.0
"""Requests of one link at once, and each second after that: sixteen viewers come back at one moment after a restart."""
BEAT = 10.0
"""Seconds after which a viewer is told that nothing has happened."""


class Bucket:
    """How often something may be done: so many at once, and so many each second after that."""

    def __init__(self, burst: float = BURST, pace: float = PACE, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._pace, self._clock = burst, pace, clock
        self._left, self._since = burst, clock()

    def take(self) -> bool:
        """Do it once more; False: not now."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._since) * self._pace)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
