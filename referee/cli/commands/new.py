"""`referee new`: start a game."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, Rows, Shown, Text
from referee.cli.errors import MisuseError
from referee.cli.logs import write_out
from referee.cli.look import Look
from referee.cli.screen import Screen
from referee.cli.told import played
from referee.cli.typed import (
    MAX_DOCUMENT,
    AskedDice,
    Board,
    Options,
    Output,
    Own,
    Seats,
    dice_of,
    is_sheet,
    mode_asked,
    names_of,
    new_log,
    own_files_of,
    pairs_of,
    piped,
    read_document,
    seat_of,
    seats_of,
    split,
)
from referee.engine.choosing import choose_options
from referee.engine.component import read_toml
from referee.engine.dice import PactDice
from referee.engine.game import AnyGame
from referee.engine.position import filled_in
from referee.engine.registry import find_game
from referee.engine.text import listing
from referee.record.log.disk import read_named
from referee.record.log.faults import NotAllowedError
from referee.record.log.vault import vault_path
from referee.record.table.beginning import BY_MAIL_ONLY, NOT_ALONE, OPEN_DICE_ONLY
from referee.record.table.names import seated
from referee.record.table.session import Session
from referee.record.table.start import files_with, start

HIGH = "The board is higher than this window: referee show"


def new(
    ctx: typer.Context,
    game: Annotated[str | None, Argument(metavar="GAME", help="Which game; referee games lists them.")] = None,
    seats: Seats = None,
    dice: AskedDice = None,
    seed: Annotated[str | None, Option(metavar="HEX", help="Seed of open dice: 64 hex digits.")] = None,
    option: Options = None,
    own: Own = None,
    board: Board = None,
    source: Annotated[
        Path | None, Option("--from", metavar="FILE", help="Start from this position, or a sheet of words.")
    ] = None,
    sitting: Annotated[str | None, Option(metavar="SEATS", help="Who sits here, if not all, in secret games.")] = None,
    by_mail: Annotated[str | None, Option("--mail", metavar="SEAT", help="A game by mail; you sit there.")] = None,
    bots: Annotated[
        str | None, Option(metavar="SEAT=BOT", help="Seats that bots play: blue=steady; steady: all but the first.")
    ] = None,
    hints: Annotated[bool, Option("--hints", help="By mail: hints are allowed.")] = False,
    template: Annotated[bool, Option("--template", help="Only print a position file to fill in, for --from.")] = False,
    output: Output = None,
) -> Answer:
    """Start a game and make it the current one.

    \b
      referee new GAME --dice table --seats Anna,Bo
      referee new GAME --option K=V --own board=ours.toml
      referee new GAME --template -o middle.toml
      referee new GAME --mail SEAT
      referee new GAME --bots steady
      referee new --from game.txt

    --from reads a game back as well that replay --as words has written, or a phone has read off its code, - is stdin:
    each word is judged, and the log is as it was, but for its times and its id.
    """
    given = _given(source)
    if is_sheet(given):
        from referee.cli.sheets import begun_from

        said = (seats, dice, seed, option, sitting, by_mail, bots, hints or None, template or None)
        return begun_from(
            ctx.obj, given, game, own_files_of(own, board), output, alone=all(one is None for one in said)
        )
    if game is None:
        raise MisuseError("say which game; referee games lists them")
    module = find_game(game)
    position = read_document(source, given) if source else None
    options = {**_options_in(position), **pairs_of(option)}
    files = own_files_of(own, board)
    if by_mail and (seed or sitting or dice not in (None, "open")):
        raise MisuseError("by mail all throw the dice together, and each sits at his own computer: --mail goes alone")
    if bots is not None and (by_mail or dice not in (None, "open")):
        raise MisuseError(OPEN_DICE_ONLY)
    parts = {part: read_document(file) for part, file in files.items()}
    if dice is None:
        dice = "open" if seed or by_mail or template or bots is not None else mode_asked(ctx.obj.question)
    names, mode = names_of(seats), dice_of(dice, seed)
    played_by = _bots(module, options, names, bots) if bots is not None else {}
    if hints and not by_mail:
        raise MisuseError(BY_MAIL_ONLY)
    if template:
        return _template(module, options, parts, output)
    keepers = module.keepers(choose_options(module, options))
    if sitting and not keepers:
        raise MisuseError("--sitting is for games with secrets")
    here = seats_of(sitting, dict(zip(keepers, keepers, strict=True))) if sitting else None
    if by_mail:
        _check_key()
    with new_log(output, module.name) as path:
        mine = _seat_by_mail(module, options, names, by_mail) if by_mail else None
        mode = PactDice() if mine else mode
        begins: dict[str, Any] = {"options": options, "seats": names, "dice": mode, "own": parts, "position": position}
        try:
            session = start(game, path, **begins, sitting=here, bots=played_by, hints=hints)
        except NotAllowedError as error:
            named = [str(file) for file in (*files.values(), source) if file]
            raise NotAllowedError(f"{listing(named)}: {error}" if named else str(error)) from error
        told_by_mail = _sat_down(session, mine) if mine else []
    where = f"{path}; it is the current one" if ctx.obj.choose(path) else str(path)
    if mine:
        return _begun_by_mail(session, mine, where, told_by_mail)
    look, by_bots = _after_bots(Look(session)) if played_by else (Look(session), [])
    told = _begun(look, path, ctx.obj.screen, open_position=position is not None)
    filled = [Text(line, indent=2) for line in filled_in(look.game, position)] if position is not None else []
    return Answer([f"New game in {where}.", *filled, *by_bots, *told], look.facts)


def _given(source: Path | None) -> bytes:
    """What is to be started from, as it is; - is what is piped in. OSError."""
    if source is None:
        return b""
    return piped("a sheet of words") if source == Path("-") else read_named(source, MAX_DOCUMENT)


def _options_in(position: dict[str, Any] | None) -> dict[str, str]:
    """The options that stand in a position file, which are taken out of it; MisuseError."""
    options = position.pop("options", {}) if position else {}
    if not isinstance(options, dict):
        raise MisuseError("options in a position file are keys and values")
    return {str(name): str(value) for name, value in options.items()}


Names = Mapping[str, str] | list[str]
"""Who plays, as it was typed: by seat, or in order."""


def _seat_by_mail(module: AnyGame, options: Mapping[str, str], names: Names, said: str) -> str | None:
    """The seat that somebody names who begins a game by mail."""
    places = seated(_seats(module, options, names), names)
    if len(places) < 2:
        raise MisuseError(NOT_ALONE)
    return seat_of(said, {place.seat: place.name for place in places})


def _bots(module: AnyGame, options: Mapping[str, str], names: Names, said: str) -> dict[str, str]:
    """The bot of each seat that one plays: "blue=steady, green=strong"; "steady": all but the first. BotError,
    MisuseError.
    """
    from referee.cli.botted import check_bots

    places, parts = _seats(module, options, names), split(said)
    is_one = len(parts) < 2 and "=" not in said
    named = {} if is_one else {seat.lower(): bot for seat, bot in pairs_of(parts, "SEAT=steady").items()}
    if len(named) < len(parts) and not is_one:
        raise MisuseError("a seat is given to two bots")
    found = named or dict.fromkeys(places[1:], said.strip())
    if not found:
        raise MisuseError(f"only {places[0]} plays here; who else may, tells referee games {module.name}")
    for seat in found:
        if seat not in places:
            more = f"what else may be played tells referee games {module.name}"
            raise MisuseError(f"there is no seat {seat!r} for a bot; the seats are {listing(places)}; {more}")
    check_bots(found.values())
    return found


def _seats(module: AnyGame, options: Mapping[str, str], names: Names) -> tuple[str, ...]:
    """The seats of a game under these options, for those who play; OptionError."""
    named = tuple(names.values() if isinstance(names, Mapping) else names)
    return module.seats(choose_options(module, {**module.options_of(named), **options}), named)


def _template(module: AnyGame, given: dict[str, str], own: Mapping[str, Any], output: Path | None) -> Answer:
    """A position file with comments, which starts a game as it is."""
    from referee.cli.toml import template

    options = choose_options(module, given)
    parts = {part.name: own.get(part.name) or read_toml(part.shipped(options)) for part in module.components}
    text = template(module, module.typical(options, module.build(parts, options)), options)
    if output is None:
        return Answer([Rows(text.splitlines())], lambda: {"template": text})
    write_out(output, text)
    return Answer(
        [f"Written to {output}. Fill it in, then: referee new {module.name} --from {output}"],
        lambda: {"written": str(output)},
    )


def _check_key() -> None:
    """Refuses a key that cannot be used before anything is made; where there is none, one is made. KeyProblemError."""
    from referee.mail.key import own_key  # for games by mail alone

    own_key()


def _sat_down(session: Session, seat: str) -> list[Shown]:
    """Sits down in the game that was begun, which is taken away again where that fails."""
    from referee.cli.mail.desk import sat_down
    from referee.record.log.files import whole_or_not

    assert session.path is not None, "it was begun in a file"
    with whole_or_not(session.path, files_with(session)):
        return sat_down(session, seat)


def _begun_by_mail(session: Session, seat: str, where: str, told: list[Shown]) -> Answer:
    now = Look(session).now().through(seat)
    return Answer([f"New game by mail in {where}.", *told, *now.summary(), *now.next()], now.facts)


def _after_bots(look: Look) -> tuple[Look, list[Shown]]:
    """The game after bots have spoken whose turn it is; what they did, and what kept one from it, if anything did."""
    from referee.cli.botted import bots_speak

    spoken = bots_speak(look)
    _, *did = played(look, spoken.said)
    return look.now(), [*did, *([Text(spoken.trouble, "refused")] if spoken.trouble else [])]


def _begun(look: Look, path: Path, screen: Screen, *, open_position: bool) -> Iterator[Shown]:
    for seat in look.keepers:
        vault = vault_path(path, seat)
        here = f"are kept in {vault}: share the log, never the vault." if seat in look.here else ""
        yield Text(f"Secrets of {seat} {here or f'are kept elsewhere: there, referee join {seat}'}", indent=2)
    if look.keepers and open_position:
        yield Text("The position it starts from stands in the log for everybody to read.", indent=2)
    yield from look.summary()
    board = look.picture()
    yield board if screen.fits(board) else Text(HIGH, indent=2)
    yield from look.next()
