"""Computers that die at one of the calls with which a program touches its files: before it, in it, or after it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import Any
from unittest.mock import patch

from hypothesis import settings
from simulation import Killed

CALLS = ("write", "fsync", "replace", "unlink")
PLACES = max(1, settings.default.max_examples // 12)
"""The number of places that are tried: 25 in the suite, more with `--hypothesis-profile=thorough`."""


@contextmanager
def dies_at(step: int, part: float = 0.0) -> Iterator[list[int]]:
    """Makes the computer die at this step; each call has two steps.

    If a write is cut off, `part` of it reaches the disk. Yields a list in which the steps are counted.
    """
    steps, taken = count(), [0]

    def watched(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            taken[0] += 2
            if next(steps) == step:
                if name == "write":
                    real(given[0], given[1][: int(part * len(given[1]))])
                raise Killed
            done = real(*given, **named)
            if next(steps) == step:
                raise Killed
            return done

        return call

    with patch.multiple(os, **{name: watched(name, getattr(os, name)) for name in CALLS}), suppress(Killed):
        yield taken
