"""How strong bots are: each against each, seats swapped on the same dice."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import closing
from hashlib import sha256
from itertools import combinations
from math import sqrt
from random import Random

from msgspec import Struct

from referee.bots.bot import BotError, Seen, chosen, find_bot
from referee.chances.table import Table, table
from referee.engine.adjudicate import Played
from referee.engine.options import Options
from referee.record.archive.window import handed_out
from referee.record.archive.workers import DiedError

LONGEST = 2_000
"""Actions after which a game counts as a draw."""


class Pairing(Struct, frozen=True):
    """A game of two bots that is to be played; the others at the table are played by the second one."""

    name: str
    """What is played."""
    options: dict[str, str]
    seed: str
    """That of its dice and of what bots choose, 64 hex digits."""
    first: str
    """The bot at the first seat."""
    second: str
    """The bot at all others."""
    seconds: float
    """Time for an action, for bots that take any."""
    playouts: int = 0
    """So many playouts for an action instead of that time, if any: the same games on every machine."""


class Result(Struct, frozen=True):
    """How it ended."""

    game: Pairing
    score: float
    """What the first bot got: 1 for a win, a half for a draw or a game that nobody won, 0."""
    plays: int
    """Actions until it was over, or counted as a draw."""


class Match(Struct, frozen=True):
    """Two bots against each other."""

    one: str
    other: str
    games: int
    score: float
    """The part of the games that `one` won, draws counted half."""
    error: float
    """Its standard error, pairs of games on the same dice taken together. Where all came out alike, 1 over their
    number: so few say no more.
    """


def played(game: Pairing) -> Result:
    """Play a game. BotError, GameError."""
    at = table(game.name, game.options, seed=game.seed)
    random = Random(game.seed)
    names = dict.fromkeys(at.seats, game.second) | {at.seats[0]: game.first}
    bots = {name: find_bot(name) for name in set(names.values())}
    plays = 0
    while at.result is None and plays < LONGEST and at.to_act:
        seat, plays = at.to_act, plays + 1
        seen = Seen(at.game, at.view(seat), seat, random, game.seconds, game.playouts)
        verdict = at.do(chosen(names[seat], bots[names[seat]], seen), seat)
        assert isinstance(verdict, Played), "what is legal for all that a seat knows is played"
    return Result(game, _score(at), plays)


def _score(at: Table) -> float:
    winners = at.result.winners if at.result else ()
    if not winners or len(winners) == len(at.seats):
        return 0.5
    return 1.0 if at.seats[0] in winners else 0.0


def pairings(
    name: str, options: Options, bots: Iterable[str], pairs: int, seconds: float, seed: str = "0", playouts: int = 0
) -> Iterator[Pairing]:
    """Every bot against every other: pairs of games on the same dice, each bot at the first seat once."""
    for number in range(pairs):
        dice = sha256(f"{seed} {number}".encode()).hexdigest()
        for one, other in combinations(bots, 2):
            yield Pairing(name, dict(options), dice, one, other, seconds, playouts)
            yield Pairing(name, dict(options), dice, other, one, seconds, playouts)


def results(games: Iterable[Pairing], executor: Executor | None = None) -> Generator[Result, None, None]:
    """Play games, by an executor if one is given, as `audit_all` takes them; only a few are handed out at a time.
    BotError, GameError.
    """
    if executor is None:
        yield from map(played, games)
        return
    with closing(handed_out(executor, played, games)) as found:
        for game, future in found:
            try:
                yield future.result()
            except DiedError as died:
                raise _unplayed(game, died) from died


def _unplayed(game: Pairing, died: DiedError) -> BotError:
    """What is told where a process has ended with the game that it played."""
    what = f"the process that played it has died ({died})"
    return BotError(f"{game.first} against {game.second} at {game.name} cannot be played: {what}")


def matches(found: Iterable[Result]) -> list[Match]:
    """What games come to, by pair of bots."""
    pairs: dict[tuple[str, str], dict[str, list[float]]] = {}
    for result in found:
        one, other = sorted((result.game.first, result.game.second))
        score = result.score if result.game.first == one else 1 - result.score
        pairs.setdefault((one, other), {}).setdefault(result.game.seed, []).append(score)
    return [_match(one, other, scores) for (one, other), scores in pairs.items()]


def _match(one: str, other: str, scores: dict[str, list[float]]) -> Match:
    means = [sum(pair) / len(pair) for pair in scores.values()]
    mean = sum(means) / len(means)
    spread = sum((value - mean) ** 2 for value in means) / max(1, len(means) - 1)
    return Match(one, other, sum(map(len, scores.values())), mean, sqrt(spread / len(means)) or 1 / len(means))
