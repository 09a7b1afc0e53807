"""`referee log`: lists the entries, turn by turn."""

import re
from typing import Annotated

import typer
from typer import Argument

from referee.cli.answer import Answer, Shown, Text
from referee.cli.arguments import Eyes
from referee.cli.entry_text import describe_entry, describe_events, is_hidden
from referee.cli.errors import MisuseError
from referee.cli.game_view import heading, turn_text
from referee.engine.secret import blind
from referee.engine.text import count_of
from referee.record.log.entry import DeedEntry, GameEntry, PlayEntry
from referee.record.table.seat_view import SeatView

Span = Annotated[list[str] | None, Argument(metavar="[A..B|turn N]", help="List only these entries, or this turn.")]
_TURN = re.compile(r"turn\s*([0-9]{1,9})", re.IGNORECASE)


def log(ctx: typer.Context, span: Span = None, by: Eyes = None) -> Answer:
    """List the entries of the record, turn by turn. A minus marks what was taken back.

    \b
      referee log 10..20            referee log turn 7
    """
    look: SeatView = ctx.obj.look(by)
    typed = " ".join(span or ["0.."])
    of_turn = _TURN.fullmatch(typed)
    low, high = (0, look.log.entry_number) if of_turn else _span(typed, look.log.entry_number)
    in_force = set(look.session.in_force(look.log.entry_number))
    lines: list[Shown] = [heading(look)]
    facts, turn = [], 0
    for one in look.log.entries[low : high + 1]:
        then = _before(look, one.n)
        if of_turn and then.facts.turn != int(of_turn[1]):
            continue
        stands, text = one.n in in_force, describe_entry(look, one)
        counts = isinstance(one, GameEntry | PlayEntry) or (isinstance(one, DeedEntry) and one.irreversible == "agreed")
        gone = counts and not stands
        seen = describe_events(look, one) if is_hidden(one) else []
        if one.n and then.facts.turn != turn:
            turn = then.facts.turn
            lines.append(Text(turn_text(then.facts), "bold"))
        line = f"{one.n:>4}{'-' if gone else ' '} {'  '.join([text, *seen])}"
        lines.append(Text(line, "faint" if gone else None, hanging=8))
        # programs get the public entry, and its text in this view
        facts.append({"entry": blind(one, None), "in_force": stands, "turn": then.facts.turn, "text": text})
    if not facts:
        raise MisuseError(f"there is no {typed}; the game has {count_of(look.facts.turn, 'turn')}")
    return Answer(lines, lambda: facts)


def _before(look: SeatView, n: int) -> SeatView:
    """Returns the game before an entry; for the first entry, the game after it."""
    at = max(0, n - 1)
    return look.at_entry(at)


def _span(text: str, last: int) -> tuple[int, int]:
    read = re.fullmatch(r"([0-9]{0,9})(\.\.)?([0-9]{0,9})", text)
    if read is None or not (read[1] or read[3]):
        raise MisuseError(f"{text!r} is not a range of entries; type 10..20, 10.., 10 or turn 7")
    first = int(read[1] or 0)
    until = min(last, int(read[3] or last) if read[2] else first)
    if first > until:
        raise MisuseError(f"the log has entries 0 to {last}, not {text}")
    return first, until
