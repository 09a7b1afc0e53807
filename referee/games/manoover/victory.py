"""Decides who wins a game."""

from __future__ import annotations

from collections.abc import Mapping

from referee.engine.event import Outcome, Seat
from referee.engine.text import listing
from referee.games.manoover.state import State

WINNER_BONUS = 4
"""The match points that the winner of a game gets on top (match.2, match.three.4)."""


def find_leaders(points: Mapping[Seat, int]) -> tuple[Seat, ...]:
    """Returns the seats with the most points, in playing order."""
    return tuple(seat for seat in points if points[seat] == max(points.values()))


def find_bonus_seat(goals: Mapping[Seat, int]) -> Seat | None:
    """Returns the seat that gets a three-player bonus: a sole leader, or the third if two tie; None if all tie."""
    first = find_leaders(goals)
    if len(first) == 1:
        return first[0]
    third = [seat for seat in goals if seat not in first]
    return third[0] if third else None


def decide_outcome(state: State) -> Outcome:
    """Returns the result if the game ends now: the most robots in the goal win (end.2, end.4, three.13).

    It does not matter who has robots left. Equal numbers are a tie (end.3), unless the option `ties` breaks it
    (variant.kadon.1, r.last-to-play). The option `three-result` may add the match bonus to the robots (r.three-winner).
    """
    points = _count_points(state)
    first = find_leaders(points)
    if len(first) > 1:
        first = _break_tie(state, first) or first
    scores = listing([f"{seat} {count}" for seat, count in state.count_robots_in_goals()])
    verdict = f"{first[0]} wins" if len(first) == 1 else f"a tie of {listing(first)}"
    return Outcome(
        _rank_seats(points, first), state.count_robots_in_goals(), f"{verdict}: robots in the goals, {scores}"
    )


def _count_points(state: State) -> dict[Seat, int]:
    """Returns the points that decide a game: robots in the goal, plus the match bonus if agreed (r.three-winner)."""
    goals = dict(state.count_robots_in_goals())
    if state.options["three-result"] == "most-goals" or not state.board.has_three_seats:
        return goals
    bonus = find_bonus_seat(goals)
    return {seat: count + WINNER_BONUS * (seat == bonus) for seat, count in goals.items()}


TIE_BREAK_CLAUSES = {
    "last-to-play": "the player who was last to play wins the tie",
    "survivor": "the player who still has robots wins the tie",
}
"""The explanation of each way to break a tie, by the value of the option `ties`."""


def describe_tie_break(state: State) -> str:
    """Returns a clause about how a game was decided if not by the robots in the goals alone; "" otherwise."""
    winners = state.outcome.winners if state.outcome else ()
    if winners and winners != find_leaders(_count_points(state)):
        return TIE_BREAK_CLAUSES[state.options["ties"]]
    return "by match points" if winners and winners != find_leaders(dict(state.count_robots_in_goals())) else ""


def _rank_seats(points: Mapping[Seat, int], first: tuple[Seat, ...]) -> tuple[tuple[Seat, ...], ...]:
    """Returns the winners, then the other seats by points."""
    ranks, others = [first], {seat: count for seat, count in points.items() if seat not in first}
    while others:
        ranks.append(find_leaders(others))
        others = {seat: count for seat, count in others.items() if seat not in ranks[-1]}
    return tuple(ranks)


def _break_tie(state: State, tied: tuple[Seat, ...]) -> tuple[Seat, ...]:
    if state.options["ties"] == "last-to-play":
        return tuple(seat for seat in tied if seat == state.turn)
    if state.options["ties"] == "survivor":
        return tuple(seat for seat in tied if state.is_in_game(seat))
    return ()
