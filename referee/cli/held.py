"""Ctrl-C that waits until what must not be done by halves is done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def held() -> Iterator[None]:
    """Ctrl-C pressed meanwhile is heard at the end of the block, so that what is counted there is counted whole."""
    if threading.current_thread() is not threading.main_thread():  # nobody presses anything there
        yield
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        signal.raise_signal(signal.SIGINT)
