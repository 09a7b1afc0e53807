"""What who says something legal may have overlooked: it is asked about before it is recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.engine.event import Seat
from referee.engine.legal import Action
from referee.engine.text import count_of
from referee.games.sheboygan import aiming, fire, mustering
from referee.games.sheboygan.counters import listed
from referee.games.sheboygan.moving import destinations, why_not_move
from referee.games.sheboygan.prowling import strength_left
from referee.games.sheboygan.sequence import Aloft, End
from referee.games.sheboygan.setting_up import Record, points_left
from referee.games.sheboygan.state import State
from referee.games.sheboygan.striking import targets
from referee.games.sheboygan.victory import Resign
from referee.games.sheboygan.wind import TurnToWind


def overlooked(view: State, _seat: Seat, action: Action) -> str | None:
    """What may have been overlooked, as a clause; None: nothing."""
    if isinstance(action, Record):
        left = points_left(view) - action.total
        return f"{count_of(left, 'point')} would be lost: nothing is kept for later (C49)" if left > 0 else None
    if isinstance(action, TurnToWind):
        return _not_doused(view)
    if isinstance(action, Resign):
        return "the game would be over, and the other player have won (C81)"
    if isinstance(action, End | Aloft) and not view.due:
        look = _ENDS.get(view.phase)
        return look(view) if look else None
    return None


def _not_bought(view: State) -> str | None:
    kinds = [view.board.tables.units[letter].type for letter, _ in mustering.for_sale(view)]
    return f"{count_of(view.budget, 'point')} would be lost, enough for {kinds[0]}" if kinds else None


def _not_moved(view: State) -> str | None:
    """A monster that has done nothing at all, though it could."""
    acted = view.walked or view.attempts or view.ignitions or view.struck
    return None if acted or not view.record.movement else "the monster has done nothing in this phase"


def _not_struck(view: State) -> str | None:
    """Units that the monster could attack and has not."""
    if view.monster is None or view.fled or not strength_left(view):
        return None
    left = [unit for _, units in targets(view) for unit in units if unit not in view.attacked]
    return f"{listed(left)} could still be attacked" if left else None


def _ends_movement(view: State) -> str | None:
    """Units that would be lost in flames, though they can move out of them (11.41b); a movement in which nobody has
    moved: perhaps the phase before it was meant, which was passed over.
    """
    return _in_flames(view) or (None if view.moved or view.spent else _nobody_moved(view))


def _nobody_moved(view: State) -> str | None:
    able = [unit for unit in view.at if not why_not_move(view, unit) and destinations(view, unit)]
    return f"nobody has moved in this phase, though {listed(able)} could" if able else None


def _in_flames(view: State) -> str | None:
    lost = [unit for unit in fire.scorched_by(view) if not why_not_move(view, unit) and destinations(view, unit)]
    return f"{listed(lost)} would be lost in flames" if lost else None


def _not_assailed(view: State) -> str | None:
    """Units that could attack and have not."""
    able = {unit for party in aiming.parties(view) for unit in party.units}
    return f"{listed([unit for unit in view.at if unit in able])} could still attack" if able else None


def _not_doused(view: State) -> str | None:
    """Fires that could still be put out."""
    able = fire.dousers(view)
    return f"{listed(able)} could still put out a fire" if able else None


_ENDS: Mapping[str, Callable[[State], str | None]] = {
    "buy": _not_bought,
    "monster-move": _not_moved,
    "monster-combat": _not_struck,
    "human-move": _ends_movement,
    "human-combat": _not_assailed,
}
