"""What each player may know: the monster's record and its entry edge are its own player's secrets (12.0f, 12.0g)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from msgspec.structs import replace

from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.engine.secret import Secret
from referee.games.sheboygan.board import EDGES
from referee.games.sheboygan.options import ABILITIES, CREATURE, GAIN, LEAST, Ability, Scenario, cost_of
from referee.games.sheboygan.state import Sheet, State

if TYPE_CHECKING:
    from random import Random

SECRET = ("abilities", "record", "edge", "hurt", "grow", "sheet")
"""What the monster's player does in secret: all but what it comes to for defense (C35)."""


def view(state: State, seat: Seat | None) -> State:
    """What a seat may know; None: a spectator."""
    told = (state.sheet and state.sheet.known) or (state.edge and state.edge.known)
    return state.public if told and seat != CREATURE else state


def is_secret(action: Action) -> bool:
    """Whether this is done in secret."""
    return action.__struct_config__.tag in SECRET


# What the others may believe


MOST = 99
"""Points that no strength goes beyond, not even in a position that somebody has typed."""
SINKS = ("attack", "destruction", "movement", "lost")
"""Where a point may be of which nobody else knows: damage takes some, and not all need be spent (C49)."""


def guess(view: State, seat: Seat | None, random: Random) -> State:  # noqa: ARG001 - all others know the same
    """A record and an edge that fit what is known of them: abilities that were shown or denied, points that could be
    had, and what was spent of them in this turn.
    """
    sheet, edge = view.sheet, view.edge
    if sheet and not sheet.known:
        sheet = Secret(CREATURE, _sheet(view, random), sheet.leaf)
    if edge and not edge.known:
        edge = Secret(CREATURE, random.choice(EDGES), edge.leaf)
    return replace(view, sheet=sheet, edge=edge)


def _sheet(view: State, random: Random) -> Sheet:
    """Abilities first; then strengths: what was spent of each, and of the points that are left as many as chance has
    it. Before strengths are written there are abilities alone.
    """
    known, lacking = frozenset(view.known), frozenset(view.lacking)
    if view.phase == "record":
        return Sheet(abilities=random.choice(_takings(view.scenario, known, lacking, view.scenario.monster)))
    strengths = {"attack": view.struck, "destruction": view.smashed, "movement": max(1, view.walked), "lost": 0}
    room = points_had(view) - view.damage - view.defense - sum(strengths.values())
    abilities = random.choice(_takings(view.scenario, known, lacking, room))
    for _ in range(room - cost_of(abilities)):
        strengths[random.choice(SINKS)] += 1
    del strengths["lost"]
    return Sheet(**strengths, abilities=abilities)


def points_had(view: State) -> int:
    """The most that the monster can have in all: Initial Strength Points, and what it has grown by (14.25b, 14.25c)."""
    grown = len(view.lost) + GAIN * (len(view.rubble) + len(view.ruins))
    return view.scenario.monster + (grown if view.scenario.grows else 0)


def boldest(view: State) -> State:
    """The strongest monster that fits what everybody knows: it can do whatever the true one can."""
    return replace(view, sheet=Secret(CREATURE, Sheet(MOST, MOST, MOST, ABILITIES)))


def with_any_edge(view: State) -> Iterator[State]:
    """A view with every edge that may be noted in it."""
    if view.edge is None or view.edge.known:
        yield view
    else:
        yield from (replace(view, edge=Secret(CREATURE, edge)) for edge in EDGES)


@lru_cache(maxsize=256)
def _takings(
    scenario: Scenario, known: frozenset[Ability], lacking: frozenset[Ability], room: int
) -> tuple[tuple[Ability, ...], ...]:
    """All that a monster can have taken of the abilities that is known to have some and to lack others, for so many
    points; where that cannot be, as a position may have it, what is known.
    """
    most = min(room, scenario.monster - LEAST)
    free = [ability for ability in scenario.abilities if ability not in known | lacking]
    sets = (known.union(more) for size in range(len(free) + 1) for more in combinations(free, size))
    taken = [tuple(ability for ability in scenario.abilities if ability in one) for one in sets]
    return tuple(one for one in taken if scenario.quota <= cost_of(one) <= most) or (tuple(sorted(known)),)
