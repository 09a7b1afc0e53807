"""House rules: notes about a rule of the game. The referee does not enforce them; it shows them with the rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

from referee.engine.event import Seat
from referee.engine.rulebook import RuleBook
from referee.record.log.entry import AnyEntry, NoteEntry

HOUSE_RULE_NOTE = re.compile(r"(\S+): (.+)", re.DOTALL)
"""A note about a rule: its id, a colon and the text."""


class HouseRule(Struct, frozen=True):
    """The way in which a table plays a rule."""

    n: int
    """The number of the note."""
    by: Seat
    """The seat that noted it; the referee stands for the table."""
    rule: str
    """The id of the rule or ruling."""
    text: str


def format_house_rule_note(rule: str, text: str) -> str:
    """Returns the text of a note about a rule."""
    return f"{rule}: {text}"


def find_house_rules(entries: Iterable[AnyEntry], book: RuleBook) -> Mapping[str, HouseRule]:
    """Returns the house rules in the notes among some entries, by the id of the rule. The last one on a rule counts."""
    found = {}
    for entry in entries:
        noted = HOUSE_RULE_NOTE.fullmatch(entry.text) if isinstance(entry, NoteEntry) else None
        if noted and (noted[1] in book.rules or noted[1] in book.rulings):
            found[noted[1]] = HouseRule(entry.n, entry.by, noted[1], noted[2])
    return found
