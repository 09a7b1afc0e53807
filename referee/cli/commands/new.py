"""`referee new`: starts a game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from referee.cli.action_text import describe_played_actions
from referee.cli.answer import Answer, AnswerLine, FixedRows, Text
from referee.cli.arguments import (
    MAX_DOCUMENT_BYTES,
    BoardOption,
    DiceModeOption,
    DirectorOption,
    GameOptionsOption,
    HintsOption,
    MaySettleOption,
    OutputOption,
    OwnFilesOption,
    PaceOption,
    SeatsOption,
    parse_own_files,
    read_stdin,
    reserve_log_path,
)
from referee.cli.context import Context
from referee.cli.game_view import collect_summary_facts, describe_next_step, describe_summary, make_picture_if_it_fits
from referee.cli.log_paths import write_output
from referee.cli.new_game import NewGame, TypedSettings, plan_new_game
from referee.cli.screen import Screen
from referee.engine.component import read_toml
from referee.engine.option_resolution import choose_options
from referee.engine.position import describe_added_facts
from referee.record.log.file_kinds import SHEET, find_content_kind
from referee.record.log.safe_files import read_user_file
from referee.record.log.vault import find_vault_path
from referee.record.table.opening_logs import list_files_of_log
from referee.record.table.seat_view import SeatView
from referee.record.table.session import Session


def new(
    ctx: typer.Context,
    game: Annotated[str | None, Argument(metavar="GAME", help="A game; to list them: referee games.")] = None,
    seats: SeatsOption = None,
    dice: DiceModeOption = None,
    seed: Annotated[str | None, Option(metavar="HEX", help="The seed of open dice: 64 hex digits.")] = None,
    option: GameOptionsOption = None,
    own: OwnFilesOption = None,
    board: BoardOption = None,
    source: Annotated[
        Path | None, Option("--from", metavar="FILE", help="Start from this position or game on paper.")
    ] = None,
    sitting: Annotated[
        str | None, Option(metavar="SEATS", help="With secrets: who sits at this computer, if not all.")
    ] = None,
    by_mail: Annotated[str | None, Option("--mail", metavar="SEAT", help="Start a game by mail in this seat.")] = None,
    bots: Annotated[
        str | None, Option(metavar="SEAT=BOT", help="Bots, as blue=steady; without a seat: all but the first.")
    ] = None,
    hints: HintsOption = False,
    pace: PaceOption = None,
    director: DirectorOption = None,
    may_settle: MaySettleOption = False,
    rules: Annotated[
        int | None, Option("--rules", metavar="N", min=1, help="Use older rules, for players with an older referee.")
    ] = None,
    template: Annotated[bool, Option("--template", help="Print a position file to fill in, for --from.")] = False,
    output: OutputOption = None,
) -> Answer:
    """Start a game and make it the current one.

    \b
      referee new GAME --dice table --seats Anna,Bo
      referee new GAME --option K=V --own board=ours.toml
      referee new GAME --template -o middle.toml
      referee new GAME --mail SEAT --pace 14
      referee new GAME --bots steady
      referee new --from game.txt

    --from also reads a game on paper: the words that log --as words has written, or a phone has scanned; - reads
    stdin.
    The referee checks every move. The new log is the same except for its times and its id.
    """
    typed = TypedSettings(
        game,
        seats,
        dice,
        seed,
        option,
        own,
        board,
        source,
        sitting,
        by_mail,
        bots,
        hints,
        pace,
        template,
        rules,
        director=director,
        may_settle=may_settle,
    )
    given = _read_source(source)
    if find_content_kind(given) == SHEET:
        return _start_from_sheet(ctx.obj, given, typed, output)
    begins = plan_new_game(typed, given, ctx.obj.line_prompt)
    if template:
        return _answer_with_template(begins, output)
    return start_by_mail(ctx.obj, begins, by_mail, output) if by_mail else _start_at_table(ctx.obj, begins, output)


def _start_from_sheet(context: Context, given: bytes, typed: TypedSettings, output: Path | None) -> Answer:
    """Starts a game from a sheet, and checks every move in it."""
    from referee.cli.sheet_answers import begin_from_sheet

    own = parse_own_files(typed.own, typed.board)
    return begin_from_sheet(context, given, typed.game, own, output, alone=typed.overrides_no_sheet_setting)


def _start_at_table(context: Context, begins: NewGame, output: Path | None) -> Answer:
    """Starts a game at this computer, and lets bots move if it is their turn."""
    with reserve_log_path(output, begins.game.name) as path:
        session = begins.start(path)
    where = _make_current(context, path)
    look, by_bots, more = _play_bots(SeatView(session)) if begins.bots else (SeatView(session), [], {})
    told = _describe_start(look, path, context.screen, open_position=begins.position is not None)
    filled = describe_added_facts(look.facts.game, begins.position) if begins.position is not None else ()
    filled_told = [Text(line, indent=2) for line in filled]
    return Answer([f"New game in {where}.", *filled_told, *by_bots, *told], lambda: collect_summary_facts(look) | more)


def start_by_mail(context: Context, begins: NewGame, seat: str, output: Path | None) -> Answer:
    """Starts a game by mail, or the first game of a match, and seats the player who starts it."""
    _check_key()
    with reserve_log_path(output, f"{begins.game.name}-match" if begins.match else begins.game.name) as reserved:
        path = _make_first_game_path(reserved) if begins.match else reserved
        mine = begins.find_starter_seat(seat)
        session = begins.start(path, mine)
        told = _seat_starter(session, mine) if mine else []
        told += _begin_match(session) if begins.match else []
    where = _make_current(context, path)
    now = SeatView(session).at_present().with_eyes(mine)
    return Answer(
        [f"New game by mail in {where}.", *told, *describe_summary(now), *describe_next_step(now)],
        lambda: collect_summary_facts(now),
    )


def _make_first_game_path(match_log: Path) -> Path:
    from referee.record.archive.match_by_mail import find_first_game_path

    return find_first_game_path(match_log)


def _begin_match(session: Session) -> list[AnswerLine]:
    """Writes the log of the match, and returns lines about the match and its score."""
    from referee.record.archive.match_by_mail import begin_match_log

    match = begin_match_log(session)
    told = f"This is game 1 of a match, in {match.path}. When it is over, referee mail pack begins the next game."
    return [told, *(Text(line, indent=2) for line in match.match_rules.tell(match.score))]


def _make_current(context: Context, path: Path) -> str:
    """Makes the log the current game, and returns its path in words."""
    return f"{path}; it is the current game" if context.set_current_log(path) else str(path)


def _read_source(source: Path | None) -> bytes:
    """Returns the content of the file to start from, or of stdin for "-"; b"" for None.

    Raises OSError if the file cannot be read.
    """
    if source is None:
        return b""
    return read_stdin("a sheet of words") if source == Path("-") else read_user_file(source, MAX_DOCUMENT_BYTES)


def _answer_with_template(begins: NewGame, output: Path | None) -> Answer:
    """Prints or writes a position file with comments. The file can start a game even if nobody changes it."""
    from referee.cli.position_toml import format_position_template

    game = begins.game
    options = choose_options(game, begins.options)
    own = begins.own_parts
    parts = {part.name: own.get(part.name) or read_toml(part.shipped(options)) for part in game.components}
    text = format_position_template(game, game.typical_position(options, game.build_board(parts, options)), options)
    if output is None:
        return Answer([FixedRows(text.splitlines())], lambda: {"template": text})
    write_output(output, text)
    return Answer(
        [f"Written to {output}. Fill it in, then: referee new {game.name} --from {output}"],
        lambda: {"written": str(output)},
    )


def _check_key() -> None:
    """Raises KeyProblemError if there is an unusable key, before anything is written."""
    from referee.mail.key import read_own_key  # only for games by mail

    read_own_key()


def _seat_starter(session: Session, seat: str) -> list[AnswerLine]:
    """Seats the player in the new game. If that fails, the game is removed again."""
    from referee.cli.mail.mail_answers import take_seat
    from referee.record.log.game_files import remove_on_failure

    with remove_on_failure(session.file_path, list_files_of_log(session)):
        return take_seat(session, seat)


def _play_bots(look: SeatView) -> tuple[SeatView, list[AnswerLine], dict[str, str]]:
    """Returns the game after the bots have moved, with lines about their moves, and any problem as lines and facts."""
    from referee.cli.bot_turns import play_bot_turns

    spoken = play_bot_turns(look)
    _, *did = describe_played_actions(look, spoken.said)
    if not spoken.trouble:
        return look.at_present(), did, {}
    return look.at_present(), [*did, Text(spoken.trouble, "refused")], {"trouble": spoken.trouble}


def _describe_start(look: SeatView, path: Path, screen: Screen, *, open_position: bool) -> Iterator[AnswerLine]:
    for seat in look.facts.keepers:
        vault = find_vault_path(path, seat)
        here = f"are in {vault}: share the log, never the vault." if seat in look.facts.vault_seats else ""
        yield Text(f"Secrets of {seat} {here or f'are on another computer; type there: referee join {seat}'}", indent=2)
    if look.facts.keepers and open_position:
        yield Text("The log shows the starting position to everyone.", indent=2)
    yield from describe_summary(look)
    yield make_picture_if_it_fits(look, screen)
    yield from describe_next_step(look)
