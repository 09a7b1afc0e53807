"""A rule of thumb for bots: whom the Human side can still kill, against the Mutants that can still come.

Pairs fight until one of them dies, so a unit kills on average as many as its Hit Number goes into that of its enemy:
all strength is counted in Mutants. In a room with both sides the Combat counts as fought. How much each thing counts
was fitted to positions of games between bots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from math import tanh
from statistics import fmean
from typing import NamedTuple

from referee.engine.event import Seat
from referee.engine.once import latest
from referee.games.mutants.board import Board, Passages
from referee.games.mutants.combat import EXPENDABLE
from referee.games.mutants.state import MUTANT_MOVEMENT, SETTING_UP, State

SURE, SURER = 0.0435, 0.0144
"""How fast winning grows with what one is ahead by: before the first Turn, and by how much more in each."""
AWAY, JANIBOT_AWAY = 0.98, 0.3
"""What a Human unit and a Janibot one room from the Tech Room count beside one in it; two rooms away as much less
again: a Janibot that nobody leads stays where it is, and Mutants go round it.
"""
JANIBOT = 0.5
"""What a Janibot counts beside a Human unit in the same place: it never enters the Tech Room."""
COMES = 0.994
"""What a Mutant one room from its goal counts beside one in it; two rooms away as much less again."""
DOOR, JAM = 0.7, 0.8
"""Rooms as which a door counts that has to be smashed, and each Janibot in a room for who has to get through."""
LATE = 0.65
"""What becomes of a unit for each room that it is too far away for the Turns that are left."""
LASTS = 0.964
"""What a Radioactive Mutant counts beside another for each room that it has still to go: it may die on the way."""
OUT, CAPTIVE = {"none": 0.0, "mutant": 0.5, "penny": 1.0}, 0.3
"""What it counts that a Mutant has got out of the building, and that Penny is a captive."""


def worth(view: State, seat: Seat) -> float:
    """What a view is worth to a seat: 1 won, -1 lost."""
    human = _worth_to_human(view)
    return human if seat == "human" else -human


def _worth_to_human(view: State) -> float:
    lives = _lives(view)
    held = tanh((_defence(view, lives) - _attack(view, lives)) * (SURE + SURER * view.turn))
    return max(-1.0, min(1.0, held - OUT[view.escape] - CAPTIVE * view.captive))


# Combats that are to be fought


def _lives(view: State) -> Mapping[str, float]:
    """What is thought to be left of each unit after the Combats that are to be fought; all of it, if not named."""
    found: dict[str, float] = {}
    for room in view.contested():
        found |= _fought(view.board, _in_order(view, "human", room), _in_order(view, "mutant", room))
    return found


def _in_order(view: State, side: Seat, room: str) -> list[str]:
    """Who fights first: those who are engaged, then those whom their player can best do without."""
    units, boxes = view.board.units, view.combat.boxes() if view.combat and view.combat.room == room else ((), ())
    engaged = boxes[side == "mutant"]
    return sorted(view.fighters(side, room), key=lambda unit: (unit not in engaged, EXPENDABLE.index(units[unit].kind)))


def _fought(board: Board, humans: Sequence[str], mutants: Sequence[str]) -> dict[str, float]:
    """Parts of units that live where each takes on one after another and all throw as is to be expected."""
    found = dict.fromkeys((*humans, *mutants), 1.0)
    own, others = list(reversed(humans)), list(reversed(mutants))
    while own and others:
        human, mutant = own[-1], others[-1]
        kills = _kills(board, human, mutant)
        over = found[human] * kills - found[mutant]
        found[human], found[mutant] = max(0.0, over / kills), max(0.0, -over)
        (others if over > 0 else own).pop()
    return found


def _kills(board: Board, human: str, mutant: str) -> float:
    """How many such Mutants a unit of the Human side kills on average before one kills it (V.D)."""
    one, enemy = board.units[human], board.units[mutant]
    return one.hit / (enemy.hit_j if one.kind == "janibot" else enemy.hit)


# The Human side


def _defence(view: State, lives: Mapping[str, float]) -> float:
    """How many Mutants the Human side can kill, less where it is away from the Tech Room."""
    counts, left = _counts(view.board), view.last_turn - view.turn
    total = 0.0
    for unit in counts.humans:
        if unit in view.at and not view.is_captive(unit):
            away = counts.away[view.at[unit]]
            total += counts.kills[unit] * lives.get(unit, 1.0) * AWAY**away * LATE ** max(0, away - left)
    for unit in view.board.janibots:
        place = view.at.get(unit)
        if place:
            total += counts.kills[unit] * lives.get(unit, 1.0) * JANIBOT * JANIBOT_AWAY ** counts.away[place]
    return total


class _Counts(NamedTuple):
    """What holds on a board whoever stands where."""

    humans: tuple[str, ...]
    """Techs and Guards."""
    mutants: tuple[str, ...]
    """In one order, so that sums are the same in every process."""
    kills: Mapping[str, float]
    """How many Normal Mutants each unit of the Human side kills on average."""
    away: Mapping[str, int]
    """Rooms between each place and the Tech Room, as the crow flies."""


@latest
def _counts(board: Board) -> _Counts:
    normal, (x, y) = board.of_kind["normal"][0], board.spots[board.tech]
    humans = (*board.of_kind["tech"], *board.of_kind["guard"])
    kills = {unit: _kills(board, unit, normal) for unit in board.of_side["human"]}
    away = {place: round(abs(spot[0] - x) + abs(spot[1] - y)) for place, spot in board.spots.items()}
    return _Counts(humans, tuple(sorted(board.of_side["mutant"])), kills, away)


# The Mutants


class Counted(NamedTuple):
    """What a Mutant in a place counts beside one that is where it wants to be."""

    other: float
    radioactive: float


NOWHERE = Counted(0.0, 0.0)


def _attack(view: State, lives: Mapping[str, float]) -> float:
    """How many Mutants can come to where they want to be: the Tech Room, or out of the building."""
    board, total = view.board, 0.0
    counted = counted_in(view, lives)
    anywhere = _anywhere(board, counted) if view.phase in SETTING_UP else NOWHERE
    for unit in _counts(board).mutants:
        if unit in view.gone or unit in view.exited:
            continue
        one = counted.get(view.at.get(unit, ""), anywhere)
        count = one.radioactive if board.units[unit].kind == "radioactive" else one.other
        total += count * lives.get(unit, 1.0)
    return total


def counted_in(view: State, lives: Mapping[str, float]) -> Mapping[str, Counted]:
    """What Mutants count in every place from which there is a way to where they want to be."""
    board = view.board
    goals = board.squares if view.alternate else (board.tech,)
    jams = tuple([view.at[unit] for unit in board.janibots if unit in view.at and lives.get(unit, 1.0) > 0.5])
    return _counted(board.passages, goals, view.walls, view.smashed, jams, _turns_left(view))


def _turns_left(view: State) -> int:
    """Turns in which Mutants can still move."""
    return view.last_turn - view.turn + (view.phase in MUTANT_MOVEMENT)


def _anywhere(board: Board, counted: Mapping[str, Counted]) -> Counted:
    """What one counts that is not set up yet: as one of any Set Up square."""
    others, radioactive = zip(*(counted.get(square, NOWHERE) for square in board.squares), strict=True)
    return Counted(fmean(others), fmean(radioactive))


@lru_cache(maxsize=64)
def _counted(
    passages: Passages,
    goals: tuple[str, ...],
    walls: frozenset[str],
    smashed: frozenset[str],
    jams: tuple[str, ...],
    left: int,
) -> Mapping[str, Counted]:
    """What Mutants count in every place from which there is a way to a goal."""
    found = {}
    for place, rooms in ways_to(passages, goals, walls, smashed, Counter(jams)).items():
        comes = COMES**rooms * LATE ** max(0.0, rooms - left)
        found[place] = Counted(comes, comes * LASTS**rooms)
    return found


def ways_to(
    passages: Passages, goals: tuple[str, ...], walls: frozenset[str], smashed: frozenset[str], jams: Mapping[str, int]
) -> Mapping[str, float]:
    """How far it is from each place to the nearest goal, in rooms: doors that hold and Janibots are counted in."""
    found: dict[str, float] = {}
    waiting = [(0.0, goal) for goal in goals]
    while waiting:
        rooms, place = heappop(waiting)
        if place in found:
            continue
        found[place] = rooms
        beyond = rooms + 1 + JAM * jams[place]
        for to, door in passages.beside[place].items():
            if door not in walls and to not in found:
                holds = door is not None and door not in smashed
                heappush(waiting, (beyond + DOOR * holds, to))
    return found
