"""`referee match`: plays several games and adds up their points. The game decides what a result is worth."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import asdict
from typer import Argument, Option

from referee.cli.answer import NO, Answer, AnswerLine, Text
from referee.cli.arguments import (
    COMMAND_LINE_SETTINGS,
    AgreedByOption,
    BoardOption,
    DiceModeOption,
    DirectorOption,
    GameArgument,
    GameOptionsOption,
    HintsOption,
    MaySettleOption,
    OutputOption,
    OwnFilesOption,
    PaceOption,
    SeatsOption,
    ask_dice_mode,
    parse_dice_mode,
    parse_own_files,
    parse_pairs,
    parse_player_names,
    parse_seats,
    read_document,
    reserve_log_path,
)
from referee.cli.audit_report import answer_on_match_report, join_answers
from referee.cli.context import Context
from referee.cli.errors import MisuseError, NoGameError
from referee.cli.game_view import collect_summary_facts, describe_next_step, describe_summary, describe_turn
from referee.cli.new_game import TypedSettings, plan_new_game
from referee.engine.component import BoardError
from referee.engine.dice_mode import DEFAULT_MODE
from referee.record.archive.log_boundary import run_on_log_or_none
from referee.record.archive.match import Match, open_match, start_match
from referee.record.archive.match_audit import audit_match
from referee.record.archive.match_by_mail import is_by_mail, update_match
from referee.record.archive.match_game_changes import ChangedGame
from referee.record.log.game_files import remove_on_failure
from referee.record.log.log_errors import FaultError, LogError, NotAllowedError
from referee.record.log.store import explain_unreadable_head_file, find_head_path, find_match_log
from referee.record.table.game_start_checks import BY_MAIL_ONLY, DIRECTOR_BY_MAIL_ONLY, PACE_BY_MAIL_ONLY
from referee.record.table.opening_logs import open_log
from referee.record.table.seat_view import SeatView

if TYPE_CHECKING:
    from referee.record.table.session import Session

LogArgument = Annotated[Path | None, Argument(metavar="[LOG]", help="The log of the match.")]

app = typer.Typer(
    help="""Play several games as a match, with points and totals.

\b
  referee match new GAME --seats Anna,Bo
  referee match next              after each game
