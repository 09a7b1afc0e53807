"""The law about nearly correct phrases: each is either not understood, or refused by a rule, or legal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from referee.engine.action_fields import find_ill_typed_part
from referee.engine.adjudication import LegalVerdict, adjudicate
from referee.engine.event import Seat
from referee.engine.game import view_for
from referee.engine.text import NotUnderstoodError
from referee.testing.trial import Spot

ACTIONS_PER_SEAT = 4
"""The number of actions of each seat whose numbers are changed at a spot."""


def check_near_misses(spot: Spot) -> Iterator[str]:
    """Checks that nearly correct phrases are read as actions with values of the right types, or not at all.

    Such an action must be legal exactly when no rule forbids it, and can then be played. The phrases are legal actions
    with one number changed by one, and the last action once more.
    """
    for seat, legal in spot.legal.items():
        for action in spot.sample_actions(legal, ACTIONS_PER_SEAT):
            for words in _shift_numbers(spot.game.format(action)):
                yield from _find_disagreements(spot, spot.state, seat, words)
    yield from _find_disagreements(spot, spot.played.state, spot.seat, spot.game.format(spot.action))


def _shift_numbers(words: str) -> Iterator[str]:
    """Yields these words with one of their numbers raised or lowered by one."""
    for found in re.finditer("[0-9]+", words):
        for number in (int(found[0]) + 1, int(found[0]) - 1):
            yield f"{words[: found.start()]}{number:0{len(found[0])}}{words[found.end() :]}"


def _find_disagreements(spot: Spot, state: Any, seat: Seat, words: str) -> Iterator[str]:
    game, view = spot.game, view_for(spot.game, state, seat)
    try:
        action = game.parse(words, view, seat)
    except NotUnderstoodError:
        return
    unfit, refusals = find_ill_typed_part(action), tuple(game.check(view, seat, action))
    is_listed = action in game.legal(view, seat)
    if unfit:
        yield f"{seat}'s {words!r} is read with the {unfit[0]} {unfit[2]!r}, which its type forbids"
    if is_listed == bool(refusals):
        yield f"{seat}'s {words!r} is {'listed and refused' if refusals else 'neither listed nor refused'}"
    if refusals or (game.awaits_answer(state) and seat != game.to_act(state)):
        return
    verdict = adjudicate(game, state, seat, action, spot.make_dice_source())
    if not isinstance(verdict, LegalVerdict):
        yield f"{seat}'s {words!r} breaks no rule, but comes to {verdict}"
