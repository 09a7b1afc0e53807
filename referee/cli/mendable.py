"""What can be taken back or corrected, named with the line to type, where somebody asked for what cannot be."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from referee.cli.answer import Answer, Text
from referee.cli.entries import describe
from referee.cli.errors import explain
from referee.engine.source import LOTS
from referee.record.log.entry import PlayEntry
from referee.record.log.faults import NotAgreedError, NotAllowedError
from referee.record.table.sitting import Sitting

FEW = 5
"""So many plays are named, the latest."""


def unless_refused(look: Sitting, carry_out: Callable[[], Answer], named: Callable[[Sitting], list[Text]]) -> Answer:
    """The answer to what takes back or corrects; where there is nothing such, with what could have been meant."""
    try:
        return carry_out()
    except NotAgreedError:
        raise
    except NotAllowedError as error:
        answer, lines = explain(error), named(look)
        facts = {**answer.facts(), "instead": [line.text for line in lines]}
        return replace(answer, lines=[*answer.lines, *lines], facts=lambda: facts)


def plays_told(look: Sitting) -> list[Text]:
    """The plays that can be taken back, the latest last, each with the line that goes back before it."""
    said = list(enumerate(look.log.said(FEW), 1))[::-1]
    return [
        Text(f"referee undo{f' {count}' if count > 1 else ''}:  {n}  {describe(look, look.log.entries[n])}", indent=2)
        for count, n in said
    ]


def throws_told(look: Sitting) -> list[Text]:
    """The throws whose dice can be corrected, the latest last, each with the line to type."""
    thrown = [n for n in look.log.in_force if _is_thrown(look, n)][-FEW:]
    return [Text(f"referee correct {n} FACES:  {describe(look, look.log.entries[n])}", indent=2) for n in thrown]


def undone_told(look: Sitting) -> list[Text]:
    """What was taken back and is not in force, the latest last."""
    plays = [entry for entry in look.log.entries if isinstance(entry, PlayEntry) and entry.n not in look.log.in_force][
        -FEW:
    ]
    return [Text(f"taken back before:  {entry.n}  {describe(look, entry)}", indent=2) for entry in plays]


def _is_thrown(look: Sitting, n: int) -> bool:
    entry = look.log.entries[n]
    return isinstance(entry, PlayEntry) and any(roll.purpose != LOTS for roll in entry.rolls)
