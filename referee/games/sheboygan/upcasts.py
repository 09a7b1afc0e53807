"""How games of The Creature That Ate Sheboygan are read that were written when events told less of counters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.engine.versions import Document, Upcast

TOLD_SINCE: dict[str, Document] = {
    "doused": {"rubble": []},
    "fell": {"doused": False, "marker": ""},
    "spread": {"freed": [], "webs": []},
    "worked": {"freed": []},
    "wrecked": {"below": None, "doused": False},
}
"""What events tell since rules 2, as it is where they do not tell it."""


def _with(more: dict[str, Any]) -> Callable[[Document], Document]:
    """Returns what adds fields to an event that lacks them."""
    return lambda event: {**more, **event}


UPCASTS = tuple(
    Upcast("event", 2, f"it did not tell {' and '.join(more)}", _with(more), tag) for tag, more in TOLD_SINCE.items()
)
