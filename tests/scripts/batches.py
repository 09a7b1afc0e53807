"""Many jobs on two processes, as many of them as there is time for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

Job = TypeVar("Job")
T = TypeVar("T")


def in_batches(work: Callable[[Job], T], jobs: Sequence[Job], size: int, minutes: float) -> Iterator[tuple[Job, T]]:
    """Each job with what comes of it; after so many minutes no other batch of this size is begun."""
    until = time.monotonic() + 60 * minutes
    with ProcessPoolExecutor(2) as pool:
        for at in range(0, len(jobs), size):
            if time.monotonic() > until:
                return
            batch = jobs[at : at + size]
            yield from zip(batch, pool.map(work, batch), strict=True)
