"""Who wins a game, and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping

from referee.engine.game import Outcome, Seat
from referee.engine.text import listing
from referee.games.manoover.state import State

BONUS = 4
SHARED_BONUS = 2


def leaders(points: Mapping[Seat, int]) -> tuple[Seat, ...]:
    """The seats with the most points, in playing order."""
    return tuple(seat for seat in points if points[seat] == max(points.values()))


def three_player_bonus(goals: Mapping[Seat, int]) -> Seat | None:
    """Who gets the bonus of a three-player game: a sole leader, or the third when two tie; nobody when all tie."""
    first = leaders(goals)
    if len(first) == 1:
        return first[0]
    third = [seat for seat in goals if seat not in first]
    return third[0] if third else None


def outcome_of(state: State) -> Outcome:
    """The result of a game that ends now: most robots in the goal, whoever is left (end.2, end.4, three.13).

    Equal numbers are a tie (end.3), unless the option `ties` breaks it (variant.kadon.1, r.last-to-play).
    """
    goals = dict(state.scores())
    first = leaders(goals)
    if len(state.board.seats) == 3 and state.options.three_result == "match-points":
        bonus = three_player_bonus(goals)
        first = leaders({seat: points + BONUS * (seat == bonus) for seat, points in goals.items()})
    if len(first) > 1:
        first = _tie_break(state, first) or first
    told = listing([f"{seat} {count}" for seat, count in state.scores()])
    verdict = f"{first[0]} wins" if len(first) == 1 else f"a tie of {listing(first)}"
    return Outcome(first, state.scores(), f"{verdict}: robots in the goals, {told}")


def _tie_break(state: State, tied: tuple[Seat, ...]) -> tuple[Seat, ...]:
    if state.options.ties == "last-to-play":
        return tuple(seat for seat in tied if seat == state.turn)
    if state.options.ties == "survivor":
        return tuple(seat for seat in tied if state.in_game(seat))
    return ()
