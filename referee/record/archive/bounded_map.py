"""Handing out work to an executor in small parts, so that memory does not grow with the amount of work."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Executor, Future
from typing import TypeVar

Item = TypeVar("Item")
T = TypeVar("T")

MAX_TASKS_AHEAD = 64
"""The number of pieces of work that are handed out before the first has come back."""


def map_bounded(
    executor: Executor, work: Callable[[Item], T], items: Iterable[Item], ahead: int = MAX_TASKS_AHEAD
) -> Generator[tuple[Item, Future[T]], None, None]:
    """Yields each item with the future of its work, in order. Works with every executor that `audit_all` takes.

    Work that was handed out is cancelled when the caller stops asking.
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
