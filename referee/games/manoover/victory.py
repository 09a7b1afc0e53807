"""Who wins a game."""

from __future__ import annotations

from collections.abc import Mapping

from referee.engine.event import Outcome, Seat
from referee.engine.text import listing
from referee.games.manoover.state import State

BONUS = 4
"""Points of a match for the winner of a game (match.2, match.three.4)."""


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
    points = _points(state)
    first = leaders(points)
    if len(first) > 1:
        first = _tie_break(state, first) or first
    told = listing([f"{seat} {count}" for seat, count in state.scores()])
    verdict = f"{first[0]} wins" if len(first) == 1 else f"a tie of {listing(first)}"
    return Outcome(_ranks(points, first), state.scores(), f"{verdict}: robots in the goals, {told}")


def _points(state: State) -> dict[Seat, int]:
    """What a game is won by: robots in the goal, with the bonus of a match where that is agreed (r.three-winner)."""
    goals = dict(state.scores())
    if state.options["three-result"] == "most-goals" or not state.board.three:
        return goals
    bonus = three_player_bonus(goals)
    return {seat: count + BONUS * (seat == bonus) for seat, count in goals.items()}


DECIDED = {
    "last-to-play": "the tie goes to who was last to play",
    "survivor": "the tie goes to who still has robots",
}


def decided_by(state: State) -> str:
    """What decided a game that has ended, where the robots in the goals alone did not; "" where they did."""
    winners = state.outcome.winners if state.outcome else ()
    if winners and winners != leaders(_points(state)):
        return DECIDED[state.options["ties"]]
    return "by match points" if winners and winners != leaders(dict(state.scores())) else ""


def _ranks(points: Mapping[Seat, int], first: tuple[Seat, ...]) -> tuple[tuple[Seat, ...], ...]:
    """Who has won, then the others by points."""
    ranks, others = [first], {seat: count for seat, count in points.items() if seat not in first}
    while others:
        ranks.append(leaders(others))
        others = {seat: count for seat, count in others.items() if seat not in ranks[-1]}
    return tuple(ranks)


def _tie_break(state: State, tied: tuple[Seat, ...]) -> tuple[Seat, ...]:
    if state.options["ties"] == "last-to-play":
        return tuple(seat for seat in tied if seat == state.turn)
    if state.options["ties"] == "survivor":
        return tuple(seat for seat in tied if state.in_game(seat))
    return ()
