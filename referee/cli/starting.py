"""Starting, joining and choosing games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, Shown, Text
from referee.cli.context import Context, point_at, pointed_at
from referee.cli.errors import MisuseError
from referee.cli.look import Look
from referee.cli.typed import (
    Dice,
    Game,
    Options,
    Output,
    Seats,
    dice_of,
    logs_here,
    names_of,
    new_log,
    pairs_of,
    path_of,
    read_document,
    seat_of,
    seats_of,
)
from referee.engine.component import read_toml
from referee.engine.options import choose_options, settle_options
from referee.engine.registry import GameError, find_game, game_names
from referee.engine.text import listing
from referee.record.faults import FaultError, NotAllowedError
from referee.record.start import join as join_game
from referee.record.start import open_log, start
from referee.record.vault import vault_path

if TYPE_CHECKING:
    from referee.engine.component import Component
    from referee.engine.game import AnyGame


def games(
    game: Annotated[str | None, Argument(metavar="[GAME]", help="One game in full.")] = None,
) -> Answer:
    """The games installed; with a name, its options and files.

    \b
      referee games                 referee games GAME
    """
    found = {name: _found(name, whole=game is not None) for name in ([game] if game else game_names())}
    lines = [line for name, module in found.items() for line in _listed(name, module, whole=game is not None)]
    return Answer(lines, lambda: [_game_facts(name, module) for name, module in found.items()])


def _found(name: str, *, whole: bool) -> AnyGame | GameError:
    """A game; in a list a faulty one is told as such, and keeps no other from being listed."""
    try:
        return find_game(name)
    except GameError as error:
        if whole:
            raise
        return error


def _game_facts(name: str, game: AnyGame | GameError) -> dict[str, Any]:
    if isinstance(game, GameError):
        return {"name": name, "faulty": {"place": game.place, "what": game.what}}
    return {
        "name": name,
        "title": game.title,
        "rules": game.rules_version,
        "source": game.rulebook.source,
        "options": game.options,
        "components": {part.name: [path.stem for path in _files(game, part)] for part in game.components},
    }


def _listed(name: str, game: AnyGame | GameError, *, whole: bool) -> Iterator[Shown]:
    if isinstance(game, GameError):
        yield Text(f"{name}  is faulty at {game.place}: {game.what}", "refused")
        return
    yield Text(f"{name}  {game.title}", "bold")
    if whole:
        yield Text(f"Rules: {game.rulebook.source}", indent=2)
        yield Text(f"You say: {listing(game.examples, 'or')}", indent=2)
        yield from _told_options(game)
        yield from _told_files(game)


def _told_options(game: AnyGame) -> Iterator[Shown]:
    yield Text("Options, the default first:", indent=2)
    for option in game.options:
        yield Text(f"--option {option.name}={'|'.join(option.values)}", indent=4)
        yield Text(f"{option.meaning} ({option.rule})", indent=8)
    for option in game.options:
        for value in option.values[1:]:
            keepers = game.keepers(settle_options(game, {option.name: value}))
            if keepers:
                yield Text(f"With {option.name}={value} each seat sees its own secrets only:", indent=2)
                yield Text(f"referee new {game.name} --option {option.name}={value}", indent=4)
                yield Text(f"referee show --by {keepers[0]}", indent=4)


def _told_files(game: AnyGame) -> Iterator[Shown]:
    yield Text("Files that come along; --own takes your own of the same form:", indent=2)
    for part in game.components:
        names = [f"{path.stem}{_note(read_toml(path))}" for path in _files(game, part)]
        yield Text(f"--own {part.name}=FILE in place of {listing(names, 'or')}", indent=4, hanging=4)


def _note(document: dict[str, Any]) -> str:
    """What must be said of a file wherever it is shown."""
    return f" ({document['reconstruction']})" if document.get("reconstruction") else ""


def _files(game: AnyGame, part: Component) -> list[Path]:
    return list(part.others()) or [part.shipped(settle_options(game, {}))]


def new(
    game: Game,
    seats: Seats = None,
    dice: Dice = "open",
    seed: Annotated[str | None, Option(metavar="HEX", help="Seed of open dice: 64 hex digits.")] = None,
    option: Options = None,
    own: Annotated[list[str] | None, Option(metavar="PART=FILE", help="Your own board or other part.")] = None,
    board: Annotated[Path | None, Option(metavar="FILE", help="Your own board: TOML or JSON.")] = None,
    source: Annotated[Path | None, Option("--from", metavar="FILE", help="Start from this position.")] = None,
    sitting: Annotated[str | None, Option(metavar="SEATS", help="Who sits here, if not all, in secret games.")] = None,
    output: Output = None,
) -> Answer:
    """Start a game and make it the current one.

    \b
      referee new GAME --dice table --seats Anna,Bo
      referee new GAME --option K=V --own board=ours.toml
    """
    module = find_game(game)
    position = read_document(source) if source else None
    options = position.pop("options", {}) if position else {}
    if not isinstance(options, dict):
        raise MisuseError("options in a position file are keys and values")
    options = {**{str(name): str(value) for name, value in options.items()}, **pairs_of(option)}
    files = {part: Path(file) for part, file in pairs_of(own).items()} | ({"board": board} if board else {})
    begin = partial(start, game, options=options, seats=names_of(seats), dice=dice_of(dice, seed), position=position)
    parts = {part: read_document(file) for part, file in files.items()}
    keepers = module.keepers(choose_options(module, options))
    if sitting and not keepers:
        raise MisuseError("--sitting is for games with secrets")
    here = seats_of(sitting, dict(zip(keepers, keepers, strict=True))) if sitting else None
    path = new_log(output, module.name)
    try:
        session = begin(path, own=parts, sitting=here)
    except NotAllowedError as error:
        named = [str(file) for file in (*files.values(), source) if file]
        raise NotAllowedError(f"{listing(named)}: {error}" if named else str(error)) from error
    point_at(path)
    look = Look(session, session.moment())
    return Answer(_begun(look, path, open_position=position is not None), look.facts)


def _begun(look: Look, path: Path, *, open_position: bool) -> Iterator[Shown]:
    yield f"New game in {path}; it is the current one."
    for seat in look.moment.keepers:
        vault = vault_path(path, seat)
        here = f"are kept in {vault}: share the log, never the vault." if seat in look.moment.here else ""
        yield Text(f"Secrets of {seat} {here or f'are kept elsewhere: there, referee join {seat}'}", indent=2)
    if look.moment.keepers and open_position:
        yield Text("The position it starts from stands in the log for everybody to read.", indent=2)
    yield from look.standing()
    yield look.game.draw(look.view)
    yield from look.next()


def join(ctx: typer.Context, seat: Annotated[str, Argument(metavar="SEAT", help="Who sits down.")]) -> Answer:
    """Sit down at this computer in a game with secrets that was started at another one.

    \b
      referee join SEAT
    """
    context: Context = ctx.obj
    look = context.recording("join")
    sitting = str(seat_of(seat, look.names))
    join_game(look.session, sitting)
    now = look.now()
    vault = vault_path(path_of(str(now.session.path)), sitting)
    told = f"{sitting.capitalize()} sits here; the secrets are kept in {vault}: share the log, never the vault."
    return Answer([now.heading, told, *now.next()], now.facts)


def use(
    log: Annotated[Path | None, Argument(metavar="[LOG]", help="The log of the game.")] = None,
) -> Answer:
    """Choose the current game; bare: list the games in `logs/`.

    \b
      referee use logs/friday.jsonl
    """
    if log is not None:
        session = open_log(path_of(str(log)))
        point_at(log)
        look = Look(session, session.moment())
        return Answer([*look.standing(), *look.next()], look.facts)
    current = pointed_at()
    found = [(path, current is not None and current.resolve() == path.resolve(), _told(path)) for path in logs_here()]
    lines = [f"{'*' if chosen else ' '} {told}" for _, chosen, told in found]
    none = ["No logs in logs/ yet; start a game with: referee new GAME"]
    facts = [{"log": str(path), "current": chosen, "standing": told} for path, chosen, told in found]
    return Answer(lines or none, lambda: facts)


def _told(path: Path) -> str:
    """A log in one line, also where it is none, or its game is faulty."""
    try:
        session = open_log(path)
    except (FaultError, GameError, OSError) as error:
        return f"{path.name}: {error}"
    look = Look(session, session.moment())
    return f"{look.heading}: {look.game.standing(look.view)}"
