"""Upgrades of entries that older programs wrote under rules version 1."""

from __future__ import annotations

from referee.engine.versions import Document, Upcast


def _add_ranks(event: Document) -> Document:
    """Returns the event with ranks: the winners first, then all others by their scores."""
    outcome = event["outcome"]
    if "winners" not in outcome:
        return event
    winners, scores = outcome.pop("winners"), dict(outcome["scores"])
    ranks = [winners]
    others = {seat: reached for seat, reached in scores.items() if seat not in winners}
    for best in sorted(set(others.values()), reverse=True):
        ranks.append([seat for seat, reached in others.items() if reached == best])
    return {**event, "outcome": {**outcome, "ranks": ranks}}


UPCASTS = (Upcast("event", 1, "an outcome named its winners alone", _add_ranks, "ended"),)
