"""Matches: several games that are added up. What they are worth is the game's own affair."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import asdict
from typer import Argument, Option

from referee.cli.answer import NO, Answer, Shown, Text
from referee.cli.context import Context, match_of
from referee.cli.errors import NoGameError
from referee.cli.look import facts_told, next_told, summary, turn_told
from referee.cli.reports import match_report_on, together
from referee.cli.typed import (
    PLAIN,
    Agreed,
    AskedDice,
    Board,
    Game,
    Options,
    Output,
    Own,
    Seats,
    dice_of,
    mode_asked,
    names_of,
    new_log,
    own_files_of,
    pairs_of,
    read_document,
    seats_of,
)
from referee.engine.component import BoardError
from referee.engine.mode import USUAL
from referee.record.archive.counted import Changed
from referee.record.archive.match import Match, open_match, start_match
from referee.record.archive.match_audit import audit_match
from referee.record.log.faults import FaultError, LogError, NotAllowedError
from referee.record.log.files import whole_or_not
from referee.record.log.store import head_path, why_forgotten
from referee.record.table.sitting import Sitting
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
Again = Annotated[Path | None, Option("--log", metavar="LOG", help="A game taken back, to count again.")]
Steps = Annotated[int, Argument(metavar="[N]", help="How many times a game began or ended.")]
Logs = Annotated[list[Path] | None, Argument(metavar="[LOG...]", help="Match logs.")]


@app.command("new")
def new_match(
    ctx: typer.Context,
    game: Game,
    seats: Seats = None,
    dice: AskedDice = None,
    option: Options = None,
    term: Terms = None,
    own: Own = None,
    board: Board = None,
    output: Output = None,
) -> Answer:
    """Start a match and its first game. Later games are played with the same dice and on the same board.

    \b
      referee match new GAME --seats Anna,Bo --term K=V
      referee match new GAME --option K=V
    """
    mode = dice_of(dice or mode_asked(ctx.obj.question))
    parts = {part: read_document(file) for part, file in own_files_of(own, board).items()}
    options, names = pairs_of(option), names_of(seats)
    with new_log(output, f"{game}-match") as path:
        match = start_match(game, path, options=options, terms=pairs_of(term, "TERM=VALUE"), seats=names, own=parts)
        with whole_or_not(path, [path, head_path(path)]):
            session = match.start_next(mode, parts)
    return _begun(ctx.obj, match, session)


@app.command("next")
def next_game(ctx: typer.Context, dice: NextDice = None, log: Again = None, match_log: Named = None) -> Answer:
    """Enter the result of the game just ended, and start the next one if the match goes on, with the same dice.

    A game that was taken back, and was played already, counts again with --log: later games are not lost when an
    earlier one is mended.

    \b
      referee match next
      referee match next --log LOG
    """
    match = open_match(_match_log(ctx.obj, match_log))
    mode = dice_of(dice) or USUAL.begun(None, os.urandom) if dice else None
    changed = list(match.changed())
    if changed:
        return _not_as_entered(match, changed)
    told: list[Shown] = []
    if match.playing and log is None:
        match.end_game()
        told = _score(match)
    if log is not None:
        return _taken_up(ctx.obj, match, log)
    if told and (match.winners or any(match.may_follow())):
        return Answer(told, lambda: _facts(match))
    if not told:
        return _begun(ctx.obj, match, match.start_next(mode))
    try:
        return _begun(ctx.obj, match, match.start_next(mode), told)
    except (LogError, BoardError, OSError) as error:  # what was recorded stays so
        why = getattr(error, "strerror", None) or str(error).partition(": ")[2] or error
        then = f"The result was recorded, but the next game could not be begun: {why}."
        mended = Text("Once that is mended: referee match next", indent=2)
        return Answer([*told, Text(then, "refused"), mended], lambda: _facts(match), NO)


def _taken_up(context: Context, match: Match, log: Path) -> Answer:
    """A game that was taken back counts again; where it is over, its result is entered, too."""
    match.take_up(log)
    context.choose(match.path.with_name(log.name))
    told = f"Game {len(match.started)} counts again, as it was played in {log.name}."
    with suppress(NotAllowedError):  # it is played on, or has to be mended first
        match.end_game()
    return Answer([told, *_score(match)], lambda: _facts(match))


@app.command("undo")
def undo_match(ctx: typer.Context, count: Steps = 1, agreed: Agreed = None, match_log: Named = None) -> Answer:
    """Take back that a game began or ended, by agreement of all: it is begun anew, or played on. No log is deleted.

    \b
      referee match undo            referee match undo 2 --agreed-by Anna,Bo
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
    look = Sitting(session)
    begun = f"Game {len(match.started)} of match {match.path.stem}, in {session.path}{current}."
    over = Text("When it is over: referee match next", indent=2)
    return Answer([*told, begun, *summary(look), *next_told(look), over], lambda: _facts(match))


