"""Matches of Manoover: points, bonuses, who opens the next game, and when it is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from referee.engine.game import Seat
from referee.engine.ruling import Refusal
from referee.engine.series import Result, Standing, Terms
from referee.engine.text import listing
from referee.games.manoover.options import SEATS
from referee.games.manoover.scoring import BONUS, SHARED_BONUS, leaders, three_player_bonus
from referee.games.manoover.state import State

ROBOTS = {"base": 12, "plus": 16, "three": 18}
"""Robots at the start of a game, all colours together."""


def opened_by(states: Iterable[State]) -> Seat:
    """Who took the first turn: whose turn it is once the throw for it is settled."""
    return next(state.turn for state in states if state.phase != "throw-off")


def target(options: Mapping[str, str]) -> int:
    """21 points, but 30 for the two-player Plus game (match.5, match.three.8, plus.6, r.plus-target)."""
    return 30 if options["form"] == "plus" else 21


def begin(options: Mapping[str, str], terms: Terms) -> Standing:
    """Before the first game, which a throw of dice opens (match.7, match.three.1). Any form can be played (plus.5)."""
    return Standing(options, terms, dict.fromkeys(SEATS[options["form"]], 0))


def check(standing: Standing, result: Result) -> Iterator[Refusal]:
    """Every rule that a result breaks as the next game of this match."""
    three = len(standing.totals) == 3
    if standing.winner:
        yield Refusal("match.three.8" if three else "match.5", f"the match is over: {standing.winner} has won it")
        return
    yield from _check_opener(standing, result)
    most = ROBOTS[standing.options["form"]] - 1
    if sum(result.scores.values()) > most:
        told = listing([f"{seat} {count}" for seat, count in result.scores.items()])
        rule = "match.three.3" if three else "match.1"
        yield Refusal(rule, f"{told} is impossible: at most {most} robots can enter goals before a game ends")


def _check_opener(standing: Standing, result: Result) -> Iterator[Refusal]:
    three = len(standing.totals) == 3
    if not standing.games:
        if not result.thrown:
            rule = "match.three.1" if three else "match.7"
            yield Refusal(rule, "a throw of dice tells who opens the first game of a match")
    elif result.opened_by != standing.opener or result.thrown:
        yield Refusal(_opening_rule(standing), f"{standing.opener} opens this game, not {result.opened_by}")


def _opening_rule(standing: Standing) -> str:
    if len(standing.totals) == 3:
        return "match.three.2"
    return "match.9" if len(set(_compared(standing).values())) == 1 else "match.8"


def score(standing: Standing, result: Result) -> Standing:
    """Points for robots in the goals, whatever their colour, and the bonus, added up (match.1, match.4).

    The same for three players (match.three.3, match.three.7).
    """
    bonus = _bonus(result)
    totals = {seat: total + result.scores[seat] + bonus.get(seat, 0) for seat, total in standing.totals.items()}
    after = replace(standing, totals=totals, games=(*standing.games, result), bonus=bonus)
    winner = _winner(after)
    return replace(after, winner=winner, opener=None if winner else _opener(after))


def _bonus(result: Result) -> dict[Seat, int]:
    """The bonus points of a game.

    Two players: 4 for the winner (match.2), by tie-break too (r.match-ties), 2 each for a tie (match.3). Three: 4 for a
    sole leader (match.three.4), for the third when two tie (match.three.6), though he has no robots left
    (r.eliminated-bonus), and for nobody when all tie (match.three.5).
    """
    if len(result.scores) == 3:
        seat = three_player_bonus(result.scores)
        return {seat: BONUS} if seat else {}
    if len(result.winners) == 1:
        return {result.winners[0]: BONUS}
    return dict.fromkeys(result.scores, SHARED_BONUS)


def _winner(standing: Standing) -> Seat | None:
    """The sole highest total once somebody has reached the target; a tie for it plays on.

    Rules match.5 and match.6, match.three.8 and match.three.9; only the tie for the highest total counts
    (r.match-level).
    """
    first = leaders(standing.totals)
    return first[0] if len(first) == 1 and standing.totals[first[0]] >= standing.terms.target else None


def _opener(standing: Standing) -> Seat:
    """Who opens the next game: of two the lower (match.8), else who was second (match.9); of three the next clockwise.

    The three pass it on to the left (match.three.2, r.table-order).
    """
    seats = tuple(standing.totals)
    before = standing.games[-1].opened_by
    following = seats[(seats.index(before) + 1) % len(seats)]
    compared = _compared(standing)
    if len(seats) == 3 or len(set(compared.values())) == 1:
        return following
    return min(compared, key=lambda seat: compared[seat])


def _compared(standing: Standing) -> Mapping[Seat, int]:
    """What "the lowest score" compares: the totals, or the game just ended (r.match-low)."""
    if standing.terms.first == "last-game":
        scores = standing.games[-1].scores
        return {seat: points + standing.bonus.get(seat, 0) for seat, points in scores.items()}
    return standing.totals
