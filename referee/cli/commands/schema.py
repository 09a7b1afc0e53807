"""`referee schema`: JSON Schema of what logs and files hold."""

from typing import Annotated, Any

import msgspec
import typer
from typer import Argument

from referee.cli.answer import Answer, Rows
from referee.cli.commands.rules import game_meant
from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.cli.typed import Of
from referee.engine.game import AnyGame
from referee.engine.secret import Secret
from referee.engine.text import listing
from referee.record.log.described import describe_fields
from referee.record.log.entry import common_types, entry_types
from referee.record.log.fields import FORMAT
from referee.record.log.sealing import Spelt

What = Annotated[str, Argument(metavar="[entry|action|event|position|board]")]


def schema(ctx: typer.Context, what: What = "entry", game: Of = None) -> Answer:
    """Print the JSON Schema (2020-12) of what logs and files of a game hold. Without a game: of what all logs have in
    common.

    \b
      referee schema position       referee schema board
    """
    found = schema_of(_game_at_hand(ctx.obj, game, what), what)
    text = msgspec.json.format(msgspec.json.encode(found, order="sorted"), indent=2).decode()
    return Answer([Rows(text.splitlines())], lambda: found)


def _game_at_hand(context: Context, name: str | None, what: str) -> AnyGame | None:
    """Returns the game that is meant; None where entries are asked for and no game is at hand."""
    try:
        return game_meant(context, name)
    except MisuseError:
        if name is None and what == "entry":
            return None
        raise


def schema_of(game: AnyGame | None, what: str = "entry") -> dict[str, Any]:
    """Returns the schema of one kind of thing, as plain data; without a game, of the entries that all games have.
    MisuseError if there is none such.
    """
    types = _types_of(game) if game else {"entry": common_types()}
    if what not in types:
        raise MisuseError(f"there are schemas of {listing(list(types))}, not of {what!r}")
    spelt = describe_fields(msgspec.json.schema(Spelt), Spelt)

    def sealed(kind: Any) -> dict[str, Any]:
        if getattr(kind, "__origin__", kind) is Secret:
            return spelt["$defs"]["Spelt"]  # type: ignore[no-any-return]  # a schema is plain data
        raise NotImplementedError

    found = describe_fields(plainly_named(msgspec.json.schema(types[what], schema_hook=sealed)), types[what])
    title = f"{what.capitalize()} of {game.title if game else 'any game'}, log format {FORMAT}"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **found}


def _types_of(game: AnyGame) -> dict[str, Any]:
    """Returns the types of a game that have a schema, by what they are called."""
    types = {"entry": entry_types(game), "action": game.actions, "event": game.events, "position": game.position}
    return types | {component.name: component.type for component in game.components}


def plainly_named(found: dict[str, Any]) -> dict[str, Any]:
    """A schema whose parts are named without the types in them: where in our code these stand is no part of it."""
    text = msgspec.json.encode(found).decode()
    for name, part in found.get("$defs", {}).items():
        plain, is_generic, _ = part.get("title", "").partition("[")
        if is_generic:
            text = text.replace(part["title"], plain).replace(name, plain)
    named: dict[str, Any] = msgspec.json.decode(text)
    return named
