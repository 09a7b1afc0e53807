"""The game in one line, and the names of its phases."""

from __future__ import annotations

from collections.abc import Mapping

from referee.engine.action_fields import spoken
from referee.engine.text import count_of, listing
from referee.games.manoover.state import Phase, State, is_spared
from referee.games.manoover.victory import decided_by

PHASES: Mapping[Phase, str] = {
    **dict.fromkeys(("throw", "rethrow", "control"), "control phase"),
    "auto": "automatic phase",
}
"""The phases of a turn, by what it waits for."""


def status(view: State) -> str:
    """What is waited for, and the score."""
    score = ", ".join(f"{seat} {count}" for seat, count in view.scores())
    return f"{_waiting(view)}; in the goals: {score}"


def _waiting(state: State) -> str:
    if state.outcome:
        by = decided_by(state)
        return f"{state.outcome.because.partition(':')[0]}{f' ({by})' if by else ''}"
    if state.phase == "throw-off":
        return f"{listing(state.contenders)} throw for the first turn"
    spared = " (a first turn: no automatic phase)" if is_spared(state) else ""
    return f"{_due(state)}{spared}"


def _due(state: State) -> str:
    match state.phase:
        case "throw":
            return f"throw {count_of(state.board.file.dice, 'die', 'dice')}"
        case "rethrow":
            others = f", on the table: {spoken(state.dice)}" if state.dice else ""
            return f"throw {count_of(state.dead, 'die', 'dice')} again{others}"
        case "control":
            return f"dice {spoken(state.dice)}"
        case _:
            return PHASES.get(state.phase, state.phase)
