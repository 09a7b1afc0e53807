"""Advice after a refused action: other actions of the named piece, other pieces that can do it, and the way to make it
possible.

Everything is worked out from the view of one seat, so advice tells this seat nothing new.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import chain, islice
from typing import Any

from msgspec import Struct

from referee.engine.choice import Action, Choice
from referee.engine.event import Seat
from referee.engine.game import AnyGame
from referee.engine.legal import LegalActions
from referee.record.table.way_to_action import WaySearch, WayStep, WayToAction
from referee.record.table.wish import MAX_COMPARED, MAX_COMPARED_OF_CHOICE, Wish, find_wish

MAX_SHOWN = 3
"""The most suggestions that are shown."""
MIN_SIMILARITY = 0.5
"""The least similarity of the texts of two actions, from 0 to 1, that counts."""


class Advice(Struct, frozen=True):
    """The advice after a refused action."""

    instead: tuple[Action, ...] = ()
    """Legal actions, the nearest to the refused one first."""
    way: WayToAction | None = None
    """The way to the refused action, or to one like it; None if none was found."""


def find_advice(game: AnyGame, view: Any, seat: Seat, legal: LegalActions, action: Action, *, secrets: bool) -> Advice:
    """Returns up to three legal actions in place of a refused one, and the way to the refused action if one is found.

    Actions of the named piece come first, with those nearest to the aim of the refused action in front. Then come other
    pieces that reach this aim. If there are none, the first step of the way takes their place, unless that step only
    ends a part of the turn. If nothing is found so far, the actions with the most similar words are chosen. Giving up
    is never suggested. `secrets` is True if the game keeps secrets.
    """
    wish, legal = find_wish(game, view, action), game.verbs.without_resigning(legal)
    kept = wish.list_nearest_actions(legal.choices)
    way = None if wish.is_there else WaySearch(game, seat, wish, secrets).find_way(view)
    if way is not None and kept and (way.then.action != action or (way.rolls and way.includes_other_seats)):
        way = None  # something nearer is possible at once
    if not kept and way is not None and _is_own_step(game, seat, way.after[0]):
        kept = [way.after[0].action]
    return Advice(tuple(kept or _list_most_alike(game, legal.choices, wish))[:MAX_SHOWN], way)


def _is_own_step(game: AnyGame, seat: Seat, step: WayStep) -> bool:
    """True if the seat itself takes a step, and the step does more than end a part of the turn."""
    return step.by == seat and game.verbs.find_verb(type(step.action)).closes is None


def _list_most_alike(game: AnyGame, choices: Iterable[Choice], wish: Wish) -> list[Action]:
    """Returns the actions of some choices, those most like the wish first.

    Actions of the wished kind come first, then those near the aim, then those with similar words. Within each kind,
    actions that only end a part of the turn come last. Of many actions, only the first ones are compared.
    """
    likeness = SequenceMatcher(b=game.format(wish.action))

    def measure_distance(other: Action) -> tuple[object, ...]:
        likeness.set_seq1(game.format(other))
        alike = likeness.ratio() if likeness.real_quick_ratio() >= MIN_SIMILARITY else 0
        ends = game.verbs.find_verb(type(other)).closes is not None
        return (
            type(other) is not wish.kind,
            ends,
            wish.measure_distance(other),
            -alike if alike >= MIN_SIMILARITY else 0,
        )

    return sorted(
        islice(chain.from_iterable(islice(choice, MAX_COMPARED_OF_CHOICE) for choice in choices), MAX_COMPARED),
        key=measure_distance,
    )
