"""Estimates a position for bots: the strength that the Human side has left, against the Mutants that can still come.

Pairs fight until one of them dies. So on average a unit kills as many enemies as its Hit Number divided by theirs, and
all strength is counted in Mutants. In a room with both sides the Combat counts as fought.

The weights were fitted to positions of games between bots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from math import tanh
from statistics import fmean
from typing import NamedTuple

from referee.engine.caching import cache_latest
from referee.engine.event import Seat
from referee.games.mutants.board import Board, Passages
from referee.games.mutants.engaging import KINDS_IN_RISING_VALUE
from referee.games.mutants.phases import MUTANT_MOVEMENT_STEPS, PHASES_BEFORE_PLAY
from referee.games.mutants.state import State

ADVANTAGE_WEIGHT, ADVANTAGE_GROWTH = 0.0435, 0.0144
"""The weight of an advantage of one Mutant: before the first Turn, and its increase with each Turn."""
DISTANCE_FACTOR, JANIBOT_DISTANCE_FACTOR = 0.98, 0.3
"""The value of a Human unit and of a Janibot one room from the Tech Room, compared with one in it.

The value is multiplied by this for each further room. A Janibot that nobody leads stays where it is, and Mutants go
round it.
"""
JANIBOT_VALUE = 0.5
"""The value of a Janibot compared with a Human unit in the same place. A Janibot never enters the Tech Room."""
MUTANT_DISTANCE_FACTOR = 0.994
"""The value of a Mutant one room from its goal, compared with one in it.

