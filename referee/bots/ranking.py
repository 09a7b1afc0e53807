"""The strength of bots: each bot plays each other one, with seats swapped on the same dice."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import closing
from hashlib import sha256
from itertools import combinations
from math import sqrt
from random import Random

from msgspec import Struct

from referee.bots.bot import BotError, Observation
from referee.bots.roster import choose_action, find_bot
from referee.chances.in_memory_game import Table, table
from referee.engine.adjudication import LegalVerdict
from referee.engine.options import Options
from referee.record.archive.bounded_map import map_bounded
from referee.record.archive.process_pool import WorkerDiedError

MAX_ACTIONS = 2_000
"""The number of actions after which a game counts as a draw."""


class Pairing(Struct, frozen=True):
    """A game of two bots to be played. The first bot plays the first seat, and the second bot plays all other seats."""

    game_name: str
    """The game's name."""
    options: dict[str, str]
    seed: str
    """The seed of the dice and of the bots' choices, 64 hex digits."""
    first: str
    """The bot at the first seat."""
    second: str
    """The bot at all other seats."""
    seconds: float
    """The time for an action, for bots that take any."""
    playouts: int = 0
    """The number of playouts for an action instead of that time; 0 means that the time counts.

    With a number of playouts, the games are the same on every machine.
    """


class PairingResult(Struct, frozen=True):
    """The end of a game between two bots."""

    pairing: Pairing
    score: float
    """The first bot's score: 1 for a win, a half for a draw or a game that nobody won, 0 for a loss."""
    plays: int
    """The number of actions that were played until the game was over, or long enough to count as a draw."""


class MatchUp(Struct, frozen=True):
    """The results of two bots against each other."""

    one: str
    other: str
    games: int
    score: float
    """The share of the games that `one` won, from 0 to 1; draws count half."""
    error: float
    """The standard error of the score. Games on the same dice count as one game.

    If the scores on all dice are the same, the error is 1 divided by the number of different dice.
    """


def play_pairing(pairing: Pairing) -> PairingResult:
    """Plays one game and returns its result. Raises BotError or GameError if a bot or the game fails."""
    played = table(pairing.game_name, pairing.options, seed=pairing.seed)
    random = Random(pairing.seed)
    names = dict.fromkeys(played.seats, pairing.second) | {played.seats[0]: pairing.first}
    bots = {name: find_bot(name) for name in set(names.values())}
    plays = 0
    while played.result is None and plays < MAX_ACTIONS and played.to_act:
        seat, plays = played.to_act, plays + 1
        seen = Observation(played.game, played.view(seat), seat, random, pairing.seconds, pairing.playouts)
        verdict = played.do(choose_action(names[seat], bots[names[seat]], seen), seat)
        assert isinstance(verdict, LegalVerdict), "a bot's legal action can always be played"
    return PairingResult(pairing, _score(played), plays)


def _score(played: Table) -> float:
    winners = played.result.winners if played.result else ()
    if not winners or len(winners) == len(played.seats):
        return 0.5
    return 1.0 if played.seats[0] in winners else 0.0


def list_pairings(
    game_name: str,
    options: Options,
    bots: Iterable[str],
    pairs: int,
    seconds: float,
    seed: str = "0",
    playouts: int = 0,
) -> Iterator[Pairing]:
    """Yields `pairs` pairs of games for every two bots. Both games of a pair have the same dice and swapped seats."""
    for number in range(pairs):
        dice = sha256(f"{seed} {number}".encode()).hexdigest()
        for one, other in combinations(bots, 2):
            yield Pairing(game_name, dict(options), dice, one, other, seconds, playouts)
            yield Pairing(game_name, dict(options), dice, other, one, seconds, playouts)


def play_pairings(
    pairings: Iterable[Pairing], executor: Executor | None = None
) -> Generator[PairingResult, None, None]:
    """Plays games and yields their results.

    `executor` hands games to other processes, only a few at a time. Any executor that works with `audit_all` works
    here, too. Raises BotError or GameError if a bot or a game fails.
    """
    if executor is None:
        yield from map(play_pairing, pairings)
        return
    with closing(map_bounded(executor, play_pairing, pairings)) as found:
        for pairing, future in found:
            try:
                yield future.result()
            except WorkerDiedError as died:
                raise _make_dead_worker_error(pairing, died) from died


def _make_dead_worker_error(pairing: Pairing, died: WorkerDiedError) -> BotError:
    """Returns the error for a process that died while it played a game."""
    what = f"the process that played this game has died ({died})"
    return BotError(f"{pairing.first} against {pairing.second} at {pairing.game_name} was not finished: {what}")


def make_match_ups(results: Iterable[PairingResult]) -> list[MatchUp]:
    """Returns one match for each pair of bots, from the results of their games."""
    pairs: dict[tuple[str, str], dict[str, list[float]]] = {}
    for result in results:
        one, other = sorted((result.pairing.first, result.pairing.second))
        score = result.score if result.pairing.first == one else 1 - result.score
        pairs.setdefault((one, other), {}).setdefault(result.pairing.seed, []).append(score)
    return [_make_match(one, other, scores) for (one, other), scores in pairs.items()]


def _make_match(one: str, other: str, scores: dict[str, list[float]]) -> MatchUp:
    means = [sum(pair) / len(pair) for pair in scores.values()]
    mean = sum(means) / len(means)
    spread = sum((value - mean) ** 2 for value in means) / max(1, len(means) - 1)
    return MatchUp(one, other, sum(map(len, scores.values())), mean, sqrt(spread / len(means)) or 1 / len(means))
