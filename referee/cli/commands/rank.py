"""`referee rank`: how strong are bots?"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from shlex import quote
from typing import Annotated

from typer import Argument, Option

from referee.bots.bot import AT_ONCE, bot_names
from referee.bots.rank import Match, Pairing, Result, matches, pairings, results
from referee.cli.answer import OK, STOPPED, Answer, Shown, Text
from referee.cli.botted import check_bots
from referee.cli.errors import MisuseError
from referee.cli.screen import overwriting
from referee.cli.typed import Game, Options, check_seconds, pairs_of
from referee.engine.choosing import choose_options
from referee.engine.game import AnyGame
from referee.engine.registry import find_game
from referee.engine.text import count_of, figure, listing
from referee.record.archive.workers import cores, workers

LONGEST = 600
"""Seconds that a bot may take for an action."""
Bots = Annotated[list[str] | None, Argument(metavar="BOT...", help="Which bots; bare: random and steady.")]
Pairs = Annotated[int, Option("--pairs", metavar="N", min=1, max=100_000, help="Pairs of games of any two bots.")]
Seconds = Annotated[float, Option("--seconds", metavar="S", help="Time that a bot takes for an action, if any.")]
Playouts = Annotated[
    int, Option("--playouts", metavar="N", min=0, help="So many playouts for an action instead: to repeat a figure.")
]
Seed = Annotated[str, Option("--seed", metavar="WORD", help="Other dice; the same word gives the same games.")]
Jobs = Annotated[int | None, Option("--jobs", metavar="N", min=1, help="Games that are played at once.")]


def rank(
    game: Game,
    bots: Bots = None,
    option: Options = None,
    pairs: Pairs = 10,
    seconds: Seconds = 0.5,
    playouts: Playouts = 0,
    seed: Seed = "0",
    jobs: Jobs = None,
) -> Answer:
    """How strong are bots? Each plays each, on the same dice from both sides.

    \b
      referee rank GAME             referee rank GAME steady strong --pairs 50
    """
    module, names = find_game(game), bots or ["random", "steady"]
    options = choose_options(module, pairs_of(option))
    _check(module, options, names, seconds)
    began = time.monotonic()
    found, stopped = _played(list(pairings(game, options, names, pairs, seconds, seed, playouts)), jobs)
    table, rate = matches(found), len(found) / (time.monotonic() - began)
    facts = {
        "game": game,
        "options": options,
        "seed": seed,
        "playouts": playouts,
        "matches": table,
        "games_a_second": rate,
    }
    lines = list(_told(table, found, rate, _again(names, seed, playouts)))
    if stopped:
        lines.append("Stopped before all were played." if found else "Stopped before a game was over.")
    return Answer(lines, lambda: facts | {"stopped": stopped}, STOPPED if stopped else OK)


def _check(game: AnyGame, options: Mapping[str, str], names: Sequence[str], seconds: float) -> None:
    """MisuseError, BotError where these cannot play each other so."""
    check_bots(names)
    if len(set(names)) != len(names) or len(names) < 2:
        raise MisuseError(f"name two bots or more, each once; there are {listing(bot_names())}")
    check_seconds(seconds, LONGEST)
    if len(game.seats(options)) < 2:
        raise MisuseError("nobody plays against anybody in this game")


def _again(names: Sequence[str], seed: str, playouts: int) -> str:
    """How the same games come about once more; bots that think for a time play otherwise each time."""
    if playouts or set(names) <= {*AT_ONCE}:
        return f"To repeat them: --seed {quote(seed)}{f' --playouts {playouts}' if playouts else ''}"
    return "Who thinks for a time plays otherwise each time; to repeat games: --playouts N"


def _played(games: Sequence[Pairing], jobs: int | None) -> tuple[list[Result], bool]:
    """What came of the games, in their order, and whether Ctrl-C has stopped it before all were over."""
    found, tell = list[Result](), overwriting(after=0, every=0)  # each may stand for minutes
    tell(_standing(games, 0))
    try:
        with workers(jobs or cores()) if jobs != 1 else nullcontext() as executor:
            for result in results(games, executor):
                found.append(result)
                tell(_standing(games, len(found)))
    except KeyboardInterrupt:
        return found, True
    return found, False


def _standing(games: Sequence[Pairing], over: int) -> str:
    """How many games are over, and who plays the one that is waited for."""
    now = f"; now {games[over].first} against {games[over].second}" if over < len(games) else ""
    return f"{over:,} of {count_of(len(games), 'game')} over{now}"


def _told(table: list[Match], found: list[Result], rate: float, again: str) -> Iterator[Shown]:
    for match in table:
        share = f"{100 * match.score:.0f} % ± {100 * match.error:.0f}"
        yield Text(f"{match.one} against {match.other}: {share} of {count_of(match.games, 'game')}", "good")
    if found:
        plays = sum(result.plays for result in found) / len(found)
        speed = f"{rate:,.0f}" if rate >= 10 else figure(rate, 2)
        yield f"Draws count half. {speed} games a second, {plays:.0f} plays each."
        yield f"{again}."
