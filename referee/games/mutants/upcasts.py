"""Upgrades of entries, actions and events that were written in older forms."""

from __future__ import annotations

from referee.engine.versions import Document, Upcast
from referee.games.mutants.options import SEATS


def _add_hidden_options(options: Document) -> Document:
    """Adds the options of Hidden Movement, which older games did not have."""
    return {"hidden-movement": "no", "wall-reveal": "either-room", **options}


def _add_answers(options: Document) -> Document:
    """Adds the option that says when the Human player tells what Mutants find."""
    return {"answers": "at-once", **options}


def _drop_answers(options: Document) -> Document:
    """Takes the option `answers` out again."""
    return {name: value for name, value in options.items() if name != "answers"}


def _keep(position: Document) -> Document:
    """Returns a position as it is; a field that is missing has its default."""
    return position


def _drop_due(position: Document) -> Document:
    """Takes out the rooms about which an answer is due. Without the option `answers` there are none."""
    if "told" in position:
        position["told"] = {name: value for name, value in position["told"].items() if name != "due"}
    return position


def _join_group(action: Document) -> Document:
    """Adds to the group the units that could not go alone. Older games kept these units in a field of their own."""
    along = action.pop("along", [])
    return {**action, "units": [*action["units"], *along]}


def _join_chief(action: Document) -> Document:
    """Moves the Guard or Leader from its own field into the group of units, and turns `put-both` into `put`.

    Older games had an action of its own for this.
    """
    chief = action.pop("chief")
    return {**action, "type": "put", "units": [chief, *action["units"]]}


def _retag_engaged(event: Document) -> Document:
    """Gives one tag to the two events in which a side fills its boxes. The Combat says which side was first."""
    return {**event, "type": "engaged"}


def _add_round_fields(event: Document) -> Document:
    """Adds the fields for pairs that are done and for the modifier."""
    return {"modifier": False, **event, "combat": {"due": 0, **event["combat"]}}


def _keep_last_roll(event: Document) -> Document:
    """Keeps a pair's last roll, the only one that hit. The other dice are in the rolls of the entry."""
    if "rolls" in event:
        event["human_die"], event["mutant_die"] = event.pop("rolls")[-1]
    return event


def _add_secret_square(event: Document) -> Document:
    """Adds an empty field for a secret square."""
    return {"into": None, **event}


def _add_ways(event: Document) -> Document:
    """Adds the ways through the door: from the other side into the place of the openers.

    Older games had no other ways.
    """
    one, other = event["door"].split("-")
    ways = [[origin, to] for origin, to in ((one, other), (other, one)) if to in event["places"]]
    return {"ways": ways, **event}


def _add_places(event: Document) -> Document:
    """Adds the place of each dead Mutant; "" in the oldest games."""
    return {**event, "eliminated": [[dead, ""] if isinstance(dead, str) else dead for dead in event["eliminated"]]}


def _add_ranks(event: Document) -> Document:
    """Adds ranks: the winners first, then the others."""
    outcome = event["outcome"]
    if "winners" in outcome:
        winners = outcome.pop("winners")
        others = [seat for seat in SEATS if seat not in winners]
        event["outcome"] = {**outcome, "ranks": [winners, others] if others else [winners]}
    return event


UPCASTS = (
    Upcast("options", 1, "games had no hidden units", _add_hidden_options),
    Upcast("options", 3, "what Mutants find was told at once", _add_answers, lower=_drop_answers),
    Upcast("position", 3, "no answer was due when a Step ends", _keep, lower=_drop_due),
    Upcast("action", 1, "units that cannot go alone had a field of their own", _join_group, "move"),
    Upcast("action", 1, "units that cannot go alone had a field of their own", _join_group, "retreat"),
    Upcast("action", 1, "units that cannot go alone had a field of their own", _join_group, "pursue"),
    Upcast("action", 1, "a Guard or Leader had a field of its own", _join_chief, "put-both"),
    Upcast("event", 1, "the first side to fill its boxes laid out", _retag_engaged, "laid-out"),
    Upcast("event", 1, "the second side to fill its boxes paired off", _retag_engaged, "paired-off"),
    Upcast("event", 1, "one play held all pairs of a Round", _add_round_fields, "round-begun"),
    Upcast("event", 1, "one event held all rolls of a pair", _keep_last_roll, "fought"),
    Upcast("event", 1, "nobody retreated in secret", _add_secret_square, "retreated"),
    Upcast("event", 1, "the event did not say who may pass", _add_ways, "opened"),
    Upcast("event", 1, "the event did not say where a Mutant died", _add_places, "glowed"),
    Upcast("event", 1, "an outcome named its winners alone", _add_ranks, "ended"),
)
