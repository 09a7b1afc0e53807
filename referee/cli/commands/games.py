"""`referee games`: what is installed."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from referee.cli.answer import Answer, Rows, Shown, Text
from referee.cli.chapter import in_columns
from referee.cli.commands.help import facts_of, meaning_of
from referee.cli.errors import MisuseError
from referee.cli.logs import write_out
from referee.cli.typed import Output
from referee.engine.blame import GameError
from referee.engine.choosing import settle_options
from referee.engine.component import Component, read_toml
from referee.engine.foreign import blamed
from referee.engine.game import AnyGame
from referee.engine.registry import find_game, game_names
from referee.engine.text import listing


def games(
    game: Annotated[str | None, Argument(metavar="[GAME]", help="One game in full.")] = None,
    own: Annotated[
        str | None, Option("--own", metavar="PART[=NAME]", help="Only print a file that comes along, for your own.")
    ] = None,
    output: Output = None,
) -> Answer:
    """The games installed; with a name, its options and files.

    \b
      referee games                 referee games GAME
      referee games GAME --own board -o ours.toml
    """
    if output and not own:
        raise MisuseError("-o goes with --own: it writes the file to be changed")
    if own:
        if game is None:
            raise MisuseError("say of which game; referee games lists them")
        return _to_be_changed(find_game(game), own, output)
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
    yield from in_columns([(verb.form, meaning_of(verb)) for verb in game.verbs.all], indent=4)
    yield Text("Options, the default first:", indent=2)
    for option in game.options:
        yield Text(f"--option {option.name}={'|'.join(option.values)}", indent=4)
        yield Text(f"{option.meaning} ({option.rule})", indent=8)
    yield from _secrets(game)
    yield Text("Files that come along; --own takes your own of the same form:", indent=2)
    yield Text(f"referee games {game.name} --own {game.components[0].name} prints one to be changed", indent=4)
    for part in game.components:
        notes = ((path.stem, read_toml(path).get("reconstruction")) for path in _files(game, part))
        names = [f"{name} ({note})" if note else name for name, note in notes]  # it must be said wherever it is shown
        yield Text(f"--own {part.name}=FILE in place of {listing(names, 'or')}", indent=4, hanging=4)


def _to_be_changed(game: AnyGame, said: str, output: Path | None) -> Answer:
    """A file that comes along, as it stands: players change it where their own board or cards differ."""
    name, _, which = said.partition("=")
    parts = {part.name: part for part in game.components}
    if name not in parts:
        raise MisuseError(f"{game.name} has no part {name!r}; there is {listing(list(parts))}")
    head = f"# To be changed, for: referee new {game.name} --own {name}=FILE\n"
    text = head + _shipped(game, parts[name], which).read_text("utf-8")
    if output is None:
        return Answer([Rows(text.splitlines())], lambda: {"part": name, "file": text})
    write_out(output, text)
    then = f"Change it, then: referee new {game.name} --own {name}={output}"
    return Answer([f"Written to {output}. {then}"], lambda: {"part": name, "written": str(output)})


def _shipped(game: AnyGame, part: Component, which: str) -> Path:
    """The file of a part that is played with if nothing is said, or the one of that name."""
    if not which:
        return part.shipped(settle_options(game, {}))
    files = {path.stem: path for path in _files(game, part)}
    if which not in files:
        raise MisuseError(f"no {part.name} {which!r} comes along; there is {listing(list(files))}")
    return files[which]


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
