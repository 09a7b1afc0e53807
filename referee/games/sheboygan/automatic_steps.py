"""The steps that need no choice of a player: duties are carried out, and idle phases end (6.0e, 6.31c, C85)."""

from referee.engine import turn_order
from referee.engine.event import Event, Script
from referee.games.sheboygan.possible_attacks import can_humans_attack, can_monster_act_in_combat
from referee.games.sheboygan.state import State
from referee.games.sheboygan.turns import TurnBegun, begin_fire_phase_or_turn, begin_human_turn
from referee.games.sheboygan.victory import GameEnded, find_outcome


def settle_duties(state: State) -> Script[State]:
    """Carries out duties until somebody has to choose, or the game is over. Returns the state after that."""
    return turn_order.settle_tasks(state, _find_next_step)


def _find_next_step(state: State) -> Script[State] | Event | None:
    """Returns the next step that needs no choice; None if there is none.

    The victory level is checked after every step (14.1c, C8). Effects come before the next attack (6.14b), and before
    the next Game-Turn.
    """
    if state.outcome:
        return None
    end = find_outcome(state)
    if end:
        return GameEnded(end)
    if state.due:
        return state.due[0].make_forced_events(state)
    return TurnBegun(state.turn + 1) if state.blown else _end_idle_phase(state)


def _end_idle_phase(state: State) -> Script[State] | None:
    """Returns the end of a Combat Phase in which nothing is left to do, as everybody can see (C85); else None."""
    if state.phase == "monster-combat" and not can_monster_act_in_combat(state):
        return begin_human_turn(state)
    if state.phase == "human-combat" and not can_humans_attack(state):
        return begin_fire_phase_or_turn(state)
    return None
