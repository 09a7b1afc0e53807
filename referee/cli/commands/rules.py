"""`referee rules`: a rule or a ruling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated

import typer
from typer import Argument, Option

from referee.cli.answer import NO, OK, Answer, Shown, Text
from referee.cli.context import Context
from referee.cli.errors import MisuseError, NoGameError
from referee.cli.typed import Of
from referee.engine.game import AnyGame
from referee.engine.registry import find_game, game_names
from referee.engine.ruling import Rule, Ruling
from referee.engine.text import listing

Looked = Annotated[list[str] | None, Argument(metavar="[ID|WORD...]", help="A rule's id, or words in it.")]


Rulings = Annotated[bool, Option("--rulings", help="What we do where the rulebook is silent.")]


def rules(ctx: typer.Context, words: Looked = None, rulings: Rulings = False, game: Of = None) -> Answer:
    """Look up a rule by its id, a family of rules, or words; without any, list all ids.

    \b
      referee rules WORD            referee rules --rulings
    """
    book = game_meant(ctx.obj, game).rulebook
    text = " ".join(words or [])
    every: Iterable[Rule | Ruling] = book.rulings.values() if rulings else book.rules.values()
    found = book.look_up(text) if text else list(every)
    if rulings:
        found = [item for item in found if isinstance(item, Ruling)]
    near = f" Did you mean {listing(book.suggest(text), 'or')}?" if text and book.suggest(text) else ""
    lines = [line for item in found for line in _told(item, full=len(found) == 1)] or [f"No rule {text!r}.{near}"]
    return Answer(lines, lambda: found, OK if found else NO)


def _told(item: Rule | Ruling, *, full: bool) -> Iterator[Shown]:
    if isinstance(item, Rule):
        yield f"{item.id}  {item.says}"
        if full:
            option = f", with {item.option}" if item.option else ""
            yield Text(f"({item.basis}: {item.source}{option})", "faint", indent=4)
        return
    yield f"{item.id}  {item.question}"
    yield Text(item.ruling, indent=4)
    yield Text(f"Because: {item.because}", indent=4)
    switch = f"option {item.option}" if item.option else "fixed"
    also = listing([item.rule, *item.also])
    yield Text(f"(on {also}; {switch}; confidence {item.confidence:.0%})", "faint", indent=4)


def game_meant(context: Context, name: str | None) -> AnyGame:
    """The game meant: named, or of the current log, or the only one installed."""
    if name:
        return find_game(name)
    try:
        return context.session().game
    except NoGameError:
        names = game_names()
        if len(names) == 1:
            return find_game(names[0])
        raise MisuseError(f"say which game: --of {listing(names, 'or')}") from None
