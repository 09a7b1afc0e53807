"""`referee games`: lists the installed games."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from referee.cli.answer import Answer, AnswerLine, FixedRows, Text
from referee.cli.arguments import OutputOption
from referee.cli.commands.help import collect_verb_facts, describe_verb_meaning
from referee.cli.errors import MisuseError
from referee.cli.log_paths import write_output
from referee.cli.manual_page import format_columns
from referee.engine.component import Component, read_toml
from referee.engine.foreign_code import make_loading_boundary
from referee.engine.game import AnyGame
from referee.engine.option_resolution import fill_options
from referee.engine.plugin_errors import GameError
from referee.engine.registry import find_game, game_names
from referee.engine.text import listing


def games(
    game: Annotated[str | None, Argument(metavar="[GAME]", help="Show this game in full.")] = None,
    own: Annotated[
        str | None, Option("--own", metavar="PART[=NAME]", help="Print a file of the game, to make your own.")
    ] = None,
    output: OutputOption = None,
) -> Answer:
    """List the installed games. With a name, show the game's options and files.

    \b
      referee games                 referee games GAME
      referee games GAME --own board -o ours.toml
    """
    if output and not own:
        raise MisuseError("-o needs --own: it writes the file for you to change")
    if own:
        if game is None:
            raise MisuseError("name a game; to list them: referee games")
        return _print_own_file(find_game(game), own, output)
    if game:
        module = find_game(game)
        return Answer([_format_title(module), *_describe_game(module)], lambda: [_collect_game_facts(module)])
    found = [_list_game(name) for name in game_names()]
    return Answer([line for line, _ in found], lambda: [facts() for _, facts in found])


def _list_game(name: str) -> tuple[Text, Callable[[], Any]]:
    """Returns a line and facts about a game; if it is faulty, about its fault, so that the others are still listed."""
    try:
        with make_loading_boundary(name):
            game = find_game(name)
            title, facts = _format_title(game), _collect_game_facts(game)
    except GameError as error:
        faulty = {"name": name, "faulty": {"place": error.place, "what": error.what}}
        return Text(f"{name}  is faulty at {error.place}: {error.what}", "refused"), lambda: faulty
    return title, lambda: facts


def _format_title(game: AnyGame) -> Text:
    return Text(f"{game.name}  {game.title}", "bold")


def _collect_game_facts(game: AnyGame) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "rules": game.rules_version,
        "source": game.rulebook.source,
        "options": game.options,
        "verbs": [collect_verb_facts(game, verb) for verb in game.verbs.all],
        "components": {part.name: [path.stem for path in _list_files(game, part)] for part in game.components},
    }


def _describe_game(game: AnyGame) -> Iterator[AnswerLine]:
    yield Text(f"Rules: {game.rulebook.source}", indent=2)
    yield Text(f"You type: {listing(game.examples, 'or')}", indent=2)
    yield Text("Words for moves; to explain one: referee help WORD", indent=2)
    yield from format_columns([(verb.form, describe_verb_meaning(verb)) for verb in game.verbs.all], indent=4)
    yield Text("Options, with the default first:", indent=2)
    for option in game.options:
        yield Text(f"--option {option.name}={'|'.join(option.values)}", indent=4)
        later = "; may change in mid-game" if option.is_switchable else ""
        yield Text(f"{option.meaning} ({option.rule}{later})", indent=8)
    yield from _describe_secrets(game)
    yield Text("Files of the game; to use your own in their place, add --own:", indent=2)
    yield Text(f"referee games {game.name} --own {game.components[0].name} prints one for you to change", indent=4)
    for part in game.components:
        notes = ((path.stem, read_toml(path).get("reconstruction")) for path in _list_files(game, part))
        names = [
            f"{name} ({note})" if note else name for name, note in notes
        ]  # every place that shows a reconstruction says so
        yield Text(f"--own {part.name}=FILE replaces {listing(names, 'or')}", indent=4, hanging=4)


def _print_own_file(game: AnyGame, said: str, output: Path | None) -> Answer:
    """Prints or writes a file of the game, for players whose own board or cards differ."""
    name, _, which = said.partition("=")
    parts = {part.name: part for part in game.components}
    if name not in parts:
        raise MisuseError(f"{game.name} has no part {name!r}; choose {listing(list(parts), 'or')}")
    head = f"# Change this file, then: referee new {game.name} --own {name}=FILE\n"
    text = head + _find_shipped_file(game, parts[name], which).read_text("utf-8")
    if output is None:
        return Answer([FixedRows(text.splitlines())], lambda: {"part": name, "file": text})
    write_output(output, text)
    then = f"Change it, then: referee new {game.name} --own {name}={output}"
    return Answer([f"Written to {output}. {then}"], lambda: {"part": name, "written": str(output)})


def _find_shipped_file(game: AnyGame, part: Component, which: str) -> Path:
    """Returns the default file of a part, or the one named `which`. Raises MisuseError if there is none."""
    if not which:
        return part.shipped(fill_options(game, {}))
    files = {path.stem: path for path in _list_files(game, part)}
    if which not in files:
        raise MisuseError(f"the game has no {part.name} {which!r}; choose {listing(list(files), 'or')}")
    return files[which]


def _describe_secrets(game: AnyGame) -> Iterator[AnswerLine]:
    """Yields the seats with secrets and the commands that show them, or each option that gives seats secrets."""
    always = game.list_secret_keepers(fill_options(game, {}))
    if always:
        yield Text(f"Seats with secrets: {listing(always)}. To see your own:", indent=2)
        yield Text(f"referee show --by {always[0]}", indent=4)
        return
    for name, value in ((option.name, value) for option in game.options for value in option.values[1:]):
        keepers = game.list_secret_keepers(fill_options(game, {name: value}))
        if keepers:
            yield Text(f"With {name}={value} each seat sees only its own secrets:", indent=2)
            yield Text(f"referee new {game.name} --option {name}={value}", indent=4)
            yield Text(f"referee show --by {keepers[0]}", indent=4)


def _list_files(game: AnyGame, part: Component) -> list[Path]:
    return list(part.others()) or [part.shipped(fill_options(game, {}))]
