"""`referee log`: the entries, turn by turn."""

import re
from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer, Shown, Text
from referee.cli.entries import describe, is_shut, told
from referee.cli.errors import MisuseError
from referee.cli.look import heading, turn_told
from referee.cli.typed import Eyes
from referee.engine.secret import blinded
from referee.engine.text import count_of
from referee.record.log.entry import DeedEntry, GameEntry, PlayEntry
from referee.record.table.sitting import Sitting

Span = Annotated[list[str] | None, Argument(metavar="[A..B|turn N]", help="Only these entries, or those of a turn.")]
_TURN = re.compile(r"turn\s*([0-9]{1,9})", re.IGNORECASE)


def log(ctx: typer.Context, span: Span = None, by: Eyes = None) -> Answer:
    """List the entries, numbered, turn by turn; what was taken back is marked.

    \b
      referee log 10..20            referee log turn 7
    """
    look: Sitting = ctx.obj.look(by)
    typed = " ".join(span or ["0.."])
    of_turn = _TURN.fullmatch(typed)
    low, high = (0, look.log.entry) if of_turn else _span(typed, look.log.entry)
    in_force = set(look.session.in_force(look.log.entry))
    lines: list[Shown] = [heading(look)]
    facts, turn = [], 0
    for one in look.log.entries[low : high + 1]:
        then = _before(look, one.n)
        if of_turn and then.facts.turn != int(of_turn[1]):
            continue
        stands, text = one.n in in_force, describe(look, one)
        counts = isinstance(one, GameEntry | PlayEntry) or (isinstance(one, DeedEntry) and one.bar == "agreed")
        gone = counts and not stands
        seen = told(look, one) if is_shut(one) else []
        if one.n and then.facts.turn != turn:
            turn = then.facts.turn
            lines.append(Text(turn_told(then.facts), "bold"))
        line = f"{one.n:>4}{'-' if gone else ' '} {'  '.join([text, *seen])}"
        lines.append(Text(line, "faint" if gone else None, hanging=8))
        # an entry for programs is as everybody has it, its text for these eyes
        facts.append({"entry": blinded(one, None), "in_force": stands, "turn": then.facts.turn, "text": text})
    if not facts:
        raise MisuseError(f"there is no {typed}; {count_of(look.facts.turn, 'turn')} can be looked at")
    return Answer(lines, lambda: facts)


def _before(look: Sitting, n: int) -> Sitting:
    """The moment in which an entry was made; for the first one, the moment after it."""
    at = max(0, n - 1)
    return look.then(at)


def _span(text: str, last: int) -> tuple[int, int]:
    read = re.fullmatch(r"([0-9]{0,9})(\.\.)?([0-9]{0,9})", text)
    if read is None or not (read[1] or read[3]):
        raise MisuseError(f"{text!r} is no span of entries; type like 10..20, 10.. or 10, or turn 7")
    first = int(read[1] or 0)
    until = min(last, int(read[3] or last) if read[2] else first)
    if first > until:
        raise MisuseError(f"the log has entries 0 to {last}, not {text}")
    return first, until
