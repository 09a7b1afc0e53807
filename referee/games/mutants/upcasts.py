"""How games of Attack of the Mutants are read that were written in older forms."""

from __future__ import annotations

from referee.engine.versions import Document, Upcast
from referee.games.mutants.options import SEATS


def _in_the_open(options: Document) -> Document:
    """Nothing was hidden before it could be."""
    return {"hidden-movement": "no", "wall-reveal": "either-room", **options}


def _together(action: Document) -> Document:
    """Who cannot go without the others goes with them, and is named among them."""
    along = action.pop("along", [])
    return {**action, "units": [*action["units"], *along]}


def _put(action: Document) -> Document:
    """A chief is put with the others like any of them."""
    chief = action.pop("chief")
    return {**action, "type": "put", "units": [chief, *action["units"]]}


def _engaged(event: Document) -> Document:
    """Whoever fills his boxes is engaged: first or second, the Combat tells."""
    return {**event, "type": "engaged"}


def _round(event: Document) -> Document:
    """No pair was through; whether dice counted less was not told here."""
    return {"modifier": False, **event, "combat": {"due": 0, **event["combat"]}}


def _fought(event: Document) -> Document:
    """The last of a pair's throws, the only one that hit; the others stand among the rolls of the play."""
    if "rolls" in event:
        event["human_die"], event["mutant_die"] = event.pop("rolls")[-1]
    return event


def _retreated(event: Document) -> Document:
    """No square was kept secret."""
    return {"into": None, **event}


def _opened(event: Document) -> Document:
    """Who may pass: those on the other side, into the place of the openers. No other way was ever played."""
    one, other = event["door"].split("-")
    ways = [[origin, to] for origin, to in ((one, other), (other, one)) if to in event["places"]]
    return {"ways": ways, **event}


def _glowed(event: Document) -> Document:
    """Who has died is told with the place; in the oldest games without."""
    return {**event, "eliminated": [[dead, ""] if isinstance(dead, str) else dead for dead in event["eliminated"]]}


def _ended(event: Document) -> Document:
    """The winners first, and then who has not won."""
    outcome = event["outcome"]
    if "winners" in outcome:
        winners = outcome.pop("winners")
        others = [seat for seat in SEATS if seat not in winners]
        event["outcome"] = {**outcome, "ranks": [winners, others] if others else [winners]}
    return event


UPCASTS = (
    Upcast("options", 1, "at first nothing could be hidden", _in_the_open),
    Upcast("action", 1, "who cannot go alone was named apart", _together, "move"),
    Upcast("action", 1, "who cannot go alone was named apart", _together, "retreat"),
    Upcast("action", 1, "who cannot go alone was named apart", _together, "pursue"),
    Upcast("action", 1, "a Guard or Leader was put apart from those with him", _put, "put-both"),
    Upcast("event", 1, "the first to fill his boxes laid out", _engaged, "laid-out"),
    Upcast("event", 1, "the second to fill his boxes paired off", _engaged, "paired-off"),
    Upcast("event", 1, "all pairs of a Round fought in one play", _round, "round-begun"),
    Upcast("event", 1, "all throws of a pair in one event", _fought, "fought"),
    Upcast("event", 1, "nobody retreated in secret", _retreated, "retreated"),
    Upcast("event", 1, "who may pass was not told", _opened, "opened"),
    Upcast("event", 1, "where somebody glowed out was not told at first", _glowed, "glowed"),
    Upcast("event", 1, "an outcome named its winners alone", _ended, "ended"),
)
