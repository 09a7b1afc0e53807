"""The game in one line, and the names of its phases."""

from __future__ import annotations

from collections.abc import Mapping

from referee.engine.text import count_of
from referee.games.sheboygan.counters import format_units
from referee.games.sheboygan.options import HUMAN_SEAT
from referee.games.sheboygan.state import Phase, State

PHASE_NAMES: Mapping[Phase, str] = {
    "abilities": "the choice of abilities",
    "record": "the writing of the record",
    "edge": "the choice of the entry edge",
    "buy": "the purchase of units",
    "place": "the placement of units",
    "monster-move": "the Monster Movement Phase",
    "monster-combat": "the Monster Combat Phase",
    "arrival": "the arrival of the firemen",
    "human-move": "the Human Movement Phase",
    "human-combat": "the Human Combat Phase",
    "fire": "the Fire Phase",
}
"""The phases in words."""


def describe_due(state: State) -> str:
    """Returns the first duty as a clause, or the current phase if there is none."""
    return state.due[0].clause if state.due else f"this is {PHASE_NAMES[state.phase]}"


def describe_status(view: State) -> str:
    """Returns one line: the phase or duty, Victory Points, defense, and other strengths if the view knows them.

    After the end of the game, the line only says why it ended.
    """
    if view.outcome:
        return view.outcome.because
    score = f"{count_of(view.points, 'Victory Point')} of {view.scenario.victory_level}, defense {view.defense}"
    return f"{_describe_waiting(view)}; {score}{_describe_own_sheet(view)}"


def _describe_waiting(view: State) -> str:
    if view.due:
        return view.due[0].describe_for_status()
    left = f", {count_of(view.budget, 'point')} left" if view.phase == "buy" else ""
    hand = f", to be placed: {format_units(view.hand)}" if view.hand and view.phase != "buy" else ""
    return PHASE_NAMES[view.phase].removeprefix("the ") + left + hand


def _describe_own_sheet(view: State) -> str:
    """Returns the strengths except defense, for the line of the monster's player; "" in other views."""
    if not view.turn or view.sheet is None or not view.sheet.known:
        return ""
    sheet = view.sheet.value
    if view.seat_to_move == HUMAN_SEAT:
        return f"; attack {sheet.attack}, destruction {sheet.destruction}, movement {sheet.movement}"
    attack = f"attack {max(0, sheet.attack - view.struck)} of {sheet.attack}"
    destruction = f"destruction {max(0, sheet.destruction - view.smashed)} of {sheet.destruction}"
    return f"; {attack}, {destruction}, movement {max(0, sheet.movement - view.walked)} of {sheet.movement}"
