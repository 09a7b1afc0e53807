"""`referee bots rank`: compares how strong bots are."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from shlex import quote
from typing import Annotated

from typer import Argument, Option

from referee.bots.ranking import MatchUp, Pairing, PairingResult, list_pairings, make_match_ups, play_pairings
from referee.bots.roster import UNTIMED_BOTS, list_bot_names
from referee.cli.answer import OK, STOPPED, Answer, AnswerLine, Text
from referee.cli.arguments import GameArgument, GameOptionsOption, check_seconds, parse_pairs
from referee.cli.bot_turns import check_bots
from referee.cli.errors import MisuseError
from referee.cli.screen import make_line_overwriter
from referee.engine.game import AnyGame
from referee.engine.option_resolution import choose_options
from referee.engine.registry import find_game
from referee.engine.text import count_of, format_number, listing
from referee.record.archive.process_pool import count_cores, start_workers

MAX_SECONDS = 600
"""The most seconds that a bot may take for an action."""
BotsArgument = Annotated[list[str] | None, Argument(metavar="BOT...", help="The bots; default: random and steady.")]
PairsOption = Annotated[
    int, Option("--pairs", metavar="N", min=1, max=100_000, help="How many pairs of games each two bots play.")
]
SecondsOption = Annotated[float, Option("--seconds", metavar="S", help="Thinking time of a bot for a move.")]
PlayoutsOption = Annotated[
    int,
    Option(
        "--playouts",
        metavar="N",
        min=0,
        help="Use N playouts (trial runs) a move, not time, so others can repeat the games.",
    ),
]
SeedOption = Annotated[
    str, Option("--seed", metavar="WORD", help="Choose the dice; the same word gives the same games.")
]
JobsOption = Annotated[int | None, Option("--jobs", metavar="N", min=1, help="Games played at once.")]


def rank(
    game: GameArgument,
    bots: BotsArgument = None,
    option: GameOptionsOption = None,
    pairs: PairsOption = 10,
    seconds: SecondsOption = 0.5,
    playouts: PlayoutsOption = 0,
    seed: SeedOption = "0",
    jobs: JobsOption = None,
) -> Answer:
    """Compare how strong bots are. Each plays every other one, on the same dice from both sides.

    \b
      referee bots rank GAME             referee bots rank GAME steady strong --pairs 50
    """
    module, names = find_game(game), bots or ["random", "steady"]
    options = choose_options(module, parse_pairs(option))
    _check_bots(module, options, names, seconds)
    began = time.monotonic()
    found, stopped = _play_pairings(list(list_pairings(game, options, names, pairs, seconds, seed, playouts)), jobs)
    table, rate = make_match_ups(found), len(found) / (time.monotonic() - began)
    facts = {
        "game": game,
        "options": options,
        "seed": seed,
        "playouts": playouts,
        "matches": table,
        "games_a_second": rate,
    }
    lines = list(_describe_ranks(table, found, rate, _describe_repeating(names, seed, playouts)))
    if stopped:
        lines.append("Stopped before all games were over." if found else "Stopped before any game was over.")
    return Answer(lines, lambda: facts | {"stopped": stopped}, STOPPED if stopped else OK)


def _check_bots(game: AnyGame, options: Mapping[str, str], names: Sequence[str], seconds: float) -> None:
    """Raises MisuseError or BotError if these bots cannot play each other in this game and time."""
    check_bots(names)
    if len(set(names)) != len(names) or len(names) < 2:
        raise MisuseError(f"name two or more bots, each once; there are {listing(list_bot_names())}")
    check_seconds(seconds, MAX_SECONDS)
    if len(game.seats(options)) < 2:
        raise MisuseError("this game has only one seat, so bots cannot play each other")


def _describe_repeating(names: Sequence[str], seed: str, playouts: int) -> str:
    """Returns a clause about how to repeat the games, since bots that think for a time play differently each time."""
    if playouts or set(names) <= {*UNTIMED_BOTS}:
        return f"To repeat these games, add: --seed {quote(seed)}{f' --playouts {playouts}' if playouts else ''}"
    return "Bots with a thinking time play differently each time; to repeat games: --playouts N"


def _play_pairings(games: Sequence[Pairing], jobs: int | None) -> tuple[list[PairingResult], bool]:
    """Returns the results in order, and True if Ctrl-C stopped the games early."""
    found, tell = list[PairingResult](), make_line_overwriter(after=0, every=0)  # each line may stay for minutes
    tell(_describe_progress(games, 0))
    try:
        with start_workers(jobs or count_cores()) if jobs != 1 else nullcontext() as executor:
            for result in play_pairings(games, executor):
                found.append(result)
                tell(_describe_progress(games, len(found)))
    except KeyboardInterrupt:
        return found, True
    return found, False


def _describe_progress(games: Sequence[Pairing], over: int) -> str:
    """Returns the number of finished games, and the bots of the current one."""
    now = f"; now {games[over].first} against {games[over].second}" if over < len(games) else ""
    return f"{over:,} of {count_of(len(games), 'game')} over{now}"


def _describe_ranks(table: list[MatchUp], found: list[PairingResult], rate: float, again: str) -> Iterator[AnswerLine]:
    for match in table:
        share = f"{100 * match.score:.0f} % ± {100 * match.error:.0f}"
        yield Text(f"{match.one} against {match.other}: {share} of {count_of(match.games, 'game')}", "good")
    if found:
        plays = sum(result.plays for result in found) / len(found)
        speed = f"{rate:,.0f}" if rate >= 10 else format_number(rate, 2)
        yield f"Draws count half. {speed} games a second, {plays:.0f} moves each."
        yield f"{again}."
