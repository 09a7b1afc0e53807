"""Long work, and who watches it: a command line that tells people what they wait for."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

Report = Callable[[float], None]
"""Is told now and then which part of a long work is done, from 0 to 1."""
watch: ContextVar[Callable[[str], Report]] = ContextVar("watch", default=lambda _what: lambda _done: None)
"""Who watches: given what is being done, such as "lines of sight", it makes the report that is told of it."""
