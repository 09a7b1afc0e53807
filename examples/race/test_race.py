"""Tests of race, as the author of a game writes them: all laws, and the meaning of one rule in a few slow lines."""

from collections.abc import Iterator

from race import GAME, OPPONENT, MoveRunner, State
from referee.engine import Seat
from referee.testing import Definition, obey


def list_runs(state: State, seat: Seat) -> Iterator[MoveRunner]:
    """Yields the runners that may run as far as the die says: every square is looked at (run, home, safe)."""
    for square in range(state.lanes.home + 1):
        to = square + state.thrown
        own = to in state.list_runners(seat) and to != state.lanes.home
        safe = to in state.lanes.safe and to in state.list_runners(OPPONENT[seat])
        if square in state.list_runners(seat) and to <= state.lanes.home and not own and not safe:
            yield MoveRunner(square)


MEANS = (Definition(MoveRunner, "run", list_runs),)


def test_laws() -> None:
    """Tries all laws."""
    obey(GAME, means=MEANS)
