"""`referee odds`: what are my chances? Records nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Annotated, Any

import typer
from typer import Option

from referee.chances.odds import ENOUGH, FEW, Odd, Odds, Throw, odds_of, throws_now
from referee.chances.ways import MOST
from referee.cli.answer import OK, STOPPED, Answer, Shown, Text
from referee.cli.commands.why import may
from referee.cli.errors import MisuseError
from referee.cli.look import summary
from referee.cli.screen import counting
from referee.cli.speaking import owed
from referee.cli.throws import aim_told, throw_facts, throws_told
from referee.cli.typed import By, Words, heard
from referee.engine.adjudicate import first_need
from referee.engine.aim import Chance
from referee.engine.dice import Need
from referee.engine.legal import Action
from referee.engine.text import count_of, figure, phrases_of
from referee.record.log.faults import NotAllowedError
from referee.record.table.sitting import Sitting

LISTED = 12
"""Outcomes that are listed; the others are added up."""
BRIEF, LIKELIEST = 6, 3
"""Where several actions stand side by side: if there are more outcomes than so many, so many are listed."""
THROWS = 30
"""Actions that throw dice, of which the chances are told side by side."""
Exact = Annotated[bool, Option("--exact", help=f"Enumerate up to {MOST:,} ways, however long it takes.")]


def odds(ctx: typer.Context, words: Words = None, by: By = None, exact: Exact = False) -> Answer:
    """What may an action come to, and how likely is it? Bare: all that throws dice now, side by side.

    \b
      referee odds                  referee odds ACTION
    """
    look, said = heard(partial(ctx.obj.look, speaks=True), by, words)
    if look.facts.asked:
        return owed(look, look.facts.asked)
    return _of_action(look, " ".join(said), exact) if said else _of_all(look)


def _of_action(look: Sitting, text: str, exact: bool) -> Answer:
    phrases = phrases_of(text) or [text]
    if len(phrases) > 1:
        raise MisuseError("chances are told of one action at a time")
    line = look.line(phrases, supposed=True, forcing=True)
    if line.refused:
        return may(look, text, [])
    waits = line.pending if line.awaiting else None
    here = look.after(line) if waits else look.before(line.said[-1])
    here, action = here.through(here.sight.speaker), waits or line.said[-1].action
    found, stopped = _found(here, action, MOST if exact else ENOUGH)
    if found is None:
        raise NotAllowedError(f"nobody can say what {here.facts.game.format(action)} comes to")
    lines = list(_told(here, found))
    if stopped:
        lines.append("Stopped before all ways were counted: these are throws at random.")
    return Answer(lines, lambda: _facts(here, found) | {"stopped": stopped}, STOPPED if stopped else OK)


def _found(look: Sitting, action: Action, most: int) -> tuple[Odds | None, bool]:
    """What an action may come to, sampled where somebody has pressed Ctrl-C before all was enumerated; whether so."""
    try:
        return odds_of(
            look.facts.game, look.sight.view, look.sight.speaker, action, most=most, tell=counting("ways")
        ), False
    except KeyboardInterrupt:
        return odds_of(look.facts.game, look.sight.view, look.sight.speaker, action, most=0), True


def _told(look: Sitting, found: Odds) -> Iterator[Shown]:
    words = look.facts.game.format(found.action)
    yield Text(f"{words}   {_how(found)}", "good")
    need = first_need(look.facts.game, look.sight.view, look.sight.speaker, found.action)
    yield from (Text(line, indent=2) for line in (throws_told(need) if need else ()))
    if not need:
        yield Text("It throws no dice.", indent=2)
        return
    yield from (Text(line, indent=2) for line in (*_numbers(need), *_listed(found, LISTED)))


def _numbers(need: Need) -> Iterator[str]:
    """How likely a number is among several dice that are only read."""
    if need.count > 1 and not (need.aims or need.names or need.lots or need.each or need.throwers):
        without = (need.sides - 1) ** need.count
        chance = Chance(need.sides**need.count - without, need.sides**need.count)
        yield f"A number you hope for falls on one die or more: {chance}."


def _listed(found: Odds, most: int) -> Iterator[str]:
    """The likeliest outcomes, a line each, and what the others add up to; or that they are too many to be told."""
    if found.is_scattered:
        yield f"Too many outcomes to be told one by one: hardly two of {found.ways:,} came out alike."
        return
    yield from map(_row, found.rows[:most])
    others = found.rows[most:]
    if others:
        less = ", each less likely" if others[0].chance < found.rows[most - 1].chance else ", each as likely or less"
        yield f"{_percent(sum(row.chance for row in others))}  {count_of(len(others), 'other outcome')}{less}"


def _row(row: Odd) -> str:
    exact = f" ({row.exact})" if row.exact is not None else f" ± {_percent(row.error)}"
    return f"{_percent(row.chance)}{exact}  {' '.join(row.told) or 'Nothing happens.'}"


def _how(found: Odds) -> str:
    """How the chances were come by."""
    if found.guesses:
        return f"sampled over {found.guesses} guesses of what others keep secret, {found.ways:,} throws"
    return f"exact, {count_of(found.ways, 'way')}" if found.is_exact else f"sampled, {found.ways:,} throws"


def _percent(chance: float) -> str:
    return f"{figure(100 * chance)} %"


def _of_all(look: Sitting) -> Answer:
    """The chances of all that throws dice now."""
    look = look.through(look.sight.speaker)
    found = list(islice(throws_now(look.facts.game, look.sight.view, look.sight.speaker, look.sight.legal), THROWS))
    lines: list[Shown] = list(summary(look))
    for throw in found:
        lines += _side_by_side(look, throw)
    if not found:
        lines.append(Text("Nothing that may be done now throws dice.", indent=2))
    return Answer(lines, lambda: [_facts(look, odds) for throw in found for odds in throw.odds])


def _side_by_side(look: Sitting, throw: Throw) -> Iterator[Text]:
    """Each action of a choice with its chances; of many some as examples."""
    many = throw.choice.count > FEW
    if many:
        yield Text(look.facts.game.format_choice(throw.choice), indent=2)
    for found in throw.odds:
        words = look.facts.game.format(found.action)
        yield Text(f"for example {words}:", indent=4) if many else Text(words, indent=2)
        yield from (Text(line, indent=6 if many else 4) for line in _short(look, found))


def _short(look: Sitting, found: Odds) -> list[str]:
    """The numbers needed where they are known, else the likeliest outcomes."""
    need = first_need(look.facts.game, look.sight.view, look.sight.speaker, found.action)
    if need and need.aims:
        return [aim_told(need, aim) for aim in need.aims]
    return [*(_numbers(need) if need else ()), *_listed(found, LIKELIEST if len(found.rows) > BRIEF else LISTED)]


def _facts(look: Sitting, found: Odds) -> dict[str, Any]:
    need = first_need(look.facts.game, look.sight.view, look.sight.speaker, found.action)
    how = {"exact": found.is_exact, "ways": found.ways, "guesses": found.guesses}
    rows = [_row_facts(row) for row in found.rows]
    return {
        "action": found.action,
        "text": look.facts.game.format(found.action),
        **how,
        **throw_facts(need),
        "outcomes": rows,
    }


def _row_facts(row: Odd) -> dict[str, Any]:
    exact = str(row.exact) if row.exact is not None else None
    return {"told": row.told, "chance": row.chance, "exact": exact, "error": row.error}
