"""`referee need`: shows the dice that the game waits for."""

from collections.abc import Iterator

import typer

from referee.cli.answer import Answer, Shown, Text
from referee.cli.arguments import By
from referee.cli.context import Context
from referee.cli.dice_text import describe_throw, throw_facts
from referee.cli.game_view import summary_text
from referee.engine.dice import Need
from referee.record.table.seat_view import SeatView

FEW = 8
"""The most actions with a roll that are shown."""


def need(ctx: typer.Context, by: By = None) -> Answer:
    """Show the dice that the game waits for, or that you could roll: the numbers needed, their effects and chances.

    \b
      referee need                  referee why ACTION
    """
    context: Context = ctx.obj
    look: SeatView = context.look(by, speaks=True)
    throws = list(_throws(context, look))
    lines: list[Shown] = []
    for words, one in throws[:FEW]:
        lines.append(Text(words, "bold", indent=2))
        lines += [Text(line, indent=4) for line in describe_throw(one)]
    none = [Text("The game waits for no dice. To see the roll of a move: referee why ACTION", indent=2)]
    facts = {"needs": [{"text": words, **throw_facts(one)} for words, one in throws]}
    return Answer([*summary_text(look), *(lines or none)], lambda: facts)


def _throws(context: Context, look: SeatView) -> Iterator[tuple[str, Need]]:
    """Yields the purpose and the dice of each roll: of the waiting action, or else of the possible actions."""
    if context.pending:
        yield context.pending.what, context.pending.need
        return
    if look.facts.asked:
        return
    for choice in look.with_eyes(look.eyes or look.facts.to_act).sight.legal.throws:
        if choice.need:
            yield look.facts.game.format_choice(choice), choice.need
