"""Matches: several games with points, bonuses and running totals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli.answers import sentence, show_fault, show_standing
from referee.cli.context import Context, point_at
from referee.cli.errors import NO, UNREADABLE, NoGameError
from referee.cli.files import log_path
from referee.cli.starting import dice_of, names_of, options_of, unused_log
from referee.engine.game import find_game, settle_options
from referee.engine.text import count_of
from referee.record.match import Match, MatchReport, audit_match, open_match, start_match
from referee.record.session import Session

match_app = typer.Typer(
    help="""Play several games as a match, with points, bonuses and running totals.

\b
  referee match new manoover --seats Anna,Bo
  referee match next              after each game
""",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Dice = Annotated[str, typer.Option(metavar="MODE", help="table: typed in; open: from a seed in the log.")]


@match_app.command("new")
def new_match(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="Which game; referee games lists them.")],
    seats: Annotated[str | None, typer.Option(metavar="NAMES", help="Who plays: red=Anna,blue=Bo, or Anna,Bo.")] = None,
    dice: Dice = "open",
    option: Annotated[list[str] | None, typer.Option("--option", metavar="K=V", help="An option of the games.")] = None,
    target: Annotated[int | None, typer.Option(metavar="N", help="The total that ends the match.")] = None,
    first: Annotated[str | None, typer.Option(metavar="RULE", help="How later games are opened.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="LOG", help="The match's log.")] = None,
) -> None:
    """Start a match and its first game.

    \b
      referee match new manoover --seats Anna,Bo --target 30
    """
    context: Context = ctx.obj
    options = options_of(option or [])
    module = find_game(game)
    path = log_path(output) if output else unused_log(f"{game}-match")
    path.parent.mkdir(parents=True, exist_ok=True)
    names = names_of(seats, module.seats(settle_options(module, options)))
    match = start_match(game, path, options=options, seats=names, target=target, first=first)
    _start_next(context, match, dice)


@match_app.command("next")
def next_game(
    ctx: typer.Context,
    dice: Dice = "open",
    match_log: Annotated[Path | None, typer.Option("--match", metavar="LOG", help="The match's log.")] = None,
) -> None:
    """Enter the result of the game just ended, and start the next one if the match goes on.

    \b
      referee match next
    """
    context: Context = ctx.obj
    match = open_match(_match_log(context, match_log))
    if match.playing:
        match.end_game()
        if not context.screen.json:
            _tell_last(context, match)
        elif match.standing.winner:
            context.screen.data(match_json(match))
        if match.standing.winner:
            return
    _start_next(context, match, dice)


@match_app.command("show")
def show_match(
    ctx: typer.Context,
    match_log: Annotated[Path | None, typer.Argument(metavar="[LOG]", help="The match's log.")] = None,
) -> None:
    """Show the games played, the points and the totals.

    \b
      referee match show
    """
    context: Context = ctx.obj
    match = open_match(_match_log(context, match_log))
    if context.screen.json:
        context.screen.data(match_json(match))
        return
    screen = context.screen
    screen.say(f"match {match.path.stem}, {match.game.title}, to {match.standing.terms.target} points")
    for number, entry in enumerate(match.ended, 1):
        result = entry.result
        points = ", ".join(f"{seat} {score}{_plus(entry.bonus.get(seat))}" for seat, score in result.scores.items())
        screen.say(f"game {number}: {points}; opened by {result.opened_by}; totals {_totals(entry.totals)}", indent=2)
    _tell_state(context, match)


@match_app.command("audit")
def audit_matches(
    ctx: typer.Context,
    logs: Annotated[list[Path] | None, typer.Argument(metavar="[LOG...]", help="Match logs.")] = None,
) -> None:
    """Audit a match: its own log, each of its games, and every score that follows from them.

    \b
      referee match audit
    """
    context: Context = ctx.obj
    code = 0
    for path in logs or [_match_log(context, None)]:
        report = audit_match(path)
        if context.screen.json:
            context.screen.data({"log": str(path), "clean": report.fault is None, "report": report})
        else:
            _tell_audit(context, path, report)
        if report.fault:
            code = max(code, UNREADABLE if report.fault.unreadable else NO)
    if code:
        raise typer.Exit(code)


def _match_log(context: Context, named: Path | None) -> Path:
    """The match meant: named, or the current log itself, or the one that the current game belongs to."""
    if named is not None:
        return named
    path = context.path()
    stem, dash, number = path.stem.rpartition("-")
    match = path.with_name(f"{stem}.jsonl")
    if dash and number.isdigit() and match.is_file():
        return match
    if not path.is_file():
        raise NoGameError(f"there is no file {path}")
    return path


def _start_next(context: Context, match: Match, dice: str) -> None:
    session: Session = match.start_next(dice_of(dice, None))
    assert session.path is not None
    point_at(session.path)
    if context.screen.json:
        context.screen.data(match_json(match))
        return
    number = len(match.started)
    context.screen.say(f"Game {number} of match {match.path.stem}, in {session.path}; it is the current game.")
    show_standing(context, session, session.state)
    context.screen.say("When it is over: referee match next", indent=2)


def _tell_last(context: Context, match: Match) -> None:
    entry = match.ended[-1]
    scores = ", ".join(f"{seat} {score}" for seat, score in entry.result.scores.items())
    context.screen.say(f"Game {len(match.ended)} ended: {scores}.")
    bonus = ", ".join(f"{seat} {points}" for seat, points in entry.bonus.items()) or "nobody"
    context.screen.say(f"Bonus: {bonus}.", indent=2)
    _tell_state(context, match)


def _tell_state(context: Context, match: Match) -> None:
    standing, screen = match.standing, context.screen
    screen.say(f"Totals: {_totals(standing.totals)}.", indent=2)
    if standing.winner:
        screen.say(f"{sentence(f'{standing.winner} has won the match')}", "good", indent=2)
    elif match.playing:
        screen.say(f"Game {len(match.started)} is being played, in {match.playing.name}.", indent=2)
    else:
        screen.say(f"Next: {standing.opener or 'a throw of dice'} opens game {len(match.started) + 1}.", indent=2)


def _tell_audit(context: Context, path: Path, report: MatchReport) -> None:
    screen = context.screen
    show_fault(context, str(path), report.fault)
    games, plays = len(report.games), sum(game.plays for game in report.games)
    screen.say(f"{count_of(games, 'finished game')}, {count_of(plays, 'play')} judged again", indent=2)
    if report.standing:
        screen.say(f"Totals: {_totals(report.standing.totals)}.", indent=2)


def match_json(match: Match) -> dict[str, Any]:
    """A match with every fact that prose carries."""
    return {
        "match": str(match.path),
        "game": match.game.name,
        "playing": str(match.playing) if match.playing else None,
        "standing": match.standing,
        "games": match.ended,
    }


def _plus(bonus: int | None) -> str:
    return f"+{bonus}" if bonus else ""


def _totals(totals: Any) -> str:
    return ", ".join(f"{seat} {total}" for seat, total in totals.items())
