"""Upgrades of events that were written in older forms, which told less about counters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.engine.versions import Document, Upcast

ADDED_EVENT_FIELDS: dict[str, Document] = {
    "doused": {"rubble": []},
    "fell": {"doused": False, "marker": ""},
    "spread": {"freed": [], "webs": []},
    "worked": {"freed": []},
    "wrecked": {"below": None, "doused": False},
}
"""The fields that events have since version 2 of the rules, with the values for events that lack them."""


def _make_field_adder(more: dict[str, Any]) -> Callable[[Document], Document]:
    """Returns a function that adds fields to an event that lacks them."""
    return lambda event: {**more, **event}


UPCASTS = tuple(
    Upcast("event", 2, f"it did not tell {' and '.join(more)}", _make_field_adder(more), tag)
    for tag, more in ADDED_EVENT_FIELDS.items()
)
