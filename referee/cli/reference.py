"""Reference: the rules, and the schemas of what logs hold."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer

from referee.cli.context import Context
from referee.cli.errors import NO, MisuseError, NoGameError
from referee.engine.game import Game, find_game
from referee.engine.ruling import Rule, Ruling
from referee.engine.text import listing

SCHEMAS = ("entry", "action", "event", "position", "board")


def rules_command(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[ID|WORD...]", help="A rule's id, or words in it.")
    ] = None,
    rulings: Annotated[bool, typer.Option("--rulings", help="What we do where the rulebook is silent.")] = False,
    game: Annotated[str | None, typer.Option("--of", metavar="GAME", help="Which game's rules.")] = None,
) -> None:
    """Look up a rule by its id, a family of rules, or words; without any, list all ids.

    \b
      referee rules control.4       referee rules bump
      referee rules --rulings       referee rules second throw
    """
    context: Context = ctx.obj
    book = _game(context, game).rulebook
    text = " ".join(words or [])
    if text:
        found = book.look_up(text)
    else:
        found = list(book.rulings.values() if rulings else book.rules.values())
    if rulings:
        found = [item for item in found if isinstance(item, Ruling)]
    if context.screen.json:
        context.screen.data(found)
    else:
        _tell_rules(context, found, book.suggest(text) if text else [], text)
    if not found:
        raise typer.Exit(NO)


def _tell_rules(context: Context, found: list[Rule | Ruling], near: list[str], text: str) -> None:
    if not found:
        context.screen.say(_none(text, near))
    for item in found:
        if isinstance(item, Rule):
            _tell_rule(context, item, full=len(found) == 1)
        else:
            _tell_ruling(context, item)


def _none(text: str, near: list[str]) -> str:
    return f"No rule {text!r}." + (f" Did you mean {listing(near, 'or')}?" if near else "")


def _tell_rule(context: Context, rule: Rule, full: bool) -> None:
    context.screen.say(f"{rule.id}  {rule.says}")
    if full:
        option = f", with {rule.option}" if rule.option else ""
        context.screen.say(f"({rule.basis}: {rule.source}{option})", "faint", indent=4)


def _tell_ruling(context: Context, ruling: Ruling) -> None:
    screen = context.screen
    screen.say(f"{ruling.id}  {ruling.question}")
    screen.say(ruling.ruling, indent=4)
    screen.say(f"Because: {ruling.because}", indent=4)
    switch = f"option {ruling.option}" if ruling.option else "fixed"
    also = listing([ruling.rule, *ruling.also])
    screen.say(f"(on {also}; {switch}; confidence {ruling.confidence:.0%})", "faint", indent=4)


def schema_command(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(metavar="[entry|action|event|position|board]")] = "entry",
    game: Annotated[str | None, typer.Option("--of", metavar="GAME", help="Which game's.")] = None,
) -> None:
    """Print the JSON Schema (2020-12) of what logs and files of a game hold.

    \b
      referee schema                every entry type
      referee schema position       a position file
    """
    context: Context = ctx.obj
    if what not in SCHEMAS:
        raise MisuseError(f"there are schemas of {listing(SCHEMAS)}, not of {what!r}")
    text = msgspec.json.format(msgspec.json.encode(schema_of(_game(context, game), what), order="sorted"), indent=2)
    context.screen.rows([text.decode()])


def schema_of(game: Game, what: str) -> dict[str, Any]:
    """The schema of one kind of thing, as plain data."""
    from referee.record.entry import entry_types

    types = {
        "entry": entry_types(game),
        "action": game.actions,
        "event": game.events,
        "position": game.position,
        "board": game.board_type,
    }
    schema = msgspec.json.schema(types[what])
    title = f"{what.capitalize()} of {game.title}, log format 1"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}


def _game(context: Context, name: str | None) -> Game:
    """The game meant: named, or of the current log, or the only one installed."""
    if name:
        return find_game(name)
    try:
        return context.session().game
    except NoGameError:
        from referee.engine.game import game_names

        names = game_names()
        if len(names) == 1:
            return find_game(names[0])
        raise MisuseError(f"say which game: --of {listing(names, 'or')}") from None
