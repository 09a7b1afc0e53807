"""`referee games`: what is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

from typer import Argument

from referee.cli.answer import Answer, Shown, Text
from referee.cli.chapter import in_columns
from referee.cli.commands.help import facts_of, meaning_of, said_with
from referee.engine.component import Component, read_toml
from referee.engine.game import AnyGame
from referee.engine.options import settle_options
from referee.engine.registry import GameError, blamed, find_game, game_names
from referee.engine.text import listing


def games(game: Annotated[str | None, Argument(metavar="[GAME]", help="One game in full.")] = None) -> Answer:
    """The games installed; with a name, its options and files.

    \b
      referee games                 referee games GAME
    """
    if game:
        module = find_game(game)
        return Answer([_title(module), *_in_full(module)], lambda: [_game_facts(module)])
    found = [_listed(name) for name in game_names()]
    return Answer([line for line, _ in found], lambda: [facts() for _, facts in found])


def _listed(name: str) -> tuple[Text, Callable[[], Any]]:
    """A game in a line; a faulty one is told as such, and keeps no other from being listed."""
    try:
        with blamed(name):
            game = find_game(name)
            title, facts = _title(game), _game_facts(game)
    except GameError as error:
        faulty = {"name": name, "faulty": {"place": error.place, "what": error.what}}
        return Text(f"{name}  is faulty at {error.place}: {error.what}", "refused"), lambda: faulty
    return title, lambda: facts


def _title(game: AnyGame) -> Text:
    return Text(f"{game.name}  {game.title}", "bold")


def _game_facts(game: AnyGame) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "rules": game.rules_version,
        "source": game.rulebook.source,
        "options": game.options,
        "verbs": [facts_of(game, verb) for verb in game.verbs.all],
        "components": {part.name: [path.stem for path in _files(game, part)] for part in game.components},
    }


def _in_full(game: AnyGame) -> Iterator[Shown]:
    yield Text(f"Rules: {game.rulebook.source}", indent=2)
    yield Text(f"You say: {listing(game.examples, 'or')}", indent=2)
    yield Text("Words that something is done with; more of each: referee help WORD", indent=2)
    yield from in_columns([(said_with(verb), meaning_of(verb)) for verb in game.verbs.all], indent=4)
    yield Text("Options, the default first:", indent=2)
    for option in game.options:
        yield Text(f"--option {option.name}={'|'.join(option.values)}", indent=4)
        yield Text(f"{option.meaning} ({option.rule})", indent=8)
    yield from _secrets(game)
    yield Text("Files that come along; --own takes your own of the same form:", indent=2)
    for part in game.components:
        notes = ((path.stem, read_toml(path).get("reconstruction")) for path in _files(game, part))
        names = [f"{name} ({note})" if note else name for name, note in notes]  # it must be said wherever it is shown
        yield Text(f"--own {part.name}=FILE in place of {listing(names, 'or')}", indent=4, hanging=4)


def _secrets(game: AnyGame) -> Iterator[Shown]:
    """How a seat sees what it alone may know: in every game, or under some options."""
    always = game.keepers(settle_options(game, {}))
    if always:
        yield Text(f"Secrets are kept by {listing(always)}:", indent=2)
        yield Text(f"referee show --by {always[0]}", indent=4)
        return
    for name, value in ((option.name, value) for option in game.options for value in option.values[1:]):
        keepers = game.keepers(settle_options(game, {name: value}))
        if keepers:
            yield Text(f"With {name}={value} each seat sees its own secrets only:", indent=2)
            yield Text(f"referee new {game.name} --option {name}={value}", indent=4)
            yield Text(f"referee show --by {keepers[0]}", indent=4)


def _files(game: AnyGame, part: Component) -> list[Path]:
    return list(part.others()) or [part.shipped(settle_options(game, {}))]
