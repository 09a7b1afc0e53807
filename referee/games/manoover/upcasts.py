"""How games of Manoover are read that were written before rules 1 had the form that they have today."""

from __future__ import annotations

from referee.engine.versions import Document, Upcast


def _with_ranks(event: Document) -> Document:
    """The winners, and all others by what they reached."""
    outcome = event["outcome"]
    if "winners" not in outcome:
        return event
    winners, scores = outcome.pop("winners"), dict(outcome["scores"])
    ranks = [winners]
    others = {seat: reached for seat, reached in scores.items() if seat not in winners}
    for best in sorted(set(others.values()), reverse=True):
        ranks.append([seat for seat, reached in others.items() if reached == best])
    return {**event, "outcome": {**outcome, "ranks": ranks}}


UPCASTS = (Upcast("event", 1, "an outcome named its winners alone", _with_ranks, "ended"),)