Each further room multiplies it by this again.
"""
DOOR_DELAY, JANIBOT_DELAY = 0.7, 0.8
"""The number of rooms that a door to be smashed counts as, and each Janibot in a room on the way."""
OUT_OF_REACH_FACTOR = 0.65
"""The factor for each room that a unit cannot cover in the Turns that are left."""
SURVIVAL_FACTOR = 0.964
"""The factor for a Radioactive Mutant for each room that it still has to go, since it may die on the way."""
ESCAPE_VALUES, CAPTIVE_VALUE = {"none": 0.0, "mutant": 0.5, "penny": 1.0}, 0.3
"""The value of a Mutant that has got out of the building, and of Penny as a captive."""


def estimate_worth(view: State, seat: Seat) -> float:
    """Returns an estimate of the position for a seat, from -1 (lost) to 1 (won)."""
    human = _estimate_human_worth(view)
    return human if seat == "human" else -human


def _estimate_human_worth(view: State) -> float:
    lives = _predict_survivors(view)
    held = tanh(
        (_measure_defence(view, lives) - _count_mutants_near_goal(view, lives))
        * (ADVANTAGE_WEIGHT + ADVANTAGE_GROWTH * view.turn)
    )
    return max(-1.0, min(1.0, held - ESCAPE_VALUES[view.escape] - CAPTIVE_VALUE * view.captive))


# Combats that are still to be fought


def _predict_survivors(view: State) -> Mapping[str, float]:
    """Returns the expected share of each unit that survives the Combats to be fought, from 0 to 1.

    The result leaves out units that fight in none of these Combats.
    """
    found: dict[str, float] = {}
    for room in view.list_contested_rooms():
        found |= _expect_survivors(
            view.board, _list_fighting_order(view, "human", room), _list_fighting_order(view, "mutant", room)
        )
    return found


def _list_fighting_order(view: State, side: Seat, room: str) -> list[str]:
    """Returns the order in which units fight: engaged units first, then the most expendable."""
    units, boxes = (
        view.board.units,
        view.combat.list_units_in_boxes() if view.combat and view.combat.room == room else ((), ()),
    )
    engaged = boxes[side == "mutant"]
    return sorted(
        view.list_fighters(side, room),
        key=lambda unit: (unit not in engaged, KINDS_IN_RISING_VALUE.index(units[unit].kind)),
    )


def _expect_survivors(board: Board, humans: Sequence[str], mutants: Sequence[str]) -> dict[str, float]:
    """Returns the share of each unit that survives, from 0 to 1, if units fight one after another with average dice."""
    found = dict.fromkeys((*humans, *mutants), 1.0)
    own, others = list(reversed(humans)), list(reversed(mutants))
    while own and others:
        human, mutant = own[-1], others[-1]
        kills = _expect_kills(board, human, mutant)
        over = found[human] * kills - found[mutant]
        found[human], found[mutant] = max(0.0, over / kills), max(0.0, -over)
        (others if over > 0 else own).pop()
    return found


def _expect_kills(board: Board, human: str, mutant: str) -> float:
    """Returns the number of Mutants like `mutant` that a Human-side unit kills on average before one kills it (V.D)."""
    one, enemy = board.units[human], board.units[mutant]
    return one.hit_number / (enemy.hit_number_against_janibots if one.kind == "janibot" else enemy.hit_number)


# The Human side


def _measure_defence(view: State, lives: Mapping[str, float]) -> float:
    """Returns the number of Mutants that the Human side can kill; units away from the Tech Room count less."""
    counts, left = _make_counts(view.board), view.final_turn - view.turn
    total = 0.0
    for unit in counts.humans:
        if unit in view.at and not view.is_captive(unit):
            away = counts.away[view.at[unit]]
            total += (
                counts.kills[unit]
                * lives.get(unit, 1.0)
                * DISTANCE_FACTOR**away
                * OUT_OF_REACH_FACTOR ** max(0, away - left)
            )
    for unit in view.board.janibots:
        place = view.at.get(unit)
        if place:
            total += (
                counts.kills[unit]
                * lives.get(unit, 1.0)
                * JANIBOT_VALUE
                * JANIBOT_DISTANCE_FACTOR ** counts.away[place]
            )
    return total


class _Counts(NamedTuple):
    """Numbers about a board and its units that do not depend on where the units stand."""

    humans: tuple[str, ...]
    """The Techs and Guards."""
    mutants: tuple[str, ...]
    """The Mutants in a fixed order, so that sums are the same in every process."""
    kills: Mapping[str, float]
    """The number of Normal Mutants that each Human-side unit kills on average."""
    away: Mapping[str, int]
    """The number of rooms between each place and the Tech Room, as the crow flies."""


@cache_latest
def _make_counts(board: Board) -> _Counts:
    normal, (x, y) = board.units_by_kind["normal"][0], board.spots_by_place[board.tech_room]
    humans = (*board.units_by_kind["tech"], *board.units_by_kind["guard"])
    kills = {unit: _expect_kills(board, unit, normal) for unit in board.units_by_side["human"]}
    away = {place: round(abs(spot[0] - x) + abs(spot[1] - y)) for place, spot in board.spots_by_place.items()}
    return _Counts(humans, tuple(sorted(board.units_by_side["mutant"])), kills, away)


# The Mutants


class MutantValue(NamedTuple):
    """The value of a Mutant in a place, compared with one that has reached its goal."""

    other: float
    radioactive: float


NO_VALUE = MutantValue(0.0, 0.0)


def _count_mutants_near_goal(view: State, lives: Mapping[str, float]) -> float:
    """Returns the number of Mutants in play; each counts from 0 to 1, and less the farther it is from its goal.

    The goal is the Tech Room, or in the Alternate Scenario the outside of the building. `lives` is the chance of each
    unit to survive the Combats to be fought.
    """
    board, total = view.board, 0.0
    counted = rate_places_for_mutants(view, lives)
    anywhere = _rate_mutant_in_hand(board, counted) if view.phase in PHASES_BEFORE_PLAY else NO_VALUE
    for unit in _make_counts(board).mutants:
        if unit in view.gone or unit in view.exited:
            continue
        one = counted.get(view.at.get(unit, ""), anywhere)
        count = one.radioactive if board.units[unit].kind == "radioactive" else one.other
        total += count * lives.get(unit, 1.0)
    return total


def rate_places_for_mutants(view: State, lives: Mapping[str, float]) -> Mapping[str, MutantValue]:
    """Returns the value of Mutants in every place from which there is a way to their goal."""
    board = view.board
    goals = board.squares if view.is_alternate_scenario else (board.tech_room,)
    jams = tuple([view.at[unit] for unit in board.janibots if unit in view.at and lives.get(unit, 1.0) > 0.5])
    return _rate_places_once(board.passages, goals, view.walls, view.smashed, jams, _count_turns_left(view))


def _count_turns_left(view: State) -> int:
    """Returns the number of Turns in which Mutants can still move."""
    return view.final_turn - view.turn + (view.phase in MUTANT_MOVEMENT_STEPS)


def _rate_mutant_in_hand(board: Board, counted: Mapping[str, MutantValue]) -> MutantValue:
    """Returns the value of a Mutant that is not set up yet: the average over all Set Up squares."""
    others, radioactive = zip(*(counted.get(square, NO_VALUE) for square in board.squares), strict=True)
    return MutantValue(fmean(others), fmean(radioactive))


@lru_cache(maxsize=64)
def _rate_places_once(
    passages: Passages,
    goals: tuple[str, ...],
    walls: frozenset[str],
    smashed: frozenset[str],
    jams: tuple[str, ...],
    left: int,
) -> Mapping[str, MutantValue]:
    """Returns the value of Mutants in every place from which there is a way to a goal.

    `jams` names the place of each Janibot that is likely to survive, and `left` is the number of Turns left.
    """
    found = {}
    for place, rooms in measure_mutant_distances(passages, goals, walls, smashed, Counter(jams)).items():
        comes = MUTANT_DISTANCE_FACTOR**rooms * OUT_OF_REACH_FACTOR ** max(0.0, rooms - left)
        found[place] = MutantValue(comes, comes * SURVIVAL_FACTOR**rooms)
    return found


def measure_mutant_distances(
    passages: Passages, goals: tuple[str, ...], walls: frozenset[str], smashed: frozenset[str], jams: Mapping[str, int]
) -> Mapping[str, float]:
    """Returns the distance for Mutants from each place to the nearest goal, in rooms.

    A door to be smashed adds DOOR_DELAY rooms. Each Janibot in a room on the way adds JANIBOT_DELAY rooms; `jams`
    counts these Janibots. Places without a way to a goal are left out.
    """
    found: dict[str, float] = {}
    waiting = [(0.0, goal) for goal in goals]
    while waiting:
        rooms, place = heappop(waiting)
        if place in found:
            continue
        found[place] = rooms
        beyond = rooms + 1 + JANIBOT_DELAY * jams[place]
        for to, door in passages.neighbours[place].items():
            if door not in walls and to not in found:
                holds = door is not None and door not in smashed
                heappush(waiting, (beyond + DOOR_DELAY * holds, to))
    return found
