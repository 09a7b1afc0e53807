"""Playing on from a state that a law has made. If the game gets stuck there, the law is broken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.dice_source import SeededSource
from referee.engine.game import view_for
from referee.testing.trial import Spot


def find_obstacles_to_play(spot: Spot, state: Any, actions: int) -> Iterator[str]:
    """Yields the reason why a state cannot be played on for this many random actions, or to the end of the game.

    Yields nothing if it can.
    """
    game, random, draws = spot.game, spot.random, spot.draws
    for _ in range(actions):
        seat = game.to_act(state)
        if seat is None:
            return
        legal = game.legal(view_for(game, state, seat), seat)
        if not legal:
            yield f"{seat} is stuck"
            return
        source = SeededSource(spot.play.seeds, draws)
        action = legal.pick(random)
        verdict = adjudicate(game, state, seat, action, source)
        if not isinstance(verdict, LegalVerdict):
            yield f"{seat}'s {game.format(action)!r} comes to {verdict}"
            return
        state, draws = verdict.state, source.draws
