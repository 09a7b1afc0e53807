"""Laws about guesses: a guess fits what the seat knows, and can be played on."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from referee.engine.event import Seat
from referee.engine.game import view_for
from referee.testing.further_play import find_obstacles_to_play
from referee.testing.trial import RandomGame, Spot

ACTIONS_PLAYED_ON = 200
"""The number of actions for which a guess is played on, if the game lasts as long."""
SPOTS_PLAYED_ON = 4
"""The number of spots of a game from which guesses are played on."""


def check_guesses(spot: Spot) -> Iterator[str]:
    """Checks that a guess has the same view for its viewer, and is a legal position if the real state is one."""
    for viewer in spot.viewers:
        view = spot.view(viewer)
        try:
            guess = spot.game.guess(view, viewer, spot.random)
        except NotImplementedError as missing:
            yield str(missing)
            return
        yield from _find_misfits(spot, viewer, view, guess)


def _find_misfits(spot: Spot, viewer: Seat | None, view: Any, guess: Any) -> Iterator[str]:
    """Yields the reasons why a guess does not fit what its viewer knows."""
    who = viewer or "a spectator"
    if view_for(spot.game, guess, viewer) != view:
        yield f"the view of a guess is not the view from which {who} guessed"
    if not spot.game.list_secret_keepers(spot.play.options) and guess != view:
        yield f"nobody keeps secrets, but {who} guesses something else than what everybody sees"
    refusal = spot.find_position_refusal(guess)
    if refusal and not spot.find_position_refusal(spot.state):
        yield f"what {who} guesses is refused as a position ({refusal.rule}: {refusal.because})"


def check_guesses_can_be_played_on(play: RandomGame) -> Iterator[str]:
    """Checks that a guess can be played on by the rules, for `ACTIONS_PLAYED_ON` actions or to the end of the game."""
    for spot in Random(play.seed).sample(play.spots, min(SPOTS_PLAYED_ON, len(play.spots))):
        for viewer in spot.viewers:
            guess = spot.game.guess(spot.view(viewer), viewer, spot.random)
            for breach in find_obstacles_to_play(spot, guess, ACTIONS_PLAYED_ON):
                yield f"after {spot.at} actions {viewer or 'a spectator'} guesses what cannot be played: {breach}"
