"""Much work for an executor, of which only a little is handed out at a time: memory does not grow with its amount."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Executor, Future
from typing import TypeVar

Item = TypeVar("Item")
T = TypeVar("T")

AHEAD = 64
"""Pieces of work that are handed out before the first of them has come back."""


def handed_out(
    executor: Executor, work: Callable[[Item], T], items: Iterable[Item], ahead: int = AHEAD
) -> Generator[tuple[Item, Future[T]], None, None]:
    """Each item with what comes of it, in their order; what was handed out and is not asked for any more is cancelled.

    Takes the executors that `audit_all` takes.
    """
    out: deque[tuple[Item, Future[T]]] = deque()
    try:
        for item in items:
            out.append((item, executor.submit(work, item)))
            if len(out) >= ahead:
                yield out.popleft()
        while out:
            yield out.popleft()
    finally:
        for _, future in out:
            future.cancel()
