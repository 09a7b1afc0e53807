"""A rule of thumb for bots: who holds the Tech Room, who is alive, and how far the Mutants have come."""

from __future__ import annotations

from referee.engine.event import Seat
from referee.games.mutants.board import HUMAN_UNITS
from referee.games.mutants.state import State
from referee.games.mutants.victory import MUTANTS

HELD, ALIVE, NEAR, SMASHED = 0.06, 0.4, 0.6, 0.01
"""What a unit in the Tech Room counts for, all units of a side, a side's way to the Tech Room,
and a smashed door."""


def worth(view: State, seat: Seat) -> float:
    """What a view is worth to a seat: 1 won, -1 lost."""
    human = _worth_to_human(view)
    return human if seat == "human" else -human


def _worth_to_human(view: State) -> float:
    tech = view.board.tech
    held = view.count(tech, *HUMAN_UNITS) - view.count(tech, *MUTANTS)
    near = _near(view, "human") - _near(view, "mutant")
    alive = _alive(view, "human") - _alive(view, "mutant")
    escaped = {"none": 0.0, "mutant": 0.5, "penny": 1.0}[view.escape] + 0.3 * view.captive
    return max(-1.0, min(1.0, HELD * held + ALIVE * alive + NEAR * near - SMASHED * len(view.smashed) - escaped))


def _alive(view: State, side: Seat) -> float:
    """The part of a side's units that is alive as far as anybody can see."""
    units = view.board.of_side[side]
    return 1 - len(view.gone & units) / max(1, len(units))


def _near(view: State, side: Seat) -> float:
    """How near a side's units are to the Tech Room: 1 all in it, 0 far away."""
    spots, tech = view.board.spots, view.board.tech
    units = view.board.of_side[side]
    places = [view.at[unit] for unit in units if unit in view.at]
    off = [abs(spots[place][0] - spots[tech][0]) + abs(spots[place][1] - spots[tech][1]) for place in places]
    return sum(1 / (1 + steps) for steps in off) / max(1, len(units))
