"""Positions of random games with a few things changed. By a law they can be played on, unless a rule forbids them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.component import BoardError
from referee.engine.event import Seat
from referee.engine.game import view_for
from referee.engine.text import NotUnderstoodError
from referee.testing.position_changes import disturb_position, make_document
from referee.testing.trial import Spot

CHANGES_PER_SPOT = 3
"""The number of times that the position of a spot is changed."""
MAX_CHOICES_PLAYED = 4
"""The most choices that are tried in a changed position, each with one action."""


def make_changed_states(spot: Spot) -> Iterator[Any]:
    """Yields states like that of a spot, with a few things changed, whose positions no rule forbids."""
    game, random = spot.game, spot.random
    other = make_document(game.position_from(random.choice(spot.play.spots).state))
    document = make_document(game.position_from(spot.state))
    for _ in range(CHANGES_PER_SPOT):
        position = disturb_position(game, spot.state, document, other, random)
        try:
            if position and not any(game.check_position(position, spot.play.options, spot.play.board)):
                yield game.state_from(position, spot.play.options, spot.play.board)
        except (BoardError, NotUnderstoodError):  # a text in the position cannot be read
            continue


def check_changed_positions(spot: Spot) -> Iterator[str]:
    """Checks that a changed position is either refused by a rule, or can be played on like any other."""
    for state in make_changed_states(spot):
        yield from _check_state(spot, state)


def _check_state(spot: Spot, state: Any) -> Iterator[str]:
    game, play = spot.game, spot.play
    position = game.position_from(state)
    if game.state_from(position, play.options, play.board) != state:
        yield f"{position}, placed again, is another state"
    pen = game.to_act(state)
    if (pen is None) != (game.outcome(state) is not None):
        yield f"{position} has an outcome exactly when somebody is to act"
    if pen is not None:
        yield from _check_playing(spot, state, pen)


def _check_playing(spot: Spot, state: Any, pen: Seat) -> Iterator[str]:
    game, position = spot.game, spot.game.position_from(state)
    legal = game.legal(view_for(game, state, pen), pen)
    if not legal:
        yield f"in {position} {pen} is to act, and nothing is legal"
    for choice in islice(legal.choices, MAX_CHOICES_PLAYED):
        action = choice.pick(spot.random)
        verdict = adjudicate(game, state, pen, action, spot.make_dice_source())
        if not isinstance(verdict, LegalVerdict):
            yield f"in {position} {game.format(action)!r} is legal, but comes to {verdict}"
