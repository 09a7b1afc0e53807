"""The status of the game in one line."""

from __future__ import annotations

from referee.games.zombies.player import Player
from referee.games.zombies.state import PHASE_DESCRIPTIONS, SET_UP_PHASES, State


def describe_status(view: State) -> str:
    """Returns the status: who has to do what, and the health of every player. After the game, returns the outcome."""
    if view.outcome:
        return f"the game is over: {view.outcome.because}"
    if view.phase in SET_UP_PHASES:
        return PHASE_DESCRIPTIONS[view.phase]
    task = view.task
    what = f"{task.by} has to {task.todo}" if task else f"{view.current_player.hero}: {PHASE_DESCRIPTIONS[view.phase]}"
    return f"{what}; health {', '.join(f'{player.hero} {_describe_health(player)}' for player in view.seated_players)}"


def _describe_health(player: Player) -> str:
    return "out" if player.is_out_of_game else f"{player.health}{' (zombie)' if player.is_zombie else ''}"
