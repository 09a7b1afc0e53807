"""The view of each player: the monster's record and entry edge are its own player's secrets (12.0f, 12.0g)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.engine.choice import Action, find_action_tag
from referee.engine.event import Seat
from referee.engine.secret import Secret
from referee.games.sheboygan.board import MAP_EDGES
from referee.games.sheboygan.options import (
    ABILITIES,
    GROWTH_PER_BOX,
    LEAST_STRENGTH_POINTS,
    MONSTER_SEAT,
    Ability,
    Scenario,
    sum_ability_costs,
)
from referee.games.sheboygan.state import RecordSheet, State

if TYPE_CHECKING:
    from random import Random

SECRET_ACTION_TAGS = ("abilities", "record", "edge", "hurt", "grow", "sheet")
"""The actions that the monster's player takes in secret. Only their effect on defense is public (C35)."""


def make_view(state: State, seat: Seat | None) -> State:
    """Returns what a seat may know of a state. `seat` is None for a spectator."""
    told = (state.sheet and state.sheet.known) or (state.edge and state.edge.known)
    return state.public_view if told and seat != MONSTER_SEAT else state


def is_secret_action(action: Action) -> bool:
    """True if an action is taken in secret."""
    return find_action_tag(type(action)) in SECRET_ACTION_TAGS


# Guesses about the secrets


MAX_STRENGTH = 99
"""The most points that a strength can have, even in a position that somebody has typed."""
HIDDEN_POINT_USES = ("attack", "destruction", "movement", "lost")
"""The places of points that others cannot see; "lost" is for points that were never spent (C49)."""


def guess_state(view: State, seat: Seat | None, random: Random) -> State:  # noqa: ARG001 - all others know the same
    """Returns the state with a random record and edge that fit what is known.

    The guess fits the abilities that were shown or denied, the points that could be had, and the points that were spent
    in this turn.
    """
    sheet, edge = view.sheet, view.edge
    if sheet and not sheet.known:
        sheet = Secret(MONSTER_SEAT, _guess_sheet(view, random), sheet.leaf)
    if edge and not edge.known:
        edge = Secret(MONSTER_SEAT, random.choice(MAP_EDGES), edge.leaf)
    return replace(view, sheet=sheet, edge=edge)


def _guess_sheet(view: State, random: Random) -> RecordSheet:
    """Returns a guessed record: abilities first, then strengths.

    Each strength has at least the points that were spent of it. The points that are left are shared out at random.
    Before strengths are written, there are only abilities.
    """
    known, lacking = frozenset(view.known), frozenset(view.lacking)
    if view.phase == "record":
        return RecordSheet(
            abilities=random.choice(
                _list_possible_ability_sets(view.scenario, known, lacking, view.scenario.monster_points)
            )
        )
    strengths = {"attack": view.struck, "destruction": view.smashed, "movement": max(1, view.walked), "lost": 0}
    room = find_highest_strength_total(view) - view.damage - view.defense - sum(strengths.values())
    abilities = random.choice(_list_possible_ability_sets(view.scenario, known, lacking, room))
    for _ in range(room - sum_ability_costs(abilities)):
        strengths[random.choice(HIDDEN_POINT_USES)] += 1
    del strengths["lost"]
    return RecordSheet(**strengths, abilities=abilities)


def find_highest_strength_total(view: State) -> int:
    """Returns the most points that the monster can have had in all.

    They are its Initial Strength Points, and the most by which it can have grown (14.25b, 14.25c).
    """
    grown = len(view.lost) + GROWTH_PER_BOX * (len(view.rubble) + len(view.ruins))
    return view.scenario.monster_points + (grown if view.scenario.monster_grows else 0)


def assume_strongest_monster(view: State) -> State:
    """Returns the view with the strongest monster that there can be: it can do whatever the true one can."""
    return replace(view, sheet=Secret(MONSTER_SEAT, RecordSheet(MAX_STRENGTH, MAX_STRENGTH, MAX_STRENGTH, ABILITIES)))


def assume_each_edge(view: State) -> Iterator[State]:
    """Yields the view once with each edge that may be noted; unchanged if nothing is hidden about the edge."""
    if view.edge is None or view.edge.known:
        yield view
    else:
        yield from (replace(view, edge=Secret(MONSTER_SEAT, edge)) for edge in MAP_EDGES)


@lru_cache(maxsize=256)
def _list_possible_ability_sets(
    scenario: Scenario, known: frozenset[Ability], lacking: frozenset[Ability], room: int
) -> tuple[tuple[Ability, ...], ...]:
    """Returns all sets of abilities that a monster can have bought for at most `room` points.

    Each set has the known abilities and none of the lacking ones. If no set fits, as in some typed positions, returns
    the known abilities alone.
    """
    most = min(room, scenario.monster_points - LEAST_STRENGTH_POINTS)
    free = [ability for ability in scenario.abilities if ability not in known | lacking]
    sets = (known.union(more) for size in range(len(free) + 1) for more in combinations(free, size))
    taken = [tuple(ability for ability in scenario.abilities if ability in one) for one in sets]
    return tuple(one for one in taken if scenario.least_ability_points <= sum_ability_costs(one) <= most) or (
        tuple(sorted(known)),
    )
