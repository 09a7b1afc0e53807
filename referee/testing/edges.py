"""The law of what is nearly right: it is understood or not, legal or refused, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from referee.engine.action_fields import misfit_of
from referee.engine.adjudicate import Played, adjudicate
from referee.engine.event import Seat
from referee.engine.game import look
from referee.engine.text import NotUnderstoodError
from referee.testing.trial import Spot

SAYINGS = 4
"""Actions of each seat of which the numbers are changed at a spot."""


def agreeing(spot: Spot) -> Iterator[str]:
    """Each number in something legal one up and one down, and what was just said said again: what is read keeps to the
    bounds of its fields, is legal exactly when no rule forbids it, and can then be played.
    """
    for seat, legal in spot.legal.items():
        for action in spot.some(legal, SAYINGS):
            for words in _off_by_one(spot.game.format(action)):
                yield from _disagreements(spot, spot.state, seat, words)
    yield from _disagreements(spot, spot.played.state, spot.seat, spot.game.format(spot.action))


def _off_by_one(words: str) -> Iterator[str]:
    """The same words with one number in them one more or one less."""
    for found in re.finditer("[0-9]+", words):
        for number in (int(found[0]) + 1, int(found[0]) - 1):
            yield f"{words[: found.start()]}{number:0{len(found[0])}}{words[found.end() :]}"


def _disagreements(spot: Spot, state: Any, seat: Seat, words: str) -> Iterator[str]:
    game, view = spot.game, look(spot.game, state, seat)
    try:
        action = game.parse(words, view, seat)
    except NotUnderstoodError:
        return
    unfit, refusals = misfit_of(action), tuple(game.check(view, seat, action))
    is_listed = action in game.legal(view, seat)
    if unfit:
        yield f"{seat}'s {words!r} is read with the {unfit[0]} {unfit[2]!r}, which its type forbids"
    if is_listed == bool(refusals):
        yield f"{seat}'s {words!r} is {'listed and refused' if refusals else 'neither listed nor refused'}"
    if refusals or (game.asks(state) and seat != game.to_act(state)):
        return
    verdict = adjudicate(game, state, seat, action, spot.source())
    if not isinstance(verdict, Played):
        yield f"{seat}'s {words!r} breaks no rule, but comes to {verdict}"
