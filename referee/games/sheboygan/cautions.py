"""Warnings about legal actions that look like a slip. The referee asks before it records such an action."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.engine.choice import Action
from referee.engine.event import Seat
from referee.engine.text import count_of
from referee.games.sheboygan import fire, possible_attacks, purchase_and_placement
from referee.games.sheboygan.counters import format_units
from referee.games.sheboygan.monster_attacks import list_monster_targets
from referee.games.sheboygan.monster_movement import count_attack_points_left
from referee.games.sheboygan.sequence import EndPhase, StayAloft
from referee.games.sheboygan.setting_up import WriteRecord, count_strength_points_left
from referee.games.sheboygan.state import State
from referee.games.sheboygan.unit_movement import find_destinations, refuse_move
from referee.games.sheboygan.victory import Resign
from referee.games.sheboygan.wind import RollForWind


def find_slip_warning(view: State, _seat: Seat, action: Action) -> str | None:
    """Returns a warning about a likely slip, as a clause; None if there is none."""
    if isinstance(action, WriteRecord):
        left = count_strength_points_left(view) - action.total
        return f"{count_of(left, 'point')} would be lost: nothing is kept for later (C49)" if left > 0 else None
    if isinstance(action, RollForWind):
        return _find_fires_left(view)
    if isinstance(action, Resign):
        return "the game would be over, and the other player would have won (C81)"
    if isinstance(action, EndPhase | StayAloft) and not view.due:
        look = _ENDS.get(view.phase)
        return look(view) if look else None
    return None


def _find_points_left(view: State) -> str | None:
    kinds = [view.board.tables.units[letter].type for letter, _ in purchase_and_placement.list_kinds_for_sale(view)]
    return f"{count_of(view.budget, 'point')} would be lost, enough for {kinds[0]}" if kinds else None


def _find_idle_monster(view: State) -> str | None:
    """Returns a warning if the monster has done nothing at all in this phase, though it could move."""
    acted = view.walked or view.attempts or view.ignitions or view.struck
    return None if acted or not view.record_sheet.movement else "the monster has done nothing in this phase"


def _find_targets_left(view: State) -> str | None:
    """Returns a warning if the monster could still attack units."""
    if view.monster is None or view.fled or not count_attack_points_left(view):
        return None
    left = [unit for _, units in list_monster_targets(view) for unit in units if unit not in view.attacked]
    return f"{format_units(left)} could still be attacked" if left else None


def _find_moves_left(view: State) -> str | None:
    """Returns a warning if units in flames would be lost though they can move out (11.41b), or if nobody has moved.

    A player who has moved nobody may have meant to end the phase before, which the referee passed over.
    """
    return _find_units_in_flames(view) or (None if view.moved or view.spent else _find_unmoved_units(view))


def _find_unmoved_units(view: State) -> str | None:
    able = [unit for unit in view.at if not refuse_move(view, unit) and find_destinations(view, unit)]
    return f"nobody has moved in this phase, though {format_units(able)} could" if able else None


def _find_units_in_flames(view: State) -> str | None:
    lost = [
        unit
        for unit in fire.list_units_endangered_by_flames(view)
        if not refuse_move(view, unit) and find_destinations(view, unit)
    ]
    return f"{format_units(lost)} would be lost in flames" if lost else None


def _find_attackers_left(view: State) -> str | None:
    """Returns a warning if units could still attack."""
    able = {unit for party in possible_attacks.list_attack_groups(view) for unit in party.units}
    return f"{format_units([unit for unit in view.at if unit in able])} could still attack" if able else None


def _find_fires_left(view: State) -> str | None:
    """Returns a warning if units could still put out a fire."""
    able = fire.list_units_able_to_douse(view)
    return f"{format_units(able)} could still put out a fire" if able else None


_ENDS: Mapping[str, Callable[[State], str | None]] = {
    "buy": _find_points_left,
    "monster-move": _find_idle_monster,
    "monster-combat": _find_targets_left,
    "human-move": _find_moves_left,
    "human-combat": _find_attackers_left,
}
