"""Matches: several games that are added up. What they are worth is the game's own affair."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec.structs import asdict
from typer import Argument, Option

from referee.cli.answer import Answer, Shown, Text
from referee.cli.auditing import code_of, detail_of, together, verdict_on
from referee.cli.context import Context, point_at
from referee.cli.errors import NoGameError
from referee.cli.look import Look
from referee.cli.typed import PLAIN, Dice, Game, Options, Output, Seats, dice_of, names_of, new_log, pairs_of
from referee.engine.text import count_of
from referee.record.match import Match, MatchReport, audit_match, open_match, start_match

Log = Annotated[Path | None, Argument(metavar="[LOG]", help="The match's log.")]

app = typer.Typer(
    help="""Play several games as a match, with points and running totals.

\b
  referee match new GAME --seats Anna,Bo
  referee match next              after each game
""",
    no_args_is_help=True,
    **PLAIN,
)


Terms = Annotated[list[str] | None, Option("--term", metavar="K=V", help="A term of the match.")]
Named = Annotated[Path | None, Option("--match", metavar="LOG", help="The match's log.")]
Logs = Annotated[list[Path] | None, Argument(metavar="[LOG...]", help="Match logs.")]


@app.command("new")
def new_match(
    game: Game,
    seats: Seats = None,
    dice: Dice = "open",
    option: Options = None,
    term: Terms = None,
    output: Output = None,
) -> Answer:
    """Start a match and its first game.

    \b
      referee match new GAME --seats Anna,Bo --term K=V
    """
    path = new_log(output, f"{game}-match")
    match = start_match(game, path, options=pairs_of(option), terms=pairs_of(term), seats=names_of(seats))
    return _next(match, dice, [])


@app.command("next")
def next_game(ctx: typer.Context, dice: Dice = "open", match_log: Named = None) -> Answer:
    """Enter the result of the game just ended, and start the next one if the match goes on.

    \b
      referee match next
    """
    match = open_match(_match_log(ctx.obj, match_log))
    if not match.playing:
        return _next(match, dice, [])
    match.end_game()
    told = _standing(match)
    return Answer(told, lambda: _facts(match)) if match.winners else _next(match, dice, told)


def _next(match: Match, dice: str, told: list[Shown]) -> Answer:
    session = match.start_next(dice_of(dice))
    assert session.path is not None, "a game of a match is a file"
    point_at(session.path)
    look = Look(session, session.moment())
    begun = f"Game {len(match.started)} of match {match.path.stem}, in {session.path}; it is the current game."
    over = Text("When it is over: referee match next", indent=2)
    return Answer([*told, begun, *look.standing(), *look.next(), over], lambda: _facts(match))


@app.command("show")
def show_match(ctx: typer.Context, match_log: Log = None) -> Answer:
    """Show the games played, the points and the totals.

    \b
      referee match show
    """
    match = open_match(_match_log(ctx.obj, match_log))
    terms = ", ".join(f"{name} {value}" for name, value in asdict(match.header.terms).items())
    title = f"match {match.path.stem}, {match.game.title}; {terms}"
    games = [Text(next(iter(match.series.tell(entry.standing))), indent=2) for entry in match.ended[:-1]]
    return Answer([title, *games, *_standing(match)], lambda: _facts(match))


@app.command("audit")
def audit_matches(ctx: typer.Context, logs: Logs = None) -> Answer:
    """Audit a match: its own log, each of its games, and every score that follows from them.

    \b
      referee match audit
    """
    return together([_verdict(path, audit_match(path)) for path in logs or [_match_log(ctx.obj, None)]])


def _verdict(path: Path, report: MatchReport) -> Answer:
    games, plays = len(report.games), sum(game.plays for game in report.games)
    counted = Text(f"{count_of(games, 'finished game')}, {count_of(plays, 'play')} judged again", indent=2)
    facts = {"log": str(path), "clean": report.fault is None, "report": report}
    return Answer(
        [*verdict_on(str(path), report.fault), counted, *detail_of(report.fault)], lambda: facts, code_of(report.fault)
    )


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


def _standing(match: Match) -> list[Shown]:
    """How the match stands: in the game's words, and which game is being played."""
    playing = [f"Game {len(match.started)} is being played, in {match.playing.name}."] if match.playing else []
    return [Text(line, indent=2) for line in [*match.series.tell(match.standing), *playing]]


def _facts(match: Match) -> dict[str, Any]:
    return {
        "match": str(match.path),
        "game": match.game.name,
        "playing": str(match.playing) if match.playing else None,
        "standing": match.standing,
        "winners": match.winners,
        "games": match.ended,
    }
