"""`referee odds`: what are my chances? Records nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated, Any

import typer
from typer import Option

from referee.chances.odds import ENOUGH, Odd, Odds, odds_of, throws_now
from referee.chances.ways import MOST
from referee.cli.answer import NO, Answer, Shown, Text
from referee.cli.commands.why import may
from referee.cli.errors import MisuseError, sentence
from referee.cli.look import Look
from referee.cli.speaking import owed
from referee.cli.throws import throw_facts, throws_told
from referee.cli.typed import By, Words
from referee.engine.adjudicate import first_need
from referee.engine.text import count_of, phrases_of

FEW = 12
"""Outcomes that are listed; the others are added up."""
THROWS = 30
"""Actions that throw dice, of which the chances are told side by side."""
Exact = Annotated[bool, Option("--exact", help=f"Enumerate up to {MOST:,} ways, however long it takes.")]


def odds(ctx: typer.Context, words: Words = None, by: By = None, exact: Exact = False) -> Answer:
    """What may an action come to, and how likely is it? Bare: all that throws dice now, side by side.

    \b
      referee odds                  referee odds ACTION
    """
    look: Look = ctx.obj.look(by, speaks=True)
    if look.asked:
        return owed(look, look.asked)
    return _of_action(look, " ".join(words), exact) if words else _of_all(look)


def _of_action(look: Look, text: str, exact: bool) -> Answer:
    phrases = phrases_of(text) or [text]
    if len(phrases) > 1:
        raise MisuseError("chances are told of one action at a time")
    line = look.line(phrases, supposed=True, forcing=True)
    if line.refused:
        return may(look, text, [])
    waits = line.pending if line.awaiting else None
    here = look.after(line) if waits else look.before(line.said[-1])
    here, action = here.through(here.speaker), waits or line.said[-1].action
    found = odds_of(here.game, here.view, here.speaker, action, most=MOST if exact else ENOUGH)
    if found is None:
        return Answer([f"Nobody can say what {here.game.format(action)} comes to."], dict, NO)
    return Answer(list(_told(here, found)), lambda: _facts(here, found))


def _told(look: Look, found: Odds) -> Iterator[Shown]:
    words = look.game.format(found.action)
    yield Text(f"{words}   {_how(found)}", "good")
    need = first_need(look.game, look.view, look.speaker, found.action)
    yield from (Text(line, indent=2) for line in (throws_told(need) if need else ()))
    if not need:
        yield Text("It throws no dice.", indent=2)
        return
    yield from (_row(row) for row in found.rows[:FEW])
    others = found.rows[FEW:]
    if others:
        chance = sum(row.chance for row in others)
        yield Text(f"{_percent(chance)}  {count_of(len(others), 'other outcome')}, each less likely", indent=2)


def _row(row: Odd) -> Text:
    exact = f" ({row.exact})" if row.exact is not None else f" ± {_percent(row.error)}"
    return Text(f"{_percent(row.chance)}{exact}  {' '.join(row.told) or 'Nothing happens.'}", indent=2)


def _how(found: Odds) -> str:
    """How the chances were come by."""
    if found.guesses:
        return f"sampled over {found.guesses} guesses of what others keep secret, {found.ways:,} throws"
    return f"exact, {count_of(found.ways, 'way')}" if found.is_exact else f"sampled, {found.ways:,} throws"


def _percent(chance: float) -> str:
    return f"{100 * chance:.3g} %"


def _of_all(look: Look) -> Answer:
    """The chances of all that throws dice now."""
    look = look.through(look.speaker)
    found = list(islice(throws_now(look.game, look.view, look.speaker, look.legal), THROWS))
    lines: list[Shown] = list(look.summary())
    for throw in found:
        lines.append(Text(look.game.format_choice(throw.choice), indent=2))
        if len(throw.choice) > 1:
            lines.append(Text(f"for example {look.game.format(throw.odds.action)}:", indent=4))
        lines += [Text(f"{aim}", indent=4) for aim in _short(look, throw.odds)]
    if not found:
        lines.append(sentence("nothing that may be done now throws dice"))
    return Answer(lines, lambda: [_facts(look, throw.odds) for throw in found])


def _short(look: Look, found: Odds) -> Iterable[str]:
    """The numbers needed where they are known, else the likeliest outcomes."""
    need = first_need(look.game, look.view, look.speaker, found.action)
    if need and need.aims:
        return list(throws_told(need))[1:]
    return [f"{_percent(row.chance)}  {' '.join(row.told)}" for row in found.rows[:3]]


def _facts(look: Look, found: Odds) -> dict[str, Any]:
    need = first_need(look.game, look.view, look.speaker, found.action)
    how = {"exact": found.is_exact, "ways": found.ways, "guesses": found.guesses}
    rows = [_row_facts(row) for row in found.rows]
    return {
        "action": found.action,
        "text": look.game.format(found.action),
        **how,
        **throw_facts(need),
        "outcomes": rows,
    }


def _row_facts(row: Odd) -> dict[str, Any]:
    exact = str(row.exact) if row.exact is not None else None
    return {"told": row.told, "chance": row.chance, "exact": exact, "error": row.error}
