"""Tests of race, as the author of a game writes them: all laws, and the meaning of one rule in a few slow lines."""

from collections.abc import Iterator

from race import GAME, OTHER, Run, State
from referee.engine import Seat
from referee.testing import Definition, obey


def runs(state: State, seat: Seat) -> Iterator[Run]:
    """Yields the runners that may run as far as the die says: every square is looked at (run, home, safe)."""
    for square in range(state.lanes.home + 1):
        to = square + state.thrown
        own = to in state.of(seat) and to != state.lanes.home
        safe = to in state.lanes.safe and to in state.of(OTHER[seat])
        if square in state.of(seat) and to <= state.lanes.home and not own and not safe:
            yield Run(square)


MEANS = (Definition(Run, "run", runs),)


def test_laws() -> None:
    """Tries all laws."""
    obey(GAME, means=MEANS)
