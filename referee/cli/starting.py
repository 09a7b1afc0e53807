"""Starting and choosing games."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli.answers import show_board, show_next, show_standing, standing_json
from referee.cli.context import LOGS, Context, path_of, point_at, pointed_at
from referee.cli.errors import MisuseError
from referee.cli.files import log_path, read_document
from referee.engine.dice import DiceMode, OpenDice, TableDice
from referee.engine.game import Game, find_game, game_names, settle_options
from referee.engine.text import listing


def games_command(
    ctx: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game in full.")] = None,
) -> None:
    """The games installed; with a name, its options, seats and boards.

    \b
      referee games                 referee games manoover
    """
    context: Context = ctx.obj
    games = [find_game(name) for name in ([game] if game else game_names())]
    if context.screen.json:
        context.screen.data([_game_json(module) for module in games])
        return
    for module in games:
        context.screen.say(f"{module.name}  {module.title}", "bold")
        if game:
            _tell_game(context, module)


def _game_json(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "rules": game.rules_version,
        "source": game.rulebook.source,
        "options": game.options,
    }


def _tell_game(context: Context, game: Game) -> None:
    screen = context.screen
    screen.say(f"Rules: {game.rulebook.source}", indent=2)
    screen.say(f"You say: {listing(game.examples, 'or')}", indent=2)
    screen.say("Options, the default first:", indent=2)
    for option in game.options:
        screen.say(f"--option {option.name}={'|'.join(option.values)}", indent=4)
        screen.say(f"{option.meaning} ({option.rule})", indent=8)
    for secret in _secret_options(game):
        screen.say(f"With {secret} each seat sees its own secrets only:", indent=2)
        screen.say(f"referee new {game.name} --option {secret}", indent=4)
        screen.say(f"referee show --by {game.seats(settle_options(game, {}))[0]}", indent=4)
    path = game.board_file(settle_options(game, {}))
    screen.say("Boards that come along; --board takes a file of the same form:", indent=2)
    for file in sorted(path.parent.glob("*.toml")):
        if file.name != "rules.toml":
            _tell_board(context, game, file)


def _secret_options(game: Game) -> list[str]:
    """The options by which something is kept from a seat, as typed."""
    values = [(option.name, value) for option in game.options for value in option.values[1:]]
    return [f"{name}={value}" for name, value in values if game.keeps_secrets(settle_options(game, {name: value}))]


def _tell_board(context: Context, game: Game, file: Path) -> None:
    board = game.parse_board(read_document(file))
    note = f" ({board.reconstruction})" if board.reconstruction else ""
    context.screen.say(f"{board.name}{note}", indent=4)


def new_command(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="Which game; referee games lists them.")],
    seats: Annotated[str | None, typer.Option(metavar="NAMES", help="Who plays: red=Anna,blue=Bo, or Anna,Bo.")] = None,
    dice: Annotated[str, typer.Option(metavar="MODE", help="table: typed in; open: from a seed in the log.")] = "open",
    seed: Annotated[str | None, typer.Option(metavar="HEX", help="Seed of open dice: 64 hex digits.")] = None,
    option: Annotated[list[str] | None, typer.Option("--option", metavar="K=V", help="An option of the game.")] = None,
    board: Annotated[Path | None, typer.Option(metavar="FILE", help="Your own board: TOML.")] = None,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Start from a position: TOML or JSON.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="LOG", help="The log to write.")] = None,
) -> None:
    """Start a game and make it the current one.

    \b
      referee new manoover --dice table --seats Anna,Bo
      referee new manoover --option ties=last-to-play
      referee new manoover --from middle.toml -o friday.jsonl
      referee new mutants --option hidden-movement=yes

    Secrets of a game that keeps some go into LOG.vault beside the log, readable by you alone. Share the log with
    everybody, the vault with nobody: who has it has the referee's screen.
    """
    from referee.record.session import NotAllowedError, start

    context: Context = ctx.obj
    module = find_game(game)
    position = read_document(source) if source else None
    options = options_of([*_options_in(position), *(option or [])])
    path = log_path(output) if output else unused_log(module.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        session = start(
            game,
            path,
            options=options,
            seats=names_of(seats, module.seats(settle_options(module, options))),
            dice=dice_of(dice, seed),
            board=read_document(board) if board else None,
            position=position,
        )
    except NotAllowedError as error:
        given = [str(file) for file in (board, source) if file]
        raise NotAllowedError(f"{' and '.join(given)}: {error}" if given else str(error)) from error
    point_at(path)
    if context.screen.json:
        context.screen.data(standing_json(context, session, session.state))
        return
    context.screen.say(f"New game in {path}; it is the current one.")
    if session.keeps_secrets:
        _tell_secrets(context, path, position)
    context.tell_standing(session, session.state)
    show_board(context, session, session.state)
    show_next(context, session, session.state)


def _tell_secrets(context: Context, path: Path, position: object) -> None:
    from referee.record.vault import vault_path

    context.screen.say(f"Its secrets are kept in {vault_path(path)}: share the log, never the vault.", indent=2)
    if position:
        context.screen.say("The position it starts from stands in the log for everybody to read.", indent=2)


def _options_in(position: dict[str, Any] | None) -> list[str]:
    """Options that stand in a position file, as if typed."""
    options = position.pop("options", {}) if position else {}
    if not isinstance(options, dict):
        raise MisuseError("options in a position file are keys and values")
    return [f"{name}={value}" for name, value in options.items()]


def options_of(pairs: list[str]) -> dict[str, str]:
    """Options as typed: "ties=draw"."""
    wrong = [pair for pair in pairs if "=" not in pair]
    if wrong:
        raise MisuseError(f"{wrong[0]!r} is no option; options are typed like ties=draw")
    return {name.strip(): value.strip() for name, _, value in (pair.partition("=") for pair in pairs)}


def names_of(text: str | None, seats: tuple[str, ...]) -> dict[str, str]:
    """Names by seat: "red=Anna,blue=Bo", or in the order of the seats."""
    words = [word.strip() for word in (text or "").split(",") if word.strip()]
    if len(words) > len(seats):
        raise MisuseError(f"{len(words)} names for {len(seats)} seats: {listing(seats)}")
    if len({"=" in word for word in words}) > 1:
        raise MisuseError("name the seats either all like red=Anna,blue=Bo or all like Anna,Bo")
    named = [
        word.partition("=") if "=" in word else (seat, "=", word) for word, seat in zip(words, seats, strict=False)
    ]
    names = {seat: name for seat, _, name in named}
    if len(names) < len(named):
        raise MisuseError("a seat is named twice")
    return names


def dice_of(mode: str, seed: str | None) -> DiceMode | None:
    """A dice mode as typed; None: open dice with a fresh seed."""
    if mode == "table" and seed is None:
        return TableDice()
    if mode != "open":
        raise MisuseError(
            "a seed is for open dice only" if mode == "table" else f"dice are table or open, not {mode!r}"
        )
    if seed is None:
        return None
    if len(seed) != 64 or set(seed.lower()) - set("0123456789abcdef"):
        raise MisuseError("a seed is 64 hex digits")
    return OpenDice(seed.lower())


def unused_log(game: str) -> Path:
    """A name in `logs/` that no file has."""
    stem = f"{game}-{date.today().isoformat()}"
    names = [stem, *(f"{stem}-{number}" for number in range(2, 10_000))]
    return next(path for name in names if not (path := LOGS / f"{name}.jsonl").exists())


def use_command(
    ctx: typer.Context,
    log: Annotated[Path | None, typer.Argument(metavar="[LOG]", help="The log of the game.")] = None,
) -> None:
    """Choose the current game; bare: list the games in `logs/`.

    \b
      referee use logs/friday.jsonl
    """
    from referee.record.faults import FaultError
    from referee.record.session import open_log

    context: Context = ctx.obj
    if log is not None:
        session = open_log(path_of(str(log)))
        point_at(log)
        if context.screen.json:
            context.screen.data(standing_json(context, session, session.state))
        else:
            show_standing(context, session, session.state)
        return
    current = pointed_at()
    found = []
    for path in sorted(LOGS.glob("*.jsonl")) if LOGS.is_dir() else []:
        chosen = current is not None and current.resolve() == path.resolve()
        try:
            session = open_log(path)
            told = f"{context.heading(session, session.state)}: {session.game.standing(session.view(None))}"
            found.append((path, chosen, told))
        except (FaultError, OSError) as error:
            found.append((path, chosen, f"{path.name}: {error}"))
    if context.screen.json:
        context.screen.data([{"log": str(path), "current": chosen, "standing": told} for path, chosen, told in found])
        return
    for _, chosen, told in found:
        context.screen.say(f"{'*' if chosen else ' '} {told}")
    if not found:
        context.screen.say("No logs in logs/ yet; start a game with: referee new manoover")
