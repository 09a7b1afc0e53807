"""Reference: the rules, and the schemas of what logs hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import msgspec
import typer
from typer import Argument, Option

from referee.cli.answer import NO, OK, Answer, Rows, Shown, Text
from referee.cli.context import Context
from referee.cli.errors import MisuseError, NoGameError
from referee.cli.typed import Of
from referee.engine.game import AnyGame
from referee.engine.registry import find_game, game_names
from referee.engine.ruling import Rule, Ruling
from referee.engine.secret import Secret
from referee.engine.text import listing
from referee.record.log.entry import entry_types
from referee.record.log.sealing import Spelt

Looked = Annotated[list[str] | None, Argument(metavar="[ID|WORD...]", help="A rule's id, or words in it.")]
Rulings = Annotated[bool, Option("--rulings", help="What we do where the rulebook is silent.")]
What = Annotated[str, Argument(metavar="[entry|action|event|position|board]")]


def rules(ctx: typer.Context, words: Looked = None, rulings: Rulings = False, game: Of = None) -> Answer:
    """Look up a rule by its id, a family of rules, or words; without any, list all ids.

    \b
      referee rules WORD            referee rules --rulings
    """
    book = _game(ctx.obj, game).rulebook
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


def schema(ctx: typer.Context, what: What = "entry", game: Of = None) -> Answer:
    """Print the JSON Schema (2020-12) of what logs and files of a game hold.

    \b
      referee schema position       referee schema board
    """
    found = schema_of(_game(ctx.obj, game), what)
    text = msgspec.json.format(msgspec.json.encode(found, order="sorted"), indent=2).decode()
    return Answer([Rows(text.splitlines())], lambda: found)


def schema_of(game: AnyGame, what: str) -> dict[str, Any]:
    """The schema of one kind of thing, as plain data; MisuseError where there is none such."""
    types = {"entry": entry_types(game), "action": game.actions, "event": game.events, "position": game.position}
    types |= {component.name: component.type for component in game.components}
    if what not in types:
        raise MisuseError(f"there are schemas of {listing(list(types))}, not of {what!r}")
    spelt = msgspec.json.schema(Spelt)

    def sealed(kind: Any) -> dict[str, Any]:
        if getattr(kind, "__origin__", kind) is Secret:
            return spelt["$defs"]["Spelt"]  # type: ignore[no-any-return]  # a schema is plain data
        raise NotImplementedError

    found = msgspec.json.schema(types[what], schema_hook=sealed)
    title = f"{what.capitalize()} of {game.title}, log format 1"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **found}


def _game(context: Context, name: str | None) -> AnyGame:
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
