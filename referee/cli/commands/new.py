"""`referee new`: start a game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from referee.cli.answer import Answer, Rows, Shown, Text
from referee.cli.begins import Begins, Typed, begins_from
from referee.cli.context import Context
from referee.cli.logs import write_out
from referee.cli.look import facts_told, next_told, picture_of, summary
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
    new_log,
    own_files_of,
    piped,
)
from referee.engine.choosing import choose_options
from referee.engine.component import read_toml
from referee.engine.position import filled_in
from referee.record.log.disk import read_named
from referee.record.log.kinds import SHEET, kind_in
from referee.record.log.vault import vault_path
from referee.record.table.session import Session
from referee.record.table.sitting import Sitting
from referee.record.table.start import files_with

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
    rules: Annotated[
        int | None, Option("--rules", metavar="N", min=1, help="By older rules, for who has an older referee.")
    ] = None,
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
    typed = Typed(game, seats, dice, seed, option, own, board, source, sitting, by_mail, bots, hints, template, rules)
    given = _given(source)
    if kind_in(given) == SHEET:
        return _from_sheet(ctx.obj, given, typed, output)
    begins = begins_from(typed, given, ctx.obj.question)
    if template:
        return _template(begins, output)
    return _by_mail(ctx.obj, begins, by_mail, output) if by_mail else _at_table(ctx.obj, begins, output)


def _from_sheet(context: Context, given: bytes, typed: Typed, output: Path | None) -> Answer:
    """A game as words is read back, each of them judged."""
    from referee.cli.sheets import begun_from

    own = own_files_of(typed.own, typed.board)
    return begun_from(context, given, typed.game, own, output, alone=typed.is_sheet_alone)


def _at_table(context: Context, begins: Begins, output: Path | None) -> Answer:
    """A game is begun here, and bots speak whose turn it is."""
    with new_log(output, begins.module.name) as path:
        session = begins.start(path)
    where = _where(context, path)
    look, by_bots = _after_bots(Sitting(session)) if begins.bots else (Sitting(session), [])
    told = _begun(look, path, context.screen, open_position=begins.position is not None)
    filled = filled_in(look.facts.game, begins.position) if begins.position is not None else ()
    filled_told = [Text(line, indent=2) for line in filled]
    return Answer([f"New game in {where}.", *filled_told, *by_bots, *told], lambda: facts_told(look))


def _by_mail(context: Context, begins: Begins, seat: str, output: Path | None) -> Answer:
    """A game by mail is begun here, and who begins it sits down."""
    _check_key()
    with new_log(output, begins.module.name) as path:
        mine = begins.seat_by_mail(seat)
        session = begins.start(path, mine)
        told = _sat_down(session, mine) if mine else []
    where = _where(context, path)
    now = Sitting(session).now().through(mine)
    return Answer([f"New game by mail in {where}.", *told, *summary(now), *next_told(now)], lambda: facts_told(now))


def _where(context: Context, path: Path) -> str:
    """Where the game is, which is made the current one."""
    return f"{path}; it is the current one" if context.choose(path) else str(path)


def _given(source: Path | None) -> bytes:
    """What is to be started from, as it is; - is what is piped in. OSError."""
    if source is None:
        return b""
    return piped("a sheet of words") if source == Path("-") else read_named(source, MAX_DOCUMENT)


def _template(begins: Begins, output: Path | None) -> Answer:
    """A position file with comments, which starts a game as it is."""
    from referee.cli.toml import template

    module = begins.module
    options = choose_options(module, begins.options)
    own = begins.parts
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


def _after_bots(look: Sitting) -> tuple[Sitting, list[Shown]]:
    """The game after bots have spoken whose turn it is; what they did, and what kept one from it, if anything did."""
    from referee.cli.botted import bots_speak

    spoken = bots_speak(look)
    _, *did = played(look, spoken.said)
    return look.now(), [*did, *([Text(spoken.trouble, "refused")] if spoken.trouble else [])]


def _begun(look: Sitting, path: Path, screen: Screen, *, open_position: bool) -> Iterator[Shown]:
    for seat in look.facts.keepers:
        vault = vault_path(path, seat)
        here = f"are kept in {vault}: share the log, never the vault." if seat in look.facts.here else ""
        yield Text(f"Secrets of {seat} {here or f'are kept elsewhere: there, referee join {seat}'}", indent=2)
    if look.facts.keepers and open_position:
        yield Text("The position it starts from stands in the log for everybody to read.", indent=2)
    yield from summary(look)
    board = picture_of(look)
    yield board if screen.fits(board) else Text(HIGH, indent=2)
    yield from next_told(look)