""",
    no_args_is_help=True,
    **COMMAND_LINE_SETTINGS,
)


TermsOption = Annotated[
    list[str] | None, Option("--term", metavar="K=V", help="A setting of the match, such as its length.")
]
MatchLogOption = Annotated[Path | None, Option("--match", metavar="LOG", help="The log of the match.")]
NextDiceOption = Annotated[str | None, Option("--dice", metavar="MODE", help="Default: as in the last game.")]
GameLogOption = Annotated[
    Path | None, Option("--log", metavar="LOG", help="Let a game count again that was taken back.")
]
StepCountArgument = Annotated[int, Argument(metavar="[N]", help="Number of game starts and ends to take back.")]
LogsArgument = Annotated[list[Path] | None, Argument(metavar="[LOG...]", help="Match logs.")]


@app.command("new")
def new_match(
    ctx: typer.Context,
    game: GameArgument,
    seats: SeatsOption = None,
    dice: DiceModeOption = None,
    option: GameOptionsOption = None,
    term: TermsOption = None,
    own: OwnFilesOption = None,
    board: BoardOption = None,
    by_mail: Annotated[str | None, Option("--mail", metavar="SEAT", help="Play it by mail, in this seat.")] = None,
    hints: HintsOption = False,
    pace: PaceOption = None,
    director: DirectorOption = None,
    may_settle: MaySettleOption = False,
    output: OutputOption = None,
) -> Answer:
    """Start a match and its first game. Later games keep its dice and board.

    \b
      referee match new GAME --seats Anna,Bo --term K=V
      referee match new GAME --mail SEAT --seats Anna,Bo
    """
    if by_mail is not None:
        from referee.cli.commands.new import start_by_mail

        asked = TypedSettings(
            game,
            seats,
            dice,
            option=option,
            own=own,
            board=board,
            by_mail=by_mail,
            hints=hints,
            pace=pace,
            director=director,
            may_settle=may_settle,
        )
        begins = plan_new_game(asked, b"", ctx.obj.line_prompt).make_first_of_match(parse_pairs(term, "TERM=VALUE"))
        return start_by_mail(ctx.obj, begins, by_mail, output)
    if hints or pace or director or may_settle:
        raise MisuseError(BY_MAIL_ONLY if hints else PACE_BY_MAIL_ONLY if pace else DIRECTOR_BY_MAIL_ONLY)
    mode = parse_dice_mode(dice or ask_dice_mode(ctx.obj.line_prompt))
    parts = {part: read_document(file) for part, file in parse_own_files(own, board).items()}
    options, names = parse_pairs(option), parse_player_names(seats)
    with reserve_log_path(output, f"{game}-match") as path:
        match = start_match(game, path, options=options, terms=parse_pairs(term, "TERM=VALUE"), seats=names, own=parts)
        with remove_on_failure(path, [path, find_head_path(path)]):
            session = match.start_next(mode, parts)
    return _answer_started(ctx.obj, match, session)


@app.command("next")
def next_game(
    ctx: typer.Context, dice: NextDiceOption = None, log: GameLogOption = None, match_log: MatchLogOption = None
) -> Answer:
    """Record the result of the last game, and start the next one.

    With --log, a game that was taken back counts again, as it was played.

    \b
      referee match next
      referee match next --log LOG
    """
    match = _open_match(ctx.obj, match_log)
    _check_at_table(match, "the next game begins by itself, in the mail that ends the game before: referee mail pack")
    mode = parse_dice_mode(dice) or DEFAULT_MODE.from_seed(None, os.urandom) if dice else None
    changed = list(match.find_changed_games())
    if changed:
        return _answer_invalid_match(match, changed)
    told: list[AnswerLine] = []
    if match.current_log and log is None:
        match.end_game()
        told = _describe_score(match)
    if log is not None:
        return _restore_game(ctx.obj, match, log)
    if told and (match.winners or any(match.find_resumable_logs())):
        return Answer(told, lambda: _collect_facts(match))
    if not told:
        return _answer_started(ctx.obj, match, match.start_next(mode))
    try:
        return _answer_started(ctx.obj, match, match.start_next(mode), told)
    except (LogError, BoardError, OSError) as error:  # the recorded result stays
        why = getattr(error, "strerror", None) or str(error).partition(": ")[2] or error
        then = f"The result was recorded, but the next game could not start: {why}."
        mended = Text("When that is fixed: referee match next", indent=2)
        return Answer([*told, Text(then, "refused"), mended], lambda: _collect_facts(match), NO)


def _restore_game(context: Context, match: Match, log: Path) -> Answer:
    """Brings back a game that was taken back, so that it counts again. If the game is over, records its result, too."""
    match.resume_game(log)
    context.set_current_log(match.path.with_name(log.name))
    told = f"Game {len(match.started_games)} counts again, as it was played in {log.name}."
    with suppress(NotAllowedError):  # it is not over, or must be repaired first
        match.end_game()
    return Answer([told, *_describe_score(match)], lambda: _collect_facts(match))


@app.command("undo")
def undo_match(
    ctx: typer.Context, count: StepCountArgument = 1, agreed: AgreedByOption = None, match_log: MatchLogOption = None
) -> Answer:
    """Take back the start or end of a game, if everyone agrees. The game starts again or goes on. No log is deleted.

    \b
      referee match undo            referee match undo 2 --agreed-by Anna,Bo
    """
    match = _open_match(ctx.obj, match_log)
    _check_at_table(match, "undo the end of the game in that game's own log, if all agree: referee -g LOG undo")
    match.undo(count, parse_seats(agreed, match.names))
    if match.current_log:
        ctx.obj.set_current_log(match.current_log)
    told = f"Taken back. Game {len(match.ended_games) + 1} {'goes on' if match.current_log else 'must start again'}."
    return Answer([told, *_describe_score(match)], lambda: _collect_facts(match))


def _answer_started(context: Context, match: Match, session: Session, told: Sequence[AnswerLine] = ()) -> Answer:
    current = "; it is the current game" if context.set_current_log(session.file_path) else ""
    look = SeatView(session)
    begun = f"Game {len(match.started_games)} of match {match.path.stem}, in {session.file_path}{current}."
    over = Text("When the game is over: referee match next", indent=2)
    return Answer(
        [*told, begun, *describe_summary(look), *describe_next_step(look), over], lambda: _collect_facts(match)
    )


@app.command("show")
def show_match(ctx: typer.Context, match_log: LogArgument = None) -> Answer:
    """Show the games, the points and the totals.

    \b
      referee match show            referee match show LOG
    """
    match = _open_match(ctx.obj, match_log)
    doubt = explain_unreadable_head_file(match.path)
    if doubt:
        ctx.obj.notes.append(f"Note: {doubt}.")
    terms = ", ".join(f"{name} {value}" for name, value in asdict(match.header.terms).items())
    players = ", ".join(seat if seat == name else f"{seat} ({name})" for seat, name in match.names.items())
    title = f"match {match.path.stem}, {match.game.title}: {players}; {terms}"
    games = [Text(next(iter(match.match_rules.tell(entry.standing))), indent=2) for entry in match.ended_games[:-1]]
    changed = list(match.find_changed_games(closely=True))
    if changed:
        answer = _answer_invalid_match(match, changed)
        return Answer([title, *games, *_describe_score(match), *answer.lines], answer.facts, answer.code)
    return Answer([title, *games, *_describe_score(match)], lambda: _collect_facts(match))


def _answer_invalid_match(match: Match, changed: list[ChangedGame]) -> Answer:
    """Returns the answer about a match whose totals no longer fit its games, and what to do about it."""
    return Answer(
        [line for one in changed for line in _describe_change(match, one)],
        lambda: _collect_facts(match) | {"changed": [_collect_change_facts(one) for one in changed]},
        NO,
    )


COUNT_AGAIN = "To count a later game again as it was played: referee match next --log LOG"


def _collect_change_facts(changed: ChangedGame) -> dict[str, Any]:
    return {"game": changed.number, "log": str(changed.log), "how": changed.how, "steps": changed.steps}


def _describe_change(match: Match, changed: ChangedGame) -> list[AnswerLine]:
    """Returns lines about a changed game, and how to repair the match."""
    steps = f" {changed.steps}" if changed.steps > 1 else ""
    agreed = ",".join(match.names)
    later = len(match.started_games) - changed.number
    dropped = (
        f", and {'the game' if later == 1 else 'the games'} after it no longer count{'s' * (later == 1)}"
        if later
        else ""
    )
    then = f"Then the game goes on{dropped}. When it is over: referee match next"
    return [
        Text(f"The match {match.path.stem} is no longer valid: {changed}.", "refused"),
        Text(f"If all agree: referee match undo{steps} --agreed-by {agreed}", indent=2),
        Text(then, indent=2),
        *([Text(COUNT_AGAIN, indent=2)] if later else []),
    ]


def answer_if_match_invalid(match_log: Path, game_log: Path) -> Answer | None:
    """Returns the answer about a match whose totals no longer fit this game.

    Returns None if the totals still fit, or if no match can be read from `match_log`.
    """
    try:
        match = open_match(match_log)
        update_match(match)
    except FaultError:  # not a match after all, or its own audit says more
        return None
    changed = [one for one in match.find_changed_games() if one.log.name == game_log.name]
    return _answer_invalid_match(match, changed) if changed else None


@app.command("audit")
def audit_matches(ctx: typer.Context, logs: LogsArgument = None) -> Answer:
    """Check a match: its own log, all its games and all scores.

    \b
      referee match audit           referee match audit LOG
    """
    paths = logs or [_find_match_log(ctx.obj, None)]
    for path in paths:
        run_on_log_or_none(path, partial(_bring_match_up_to_date, path))
    return join_answers([answer_on_match_report(str(path), audit_match(path)) for path in paths])


def _bring_match_up_to_date(path: Path) -> None:
    update_match(open_match(path))


def _open_match(context: Context, named: Path | None) -> Match:
    """Opens the named match, or that of the current game. A match by mail is brought up to date."""
    match = open_match(_find_match_log(context, named))
    update_match(match)
    return match


def _check_at_table(match: Match, how: str) -> None:
    """Raises NotAllowedError, which says how to go on, if the match is played by mail."""
    if is_by_mail(match):
        raise NotAllowedError(f"by mail, {how}")


def _find_match_log(context: Context, named: Path | None) -> Path:
    """Returns the log of the match: the named one, else the match of the current game, else the current log."""
    if named is not None:
        return named
    path = context.find_log_path()
    match = find_match_log(path)
    if match is None and not path.is_file():
        raise NoGameError(f"there is no file {path}")
    return match or path


def _describe_score(match: Match) -> list[AnswerLine]:
    """Returns the standing of the match: the score, the game in progress, and the next step."""
    return [Text(line, indent=2) for line in [*match.match_rules.tell(match.score), *_list_next_steps(match)]]


def _list_next_steps(match: Match) -> list[str]:
    number = len(match.started_games)
    if match.winners:
        return []
    if is_by_mail(match):
        from referee.cli.mail.match_text import describe_current_match_game

        return describe_current_match_game(match)
    if not match.current_log:
        again = "was taken back; to let it count again: referee match next --log"
        known = (f"{log.name} {again} {quote(str(log))}" for log in match.find_resumable_logs())
        return [*known, f"Next, to start game {number + 1}: referee match next"]
    look = _find_game_in_progress(match.current_log)
    if look is None:
        return _describe_lost_log(match)
    if look.facts.outcome:
        over = f"Game {number}, in {match.current_log.name}, is over: {look.facts.outcome.because}."
        return [over, _describe_result_step(match)]
    return [f"Game {number} is in progress, in {match.current_log.name}: {describe_turn(look.facts)}."]


def _describe_result_step(match: Match) -> str:
    """Returns a sentence that says how to record the result of a finished game, or why it cannot be recorded."""
    try:
        match.make_end_entry()
    except NotAllowedError as error:
        return f"Its result cannot be recorded: {error}"
    return "Next, to record the result: referee match next"


def _describe_lost_log(match: Match) -> list[str]:
    """Returns sentences about the steps that help if nobody can read the log of the game in progress."""
    assert match.current_log is not None, "called only while a game is in progress"
    agreed = ",".join(match.names)
    return [
        f"Game {len(match.started_games)} is in progress, "
        f"but its log {match.current_log.name} is missing or unreadable.",
        f"Restore the log. Or, if all agree, start the game again: referee match undo --agreed-by {agreed}",
    ]


def _find_game_in_progress(log: Path) -> SeatView | None:
    """Returns the game in progress; None if its log is lost."""
    return run_on_log_or_none(log, lambda: SeatView(open_log(log)))


def _collect_facts(match: Match) -> dict[str, Any]:
    return {
        "match": str(match.path),
        "game": match.game.name,
        "players": match.names,
        "terms": match.header.terms,
        "playing": str(match.current_log) if match.current_log else None,
        "now": collect_summary_facts(look)
        if match.current_log and (look := _find_game_in_progress(match.current_log))
        else None,
        "may_follow": [str(log) for log in match.find_resumable_logs()],
        "score": match.score,
        "winners": match.winners,
        "games": match.ended_games,
    }
