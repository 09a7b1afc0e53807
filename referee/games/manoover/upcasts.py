"""How games of Manoover are read that were written before rules 1 had the form that they have today."""

from __future__ import annotations

from referee.engine.versions import Document, Upcast, in_order
from referee.games.manoover.options import SEATS

WRITTEN_DOWN_LATER = ("r.eliminated-bonus", "r.match-level", "r.match-low", "r.match-ties", "r.plus-target")
"""Rulings about matches and bonus points, by which no game is played otherwise."""


def _with_rulings(entry: Document) -> Document:
    """Seats in playing order, and the rulings that were written down later."""
    order = SEATS.get(entry["options"].get("form", ""), ())
    return {**in_order(entry, order), "rulings": sorted({*entry["rulings"], *WRITTEN_DOWN_LATER})}


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


UPCASTS = (
    Upcast("entry", 1, "seats in no order, and without rulings about matches", _with_rulings, "game"),
    Upcast("event", 1, "an outcome named its winners alone", _with_ranks, "ended"),
)
