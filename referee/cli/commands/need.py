"""`referee need`: the dice that are waited for."""

from collections.abc import Iterator

import typer

from referee.cli.answer import Answer, Shown, Text
from referee.cli.context import Context
from referee.cli.look import summary
from referee.cli.throws import throw_facts, throws_told
from referee.cli.typed import By
from referee.engine.dice import Need
from referee.record.table.sitting import Sitting

FEW = 8
"""So many things to do that begin with a throw are told."""


def need(ctx: typer.Context, by: By = None) -> Answer:
    """The dice that are waited for, or could be thrown now: the numbers needed, what they do, and how likely they are.

    \b
      referee need                  referee why ACTION
    """
    context: Context = ctx.obj
    look: Sitting = context.look(by, speaks=True)
    throws = list(_throws(context, look))
    lines: list[Shown] = []
    for words, one in throws[:FEW]:
        lines.append(Text(words, "bold", indent=2))
        lines += [Text(line, indent=4) for line in throws_told(one)]
    none = [Text("No dice are waited for; what an action throws tells: referee why ACTION", indent=2)]
    facts = {"needs": [{"text": words, **throw_facts(one)} for words, one in throws]}
    return Answer([*summary(look), *(lines or none)], lambda: facts)


def _throws(context: Context, look: Sitting) -> Iterator[tuple[str, Need]]:
    """What is thrown for, each with its dice: what was said and waits for them, else what can be done."""
    if context.pending:
        yield context.pending.what, context.pending.need
        return
    if look.facts.asked:
        return
    for choice in look.through(look.eyes or look.facts.to_act).sight.legal.throws:
        if choice.need:
            yield look.facts.game.format_choice(choice), choice.need