@app.command("show")
def show_match(ctx: typer.Context, match_log: Log = None) -> Answer:
    """Show the games played, the points and the totals.

    \b
      referee match show            referee match show LOG
    """
    match = open_match(_match_log(ctx.obj, match_log))
    doubt = why_forgotten(match.path)
    if doubt:
        ctx.obj.notes.append(f"Note: {doubt}.")
    terms = ", ".join(f"{name} {value}" for name, value in asdict(match.header.terms).items())
    players = ", ".join(seat if seat == name else f"{seat} ({name})" for seat, name in match.names.items())
    title = f"match {match.path.stem}, {match.game.title}: {players}; {terms}"
    games = [Text(next(iter(match.series.tell(entry.standing))), indent=2) for entry in match.ended[:-1]]
    changed = list(match.changed(closely=True))
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


AGAIN = "Games after it can count again as they were played: referee match next --log LOG"


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
        *([Text(AGAIN, indent=2)] if later else []),
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
      referee match audit           referee match audit LOG
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
        again = "was played already; that it counts again"
        known = (f"{log.name} {again}: referee match next --log {quote(str(log))}" for log in match.may_follow())
        return [*known, f"Next: referee match next starts game {number + 1}"]
    look = _played_now(match.playing)
    if look is None:
        return _lost_told(match)
    if look.facts.outcome:
        over = f"Game {number}, in {match.playing.name}, is over: {look.facts.outcome.because}."
        return [over, _entering(match)]
    return [f"Game {number} is being played, in {match.playing.name}: {turn_told(look.facts)}."]


def _entering(match: Match) -> str:
    """How the result of a game that is over is entered, or what is in its way."""
    try:
        match.ending()
    except NotAllowedError as error:
        return f"Its result cannot be entered: {error}"
    return "Next: referee match next enters it"


def _lost_told(match: Match) -> list[str]:
    """What can be done where nobody can read the log of the game being played."""
    assert match.playing is not None, "asked where one is played"
    agreed = ",".join(match.names)
    return [
        f"Game {len(match.started)} is being played, in {match.playing.name}, which is not here or cannot be read.",
        f"Bring it back; or begin the game anew, all agreeing: referee match undo --agreed-by {agreed}",
    ]


def _played_now(log: Path) -> Sitting | None:
    """The game being played; None: its log is lost."""
    try:
        return Sitting(open_log(log))
    except (FaultError, OSError):
        return None


def _facts(match: Match) -> dict[str, Any]:
    return {
        "match": str(match.path),
        "game": match.game.name,
        "players": match.names,
        "terms": match.header.terms,
        "playing": str(match.playing) if match.playing else None,
        "now": facts_told(look) if match.playing and (look := _played_now(match.playing)) else None,
        "may_follow": [str(log) for log in match.may_follow()],
        "score": match.score,
        "winners": match.winners,
        "games": match.ended,
    }
