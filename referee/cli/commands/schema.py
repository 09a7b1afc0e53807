"""`referee schema`: prints the JSON Schema of the contents of logs and files."""

from typing import Annotated, Any

import msgspec
import typer
from typer import Argument

from referee.cli.answer import Answer, FixedRows
from referee.cli.arguments import OfGameOption
from referee.cli.commands.rules import find_meant_game
from referee.cli.context import Context
from referee.cli.errors import MisuseError
from referee.engine.game import AnyGame
from referee.engine.secret import Secret
from referee.engine.text import listing
from referee.gate import read_json
from referee.record.log.entry import make_common_entry_types, make_entry_types
from referee.record.log.field_types import LOG_FORMAT
from referee.record.log.schema_descriptions import describe_fields
from referee.record.log.sealing import EncodedSecret

KindArgument = Annotated[str, Argument(metavar="[entry|action|event|position|board]")]


def schema(ctx: typer.Context, what: KindArgument = "entry", game: OfGameOption = None) -> Answer:
    """Print the JSON Schema (2020-12) of the logs and files of a game.

    Without a game, print the part common to all logs.

    \b
      referee schema position       referee schema board
    """
    found = make_schema(_find_game(ctx.obj, game, what), what)
    text = msgspec.json.format(msgspec.json.encode(found, order="sorted"), indent=2).decode()
    return Answer([FixedRows(text.splitlines())], lambda: found)


def _find_game(context: Context, name: str | None, what: str) -> AnyGame | None:
    """Returns the game that is meant. Returns None if no game is meant and the schema of entries is wanted."""
    try:
        return find_meant_game(context, name)
    except MisuseError:
        if name is None and what == "entry":
            return None
        raise


def make_schema(game: AnyGame | None, what: str = "entry") -> dict[str, Any]:
    """Returns the JSON Schema of a game's entries, actions, events, positions or a component, as plain data.

    Without a game there is only "entry", with the kinds of entries that all games have. Raises MisuseError for any
    other word.
    """
    types = _list_types(game) if game else {"entry": make_common_entry_types()}
    if what not in types:
        raise MisuseError(f"there is no schema of {what!r}; there are {listing(list(types))}")
    spelt = describe_fields(msgspec.json.schema(EncodedSecret), EncodedSecret)

    def describe_secret_type(kind: Any) -> dict[str, Any]:
        if getattr(kind, "__origin__", kind) is Secret:
            return spelt["$defs"]["EncodedSecret"]  # type: ignore[no-any-return]  # a schema is plain data
        raise NotImplementedError

    found = describe_fields(
        drop_type_parameters(msgspec.json.schema(types[what], schema_hook=describe_secret_type)), types[what]
    )
    title = f"{what.capitalize()} of {game.title if game else 'any game'}, log format {LOG_FORMAT}"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **found}


def _list_types(game: AnyGame) -> dict[str, Any]:
    """Returns the types of a game that have a schema, by name."""
    types = {
        "entry": make_entry_types(game),
        "action": game.action_types,
        "event": game.event_types,
        "position": game.position,
    }
    return types | {component.name: component.type for component in game.components}


def drop_type_parameters(found: dict[str, Any]) -> dict[str, Any]:
    """Returns a schema with type parameters left out of the names of its parts, since they name our modules."""
    text = msgspec.json.encode(found).decode()
    for name, part in found.get("$defs", {}).items():
        plain, is_generic, _ = part.get("title", "").partition("[")
        if is_generic:
            text = text.replace(part["title"], plain).replace(name, plain)
    named: dict[str, Any] = read_json(text)
    return named
