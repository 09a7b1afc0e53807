"""Matches: several games that are added up. What they are worth is the game's own affair."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import asdict
from typer import Argument, Option

from referee.cli.answer import NO, Answer, Shown, Text
from referee.cli.context import Context, match_of
from referee.cli.errors import NoGameError
from referee.cli.look import Look
from referee.cli.reports import match_report_on, together
from referee.cli.typed import (
    PLAIN,
    Agreed,
    Board,
    Dice,
    Game,
    Options,
    Output,
    Own,
    Seats,
    dice_of,
    names_of,
    new_log,
    own_files_of,
    pairs_of,
    read_document,
    seats_of,
)
from referee.engine.dice import OpenDice
from referee.record.archive.match import Changed, Match, audit_match, open_match, start_match
from referee.record.log.faults import FaultError, NotRecordedError
from referee.record.log.files import whole_or_not
from referee.record.log.store import head_path, why_forgotten
from referee.record.table.start import open_log

if TYPE_CHECKING:
    from referee.record.table.session import Session

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
NextDice = Annotated[str | None, Option("--dice", metavar="MODE", help="As in the last game, if not given.")]
Steps = Annotated[int, Argument(metavar="[N]", help="How many times a game began or ended.")]
Logs = Annotated[list[Path] | None, Argument(metavar="[LOG...]", help="Match logs.")]


@app.command("new")
def new_match(
    ctx: typer.Context,
    game: Game,
    seats: Seats = None,
    dice: Dice = "open",
    option: Options = None,
    term: Terms = None,
    own: Own = None,
    board: Board = None,
    output: Output = None,
) -> Answer:
    """Start a match and its first game. Later games are played with the same dice and on the same board.

    \b
      referee match new GAME --seats Anna,Bo --term K=V
    """
    mode, parts = dice_of(dice), {part: read_document(file) for part, file in own_files_of(own, board).items()}
    options, names = pairs_of(option), names_of(seats)
    with new_log(output, f"{game}-match") as path:
        match = start_match(game, path, options=options, terms=pairs_of(term), seats=names, own=parts)
        with whole_or_not(path, [path, head_path(path)]):
            session = match.start_next(mode, parts)
    return _begun(ctx.obj, match, session)


@app.command("next")
def next_game(ctx: typer.Context, dice: NextDice = None, match_log: Named = None) -> Answer:
    """Enter the result of the game just ended, and start the next one if the match goes on, with the same dice.

    \b
      referee match next
    """
    match, mode = (
        open_match(_match_log(ctx.obj, match_log)),
        dice_of(dice) or OpenDice(os.urandom(32).hex()) if dice else None,
    )
    changed = list(match.changed())
    if changed:
        return _not_as_entered(match, changed)
    if not match.playing:
        return _begun(ctx.obj, match, match.start_next(mode))
    match.end_game()
    told = _score(match)
    if match.winners:
        return Answer(told, lambda: _facts(match))
    try:
        return _begun(ctx.obj, match, match.start_next(mode), told)
    except (NotRecordedError, OSError) as error:
        why = getattr(error, "strerror", None) or str(error).partition(": ")[2] or error
        then = f"the next game could not be begun: {why}; once that is mended: referee match next"
        raise NotRecordedError(f"the result was recorded, but {then}") from error


@app.command("undo")
def undo_match(ctx: typer.Context, count: Steps = 1, agreed: Agreed = None, match_log: Named = None) -> Answer:
    """Take back that a game began or ended, by agreement of all: it is begun anew, or played on. No log is deleted.

    \b
      referee match undo --agreed-by Anna,Bo
    """
    match = open_match(_match_log(ctx.obj, match_log))
    match.undo(count, seats_of(agreed, match.names))
    if match.playing:
        ctx.obj.choose(match.playing)
    told = f"Taken back. Game {len(match.ended) + 1} {'is played on' if match.playing else 'is to be begun anew'}."
    return Answer([told, *_score(match)], lambda: _facts(match))


def _begun(context: Context, match: Match, session: Session, told: Sequence[Shown] = ()) -> Answer:
    assert session.path is not None, "a game of a match is a file"
    current = "; it is the current game" if context.choose(session.path) else ""
    look = Look(session)
    begun = f"Game {len(match.started)} of match {match.path.stem}, in {session.path}{current}."
    over = Text("When it is over: referee match next", indent=2)
    return Answer([*told, begun, *look.summary(), *look.next(), over], lambda: _facts(match))


@app.command("show")
def show_match(ctx: typer.Context, match_log: Log = None) -> Answer:
    """Show the games played, the points and the totals.

    \b
      referee match show
    """
    match = open_match(_match_log(ctx.obj, match_log))
    doubt = why_forgotten(match.path)
    if doubt:
        ctx.obj.notes.append(f"Note: {doubt}.")
    terms = ", ".join(f"{name} {value}" for name, value in asdict(match.header.terms).items())
    players = ", ".join(seat if seat == name else f"{seat} ({name})" for seat, name in match.names.items())
    title = f"match {match.path.stem}, {match.game.title}: {players}; {terms}"
    games = [Text(next(iter(match.series.tell(entry.standing))), indent=2) for entry in match.ended[:-1]]
    changed = list(match.changed())
    if changed:
        answer = _not_as_entered(match, changed)
        return Answer([title, *games, *_score(match), *answer.lines], answer.facts, answer.code)
    return Answer([title, *games, *_score(match)], lambda: _facts(match))


def _not_as_entered(match: Match, changed: list[Changed]) -> Answer:
    """A match whose totals stand on games that have changed, and what to do about it."""
    return Answer(
        [line for one in changed for line in _change_told(match, one)],
        lambda: _facts(match) | {"changed": [_change_facts(one) for one in changed]},
        NO,
    )


def _change_facts(changed: Changed) -> dict[str, Any]:
    return {"game": changed.number, "log": str(changed.log), "how": changed.how, "steps": changed.steps}


def _change_told(match: Match, changed: Changed) -> list[Shown]:
    """What has changed, and how the match is mended."""
    steps = f" {changed.steps}" if changed.steps > 1 else ""
    agreed = ",".join(match.names)
    later = len(match.started) - changed.number
    dropped = (
        f", and {'the game' if later == 1 else 'the games'} after it no longer count{'s' * (later == 1)}"
        if later
        else ""
    )
    then = f"Then it is played on{dropped}; when it is over: referee match next"
    return [
        Text(f"NO  The match {match.path.stem} no longer holds: {changed}.", "refused"),
        Text(f"All agreeing: referee match undo{steps} --agreed-by {agreed}", indent=2),
        Text(then, indent=2),
    ]


def counted(match_log: Path, game_log: Path) -> Answer | None:
    """What there is to say about a game that was changed just now; None when this match does not count it."""
    try:
        match = open_match(match_log)
    except FaultError:  # it only has such a name, or its own audit has more to say
        return None
    changed = [one for one in match.changed() if one.log.name == game_log.name]
    return _not_as_entered(match, changed) if changed else None


@app.command("audit")
def audit_matches(ctx: typer.Context, logs: Logs = None) -> Answer:
    """Audit a match: its own log, each of its games, and every score that follows from them.

    \b
      referee match audit
    """
    return together([match_report_on(str(path), audit_match(path)) for path in logs or [_match_log(ctx.obj, None)]])


def _match_log(context: Context, named: Path | None) -> Path:
    """The match meant: named, or the current log itself, or the one that the current game belongs to."""
    if named is not None:
        return named
    path = context.path()
    match = match_of(path)
    if match is None and not path.is_file():
        raise NoGameError(f"there is no file {path}")
    return match or path


def _score(match: Match) -> list[Shown]:
    """How the match stands: in the game's words, which game is being played, and what comes next."""
    return [Text(line, indent=2) for line in [*match.series.tell(match.score), *_comes_next(match)]]


def _comes_next(match: Match) -> list[str]:
    number = len(match.started)
    if match.winners:
        return []
    if not match.playing:
        return [f"Next: referee match next starts game {number + 1}"]
    look = _played_now(match.playing)
    if look.outcome:
        over = f"Game {number}, in {match.playing.name}, is over: {look.outcome.because}."
        return [over, "Next: referee match next enters it"]
    return [f"Game {number} is being played, in {match.playing.name}: {look.when}."]


def _played_now(log: Path) -> Look:
    session = open_log(log)
    return Look(session)


def _facts(match: Match) -> dict[str, Any]:
    return {
        "match": str(match.path),
        "game": match.game.name,
        "players": match.names,
        "terms": match.header.terms,
        "playing": str(match.playing) if match.playing else None,
        "now": _played_now(match.playing).facts() if match.playing else None,
        "score": match.score,
        "winners": match.winners,
        "games": match.ended,
    }
